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
        sets = [tuple(sorted(served)) for served in gold]
        scenes = sorted(set(sets))
        row = {scene: number for number, scene in enumerate(scenes)}
        asked, tools = _ones(gold)
        together, members = _ones(scenes)
        weights = (_share(asked) * _share(tools)).sqrt()
        return cls(
            scene=torch.tensor([row[scene] for scene in sets], dtype=torch.long),
            messages=_matrix(tools, asked, weights, (count, len(gold))),
            scenes=_matrix(together, members, _share(together), (len(scenes), count)),
            members=_matrix(members, together, _share(members), (count, len(scenes))),
        )

    def from_requests(self, requests: Tensor, hidden: Tensor | None = None) -> Tensor:
        """(tools, width) what tools take on from the requests that they served, of length 1 or 0.

        `requests`: (requests, width); `hidden`: rows of those that the graph is not to know.
        """
        if hidden is not None:
            requests = requests.index_fill(0, hidden, 0.0)
        # A tool's own degree is gone with the length, so nothing else is left of the hidden.
        return normalize(self.messages @ requests, dim=-1)

    def from_scenes(self, tools: Tensor, hidden: Tensor | None = None) -> Tensor:
        """(tools, width) the mean of the scenes that each tool is in, each of length 1.

        `hidden`: rows of requests; scenes that no other request has are left out.
        """
        scenes = normalize(self.scenes @ tools, dim=-1)
        if hidden is None:
            return self.members @ scenes
        others = torch.bincount(self.scene, minlength=len(scenes))
        others -= torch.bincount(self.scene[hidden], minlength=len(scenes))
        kept = (others > 0).float()[:, None]
        return (self.members @ (scenes * kept)) / (self.members @ kept).clamp(min=1e-12)


def _ones(lists: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Rows and columns of the ones of a matrix whose rows have them at these places."""
    rows = [row for row, places in enumerate(lists) for _ in places]
    columns = [place for places in lists for place in places]
    return torch.tensor(rows, dtype=torch.long), torch.tensor(columns, dtype=torch.long)


def _share(places: Tensor) -> Tensor:
    """Of each place: 1 / how often it is there."""
    return 1 / torch.bincount(places).float()[places]


def _matrix(rows: Tensor, columns: Tensor, values: Tensor, shape: tuple[int, int]) -> Tensor:
    """These values at these places, in CSR."""
    with warnings.catch_warnings():
        # CSR is called a beta feature; a product with it is all that is needed here.
        warnings.simplefilter("ignore", UserWarning)
        return torch.sparse_coo_tensor(
            torch.stack([rows, columns]), values, shape, check_invariants=True
        ).to_sparse_csr()
