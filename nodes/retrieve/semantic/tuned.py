"""What the fine-tuned encoder says of each tool, beside what meaning and words weigh.

The bundled encoder was taught that two sentences mean the same, not that one asks for what the
other does. Its layers, fine-tuned on requests for operations of APIs (`training/encoder.py`),
give a second vector. The order of tools changes by it, and not how good the best
of them is, which is calibrated. `training/tuned.py` fits what it weighs.
"""

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from gretel.nodes.fitted import fitted_weights
from gretel.nodes.retrieve.semantic.signals import Signals

FEATURES = ("tuned", "tuned part", "dense", "part", "sparse", "name", "text")
"""Cosine of the fine-tuned vectors of request and tool, over the root of the number of the
request's words, and of the tool with the best part of the request; and what the general features
(`fusion.py`) weigh otherwise beside these two."""

Odds = npt.NDArray[np.float64]
Features = npt.NDArray[np.float64]


def features(general: Features, signals: Signals, places: npt.NDArray[np.intp]) -> Features:
    """The `FEATURES` of the tools at `places`, a row each; `general` are those of the fusion."""
    if signals.tuned is None or signals.tuned_part is None:
        return np.zeros((len(places), len(FEATURES)))
    words = max(len(signals.asked), 1)
    whole = signals.tuned[places].astype(np.float64) / math.sqrt(words)
    return np.column_stack([whole, signals.tuned_part[places].astype(np.float64), general])


def lifted(odds: Odds, general: Features, signals: Signals, places: npt.NDArray[np.intp]) -> Odds:
    """Log-odds of the tools at `places` with what `FEATURES` weigh; the best stays as high."""
    if signals.tuned is None or not len(odds):
        return odds
    moved = odds + features(general, signals, places) @ np.asarray(tuned_weights())
    return np.asarray(moved + (odds.max() - moved.max()))


@cache
def tuned_weights() -> Sequence[float]:
    """What each of `FEATURES` adds to the log-odds: the fitted weights that the package carries."""
    return [*fitted_weights("retrieve/semantic/tuned.json", FEATURES).values()]
