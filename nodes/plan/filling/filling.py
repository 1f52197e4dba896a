"""`Filling`: what goes into a slot, and where it came from."""

from dataclasses import dataclass

from gretel.contracts.record import JsonValue
from gretel.contracts.trial import ArgumentSource


@dataclass(frozen=True, slots=True)
class Filling:
    """A leaf's value."""

    value: JsonValue
    source: ArgumentSource
    span: tuple[int, int] | None = None
    """Characters of the request, or of the message `segment`."""
    segment: int | None = None
    confidence: float = 1.0
    tokens: tuple[int, int] | None = None
    """The tokens that it was read from, as (first, one past the last)."""
