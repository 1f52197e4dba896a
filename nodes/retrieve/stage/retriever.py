"""The candidate stage: how candidates are made, whatever the retriever.

A request is split once, and all that is searched for goes to the retriever in one call, so that it
is encoded once. What comes back is ordered here: questions pass over what changes things
(`effects.py`), what operations are made of counts beside what is asked (`shape.py`), toolkits and
parts of the request set candidates against each other (`pool.py`), tools that came after the
catalogue was pinned wait for their places (`flood.py`), and each candidate says what it was when it
was pinned (`pins.py`).
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from gretel.catalog import Catalog
from gretel.catalog.effects.asked import wish_of
from gretel.catalog.effects.changes import Effect, effect_of
from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.merging import split
from gretel.nodes.retrieve.stage.coherence import Coherence
from gretel.nodes.retrieve.stage.effects import by_effect
from gretel.nodes.retrieve.stage.flood import LOOKED_AT, MOST, places_shared
from gretel.nodes.retrieve.stage.pins import Pins
from gretel.nodes.retrieve.stage.pool import DEPTH, Found, rescored
from gretel.nodes.retrieve.stage.shape import Shapes
from gretel.nodes.retrieve.stage.switches import CandidateStage
from gretel.workers import off_loop

WEIGHED = 200
"""Candidates of which it is read what they are made of, at least: some rise from far behind."""


class StagedRetriever:
    """Any retriever behind the candidate stage.

    A score stays the probability that the tool serves the request; a tool that the request names
    (`exact`) stays before all others. Beside what the retriever put there, a candidate's parts say
    its `own` score for the whole request and the `votes` of its toolkit where the request has
    parts, and `later` where it came after the catalogue was pinned.
    """

    def __init__(
        self,
        retriever: Retriever,
        catalog: Catalog,
        switches: CandidateStage,
        pins: Pins | None = None,
    ) -> None:
        """Order what `retriever` finds, whose scores are probabilities; without `pins` nothing was
        pinned.
        """
        self._retriever = retriever
        self._catalog = catalog
        self._split = switches.split
        on = switches.split and switches.coherence != "none"
        self._coherence = Coherence.load(toolkits=switches.coherence == "full") if on else None
        self._pins = pins
        self._effects: dict[ToolId, Effect] = {}
        self._shaped = switches.shape
        self._shapes: Shapes | None = None

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        """See `Retriever.retrieve`; queries that are parts already are not split again."""
        wholes = [split(query) for query in queries] if self._split else list(queries)
        sent = [[query, *self._parts(query)] for query in wholes]
        later = self._pins.later if self._pins else frozenset()
        depth = max(k, DEPTH) if self._coherence or self._shaped or later else k
        seen = max(k, WEIGHED) if self._shaped else depth
        retrieval = await self._retriever.retrieve([*chain(*sent)], k=seen + min(len(later), MOST))
        ordered = await off_loop(self._arranged, wholes, sent, retrieval, later, depth, k)
        return retrieval.model_copy(update={"candidates": ordered})

    def _arranged(
        self,
        wholes: Sequence[RetrievalQuery],
        sent: Sequence[Sequence[RetrievalQuery]],
        retrieval: Retrieval,
        later: frozenset[ToolId],
        depth: int,
        k: int,
    ) -> tuple[Found, ...]:
        """What was found for each of `wholes` and its parts, as candidates of one order."""
        rest = iter(retrieval.candidates)
        found = [[next(rest) for _ in own] for own in sent]
        pairs = [
            (query.text, [by_effect(wish_of(query.text), each, self._effect) for each in lists])
            for query, lists in zip(wholes, found, strict=True)
        ]
        if any(each.tool_id not in later for each in chain(*chain(*found))):
            ordered = [self._shared(text, lists, later, depth, k) for text, lists in pairs]
        else:
            ordered = [self._ordered(text, lists, depth, k) for text, lists in pairs]
        return tuple(self._marked(each) for each in ordered)

    async def add(self, tools: Sequence[Tool]) -> None:
        """See `Retriever.add`; what is given on purpose is pinned anew."""
        self._forget()
        await self._retriever.add(tools)
        if self._pins:
            await off_loop(self._pins.add, tools, replace=True)

    async def remove(self, ids: Sequence[ToolId]) -> None:
        """See `Retriever.remove`."""
        self._forget()
        await self._retriever.remove(ids)
        if self._pins:
            await off_loop(self._pins.remove, ids)

    def _parts(self, query: RetrievalQuery) -> list[RetrievalQuery]:
        """What is searched for beside a query."""
        texts = query.parts if self._coherence else ()
        return [RetrievalQuery(text=text, origin="part") for text in texts]

    def _shared(
        self, text: str, lists: Sequence[Found], later: frozenset[ToolId], depth: int, k: int
    ) -> Iterable[Candidate]:
        """The best `k` with those that came later at their places."""
        known = [tuple(each for each in found if each.tool_id not in later) for found in lists]
        late = [each for each in lists[0][: max(k, LOOKED_AT)] if each.tool_id in later]
        return places_shared(self._ordered(text, known, depth, k), late)[:k]

    def _ordered(self, text: str, lists: Sequence[Found], depth: int, k: int) -> Found:
        """The best `k` of what was found for a query and, behind, for each of its parts."""
        whole, *parts = lists
        if self._shaped:
            whole = self._by_shape(text, whole[: max(k, WEIGHED)])
        whole, parts = whole[:depth], [found[:depth] for found in parts]
        if self._coherence is None or not parts:
            return whole[:k]
        return rescored(self._coherence, whole, parts, self._toolkit)[:k]

    def _marked(self, found: Iterable[Candidate]) -> Found:
        """With their ranks, and with what they said when they were pinned."""
        return tuple(
            candidate.model_copy(
                update={"rank": rank}
                | ({"digest": self._pins.digest(candidate.tool_id)} if self._pins else {})
            )
            for rank, candidate in enumerate(found, 1)
        )

    def _by_shape(self, text: str, found: Found) -> Found:
        """Rescored by what the operations are made of."""
        if self._shapes is None:
            later = self._pins.later if self._pins else frozenset()
            self._shapes = Shapes(self._catalog, later)
        return self._shapes.weighed(text, found)

    def _forget(self) -> None:
        """What was read off the tools that were there."""
        self._effects.clear()
        self._shapes = None

    def _effect(self, tool_id: ToolId) -> Effect:
        if tool_id not in self._effects:
            known = tool_id in self._catalog
            self._effects[tool_id] = effect_of(self._catalog[tool_id]) if known else "unknown"
        return self._effects[tool_id]

    def _toolkit(self, tool_id: ToolId) -> Owner | None:
        if tool_id not in self._catalog or not self._catalog[tool_id].toolkit:
            return None
        return owner_of(self._catalog[tool_id])
