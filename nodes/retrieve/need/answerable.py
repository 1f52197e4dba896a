"""How likely it is that a request needs a tool, and that some tool of the catalogue serves it.

Ranking scores only compare tools; the best of a hopeless lot is still the best. So absolute
signals weigh three cases against each other: a tool of the catalogue serves the request, another
one would, or none is needed. The signals: the best cosine, the best BM25 as a share of what the
request could reach, the catalogue's size, since the best of many chance scores is higher than the
best of few, the length of the request, and what its wording says (`classifier.py`).

What no tool serves is told apart by wording alone: a catalogue knows nothing of tools that it
lacks. So `answerable` never exceeds `needs_tool`, and a tool that fits well speaks for both.

Fitted over catalogues of 3 to 4,000 tools drawn from six collections, on requests whose tools
were, or were not, taken out, and on others that need none (`training/answerable.py`).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from gretel.contracts.ranking import Chances, MatchSignals
from gretel.nodes.fitted import fitted

SIGNALS = ("dense", "sparse", "size", "both", "words", "dense_words", "sparse_words", "need")
"""Highest cosine with the request, with its quoted values or without; highest sparse score; log of
the number of tools; the product of the first and the third, for a low cosine says less about few
tools; log of the number of the request's content words, and its products with both scores, for
shared words say more of a long request than of a short one; and the log odds of `NeedClassifier`,
missing where the encoder is not the bundled one."""

CASES = ("unserved", "no_tool")
"""Another tool would serve the request; none is needed. Weighed against: served."""

SIZES = (3, 4_000)
"""Catalogues outside this range, of which training says nothing, count as its nearest end."""

WORDS = (3, 40)
"""Shorter and longer requests count as these: few are that short, and few words more tell more."""

_LEGIBLE = 0.5
"""Share of the request that the encoder must be able to read."""


@dataclass(frozen=True)
class Curve:
    """Log odds of each of `CASES` against `served`, linear in some of `SIGNALS`."""

    coefficients: tuple[tuple[float, ...], ...]
    intercepts: tuple[float, ...]

    @classmethod
    def fitted(cls, values: Mapping[str, Any]) -> Self:
        """From what `training/answerable.py` writes."""
        rows = [values[case] for case in CASES]
        names = [name for name in SIGNALS if name in rows[0]]
        return cls(
            tuple(tuple(row[name] for name in names) for row in rows),
            tuple(row["intercept"] for row in rows),
        )

    def served(self, values: tuple[float, ...]) -> float:
        """P(a tool of the catalogue serves the request)."""
        odds = (
            math.exp(intercept + sum(map(float.__mul__, weights, values)))
            for weights, intercept in zip(self.coefficients, self.intercepts, strict=True)
        )
        return 1 / (1 + sum(odds))


@dataclass(frozen=True)
class Answerability:
    """A curve over all `SIGNALS`, and one for requests whose wording is not judged."""

    worded: Curve
    plain: Curve

    @classmethod
    def load(cls) -> Self:
        """The fitted curves that the package carries."""
        curves = fitted("retrieve/need/answerable.json")
        return cls(Curve.fitted(curves["worded"]), Curve.fitted(curves["plain"]))

    def chances(self, signals: MatchSignals, need: float | None) -> Chances:
        """1 where the request names a tool; unknown where there is nothing to search, or the
        request is in a language that the encoder was not taught: the curves never saw one.

        `need`: log odds of `NeedClassifier`; None where unknown, as `needs_tool` is then.
        """
        if signals.named:
            return Chances(1.0, 1.0)
        if not signals.tools or signals.language or signals.legible < _LEGIBLE:
            return Chances()
        if need is None:
            return Chances(None, self.plain.served(absolute(signals)))
        served = self.worded.served((*absolute(signals), need))
        return Chances(served + (1 - served) / (1 + math.exp(-need)), served)


def absolute(signals: MatchSignals) -> tuple[float, ...]:
    """All `SIGNALS` of one request but `need`."""
    dense, sparse = signals.dense, signals.sparse
    size = math.log(float(np.clip(signals.tools, *SIZES)))
    words = math.log(float(np.clip(signals.words, *WORDS)))
    return dense, sparse, size, dense * size, words, dense * words, sparse * words
