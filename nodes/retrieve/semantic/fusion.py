"""One score from dense and sparse ones, weighed anew for each request.

Neither side wins everywhere: sentence vectors find paraphrases, BM25 finds shared rare words, and
no fixed weight serves one-line plugins and long API references alike (Bruch, Gai and Ingber, ACM
TOIS 2024: the best convex weight is a property of the collection). Three things adapt it here:

- the scores keep a scale that says how much a side knows about this request: raw cosines lie
  close together where the encoder cannot tell tools apart, and standardised BM25 stands out only
  where the request shares telling words with few tools;
- a vector of a long request is the mean of its needs, so the cosine with its best sentence counts
  beside it (MaxP: Dai and Callan, SIGIR 2019), and the cosine with the whole is divided by the
  root of the number of words;
- how much of a tool's name and text the request mentions needs no scale at all.

The linear model was fitted listwise (Cao et al., ICML 2007) on collections that are none of those
reported; `training/fusion.py` makes `fusion.json`, and leaves each collection out in turn to show
that the weights carry over.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from gretel.contracts.ranking import Candidate
from gretel.nodes.fitted import fitted
from gretel.nodes.retrieve.semantic.signals import Signals, ToolIndex
from gretel.nodes.retrieve.semantic.tuned import lifted

ScoredBy: TypeAlias = Literal["both", "dense", "sparse"]
"""What takes part in a score: meaning, words, or both."""

Features = npt.NDArray[np.float64]
"""One row a tool, one column a name of `FEATURES`."""

Scores = npt.NDArray[np.float64]
"""One number a tool."""

FEATURES = ("dense", "part", "sparse", "name", "text")
"""Cosine with the request over the root of its words, cosine with its best part, standardised
BM25, and the shares of the tool's operation name and retrieval text that the request mentions."""

COLUMNS: Mapping[Literal["dense", "sparse"], tuple[int, ...]] = {
    "dense": (0, 1),
    "sparse": (2, 3, 4),
}
"""The columns of each side."""


class Weighed(NamedTuple):
    """Scores of some tools for one text."""

    places: npt.NDArray[np.intp]
    """Which tools, ascending."""
    scores: Scores
    """Estimated probability that the tool serves the text; named tools above all others."""
    dense_weight: float
    """Share of the dense side in what tells these tools apart."""


@dataclass(frozen=True)
class Fusion:
    """Coefficients of `FEATURES`, and of the logistic curve that turns sums to probabilities."""

    coefficients: tuple[float, ...]
    slope: float
    offset: float
    scored_by: ScoredBy = "both"

    @classmethod
    def load(cls, scored_by: ScoredBy = "both") -> Self:
        """The fitted coefficients that the package carries, of both sides or of one alone."""
        values = fitted("retrieve/semantic/fusion.json")
        if scored_by != "both":
            values = values["alone"][scored_by]
        weights = values["coefficients"]
        own = tuple(weights[name] for name in FEATURES)
        return cls(own, values["slope"], values["offset"], scored_by)

    def weigh(self, index: ToolIndex, signals: Signals, *, size: int) -> Weighed:
        """Score the tools worth weighing: at least `size`, where the index has so many."""
        places = signals.pool(size)
        found = features(index, signals, places)
        terms = found * np.asarray(self.coefficients)
        odds = self.slope * terms.sum(axis=1) + self.offset
        if self.scored_by == "both":
            odds = lifted(odds, found, signals, places)
        if signals.learnt is not None:
            odds = odds + signals.learnt[places]
        chances = 1 / (1 + np.exp(-odds))
        return Weighed(
            places=places,
            scores=named_first(chances, np.isin(places, list(signals.named))),
            dense_weight=_dense_weight(terms),
        )


def features(index: ToolIndex, signals: Signals, places: npt.NDArray[np.intp]) -> Features:
    """The `FEATURES` of the tools at `places`."""
    spread = float(signals.sparse.std()) or 1.0
    standard = (signals.sparse - signals.sparse.mean()) / spread
    asked = signals.asked | signals.meant
    mentions = [index.mentions(place, asked) for place in places.tolist()]
    return np.column_stack(
        [
            signals.dense[places] / math.sqrt(max(len(asked), 1)),
            signals.part[places],
            standard[places],
            np.asarray(mentions, dtype=np.float64).reshape(len(places), 2),
        ]
    )


def is_named(candidate: Candidate) -> bool:
    """Whether the query names the tool."""
    return candidate.parts.get("exact", 0.0) > 0


def named_first(chances: Scores, named: npt.NDArray[np.bool_]) -> Scores:
    """Chances, those of tools that the text names lifted between the best of the others and 1."""
    best = chances[~named].max(initial=0.0)
    return np.where(named, best + (1 - best) * (1 + chances) / 2, chances)


def _dense_weight(terms: Features) -> float:
    dense, rest = (terms[:, list(columns)].sum(axis=1).std() for columns in COLUMNS.values())
    return float(dense / (dense + rest)) if dense + rest > 0 else 1.0
