"""Figures of the model into probabilities, on the development part."""

import math
from collections.abc import Sequence

import numpy as np
from torch import Tensor

from gretel.nodes.retrieve.artifact.manifest import Calibration

FLATTEST = 0.01
"""Least slope, in log odds per standard deviation: a hair, which keeps the order."""
PLACES = 20
"""Best tools of each request that calibrate; the many others would only drown them."""


def calibrate(
    shares: Tensor,
    gold: Sequence[Sequence[int]],
    needs: tuple[Tensor, Tensor] | None,
) -> Calibration:
    """Two logistic maps (Platt, 1999).

    Args:
        shares: (requests, tools) logarithms of shares.
        gold: places of each request's tools.
        needs: log odds of a need, of these requests and of requests that need no tool; None
            without detection.
    """
    best = shares.topk(min(PLACES, shares.shape[1]), dim=1)
    right = [
        place in right
        for found, right in zip(best.indices.tolist(), gold, strict=True)
        for place in found
    ]
    slope, offset = _logistic(best.values.flatten().numpy(), np.array(right))
    if needs is None:
        return Calibration(slope=slope, offset=offset)
    values = np.concatenate([each.numpy() for each in needs])
    asks = np.arange(len(values)) < len(needs[0])
    need_slope, need_offset = _logistic(values, asks, balanced=True)
    return Calibration(
        slope=slope,
        offset=offset,
        need_slope=need_slope,
        need_offset=need_offset,
        detects=True,
    )


def _logistic(
    values: np.ndarray, labels: np.ndarray, *, balanced: bool = False
) -> tuple[float, float]:
    """Slope and offset; the slope is never below `FLATTEST`, so that more is never taken for less.

    Fitted on standardised values: the penalty must not depend on the scale of a model's logits,
    which after a short training are all close to 0.
    """
    from sklearn.linear_model import LogisticRegression

    if labels.all() or not labels.any():
        return 1.0, 0.0
    middle, scale = float(values.mean()), float(values.std()) or 1.0
    model = LogisticRegression(class_weight="balanced" if balanced else None)
    model.fit((values[:, None] - middle) / scale, labels)
    slope, offset = float(model.coef_[0, 0]), float(model.intercept_[0])
    if slope < FLATTEST:
        share = 0.5 if balanced else float(labels.mean())
        slope, offset = FLATTEST, math.log(share / (1 - share))
    return slope / scale, offset - slope / scale * middle
