"""What dense and sparse retrieval say about each tool, before anything is weighed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from gretel.catalog.retrieval_text import retrieval_text
from gretel.contracts.ranking import MatchSignals
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.encoding.encoder import Matrix, halves
from gretel.nodes.retrieve.semantic.exact import NameIndex
from gretel.nodes.retrieve.semantic.sparse import SparseIndex, Vector, sparse_text
from gretel.text.identifiers import identifier_text
from gretel.text.language import plain_words
from gretel.text.tokens import content_words

MEANT = 0.5
"""What BM25 of words counts that a text means, beside that of its own."""
_POOL = 50
"""Tools that each side proposes; the rest cannot come first in either."""


@dataclass(frozen=True)
class Signals:
    """Scores of every tool of an index for one text; all arrays in the order of its tools."""

    dense: Vector
    """Cosine with the whole text."""
    part: Vector
    """Best cosine with one of the text's parts; `dense` where there are none."""
    sparse: Vector
    """BM25 as a share of what the text's words could reach, and what it means beside that."""
    said: float
    """The best that its own words reach."""
    known: float
    """Share of the text's words, by idf, that some tool uses."""
    asked: frozenset[str]
    """The text's content words."""
    meant: frozenset[str]
    """Other words that the text means and some tool uses."""
    named: frozenset[int]
    """Places of tools that the text names."""
    legible: float
    """Share of the text that the encoder can read; cosines are scaled by it."""
    language: str | None
    """ISO 639 code of the text's language, where the encoder was not taught it."""
    learnt: Vector | None = None
    """What a trained rewriter adds to each tool's log-odds; None: there is none."""
    tuned: Vector | None = None
    """Cosine of the fine-tuned vectors; None: the encoder has none."""
    tuned_part: Vector | None = None
    """The best one with one of the text's parts; `tuned` where there are none."""

    def match(self, topic: float, middle: Vector | None = None) -> MatchSignals:
        """What they say in absolute terms.

        `topic`: highest cosine with the text without its quoted values.
        """
        return MatchSignals(
            tools=len(self.dense),
            dense=max(float(self.dense.max()), topic),
            sparse=self.said,
            named=bool(self.named),
            words=len(self.asked),
            legible=self.legible,
            language=self.language,
            middle=() if middle is None else tuple(middle.tolist()),
        )

    def pool(self, size: int) -> npt.NDArray[np.intp]:
        """Places of the tools worth weighing, ascending; at least `size` where there are so many.

        The best of each side, of what was learnt and of fine-tuned vectors, and what is named.
        """
        size = min(max(size, _POOL), len(self.dense))
        sides = (self.dense, self.part, self.sparse, self.learnt, self.tuned, self.tuned_part)
        # without parts two of them are one
        distinct = {id(each): each for each in sides if each is not None}
        best = [_best(scores, size) for scores in distinct.values()]
        named = np.fromiter(self.named, dtype=np.intp)
        return np.unique(np.concatenate([*best, named]))


def _of_whole_and_parts(cosines: Matrix) -> tuple[Vector, Vector]:
    """Those of the whole text, and the best of its parts; the same where there are none."""
    whole: Vector = cosines[0]
    return whole, cosines[1:].max(axis=0) if len(cosines) > 1 else whole


def _best(scores: Vector, size: int) -> npt.NDArray[np.intp]:
    """Places of the `size` highest scores; among equal ones the first."""
    if size == len(scores):
        return np.arange(size)
    lowest = np.partition(scores, -size)[-size]
    above, level = np.flatnonzero(scores > lowest), np.flatnonzero(scores == lowest)
    return np.concatenate([above, level[: size - len(above)]])


def dense_text(tool: Tool) -> str:
    """The retrieval text as a sentence encoder reads it best: the operation as its subject."""
    operation = identifier_text(tool.operation) or tool.operation
    return retrieval_text(tool).replace(f"{operation}. ", f"{operation}: ", 1)


class Learnt(Protocol):
    """What a trained rewriter knows of the tools of one index."""

    def change(self, requests: Matrix) -> Matrix:
        """Request × tool: what is added to the log-odds."""
        ...


