"""The default retriever: sentence vectors and BM25, fused for each request."""

import asyncio
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

import numpy as np

from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, MatchSignals, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.encoding.embed import Progress, embed, embed_stored, text_key
from gretel.nodes.retrieve.encoding.encoder import Encoder, Matrix
from gretel.nodes.retrieve.encoding.store import EmbeddingStore
from gretel.nodes.retrieve.semantic.fusion import Fusion, ScoredBy
from gretel.nodes.retrieve.semantic.signals import Signals, ToolIndex, VectorRewriter, dense_text
from gretel.nodes.retrieve.semantic.sparse import Vector
from gretel.text.gloss import glossed
from gretel.text.sentences import unquoted
from gretel.text.wording import meant


class _Stopped(Exception):
    """The caller has gone; the worker thread ends after its batch."""


class SemanticRetriever:
    """Retrieves by meaning and by words. Built with `SemanticRetriever.build`.

    All work is done in worker threads. A retrieval sees the tools as they were when it began.
    """

    def __init__(
        self,
        model: str | None,
        index: Path | None,
        scored_by: ScoredBy,
        known: Mapping[str, Matrix],
        rewriter: VectorRewriter | None = None,
    ) -> None:
        """Of `build`, which also encodes a catalogue."""
        self._rewriter = rewriter
        self._encoder = Encoder(model, tuned=not known)  # vectors of before have one half
        self._store = None if index is None else EmbeddingStore(index, model=self._encoder.name)
        self._fusion = Fusion.load(scored_by)
        self._vectors = known
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
        scored_by: ScoredBy = "both",
        known: Mapping[str, Matrix] | None = None,
        rewriter: VectorRewriter | None = None,
    ) -> Self:
        """Encode `catalog`, or read from the folder `index` what was encoded before.

        Cancellation stops the encoding after its batch; with `index`, nothing done is lost.

        Args:
            catalog: what to retrieve from; later changes to it are not seen.
            model: name or folder of a sentence-transformers model; None for the bundled one.
            index: folder that keeps the embeddings; made where needed. None: in memory only.
            progress: told (encoded, total) after each batch, from a worker thread.
            scored_by: score by meaning, by words, or by both.
            known: vectors that were encoded before, by `text_key`; used without `index` alone.
            rewriter: was trained on requests of this catalogue.

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
            retriever = await asyncio.to_thread(cls, model, index, scored_by, known or {}, rewriter)
            await asyncio.to_thread(retriever._hold, tools, told)
        except asyncio.CancelledError:
            stop.set()
            raise
        return retriever

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        """See `Retriever.retrieve`; a query without words gives the catalogue's likeliest tools.

        A candidate's score estimates the probability that the tool serves the query. Its parts:
        `dense` and `sparse` (cosine; BM25 as a share of what the query could reach), `exact` (1
        where the query names the tool), `weight` (share of the dense side in this ranking).
        A tool may also match one of the query's `parts`, where the candidate stage gave them. Of a
        query in a foreign language the gloss is searched for (`text/gloss.py`); words of APIs that
        turns of a short query ask for (`text/wording.py`) count beside its own.
        """
        return await asyncio.to_thread(self._retrieve, queries, k)

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
        matrix = np.stack(rows) if rows else np.zeros((0, 0), dtype=np.float32)
        index = ToolIndex(ordered, matrix, tuned=self._encoder.tuned)
        if self._rewriter and rows:
            index.learnt = self._rewriter.over(ordered, index.vectors)
        self._index = index
        self._vectors = vectors

    def _retrieve(self, queries: Sequence[RetrievalQuery], k: int) -> Retrieval:
        index = self._index
        if not index.tools or not queries:
            return Retrieval(candidates=tuple(() for _ in queries))
        languages = [self._encoder.foreign(query.text) for query in queries]
        texts = [
            [_legible(text, language, index) for text in (query.text, *query.parts)]
            for query, language in zip(queries, languages, strict=True)
        ]
        topics = [unquoted(query.text) for query in queries if query.origin != "part"]
        vectors, middle = self._read([*texts, topics])
        asked = np.stack(list(vectors.values()))
        cosines = dict(zip(vectors, index.cosines(asked), strict=True))
        fine = index.tuned_cosines(asked)
        tuned = {} if fine is None else dict(zip(vectors, fine, strict=True))
        learnt: dict[str, Vector] = {}
        if index.learnt:
            changes = index.learnt.change(index.halves(asked)[0])
            learnt.update(zip(vectors, changes, strict=True))
        found: list[tuple[Candidate, ...]] = []
        matched: list[MatchSignals] = []
        for query, own, language in zip(queries, texts, languages, strict=True):
            rows = np.stack([cosines[text] for text in own])
            signals = index.signals(
                own[0],
                rows,
                legible=self._encoder.legible(own[0]),
                language=language,
                learnt=learnt.get(own[0]),
                tuned=np.stack([tuned[text] for text in own]) if tuned else None,
                meant=() if query.origin == "part" else meant(own[0]),
            )
            found.append(tuple(ranked(index, signals, self._fusion, k)))
            if query.origin != "part":
                topic = signals.legible * float(cosines[topics[len(matched)]].max())
                matched.append(signals.match(topic, middle.get(query.text)))
        return Retrieval(candidates=tuple(found), signals=tuple(matched))

    def _read(self, texts: Sequence[Sequence[str]]) -> tuple[dict[str, Vector], dict[str, Vector]]:
        """Sentence and mid-layer embeddings by text, from one batch: a part may be a query, too.

        The latter are there for the bundled encoder alone.
        """
        distinct = list(dict.fromkeys(text for own in texts for text in own))
        if not self._encoder.bundled:
            return dict(zip(distinct, self._encoder.queries(distinct), strict=True)), {}
        vectors, middle = (
            dict(zip(distinct, rows, strict=True)) for rows in self._encoder.embeddings(distinct)
        )
        return vectors, middle


def _legible(text: str, language: str | None, index: ToolIndex) -> str:
    """A text in a foreign language as a gloss, where the tools' own words know more of that."""
    if language is None:
        return text
    return max((text, glossed(text, language)), key=lambda each: index.sparse.scores(each).known)


def ranked(index: ToolIndex, signals: Signals, fusion: Fusion, k: int) -> Iterator[Candidate]:
    """The best `k` of the index's tools, best first."""
    weighed = fusion.weigh(index, signals, size=k)
    best = np.argsort(-weighed.scores, kind="stable")[:k]
    places = weighed.places[best]
    columns = (places, weighed.scores[best], signals.dense[places], signals.sparse[places])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for rank, (place, score, dense, sparse) in enumerate(rows, 1):
        yield Candidate(
            tool_id=index.tools[place].tool_id,
            score=score,
            rank=rank,
            parts={
                "dense": dense,
                "sparse": sparse,
                "exact": float(place in signals.named),
                "weight": weighed.dense_weight,
            },
        )
