"""What the fine-tuned encoder says of each tool, beside what meaning and words weigh.

The bundled encoder was taught that two sentences mean the same, not that one asks for what the
other does. Its last layers, fine-tuned on requests for operations of APIs (`training/encoder.py`),
give a second vector from the same pass. The order of tools changes by it, and not how good the best
of them is, which is calibrated. `training/tuned.py` fits what it weighs.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from gretel.nodes.retrieve.semantic.signals import Signals

FEATURES = ("tuned",)
"""Cosine of the fine-tuned vectors of request and tool, over the number of the request's words: a
long one has several needs, and shares words with the tools that serve them."""

Odds = npt.NDArray[np.float64]


def features(signals: Signals, places: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    """The `FEATURES` of the tools at `places`, a row each; 0 without such vectors."""
    if signals.tuned is None:
        return np.zeros((len(places), 1))
    cosines = signals.tuned[places].astype(np.float64)
    return cosines[:, None] / max(len(signals.asked), 1)


def lifted(odds: Odds, signals: Signals, places: npt.NDArray[np.intp]) -> Odds:
    """Log-odds of the tools at `places` with what `FEATURES` weigh; the best stays as high."""
    if signals.tuned is None or not len(odds):
        return odds
    moved = odds + features(signals, places) @ np.asarray(tuned_weights())
    return np.asarray(moved + (odds.max() - moved.max()))


@cache
def tuned_weights() -> Sequence[float]:
    """What each of `FEATURES` adds to the log-odds: the fitted weights that the package carries."""
    text = files("gretel.nodes.retrieve.semantic").joinpath("tuned.json").read_text("utf-8")
    weights = json.loads(text)["weights"]
    return [weights[name] for name in FEATURES]
