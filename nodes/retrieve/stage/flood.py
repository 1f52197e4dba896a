"""The flood guard: tools near to every request do not push out those that were there before.

Whoever may add to a catalogue, or change what stands in it, can make many tools that read like what
is asked (ToolFlood). No count can say which of a catalogue's own tools are too many: several right
tools of one toolkit are the rule, and a cap on all of them loses 3 to 10 points of R@5. So only the
tools that came, or changed, after the catalogue was pinned share the places 1, 6, 11 and so on, of
however many toolkits they are: one that is nearer than all others comes first, the rest waits. All
others are ordered as if these were not there: they neither fill the depth that is looked at nor
vote. Who adds tools on purpose pins them (`gretel index`), and they count like all others.
"""

import math
from collections.abc import Sequence
from typing import TypeAlias

from gretel.contracts.ranking import Candidate

PLACES = 5
"""Of so many places the first is open to a tool that came later."""
LOOKED_AT = 50
"""Candidates, at least, among which tools that came later are looked for."""
MOST = 1_000
"""Tools that came later beyond which they may hide others, so that a request stays cheap."""

Found: TypeAlias = Sequence[Candidate]


def places_shared(own: Found, late: Found) -> list[Candidate]:
    """Both in one order, in which the first of `PLACES` is open to the late ones.

    A late tool never stands before a place that its score reaches; one that has to wait scores just
    below the tool that is then before it. A part of its, `later`, is 1. Both are given best first.
    """
    waiting = list(own)
    shared: list[Candidate] = []
    for found in late:
        while waiting and (waiting[0].score >= _score(found, shared) or len(shared) % PLACES):
            shared.append(waiting.pop(0))
        parts = {**found.parts, "later": 1.0}
        held = found.model_copy(update={"score": _score(found, shared), "parts": parts})
        shared.append(held)
    return [*shared, *waiting]


def _score(found: Candidate, before: Found) -> float:
    """That of a late tool, below that of the tool before it."""
    return min(found.score, math.nextafter(before[-1].score, 0.0) if before else 1.0)
