"""How far the words of one request are believed.

Who knows a catalogue asks in its words, and shared words then tell tools apart better than meaning
does. Who does not know it says the same in others; those stand in other tools, whose names and
texts they lift, and both halves together fall below the dense half alone. So each request has a
doubt between 0 and 1, and its log-odds are a mean of two sums: one that believes words, and one
that was fitted on vague wordings, in which names and texts weigh little and a raw cosine counts.
The mixture is one of experts with a gate of the request (Jacobs et al., Neural Computation 1991).

What speaks against doubt is whatever fits well: a name or a text of which the request has much, a
near vector, and words and meaning that point to the same tool. It is all known before anything is
weighed and costs no pass of the encoder. `training/wording/doubt.py` makes `doubt.json` on wordings
by rule (`training/wording/vague.py`), and leaves each collection and each wording out in turn.
"""

import json
import math
from dataclasses import dataclass
from importlib.resources import files
from typing import Self

import numpy as np
import numpy.typing as npt

from gretel.nodes.retrieve.semantic.signals import Signals
from gretel.nodes.retrieve.semantic.sparse import Vector

Array = npt.NDArray[np.float64]

SAID = ("name", "text", "part", "words", "agreement")
"""Of a request: the largest shares of a name and of a text that it mentions, its best cosine, the
log of its number of words, and the cosine of the tool that its words prefer over the best one."""

SURE = 0.3
"""Doubt that is none: most clear requests keep their scores to the last digit."""


@dataclass(frozen=True)
class Doubt:
    """The sum that doubts words, and what decides how much it counts."""

    coefficients: tuple[float, ...]
    """Of the fusion's features, in their order, with the raw cosine behind them."""
    weights: tuple[float, ...]
    """Of `SAID`."""
    intercept: float

    @classmethod
    def load(cls, features: tuple[str, ...]) -> Self:
        """The fitted model that the package carries, over `features`."""
        text = files("gretel.nodes.retrieve.semantic").joinpath("doubt.json").read_text("utf-8")
        fitted = json.loads(text)
        sums, weights = fitted["coefficients"], fitted["doubt"]
        return cls(
            tuple(sums[name] for name in (*features, "raw")),
            tuple(weights[name] for name in SAID),
            weights["intercept"],
        )

    def mixed(self, sums: Array, values: Array, raw: Vector, doubt: float) -> Array:
        """`sums`, moved towards those that doubt the request's words; the highest stays as it is.

        So thresholds on the best score mean what they meant, and only order and distances change.

        Args:
            sums: of each tool, where words are believed.
            values: tool × feature.
            raw: cosines of the same tools.
            doubt: how far it moves, from 0 to 1.
        """
        doubting = np.column_stack([values, raw]) @ np.asarray(self.coefficients)
        mixed = (1 - doubt) * sums + doubt * doubting
        return np.asarray(mixed + sums.max(initial=-math.inf) - mixed.max(initial=-math.inf))

    def of(self, signals: Signals, values: Array) -> float:
        """How far its words are doubted; not at all where the encoder can read nothing else."""
        if signals.language or not len(values):
            return 0.0
        odds = float(np.dot(self.weights, said(signals, values))) + self.intercept
        found = signals.legible / (1 + math.exp(-odds))
        return max(0.0, (found - SURE) / (1 - SURE))


def said(signals: Signals, values: Array) -> Array:
    """`SAID` of one request; `values` has names and texts in its last two columns."""
    nearest = float(signals.dense.max())
    worded = float(signals.dense[int(signals.sparse.argmax())])
    return np.array(
        [
            *values[:, -2:].max(axis=0),
            float(signals.part.max()),
            math.log(max(len(signals.asked), 1)),
            worded / nearest if nearest > 0 else 0.0,
        ]
    )
