"""Measures of a training on its development part; results are reported by `evaluation` alone."""

import math
from collections.abc import Sequence
from statistics import fmean

import torch
from torch import Tensor

from gretel.nodes.retrieve.masstool.pool import spread

MEASURES = ("R@3", "R@5", "nDCG@3", "nDCG@5", "Completeness@3")
"""What `ranking_measures` gives."""


def reached(scores: Tensor, gold: Sequence[Sequence[int]]) -> float:
    """R@3 and Completeness@3 together, by which a training chooses."""
    found = ranking_measures(scores, gold)
    return found["R@3"] + found["Completeness@3"]


def vote(found: Tensor, likeness: Tensor, served: tuple[Tensor, Tensor], tools: int) -> Tensor:
    """(n, tools) vote of neighbours at (n, K) places `found`, by a softmax over `likeness`."""
    weights = torch.softmax(likeness, dim=1)
    shares = (weights[..., None] * served[1][found]).flatten(1)
    return spread(served[0][found].flatten(1), shares, tools)


def ranking_measures(scores: Tensor, gold: Sequence[Sequence[int]]) -> dict[str, float]:
    """`MEASURES`, means over requests, counted as ir_measures counts them.

    Args:
        scores: (requests, tools), higher is better; ties in any order.
        gold: places of each request's tools, one at least.
    """
    found = request_measures(scores, gold)
    return dict(zip(MEASURES, map(fmean, zip(*found, strict=True)), strict=True))


def request_measures(scores: Tensor, gold: Sequence[Sequence[int]]) -> list[tuple[float, ...]]:
    """`MEASURES` of each request, as `ranking_measures`."""
    best = scores.topk(min(5, scores.shape[1]), dim=1).indices.tolist()
    return [
        measures_of([place in right for place in places], len(right))
        for places, right in zip(best, map(frozenset, gold), strict=True)
    ]


def measures_of(hits: Sequence[bool], right: int) -> tuple[float, ...]:
    """`MEASURES` of one request that `right` tools serve, by whether each of the best five does."""
    return (
        sum(hits[:3]) / right,
        sum(hits[:5]) / right,
        _gain(hits[:3]) / _gain([True] * min(3, right)),
        _gain(hits[:5]) / _gain([True] * min(5, right)),
        float(sum(hits[:3]) == right),
    )


def _gain(hits: Sequence[bool]) -> float:
    return sum(hit / math.log2(place + 2) for place, hit in enumerate(hits))
