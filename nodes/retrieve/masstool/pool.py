"""Known requests with the tools that served them, and which of them are near to another."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from gretel.nodes.retrieve.masstool.model import Neighbours

_ROWS = 2_048
_SAME = 1.0 - 1e-5
"""Cosine from which two requests are the same text."""


@dataclass(frozen=True)
class Pool:
    """Requests, by their vectors, and the places of the tools that served each."""

    vectors: Tensor
    """(requests, width), unit length."""
    gold: tuple[tuple[int, ...], ...]

    def with_more(self, vectors: Tensor, gold: Sequence[Sequence[int]]) -> "Pool":
        """This pool and more requests."""
        more = tuple(tuple(sorted(set(tools))) for tools in gold)
        return Pool(torch.cat([self.vectors, vectors]), self.gold + more)

    def without(self, tools: Collection[int]) -> "Pool":
        """This pool where what served no longer counts for `tools`, by their places."""
        left = [tuple(tool for tool in gold if tool not in tools) for gold in self.gold]
        kept = [row for row, gold in enumerate(left) if gold]
        return Pool(self.vectors[kept], tuple(left[row] for row in kept))

    def served(self) -> tuple[Tensor, Tensor]:
        """Places of tools (requests, G) and their shares, each row summing to 1.

        G is the largest number of tools of a request; the rest is filled with place 0, share 0.
        """
        most = max(map(len, self.gold), default=1)
        places = torch.zeros(len(self.gold), most, dtype=torch.long)
        shares = torch.zeros(len(self.gold), most)
        for row, tools in enumerate(self.gold):
            places[row, : len(tools)] = torch.tensor(tools, dtype=torch.long)
            shares[row, : len(tools)] = 1 / max(len(tools), 1)
        return places, shares

    def nearest(self, requests: Tensor, count: int, *, known: bool = False) -> Neighbours:
        """The `count` nearest of the pool, or as many as it has, most similar first.

        Of requests that are `known`, the pool's own, neither a request itself nor its double is its
        neighbour, or its own label would be what it learns from.
        """
        count = min(count, len(self.gold))
        places: list[Tensor] = []
        similarity: list[Tensor] = []
        for start in range(0, len(requests), _ROWS):
            cosines = requests[start : start + _ROWS] @ self.vectors.T
            if known:
                own = torch.arange(len(cosines))
                cosines[own, own + start] = -1.0
                cosines[cosines > _SAME] = -1.0
            best = cosines.topk(count, dim=1)
            places.append(best.indices)
            similarity.append(best.values)
        return Neighbours(torch.cat(places), torch.cat(similarity))


def spread(places: Tensor, shares: Tensor, count: int) -> Tensor:
    """(n, count) shares of all `count` tools, from (n, G) places and shares of some."""
    return torch.zeros(len(places), count).scatter_add(1, places, shares)
