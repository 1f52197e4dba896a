"""How likely it is that some tool of the catalogue serves the request at all.

Ranking scores only compare tools; the best of a hopeless lot is still the best. So three absolute
signals go through a logistic curve: the best cosine, the best tool's share of the BM25 that the
request could reach, and the catalogue's size, since the best of many chance scores is higher than
the best of few. Fitted on requests whose tools were, or were not, taken out of catalogues of 20 to
4,000 tools, with as many answerable requests as others (`training/answerable.py`).
"""

import json
import math
from dataclasses import dataclass
from importlib.resources import files
from typing import Self

from gretel.nodes.retrievers.fusion import Weighed
from gretel.nodes.retrievers.signals import Signals

SIGNALS = ("dense", "sparse", "size")
"""Highest cosine with the whole request, sparse score of the best tool, log of their number."""

SIZES = (20, 4_000)
"""Catalogues outside this range, of which training says nothing, count as its nearest end."""

_LEGIBLE = 0.5
"""Share of the request that the encoder must be able to read."""


@dataclass(frozen=True)
class Answerability:
    """A logistic curve over `SIGNALS`."""

    coefficients: tuple[float, ...]
    intercept: float

    @classmethod
    def load(cls) -> Self:
        """The fitted curve that the package carries."""
        text = files("gretel.nodes.retrievers").joinpath("answerable.json").read_text("utf-8")
        fitted = json.loads(text)
        weights = fitted["coefficients"]
        return cls(tuple(weights[name] for name in SIGNALS), fitted["intercept"])

    def probability(self, signals: Signals, weighed: Weighed) -> float | None:
        """P(some tool serves the request): 1 where it names a tool, None where there is nothing
        to search, or the encoder cannot read the request and only its words speak for a tool.

        Words in common judge no such request, for the curve never saw one; where there is no
        word in common either, the order of the tools means nothing, and the answer is 0.
        """
        if signals.named:
            return 1.0
        if not len(signals.dense):
            return None
        if signals.legible < _LEGIBLE:
            return None if signals.sparse.any() else 0.0
        terms = zip(self.coefficients, absolute(signals, weighed), strict=True)
        return 1 / (1 + math.exp(-self.intercept - sum(weight * value for weight, value in terms)))


def absolute(signals: Signals, weighed: Weighed) -> tuple[float, float, float]:
    """The `SIGNALS` of one request."""
    best = weighed.places[weighed.scores.argmax()]
    smallest, largest = SIZES
    size = min(max(len(signals.dense), smallest), largest)
    return float(signals.dense.max()), float(signals.sparse[best]), math.log(size)
