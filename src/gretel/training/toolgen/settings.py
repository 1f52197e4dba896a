"""How one ToolGen is trained."""

from typing import Literal, NamedTuple, TypeAlias, get_args

from pydantic import Field

from gretel.training.loop import LoopSettings

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


class Settings(LoopSettings):
    """Everything that decides a training but data and base."""

    stages: tuple[Stage, ...] = USUAL
    codes: Coding = "atomic"
    memorize_epochs: int = Field(default=3, ge=1)
    epochs: int = Field(default=3, ge=1)
    """Of retrieval, at most; it ends where patience does."""
    agent_epochs: int = Field(default=2, ge=1)
    """Of whole runs, at most."""
    agent_batch: int = Field(default=8, ge=1)
    """Windows of runs."""
    faster_rows: float = Field(default=10.0, gt=0)
    """Rate of the tools' rows, times that; they have no decay, since those of rare tools would
    fade."""
    mixed: float = Field(default=0.1, ge=0, le=1)
    """Share of documents among requests, against forgetting; none is read more often than thrice
    an epoch."""
    chained: float = Field(default=0.05, ge=0, le=1)
    """Share of requests that are continued behind some of their tools, once for each tool."""
    target: Target = "all"


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
