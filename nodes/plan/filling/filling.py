"""`Filling`: what goes into a slot, and where it came from; `Match`: what speaks for it."""

from dataclasses import dataclass
from typing import NamedTuple

from gretel.contracts.record import JsonValue
from gretel.contracts.trial import ArgumentSource
from gretel.nodes.plan.matching.view import View

BEGINNING = 20_000
"""Characters of a request in which a whole turn of words is looked for: one call looks through them
all, and nobody else runs meanwhile."""


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


class Match(NamedTuple):
    """What speaks for a value."""

    score: float
    token: int
    """First token that speaks for it; -1 where none does."""
    end: int
    """One past the last."""


def filling_of(view: View, value: JsonValue, match: Match) -> Filling:
    """The value with the place that speaks for it."""
    if match.token < 0:
        return Filling(value, "request", confidence=match.score)
    first, last = view.document.tokens[match.token], view.document.tokens[match.end - 1]
    origin = view.document.segments[first.segment].origin
    span = (first.start, last.end) if last.segment == first.segment else None
    tokens = (match.token, match.end)
    return Filling(value, origin, span, first.segment, match.score, tokens)
