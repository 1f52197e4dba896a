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

FEATURES = ("tuned",)
"""Cosine of the fine-tuned vectors of request and tool."""

Odds = npt.NDArray[np.float64]


def lifted(odds: Odds, cosines: npt.NDArray[np.floating]) -> Odds:
    """Log-odds with what the fine-tuned `cosines` of these tools weigh; the best is as high."""
    if not len(odds):
        return odds
    moved = odds + tuned_weights()[0] * cosines
    return np.asarray(moved + (odds.max() - moved.max()))


@cache
def tuned_weights() -> Sequence[float]:
    """What each of `FEATURES` adds to the log-odds: the fitted weights that the package carries."""
    text = files("gretel.nodes.retrieve.semantic").joinpath("tuned.json").read_text("utf-8")
    weights = json.loads(text)["weights"]
    return [weights[name] for name in FEATURES]
