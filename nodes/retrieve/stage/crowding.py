"""A flood of tools that are near to every request does not push out those that were there before.

Whoever may add to a catalogue, or change what stands in it, can make many tools that read like what
is asked (ToolFlood). No count can say which of a catalogue's own tools are too many: several right
tools of one toolkit are the rule, and a cap on all of them loses 3 to 10 points of R@5. So only the
tools that came, or changed, after the catalogue was pinned share the places 1, 6, 11 and so on, of
however many toolkits they are: one that is nearer than all others comes first, the rest waits. All
others are ordered as if these were not there: they neither fill the depth that is looked at nor
vote. Who adds tools on purpose pins them (`gretel index`), and they count like all others.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.stage.pins import Pins

PLACES = 5
"""Of so many places the first is open to a tool that came later."""
LOOKED_AT = 50
"""Candidates, at least, among which tools that came later are looked for."""
MOST = 1_000
"""Tools that came later beyond which they may hide others, so that a request stays cheap."""

Found: TypeAlias = Sequence[Candidate]


class UncrowdedRetriever:
    """Any retriever, whose tools that came later stand at places 1, 6, 11 … alone.

    They never stand before a place that their score reaches; those that have to wait score just
    below the tool that is then before them. A part of theirs, `later`, is 1.
    """

    def __init__(
        self,
        retriever: Retriever,
        pins: Pins,
        *,
        rescored: Callable[[Retriever], Retriever] = lambda retriever: retriever,
    ) -> None:
        """Share out the places of what is found.

        Args:
            retriever: its scores are probabilities.
            pins: knows which tools came later.
            rescored: what else scores candidates, in view of each other.
        """
        self._retriever = retriever
        self._pins = pins
        self._whole = rescored(retriever)
        self._own = rescored(_OwnRetriever(retriever, pins))

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        """See `Retriever.retrieve`."""
        later = self._pins.later
        own = await self._own.retrieve(queries, k=k) if later else None
        if own is None or not any(own.candidates):
            return await self._whole.retrieve(queries, k=k)
        found = await self._retriever.retrieve(queries, k=max(k, LOOKED_AT))
        late = ([c for c in each if c.tool_id in later] for each in found.candidates)
        lists = (_shared(*both)[:k] for both in zip(own.candidates, late, strict=True))
        return own.model_copy(update={"candidates": tuple(map(_ranked, lists))})

    async def add(self, tools: Sequence[Tool]) -> None:
        """See `Retriever.add`."""
        await self._retriever.add(tools)

    async def remove(self, ids: Sequence[ToolId]) -> None:
        """See `Retriever.remove`."""
        await self._retriever.remove(ids)


class _OwnRetriever:
    """What a retriever finds, without the tools that came later."""

    def __init__(self, retriever: Retriever, pins: Pins) -> None:
        self._retriever = retriever
        self._pins = pins

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        later = self._pins.later
        found = await self._retriever.retrieve(queries, k=k + min(len(later), MOST))
        own = ([c for c in each if c.tool_id not in later][:k] for each in found.candidates)
        return found.model_copy(update={"candidates": tuple(map(_ranked, own))})

    async def add(self, tools: Sequence[Tool]) -> None:
        await self._retriever.add(tools)

    async def remove(self, ids: Sequence[ToolId]) -> None:
        await self._retriever.remove(ids)


def _shared(own: Found, late: Found) -> list[Candidate]:
    """Both in one order, in which the first of `PLACES` is open to the late ones."""
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


def _ranked(found: Iterable[Candidate]) -> tuple[Candidate, ...]:
    return tuple(
        candidate.model_copy(update={"rank": rank}) for rank, candidate in enumerate(found, 1)
    )
