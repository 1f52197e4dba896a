"""A retriever over another one, whose candidates are scored in view of each other."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from gretel.catalog import Catalog
from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.semantic.fusion import named_first
from gretel.nodes.retrieve.stage.coherence import Array, Coherence, features, log_odds
from gretel.nodes.retrieve.stage.parts import request_parts

DEPTH = 50
"""Candidates that are looked at, at least."""
PROPOSED = 10
"""Candidates of each part that join them."""

Found: TypeAlias = tuple[Candidate, ...]


class CoherentRetriever:
    """Scores the candidates of any retriever by their toolkits and by the parts of the request.

    Those of a request without parts are left as they are. A score stays the probability that the
    tool serves the request; a tool that the request names (`exact`) stays before all others. A
    candidate's parts say, beside what the retriever put there, its `own` score for the whole
    request and the `votes` of its toolkit.
    """

    def __init__(self, retriever: Retriever, catalog: Catalog, *, toolkits: bool = True) -> None:
        """Score what `retriever` finds.

        Args:
            retriever: its scores are probabilities.
            catalog: says which toolkit a tool belongs to; one that it lacks is alone.
            toolkits: look at toolkits.
        """
        self._retriever = retriever
        self._catalog = catalog
        self._coherence = Coherence.load(toolkits=toolkits)

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        """See `Retriever.retrieve`; queries that are parts already are not split again."""
        parts = [_parts(query) for query in queries]
        asked = [text for query, own in zip(queries, parts, strict=True) for text in (query, *own)]
        retrieval = await self._retriever.retrieve(asked, k=max(k, DEPTH))
        rest = iter(retrieval.candidates)
        found = tuple(self._rescored(next(rest), [next(rest) for _ in own], k) for own in parts)
        return retrieval.model_copy(update={"candidates": found})

    async def add(self, tools: Sequence[Tool]) -> None:
        """See `Retriever.add`."""
        await self._retriever.add(tools)

    async def remove(self, ids: Sequence[ToolId]) -> None:
        """See `Retriever.remove`."""
        await self._retriever.remove(ids)

    def _rescored(self, whole: Found, parts: Sequence[Found], k: int) -> Found:
        """The best `k` of what was found for a request and for its parts."""
        if not parts or not any((whole, *parts)):
            return whole[:k]
        pool = pooled(whole, parts, self._toolkit)
        chances = self._coherence.probabilities(pool.values, pool.toolkits)
        named = np.array([found.parts.get("exact", 0.0) > 0 for found in pool.candidates])
        scores = named_first(chances, named)
        order = sorted(
            range(len(scores)), key=lambda row: (-scores[row], pool.candidates[row].tool_id)
        )
        return tuple(
            pool.candidates[row].model_copy(
                update={"score": float(scores[row]), "rank": rank, "parts": pool.parts(row)}
            )
            for rank, row in enumerate(order[:k], 1)
        )

    def _toolkit(self, tool_id: ToolId) -> str:
        return self._catalog[tool_id].toolkit if tool_id in self._catalog else ""


def _parts(query: RetrievalQuery) -> list[RetrievalQuery]:
    if query.origin == "part":
        return []
    return [RetrievalQuery(text=text, origin="part") for text in request_parts(query.text)]


class Pool(NamedTuple):
    """The candidates of a request and of its parts, with the `FEATURES` of each."""

    candidates: Found
    toolkits: Sequence[str]
    values: Array

    def parts(self, row: int) -> dict[str, float]:
        """What the score of one candidate is made of."""
        given = self.candidates[row].parts
        own, votes = (float(value) for value in self.values[row, :2])
        return {**given, "own": 1 / (1 + math.exp(-own)), "votes": votes}


def pooled(whole: Found, parts: Sequence[Found], toolkit_of: Callable[[ToolId], str]) -> Pool:
    """What the whole request found, and the first of each part, with their `FEATURES`.

    There are parts, and somewhere a tool was found.
    """
    pool = {found.tool_id: found for found in whole}
    for proposed in parts:
        for found in proposed[:PROPOSED]:
            pool.setdefault(found.tool_id, found)
    own = log_odds(_scores(whole, pool))
    rows = log_odds([_scores(found, pool) for found in parts])
    toolkits = [toolkit_of(name) for name in pool]
    return Pool(tuple(pool.values()), toolkits, features(own, rows, toolkits))


def _scores(found: Found, pool: Iterable[ToolId]) -> list[float]:
    """The scores of the pool's tools in one list; one that it lacks is as likely as its last."""
    scores = {candidate.tool_id: candidate.score for candidate in found}
    least = min(scores.values(), default=0.0)
    return [scores.get(tool_id, least) for tool_id in pool]
