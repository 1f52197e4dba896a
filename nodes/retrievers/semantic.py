"""The default retriever: sentence vectors and BM25, fused for each request."""

import asyncio
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np

from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrievers.answerable import Answerability
from gretel.nodes.retrievers.embed import Progress, embed, embed_stored, text_key
from gretel.nodes.retrievers.encoder import Encoder, Matrix
from gretel.nodes.retrievers.fusion import Fusion, Weighed
from gretel.nodes.retrievers.parts import request_parts
from gretel.nodes.retrievers.signals import Signals, ToolIndex, dense_text
from gretel.nodes.retrievers.store import EmbeddingStore


class _Stopped(Exception):
    """The caller has gone; the worker thread ends after its batch."""


class _Found(NamedTuple):
    candidates: tuple[Candidate, ...]
    answerable: float | None


class SemanticRetriever:
    """Retrieves by meaning and by words. Built with `SemanticRetriever.build`.

    All work is done in worker threads. A retrieval sees the tools as they were when it began.
    """

    def __init__(self, encoder: Encoder, store: EmbeddingStore | None) -> None:
        self._encoder = encoder
        self._store = store
        self._fusion = Fusion.load()
        self._answerability = Answerability.load()
        self._vectors: Mapping[str, Matrix] = {}
        self._index = ToolIndex((), np.zeros((0, 0), dtype=np.float32))
        self._writing = threading.Lock()

    @classmethod
    async def build(
        cls,
        catalog: Catalog,
        *,
        model: str | None = None,
        index: Path | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Encode `catalog`, or read from the folder `index` what was encoded before.

        Cancellation stops the encoding after its batch; with `index`, nothing done is lost.

        Args:
            catalog: what to retrieve from; later changes to it are not seen.
            model: name or folder of a sentence-transformers model; None for the bundled one.
            index: folder that keeps the embeddings; made where needed. None: in memory only.
            progress: told (encoded, total) after each batch, from a worker thread.

        Raises:
            ConfigurationError: the model cannot be loaded, or the folder cannot be made.
            IndexCorrupt: the folder was made with another model, or was changed.
        """
        tools = {tool.tool_id: tool for tool in catalog}
        stop = threading.Event()

        def told(done: int, total: int) -> None:
            if stop.is_set():
                raise _Stopped
            if progress is not None:
                progress(done, total)

        try:
            return await asyncio.to_thread(cls._build, tools, model, index, told)
        except asyncio.CancelledError:
            stop.set()
            raise

    @classmethod
    def _build(
        cls, tools: Mapping[ToolId, Tool], model: str | None, index: Path | None, told: Progress
    ) -> Self:
        encoder = Encoder(model)
        store = None if index is None else EmbeddingStore(index, model=encoder.name)
        retriever = cls(encoder, store)
        retriever._hold(tools, told)
        return retriever

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        """See `Retriever.retrieve`; a query without words gives the catalogue's likeliest tools.

        A candidate's score estimates the probability that the tool serves the query. Its parts:
        `dense` and `sparse` (cosine; BM25 as a share of what the query could reach), `exact` (1
        where the query names the tool), `weight` (share of the dense half in this ranking).
        `answerable` is that of the likeliest query; None where one of them cannot be judged.
        """
        return await asyncio.to_thread(self._retrieve, [query.text for query in queries], k)

    async def add(self, tools: Sequence[Tool]) -> None:
        """See `Retriever.add`."""
        await asyncio.to_thread(self._change, {tool.tool_id: tool for tool in tools}, ())

    async def remove(self, ids: Sequence[ToolId]) -> None:
        """See `Retriever.remove`."""
        await asyncio.to_thread(self._change, {}, ids)

    def _change(self, added: Mapping[ToolId, Tool], removed: Sequence[ToolId]) -> None:
        with self._writing:
            tools = {**{tool.tool_id: tool for tool in self._index.tools}, **added}
            for tool_id in removed:
                tools.pop(tool_id, None)
            self._hold(tools)

    def _hold(self, tools: Mapping[ToolId, Tool], progress: Progress | None = None) -> None:
        """Put an index of `tools` in the place of the present one, in one step."""
        ordered = [tools[tool_id] for tool_id in sorted(tools)]
        texts = [dense_text(tool) for tool in ordered]
        if self._store is None:
            vectors = embed(texts, self._encoder, known=self._vectors, progress=progress)
        else:
            digest = Catalog.from_tools(ordered).digest
            vectors = embed_stored(
                texts, self._encoder, self._store, catalog_digest=digest, progress=progress
            )
        rows = [vectors[text_key(text, self._encoder)] for text in texts]
        self._index = ToolIndex(ordered, np.stack(rows) if rows else self._index.vectors[:0])
        self._vectors = vectors

    def _retrieve(self, texts: Sequence[str], k: int) -> Retrieval:
        index = self._index
        if not index.tools or not texts:
            return Retrieval(candidates=tuple(() for _ in texts))
        found = [self._search(index, text, k) for text in texts]
        chances = [chance for _, chance in found if chance is not None]
        return Retrieval(
            candidates=tuple(candidates for candidates, _ in found),
            answerable=max(chances) if len(chances) == len(found) else None,
        )

    def _search(self, index: ToolIndex, text: str, k: int) -> _Found:
        vectors = self._encoder.queries([text, *request_parts(text)])
        signals = index.signals(text, vectors, legible=self._encoder.legible(text))
        weighed = self._fusion.weigh(index, signals, size=k)
        candidates = tuple(_candidates(index, signals, weighed, k))
        return _Found(candidates, self._answerability.probability(signals, weighed))


def _candidates(
    index: ToolIndex, signals: Signals, weighed: Weighed, k: int
) -> Iterator[Candidate]:
    best = np.argsort(-weighed.scores, kind="stable")[:k]
    for rank, (row, place) in enumerate(zip(best, weighed.places[best], strict=True), 1):
        yield Candidate(
            tool_id=index.tools[place].tool_id,
            score=float(weighed.scores[row]),
            rank=rank,
            parts={
                "dense": float(signals.dense[place]),
                "sparse": float(signals.sparse[place]),
                "exact": float(place in signals.named),
                "weight": weighed.dense_weight,
            },
        )
