"""Measures of a training on its development part; results are reported by `evaluation` alone."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor


class Measured(NamedTuple):
    """Means over requests."""

    recall: float
    """R@3."""
    completeness: float
    """Completeness@3."""


def measured(scores: Tensor, gold: Sequence[Sequence[int]]) -> Measured:
    """Of (requests, tools) scores, higher is better; ties in any order."""
    best = scores.topk(min(3, scores.shape[1]), dim=1).indices.tolist()
    hits = [len(set(found) & set(right)) for found, right in zip(best, gold, strict=True)]
    pairs = list(zip(hits, gold, strict=True))
    return Measured(
        recall=sum(hit / len(right) for hit, right in pairs) / len(pairs),
        completeness=sum(hit == len(right) for hit, right in pairs) / len(pairs),
    )


def vote(found: Tensor, likeness: Tensor, served: tuple[Tensor, Tensor], tools: int) -> Tensor:
    """(n, tools) vote of neighbours at (n, K) places `found`, by a softmax over `likeness`."""
    weights = torch.softmax(likeness, dim=1)
    shares = (weights[..., None] * served[1][found]).flatten(1)
    return torch.zeros(len(found), tools).scatter_add(1, served[0][found].flatten(1), shares)