class VectorRewriter(Protocol):
    """Changes what request vectors find, without another pass of the encoder."""

    def over(self, tools: Sequence[Tool], vectors: Matrix) -> Learnt | None:
        """What it knows of `tools`, which have these vectors; None where it changes nothing.

        Raises:
            ConfigurationError: they are those of another encoder.
        """
        ...


class ToolIndex:
    """Vectors, words and the names of a fixed set of tools, in tool_id order.

    Building blocks (words are counted); so does `signals`, for milliseconds.
    """

    def __init__(self, tools: Sequence[Tool], vectors: Matrix, *, tuned: bool = False) -> None:
        """`vectors` holds one row for each of `tools`, which are in tool_id order.

        With `tuned` these rows, and those of requests, have the fine-tuned ones behind the general.
        """
        self.learnt: Learnt | None = None
        """What a trained rewriter knows of the tools, where there is one."""
        self.tools = tuple(tools)
        self._is_tuned = tuned
        self.vectors, self._tuned = self.halves(vectors)
        self.texts = tuple(map(retrieval_text, self.tools))
        self.sparse = SparseIndex(list(map(sparse_text, self.tools, self.texts)))
        self._names = NameIndex(self.tools)
        self._words: dict[int, tuple[dict[str, float], dict[str, float]]] = {}

    def halves(self, vectors: Matrix) -> tuple[Matrix, Matrix | None]:
        """General and fine-tuned vectors of an encoder's rows."""
        return halves(vectors) if self._is_tuned else (vectors, None)

    def cosines(self, vectors: Matrix) -> Matrix:
        """A row for each of an encoder's rows, with the cosine of every tool."""
        return np.asarray(self.halves(vectors)[0] @ self.vectors.T)

    def tuned_cosines(self, vectors: Matrix) -> Matrix | None:
        """The same of the fine-tuned vectors; None: the encoder has none."""
        tuned = self.halves(vectors)[1]
        return None if tuned is None or self._tuned is None else np.asarray(tuned @ self._tuned.T)

    def signals(
        self,
        text: str,
        cosines: Matrix,
        *,
        legible: float = 1.0,
        language: str | None = None,
        learnt: Vector | None = None,
        tuned: Matrix | None = None,
        meant: Sequence[str] = (),
    ) -> Signals:
        """Scores for `text`, whose own cosines come first, those of its parts behind, in both.

        Cosines and what was learnt count for as much as `legible`, the share of the text that the
        encoder can read.
        In a foreign `language` words count also where the tools spell them a little otherwise.
        What is `meant` (`text/wording.py`) counts in the order of tools alone, not in how well the
        best of them matches, which is calibrated.
        """
        # what the words of a foreign language are called here
        here = self.sparse.cognates(plain_words(text)) if language else ()
        said = " ".join([text, *here])
        sparse = self.sparse.scores(said)
        asked = frozenset(content_words(said))
        new = self.sparse.used(content_words(" ".join(meant)), but=asked)
        dense, part = _of_whole_and_parts(legible * cosines)
        fine = (None, None) if tuned is None else _of_whole_and_parts(legible * tuned)
        return Signals(
            dense=dense,
            part=part,
            sparse=sparse.scores + MEANT * self.sparse.scores(" ".join(new)).scores,
            said=float(sparse.scores.max()),
            known=sparse.known,
            asked=asked,
            meant=frozenset(new),
            named=self._names.rows(text),
            legible=legible,
            language=language,
            learnt=None if learnt is None else legible * learnt,
            tuned=fine[0],
            tuned_part=fine[1],
        )

    def mentions(self, place: int, asked: frozenset[str]) -> tuple[float, float]:
        """How much of a tool's operation name and of its text the words `asked` are, by idf."""
        if place not in self._words:
            name = identifier_text(self.tools[place].operation)
            self._words[place] = (
                self.sparse.weighted(name),
                self.sparse.weighted(self.texts[place]),
            )
        name_words, text_words = self._words[place]
        # `fsum` gives the same sum whatever the order of a set, which differs between processes.
        return (
            math.fsum(map(name_words.__getitem__, asked & name_words.keys())),
            math.fsum(map(text_words.__getitem__, asked & text_words.keys())),
        )
