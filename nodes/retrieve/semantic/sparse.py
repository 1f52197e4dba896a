"""Sparse retrieval: BM25 over Unicode-safe words."""

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gretel.contracts.tool import Tool
from gretel.text.tokens import content_words, words

Vector = npt.NDArray[np.float32]

_WORDS_READ = 4_000
"""Distinct words of a request that count; a person writes fewer."""
_MEANINGS_READ = 20_000
"""Characters of what the parameters of one tool mean: a thousand of them may say much."""
_NEAR = 80.0
"""Percentage of letters that two spellings of a word share, at least, after the same
`_SAME_BEGINNING`; words that are shorter than `_SHORTEST` are alike by chance."""
_SAME_BEGINNING = 2
_SHORTEST = 4


class SparseScores(NamedTuple):
    """BM25 of every document for one request."""

    scores: Vector
    """BM25 as a share of the best that any document could reach, in [0, 1]."""
    known: float
    """Share of the request's words, by idf, that some document contains."""


class SparseIndex:
    """BM25 (Robertson and Zaragoza 2009, as Lucene counts it) of some texts, in memory.

    Words of a request count once: a request that repeats a word does not want it twice.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        import bm25s

        self._size = len(texts)
        same: dict[str, str] = {}  # a word is kept once, however often it is said
        documents = [[same.setdefault(w, w) for w in content_words(text)] for text in texts]
        self._index = bm25s.BM25(method="lucene") if any(documents) else None
        if self._index is not None:
            self._index.index(documents, show_progress=False)
        self._frequency = Counter(word for document in documents for word in set(document))

    def scores(self, text: str) -> SparseScores:
        """Scores of all documents; zeros where nothing of the request is known."""
        asked = list(dict.fromkeys(content_words(text)))[:_WORDS_READ]
        known = [word for word in asked if word in self._frequency]
        best = sum(self._idf(word) for word in asked)
        if not known or self._index is None:
            return SparseScores(np.zeros(self._size, dtype=np.float32), 0.0)
        raw = np.asarray(self._index.get_scores(known), dtype=np.float32)
        return SparseScores(raw / best, sum(self._idf(word) for word in known) / best)

    def used(self, words: Iterable[str], *, but: Container[str]) -> list[str]:
        """Those of `words` that some document has and that are not in `but`."""
        return [word for word in words if word in self._frequency and word not in but]

    def cognates(self, text: str) -> list[str]:
        """Words of the documents that are spelt nearly like words of `text` which none has.

        For requests in other languages: `Tabelle` and `tabla` are near to `table`.
        """
        from rapidfuzz import fuzz, process

        unknown = dict.fromkeys(word for word in words(text) if word not in self._frequency)
        near = (
            process.extractOne(
                word,
                self._beginnings.get(word[:_SAME_BEGINNING], ()),
                scorer=fuzz.ratio,
                score_cutoff=_NEAR,
            )
            for word in list(unknown)[:_WORDS_READ]
            if len(word) >= _SHORTEST
        )
        return list(dict.fromkeys(found[0] for found in near if found))

    @cached_property
    def _beginnings(self) -> Mapping[str, Sequence[str]]:
        """The documents' longer words by their first letters."""
        found: dict[str, list[str]] = {}
        for word in sorted(self._frequency):
            if len(word) >= _SHORTEST and word.isalpha():
                found.setdefault(word[:_SAME_BEGINNING], []).append(word)
        return found

    def weighted(self, text: str) -> dict[str, float]:
        """The words of `text` with their idf, as shares of the whole; empty for no words."""
        weights = {word: self._idf(word) for word in content_words(text)}
        total = sum(weights.values())
        return {word: weight / total for word, weight in weights.items()}

    def _idf(self, word: str) -> float:
        return idf(self._size, self._frequency[word])


def idf(texts: int, found: int) -> float:
    """The inverse document frequency of a word that so many of so many texts have, above 0."""
    return math.log(1 + (texts - found + 0.5) / (found + 0.5))


def sparse_text(tool: Tool, retrieval_text: str) -> str:
    """The retrieval text, and what the parameters mean: rare words that a request may share."""
    meanings = " ".join(parameter.description for parameter in tool.parameters)
    return f"{retrieval_text} {meanings[:_MEANINGS_READ]}".strip()
