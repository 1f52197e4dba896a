"""What a model was shown to be good for: which steps ask it, and how far each trusts it."""

import math
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import Field

from gretel.contracts.record import JsonObject, Record
from gretel.contracts.trial import ArgumentSource

ModelStep: TypeAlias = Literal["rewrite", "plan", "simulate", "rerank"]
STEPS: tuple[ModelStep, ...] = get_args(ModelStep)


class Calibration(Record):
    """What `gretel calibrate` writes; steps that it does not name run their deterministic part."""

    model: str | None = None
    """`provider:model` that was measured; None: whichever is named."""
    steps: frozenset[ModelStep] = frozenset()
    """Those that ask the model."""
    trust: dict[ArgumentSource, Annotated[float, Field(ge=0, le=1)]] = Field(default_factory=dict)
    """By where a planned value of the model's comes from: how often such a value was right."""
    margin: float = Field(default=math.log(1.25), ge=0)
    """The re-ranker's: log-odds of evidence that the model's order may overcome. As it stands, a
    factor of 1.25, at which an arbitrary order costs little where trials tell tools apart
    (decision 0011)."""
    measured: JsonObject = Field(default_factory=dict)
    """The figures behind it, for people."""


NO_STEP = Calibration()
"""No step asks the model."""
EVERY_STEP = Calibration(steps=frozenset(STEPS))
"""Of one that the user named: each step asks it, and trusts it as far as code can check it."""
