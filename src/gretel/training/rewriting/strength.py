"""How strongly a trained head counts, chosen on requests that it never saw; 0 where none helps.

Known tools are hidden by lot here, too, as in its training (`head.py`).
"""

import math
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gretel.contracts.record import JsonObject
from gretel.nodes.retrieve.rewriting.artifact import Calibration, Head
from gretel.training.masstool.measures import MEASURES, request_measures
from gretel.training.rewriting.head import Known, Lists

STRENGTHS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25)
SURE = 2.0
"""Standard errors: several strengths are tried, of which one gains by chance."""
_HIDINGS = 8
"""Draws of hidden tools over which the strength is chosen."""
_OFFSETS = (-30.0, 30.0)
"""Log-odds between which the offset is looked for."""

_Values = npt.NDArray[np.float64]


class Tried(NamedTuple):
    """A head, and requests that it never saw."""

    head: Head
    held: Lists
    known: Known

    def plain(self) -> _Values:
        """nDCG@5 of each request without the head."""
        return _ndcg(self.held.odds.float(), self.held)

    def shown(self) -> list[Tensor]:
        """Draws of which tools are known."""
        return [self.known.shown() for _ in range(_HIDINGS if self.known.hidden else 1)]

    def weighed(self, strength: float, shown: Sequence[Tensor]) -> tuple[_Values, float]:
        """nDCG@5 of each request with the head, as a mean over draws, and its offset."""
        change = strength * self.head(self.held.requests, self.known.texts)
        offset = _offset(self.held, change, self.known)
        odds, places = self.held.odds.float(), self.known.places
        draws = [_ndcg(odds.index_add(1, places, s * (change + offset)), self.held) for s in shown]
        return np.mean(draws, 0), offset


def calibrated(tried: Sequence[Tried]) -> tuple[Calibration, JsonObject]:
    """How strongly a head counts, and nDCG@5 without it and with it.

    It must gain more than `SURE` standard errors of the gain over all requests. The least strength
    is chosen that gains as much as the best one but for its error (the one-standard-error rule of
    Breiman et al., 1984): what moves less can harm less where requests are for unknown tools.
    """
    draws = [each.shown() for each in tried]
    plain = np.concatenate([each.plain() for each in tried])
    ways = {strength: _way(tried, draws, strength) for strength in STRENGTHS}
    gains = {strength: found - plain for strength, (found, _) in ways.items()}
    best = max(STRENGTHS, key=lambda each: gains[each].mean())
    least = gains[best].mean() - _error(gains[best])
    chosen = (s for s in STRENGTHS if gains[s].mean() > max(least, SURE * _error(gains[s])))
    strength = next(chosen, 0.0)
    if not strength:
        return Calibration(), {"without": float(plain.mean()), "with": float(plain.mean())}
    found, offset = ways[strength]
    reached: JsonObject = {"without": float(plain.mean()), "with": float(found.mean())}
    return Calibration(strength=strength, offset=offset), reached


def _way(
    tried: Sequence[Tried], draws: Sequence[Sequence[Tensor]], strength: float
) -> tuple[_Values, float]:
    """nDCG@5 of all requests with that strength, and the mean offset."""
    found = [each.weighed(strength, shown) for each, shown in zip(tried, draws, strict=True)]
    return np.concatenate([values for values, _ in found]), fmean(offset for _, offset in found)


def _error(gains: _Values) -> float:
    """The standard error of their mean."""
    return float(gains.std()) / math.sqrt(len(gains))


def _ndcg(scores: Tensor, held: Lists) -> _Values:
    found = request_measures(scores, held.gold)
    return np.array([each[MEASURES.index("nDCG@5")] for each in found], dtype=np.float64)


def _offset(held: Lists, change: Tensor, known: Known) -> float:
    """What brings the mean probability of the known tools to the share that is right.

    That is the intercept of the logistic map whose slope is 1 (Platt, 1999). Where tools are
    unknown, the known compete with them on the retriever's own scale: there their mean stays what
    it was, since a retriever that thinks too much of all would have them sink below the unknown.
    """
    from scipy.optimize import brentq

    plain = held.odds[:, known.places].double()
    wanted = float(torch.sigmoid(plain).sum())
    if not known.hidden:
        place = set(known.places.tolist())
        wanted = float(sum(tool in place for gold in held.gold for tool in gold))
    if not wanted:
        return _OFFSETS[0]
    odds = plain + change
    return float(brentq(lambda to: float(torch.sigmoid(odds + to).sum()) - wanted, *_OFFSETS))
