"""Tokens that fill slots already, and what a span that overlaps them loses."""

from typing import NamedTuple

from gretel.nodes.plan.mentions.mention import Mention
from gretel.nodes.plan.mentions.spans import MentionSpan

REUSE, REUSE_ALIKE = 3.0, 8.0
"""What a span's log-odds lose when its tokens already fill another slot, or one of the same
group."""


class _Taken(NamedTuple):
    group: str
    first: int
    last: int
    mention: Mention | None


class UsedTokens:
    """The tokens that fill slots already."""

    def __init__(self) -> None:
        self._taken: list[_Taken] = []

    def add(self, group: str, first: int, last: int, mention: Mention | None = None) -> None:
        """Remember that a slot of `group` took the tokens first…last-1."""
        self._taken.append(_Taken(group, first, last, mention))

    def holds(self, first: int, last: int) -> bool:
        """Whether one of the tokens first…last-1 is taken."""
        return any(taken.first < last and first < taken.last for taken in self._taken)

    def cost(self, group: str, span: MentionSpan) -> float:
        """What taking the span for a slot of `group` costs now.

        Two values read from the same words (both ends of "July 4-8", latitude and longitude, day
        and time of one moment) cost nothing.
        """
        cost = 0.0
        for taken in self._taken:
            apart = span.first >= taken.last or taken.first >= span.last
            alike = taken.group == group and _shared(span.mention, taken.mention)
            if not apart and not alike:
                cost = max(cost, REUSE_ALIKE if taken.group == group else REUSE)
        return cost


def _shared(left: Mention, right: Mention | None) -> bool:
    if right is None:
        return False
    if {left.kind, right.kind} == {"date", "time"}:
        return True
    if left.kind != right.kind:
        return False
    return left.kind == "coordinates" or (left.kind == "date" and _two_ends(left, right))


def _two_ends(left: Mention, right: Mention) -> bool:
    return (left.start, left.end) == (right.start, right.end) and left.value != right.value
