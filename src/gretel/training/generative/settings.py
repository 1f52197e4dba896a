"""How one rewriter that writes is trained."""

from typing import Literal, NamedTuple, TypeAlias, get_args

from pydantic import Field

from gretel.training.loop import LoopSettings

Stage: TypeAlias = Literal["sft", "align"]
"""Towards descriptions of the right tools; towards what finds them."""
STAGES: tuple[Stage, ...] = get_args(Stage)


class Settings(LoopSettings):
    """Everything that decides a training but data and base."""

    stages: tuple[Stage, ...] = STAGES
    requests: int = Field(default=2_000, ge=1)
    """Learnt in a stage at most, drawn by the seed."""
    epochs: int = Field(default=3, ge=1)
    """Of the first stage, at most."""
    rounds: int = Field(default=6, ge=1)
    """Of the second one, at most: it ends where the reward of held-out requests grows no more."""
    asked: int = Field(default=200, ge=1)
    """Requests for which texts are drawn in a round, others each time."""
    samples: int = Field(default=6, ge=2)
    """Texts that are drawn for a request in a round, of which the best may be learnt."""
    share: float = Field(default=0.3, gt=0, le=1)
    """Of the queries beside the request while they are rewarded. At .05, as queries count whose
    worth is not known, hardly a list changes, and nothing could be learnt."""
    kl: float = Field(default=0.1, ge=0)
    """What a nat away from where the second stage began costs, of each token."""
    align_rate: float = Field(default=1e-4, gt=0)
    """The second stage's rate."""
    fold: float = Field(default=0.3, gt=0, lt=1)
    """Share of the tools that the first stage never sees, where there is a second one."""
    unseen: float = Field(default=0.1, gt=0, lt=1)
    """Share of the tools that no stage sees: requests for them say what becomes of new tools."""
    held: int = Field(default=200, ge=1)
    """Held-out requests for seen and for unseen tools that are looked at, each at most."""
    batch: int = Field(default=16, ge=1)
    micro: int = Field(default=8, ge=1)
    rate: float = Field(default=5e-4, gt=0)
    lora: int = Field(default=16, ge=0, le=1_024)
    keep: int = Field(default=20, ge=1)


class Source(NamedTuple):
    """What is trained, and what finds."""

    base: str
    encoder: str | None = None
    device: str = "cpu"
