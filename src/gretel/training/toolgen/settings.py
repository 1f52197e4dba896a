"""How one ToolGen is trained."""

from typing import Literal, NamedTuple, TypeAlias, get_args

from pydantic import Field

from gretel.contracts.record import Record

Stage: TypeAlias = Literal["memorize", "retrieve", "agent"]
"""What a tool's document says leads to its token; what a request asks does; whole runs do."""
STAGES: tuple[Stage, ...] = get_args(Stage)
USUAL: tuple[Stage, ...] = ("memorize", "retrieve")
"""What a retriever needs."""
Preset: TypeAlias = Literal["cpu-tiny", "smol", "full"]
Target: TypeAlias = Literal["all", "pairs"]
"""Of a request that several tools serve: all at once, or a sample each as in the paper."""


Coding: TypeAlias = Literal["atomic", "semantic", "numeric", "hierarchical", "residual"]
"""A token a tool, or several words (`toolgen/codes.py`)."""


class Settings(Record):
    """Everything that decides a training but data and base."""

    stages: tuple[Stage, ...] = USUAL
    codes: Coding = "atomic"
    memorize_epochs: int = Field(default=3, ge=1)
    epochs: int = Field(default=3, ge=1)
    """Of retrieval, at most."""
    patience: int = Field(default=1, ge=1)
    """Epochs without gain on the development part after which retrieval ends."""
    agent_epochs: int = Field(default=2, ge=1)
    """Of whole runs, at most."""
    agent_batch: int = Field(default=8, ge=1)
    """Windows of runs."""
    batch: int = Field(default=32, ge=1)
    micro: int = Field(default=32, ge=1)
    """Texts that are read at once: a batch is put together from several."""
    rate: float = Field(default=2e-4, gt=0)
    """Of the model's own weights."""
    faster_rows: float = Field(default=10.0, gt=0)
    """Rate of the tools' rows, times that."""
    decay: float = 0.01
    """Of the model's own matrices; rows have none, since those of rare tools would fade."""
    warm_up: float = 0.03
    """Share of a stage until the full rate."""
    least: float = 0.05
    """Share of the full rate at a stage's end."""
    tuned: float = Field(default=1 / 3, ge=0, le=1)
    """Share of the layers that learn, from the top; 1 takes the embeddings, too."""
    lora: int = Field(default=0, ge=0, le=1_024)
    """Rank of the adapters by which these layers learn; 0: their own weights do."""
    mixed: float = Field(default=0.1, ge=0, le=1)
    """Share of documents among requests, against forgetting; none is read more often than thrice
    an epoch."""
    chained: float = Field(default=0.05, ge=0, le=1)
    """Share of requests that are continued behind some of their tools, once for each tool."""
    target: Target = "all"
    keep: int = Field(default=100, ge=1)
    """Steps after which the state is kept: so much is lost at most where training is cut off."""
    seed: int = 7


PRESETS: dict[Preset, Settings] = {
    "cpu-tiny": Settings(),
    "smol": Settings(rate=5e-4, faster_rows=2.0, tuned=1 / 3, lora=16, micro=16),
    "full": Settings(rate=4e-5, tuned=1.0, micro=2, memorize_epochs=8, epochs=1, batch=1024),
}
"""MiniLM on a CPU; small decoders; the paper's, for a GPU."""


class Source(NamedTuple):
    """What is trained, of which models."""

    base: str | None = None
    encoder: str | None = None
    device: str = "cpu"
