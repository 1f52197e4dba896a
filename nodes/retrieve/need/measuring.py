"""How well a catalogue matches a request, where the retriever does not say."""

import threading
from collections.abc import Sequence

import numpy as np

from gretel.catalog import Catalog
from gretel.catalog.retrieval_text import retrieval_text
from gretel.contracts.ranking import MatchSignals, Retrieval
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.semantic.exact import NameIndex
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.nodes.retrieve.semantic.sparse import SparseIndex, Vector, sparse_text
from gretel.text.sentences import unquoted
from gretel.text.tokens import content_words

_LOOKED_AT = 50
"""Candidates of each query whose texts are encoded."""


class CatalogMatch:
    """Signals of requests before a catalogue, with the bundled encoder.

    Words are those of the whole catalogue; cosines those of the candidates that were found, since
    encoding a catalogue that another retriever indexed would cost more than the retrieval. Both
    are kept until the catalogue changes.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._encoder = Encoder()
        self._digest: str | None = None
        self._words: tuple[SparseIndex, NameIndex] | None = None
        self._vectors: dict[str, Vector] = {}
        """Of the candidates' texts."""
        self._reading = threading.Lock()

    def signals(self, texts: Sequence[str], retrieval: Retrieval) -> tuple[MatchSignals, ...]:
        """Of each text, by the candidates of `retrieval`; empty where none is in the catalogue.

        Blocks.

        Raises:
            ConfigurationError: the bundled encoder cannot be loaded.
        """
        documents = [dense_text(tool) for tool in self._found(retrieval)]
        if not documents:
            return ()
        asked = [*texts, *map(unquoted, texts)]
        with self._reading:
            words = self._counted()
            new = [text for text in dict.fromkeys(documents) if text not in self._vectors]
            read = self._encoder.embeddings([*asked, *new])
            self._vectors.update(zip(new, read.vectors[len(asked) :], strict=True))
            rows = np.stack([self._vectors[text] for text in documents])
        nearest = (read.vectors[: len(asked)] @ rows.T).max(axis=1).tolist()
        whole, topics = nearest[: len(texts)], nearest[len(texts) :]
        return tuple(
            self._signals(text, *words, max(dense), middle)
            for text, *dense, middle in zip(texts, whole, topics, read.middle, strict=False)
        )

    def _found(self, retrieval: Retrieval) -> list[Tool]:
        names = {
            candidate.tool_id: None
            for found in retrieval.candidates
            for candidate in found[:_LOOKED_AT]
        }
        return [self._catalog[name] for name in names if name in self._catalog]

    def _counted(self) -> tuple[SparseIndex, NameIndex]:
        """Words and names of the catalogue, counted again where it has changed."""
        digest = self._catalog.digest
        if self._words is None or digest != self._digest:
            tools = tuple(self._catalog)
            texts = [sparse_text(tool, retrieval_text(tool)) for tool in tools]
            self._words = SparseIndex(texts), NameIndex(tools)
            self._digest, self._vectors = digest, {}
        return self._words

    def _signals(
        self, text: str, sparse: SparseIndex, names: NameIndex, dense: float, middle: Vector
    ) -> MatchSignals:
        legible = self._encoder.legible(text)
        return MatchSignals(
            tools=len(self._catalog),
            dense=legible * dense,
            sparse=float(sparse.scores(text).scores.max()),
            named=bool(names.rows(text)),
            words=len(set(content_words(text))),
            legible=legible,
            language=self._encoder.foreign(text),
            middle=tuple(middle.tolist()),
        )
