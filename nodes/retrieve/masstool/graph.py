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
from torch.nn.functional import normalize


@dataclass(frozen=True)
class Edges:
    """Which tools served which requests of the pool."""

    scene: Tensor
    """(requests,) the row in `scenes` of each request's tools."""
    messages: Tensor
    """(tools, requests) sparse CSR, D^-½ A D^-½ of the request–tool graph."""
    scenes: Tensor
    """(scenes, tools) sparse CSR, each row sums to 1."""
    members: Tensor
    """(tools, scenes) sparse CSR, each row sums to 1; a row without scenes is 0."""

    @classmethod
    def of(cls, gold: Sequence[Sequence[int]], count: int) -> "Edges":
        """The graphs of requests, each served by the tools at some places below `count`."""
        sets = [tuple(sorted(tools)) for tools in gold]
        scenes = sorted(set(sets))
        row = {scene: number for number, scene in enumerate(scenes)}
        served, together = _Pairs.of(gold, count), _Pairs.of(scenes, count)
        return cls(
            scene=torch.tensor([row[scene] for scene in sets], dtype=torch.long),
            messages=served.matrix((served.by_row() * served.by_column()).sqrt(), turned=True),
            scenes=together.matrix(together.by_row()),
            members=together.matrix(together.by_column(), turned=True),
        )

    def from_requests(self, requests: Tensor, hidden: Tensor | None = None) -> Tensor:
        """(tools, width) what tools take on from the requests that they served, of length 1 or 0.

        Args:
            requests: (requests, width).
            hidden: rows of requests that the graph is not to know.
        """
        if hidden is not None:
            requests = requests.index_fill(0, hidden, 0.0)
        # A tool's own degree is gone with the length, so nothing else is left of the hidden.
        return normalize(self.messages @ requests, dim=-1)

    def from_scenes(self, tools: Tensor, hidden: Tensor | None = None) -> Tensor:
        """(tools, width) the mean of the scenes that each tool is in, each of length 1.

        Args:
            tools: (tools, width).
            hidden: rows of requests; scenes that no other request has are left out.
        """
        scenes = normalize(self.scenes @ tools, dim=-1)
        if hidden is None:
            return self.members @ scenes
        others = torch.bincount(self.scene, minlength=len(scenes))
        others -= torch.bincount(self.scene[hidden], minlength=len(scenes))
        kept = (others > 0).float()[:, None]
        return (self.members @ (scenes * kept)) / (self.members @ kept).clamp(min=1e-12)


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
