"""Requests, the tools that served them and their scenes, as graphs without learnt ids.

MassTool (arXiv 2507.00487), query-centric graph convolution: one layer of LightGCN propagation on
the request–tool and on the request–scene graph. A scene is a set of tools that serve a request
together. Nothing is kept by id: whatever has a vector and edges takes part, so that requests and
tools can come later.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Edges:
    """Which tools served which requests of the pool."""

    tools: Tensor
    """(requests, tools) sparse CSR, each row sums to 1."""
    messages: Tensor
    """(tools, requests) sparse CSR, D^-½ A D^-½ of the request–tool graph."""
    scenes: Tensor
    """(scenes, tools) sparse CSR, each row sums to 1."""
    members: Tensor
    """(tools, scenes) sparse CSR, each row sums to 1; a row without scenes is 0."""

    @classmethod
    def of(cls, gold: Sequence[Sequence[int]], count: int) -> "Edges":
        """The graphs of requests, each served by the tools at some places below `count`."""
        scenes = sorted({tuple(sorted(tools)) for tools in gold})
        served, together = _Pairs.of(gold, count), _Pairs.of(scenes, count)
        return cls(
            tools=served.matrix(served.by_row()),
            messages=served.matrix((served.by_row() * served.by_column()).sqrt(), turned=True),
            scenes=together.matrix(together.by_row()),
            members=together.matrix(together.by_column(), turned=True),
        )


@dataclass(frozen=True)
class _Pairs:
    """The ones of a matrix of zeros and ones."""

    rows: Tensor
    columns: Tensor
    shape: tuple[int, int]

    @classmethod
    def of(cls, lists: Sequence[Sequence[int]], width: int) -> "_Pairs":
        rows = [row for row, places in enumerate(lists) for _ in places]
        columns = [place for places in lists for place in places]
        long = torch.long
        return cls(
            torch.tensor(rows, dtype=long), torch.tensor(columns, dtype=long), (len(lists), width)
        )

    def by_row(self) -> Tensor:
        """Of each one: 1 / the number of ones in its row."""
        return 1 / torch.bincount(self.rows, minlength=self.shape[0]).float()[self.rows]

    def by_column(self) -> Tensor:
        """Of each one: 1 / the number of ones in its column."""
        return 1 / torch.bincount(self.columns, minlength=self.shape[1]).float()[self.columns]

    def matrix(self, values: Tensor, *, turned: bool = False) -> Tensor:
        """These values in the ones' places, in CSR; `turned`: rows and columns change places."""
        places, shape = (self.rows, self.columns), self.shape
        if turned:
            places, shape = places[::-1], shape[::-1]
        with warnings.catch_warnings():
            # CSR is called a beta feature; a product with it is all that is needed here.
            warnings.simplefilter("ignore", UserWarning)
            return torch.sparse_coo_tensor(
                torch.stack(places), values, shape, check_invariants=True
            ).to_sparse_csr()
