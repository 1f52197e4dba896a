"""Figures of a model become probabilities, whatever their scale."""

import math

import pytest
import torch
from torch import Tensor

from gretel.nodes.retrieve.artifact.manifest import Calibration
from gretel.training.masstool.calibration import calibrate

SHARES = torch.log_softmax(torch.randn(60, 8, generator=torch.manual_seed(7)) * 3, dim=1)
BEST = [(int(row.argmax()),) for row in SHARES]


def need(fitted: Calibration, log_odds: Tensor) -> Tensor:
    return torch.sigmoid(fitted.need_slope * log_odds + fitted.need_offset)


def test_chances_follow_the_shares() -> None:
    fitted = calibrate(SHARES, BEST, (torch.ones(20), -torch.ones(30)))

    assert fitted.slope > 0
    assert fitted.need_slope > 0
    assert fitted.need_offset == pytest.approx(0, abs=0.1)


def test_nothing_is_fitted_where_there_is_one_kind_alone() -> None:
    shares = torch.log_softmax(torch.randn(5, 2), dim=1)
    fitted = calibrate(shares, [(0, 1)] * 5, None)

    assert (fitted.slope, fitted.offset, fitted.detects) == (1.0, 0.0, False)


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_what_is_told_apart_is_told_apart_at_any_scale(scale: float) -> None:
    noise = torch.randn(200, generator=torch.manual_seed(8)) * 0.2
    asks, no_tool = (1 + noise[:100]) * scale, (-1 + noise[100:]) * scale

    fitted = calibrate(SHARES, BEST, (asks, no_tool))

    assert need(fitted, asks).mean() > 0.95
    assert need(fitted, no_tool).mean() < 0.05


def test_a_larger_share_never_becomes_a_smaller_chance() -> None:
    worst = [(int(row.argmin()),) for row in SHARES]
    fitted = calibrate(SHARES, worst, (-torch.ones(20), torch.ones(30)))
    middle = float(SHARES.mean())

    assert fitted.slope > 0 and fitted.need_slope > 0
    assert 1 / (1 + math.exp(-fitted.slope * middle - fitted.offset)) == pytest.approx(1 / 8)
    assert need(fitted, torch.zeros(1)).item() == pytest.approx(0.5, abs=0.01)
