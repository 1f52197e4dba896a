"""Scores of candidates in view of each other, for requests of several parts.

A retriever scores every tool for itself. Where a request has several parts, two things speak for a
tool beyond that:

- it serves a part of the request better than others do. A request for three things is served by
  three tools, each of which may be a poor match of the whole;
- other tools of its toolkit serve the request too. Tools that are used together come from one
  scene (COLT, arXiv 2405.16089), and a toolkit is the scene that every catalogue declares.

Both are shares, of a softmax over the candidates, so that they mean the same for any retriever
whose scores are probabilities. A tool that is alone in its toolkit gets no votes, and loses none
to its like: where every tool is its own toolkit, votes change nothing. A toolkit's size takes no
part. A request of one part mostly wants one tool, which others of its toolkit say nothing about:
its candidates stay as they are. `training/coherence.py` makes `coherence.json`, and leaves each
collection out in turn.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from gretel.nodes.fitted import fitted
from gretel.nodes.retrieve.odds import Array

FEATURES = ("own", "votes", "part", "own_parts")
"""The candidate's own log-odds; and, all three times the logarithm of the number of parts: the
share of the parts that others of its toolkit serve, the logarithm of its own share of them, and
once more the log-odds, because the whole says the less, the more parts it has."""

_VOTES = FEATURES.index("votes")
ALONE = (0, 2, 3)
"""Columns that know no toolkits."""

_FLOOR = 0.01
"""Added to a share before its logarithm is taken: below it, shares are noise."""


@dataclass(frozen=True)
class Coherence:
    """Coefficients of `FEATURES`, and of the logistic curve that turns sums to probabilities."""

    coefficients: tuple[float, ...]
    slope: float
    offset: float

    @classmethod
    def load(cls, *, toolkits: bool = True) -> Self:
        """The fitted coefficients that the package carries, with or without the toolkit votes."""
        values = fitted("retrieve/stage/coherence.json")
        if not toolkits:
            values = values["without toolkits"]
        weights = values["coefficients"]
        return cls(tuple(weights[name] for name in FEATURES), values["slope"], values["offset"])

    def probabilities(self, values: Array, toolkits: Sequence[Hashable]) -> Array:
        """The probability that each candidate serves the request, from its `FEATURES`.

        Votes set toolkits against each other. Within one they would put the second before the
        first, who lends more than it gets; so its members share out what they reached together
        in the order that they have without votes.
        """
        weights = np.asarray(self.coefficients)
        sums = values @ weights
        unvoted = sums - values[:, _VOTES] * weights[_VOTES]
        groups = _groups(toolkits)
        shared = np.empty_like(sums)
        shared[np.lexsort((-unvoted, groups))] = sums[np.lexsort((-sums, groups))]
        return np.asarray(1 / (1 + np.exp(-(self.slope * shared + self.offset))))


def features(own: Array, parts: Array, toolkits: Sequence[Hashable]) -> Array:
    """The `FEATURES` of some candidates, one row each, from their log-odds for the whole request.

    `parts`: part × candidate: their log-odds for each part; at least one.
    """
    shares = _shares(parts)
    several = math.log(len(parts))
    return np.column_stack(
        [
            own,
            several * _of_others(shares, toolkits).mean(axis=0),
            several * np.log(_FLOOR + shares.mean(axis=0)),
            several * own,
        ]
    )


def _shares(odds: Array) -> Array:
    """Softmax of each row."""
    raised = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def _of_others(shares: Array, toolkits: Sequence[Hashable]) -> Array:
    """What the others of each candidate's toolkit have of each row."""
    groups = _groups(toolkits)
    whole = np.zeros((len(shares), len(groups)))
    np.add.at(whole.T, groups, shares.T)
    return np.asarray(whole[:, groups] - shares)


def _groups(toolkits: Sequence[Hashable]) -> list[int]:
    """A number for each toolkit, the same for tools of one; a tool without one has its own."""
    numbers: dict[Hashable, int] = {}
    return [
        numbers.setdefault((toolkit,) if toolkit else place, len(numbers))
        for place, toolkit in enumerate(toolkits)
    ]
