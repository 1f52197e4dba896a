"""Your own Chroma collection as the retriever: `Selector(…, retriever=…)`.

For tools that many processes share, in a collection that the caller opens and trusts. GRETEL's own
index is plain arrays, for Chroma builds what a stored schema names (`docs/decisions/0010`).
"""

import asyncio
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from gretel.catalog.retrieval_text import retrieval_text
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

Encode: TypeAlias = Callable[[list[str]], npt.ArrayLike]
"""Texts to one embedding a row."""

_BATCH = 1_000
_STORED = 100_000
"""Rows of others among which the tools are looked for."""


class ChromaRetriever:
    """A `Retriever` that finds the nearest tools of a collection whose ids are tool ids.

    Rows for other things than the given tools are left as they are, and never found.

    Example:
        >>> collection = client.get_or_create_collection("tools")  # doctest: +SKIP
        >>> found = await ChromaRetriever.build(collection, catalog)  # doctest: +SKIP
        >>> selector = gretel.Selector(catalog, retriever=found)  # doctest: +SKIP
    """

    def __init__(self, collection: "Collection", encode: Encode | None = None) -> None:
        """Know no tools yet.

        Args:
            collection: opened by the caller.
            encode: embeds tools and queries; None: the collection's own embedding function does.
        """
        self._collection = collection
        self._encode = encode
        self._known: set[ToolId] = set()

    @classmethod
    async def build(
        cls, collection: "Collection", tools: Iterable[Tool], encode: Encode | None = None
    ) -> "ChromaRetriever":
        """A retriever of `tools`, of which those are embedded that the collection does not hold as
        they are.
        """
        made = cls(collection, encode)
        await made.add([*tools])
        return made

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        """See `Retriever.retrieve`; a score is a logistic function of the distance."""
        if not queries or not self._known:
            return Retrieval(candidates=((),) * len(queries))
        texts = [query.text for query in queries]
        return Retrieval(candidates=await asyncio.to_thread(self._nearest, texts, k))

    async def add(self, tools: Sequence[Tool]) -> None:
        """See `Retriever.add`."""
        for start in range(0, len(tools), _BATCH):
            await asyncio.to_thread(self._write, tools[start : start + _BATCH])
        self._known.update(tool.tool_id for tool in tools)

    async def remove(self, ids: Sequence[ToolId]) -> None:
        """See `Retriever.remove`; the rows go, too."""
        gone: list[str] = [tool_id for tool_id in ids if tool_id in self._known]
        if gone:
            await asyncio.to_thread(self._collection.delete, ids=gone)
        self._known.difference_update(gone)

    def _write(self, tools: Sequence[Tool]) -> None:
        texts = {tool.tool_id: retrieval_text(tool) for tool in tools}
        held = self._collection.get(ids=[*texts], include=["documents"])
        same = dict(zip(held["ids"], held["documents"] or (), strict=True))
        new = {tool_id: text for tool_id, text in texts.items() if same.get(tool_id) != text}
        if not new:
            return
        documents = [*new.values()]
        embeddings = None if self._encode is None else np.asarray(self._encode(documents))
        self._collection.upsert(ids=[*new], documents=documents, embeddings=embeddings)

    def _nearest(self, texts: list[str], k: int) -> tuple[tuple[Candidate, ...], ...]:
        others = max(0, self._collection.count() - len(self._known))
        wanted = min(k, len(self._known)) + min(others, _STORED)
        found = self._collection.query(
            query_texts=texts if self._encode is None else None,
            query_embeddings=None if self._encode is None else np.asarray(self._encode(texts)),
            n_results=wanted,
            include=["distances"],
        )
        rows = zip(found["ids"], found["distances"] or (), strict=True)
        return tuple(self._candidates(ids, distances, k) for ids, distances in rows)

    def _candidates(
        self, ids: Sequence[str], distances: Sequence[float], k: int
    ) -> tuple[Candidate, ...]:
        scored = [
            (1 / (1 + math.exp(min(distance, 700.0))), ToolId(tool_id))
            for tool_id, distance in zip(ids, distances, strict=True)
            if tool_id in self._known
        ]
        best = sorted(scored, key=lambda each: (-each[0], each[1]))[:k]
        return tuple(
            Candidate(tool_id=tool_id, score=score, rank=rank, parts={"dense": score})
            for rank, (score, tool_id) in enumerate(best, 1)
        )
