"""The second stage of MassTool: from vectors to a need and a score for each tool.

Five parts (arXiv 2507.00487) and one of our own, each of which can be left out:
- detection: a tower that says whether a request needs a tool;
- graph: tools take on the requests and scenes that they served (`graph.Edges`);
- search: a request is read beside its nearest neighbours in a pool of known requests (SUIM), of
  which a threshold keeps those that are near enough (`filter`) and attention weighs the rest;
- transfer: the state of the detection tower gates what the neighbours say (AdaKT);
- contrast: a loss that draws both views of a request together (`training`);
- vote: the tools of the neighbours, weighed by attention. The paper lacks it; without it much of
  what neighbours know is lost between vectors.

Two views, as in the paper: tools by the requests that they served, and by their scenes.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding_bag, normalize, softplus

from gretel.nodes.retrieve.masstool.config import Shape
from gretel.nodes.retrieve.masstool.graph import Edges

VIEWS = 2
HIDDEN = 128
"""Units of the detection tower."""
_MASKED = -1e4


class Neighbours(NamedTuple):
    """The nearest requests of the pool, for each of `n` requests."""

    places: Tensor
    """(n, K) rows of the pool."""
    similarity: Tensor
    """(n, K) cosines; -1 where there is no neighbour."""


class Nearby(NamedTuple):
    """What is known of the neighbours of `n` requests."""

    vectors: Tensor
    """(n, K, width)."""
    values: tuple[Tensor, ...]
    """(n, K, width) of each view: the neighbour with the tools that served it."""
    tools: Tensor
    """(n, K, G) places of the tools that served it, G at most."""
    shares: Tensor
    """(n, K, G) summing to 1 over G; 0 where it had fewer tools."""


def nearby(
    places: Tensor, requests: Tensor, values: tuple[Tensor, ...], served: tuple[Tensor, Tensor]
) -> Nearby:
    """What is known of the requests at (n, K) `places`.

    These are rows of `requests`, `values` (`MassTool.pool_values`) and `served` (`Pool.served`),
    which may be of the whole pool or of some of it.
    """
    near = tuple(value[places] for value in values)
    return Nearby(requests[places], near, served[0][places], served[1][places])


class Scores(NamedTuple):
    """What the model says about `n` requests."""

    tools: Tensor
    """(n, tools) logits."""
    need: Tensor
    """(n,) log odds that a tool is needed; 0 without detection."""
    intents: tuple[Tensor, ...]
    """(n, width) of each view: what the neighbours say (u of the paper)."""
    vote: Tensor
    """(n, tools) share of the neighbours' attention; 0 without votes."""


class Adapter(nn.Module):
    """A residual map between unit vectors that begins as the identity."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.outer = nn.Linear(width, width)
        nn.init.zeros_(self.outer.weight)
        nn.init.zeros_(self.outer.bias)

    def forward(self, vectors: Tensor) -> Tensor:
        """Unit vectors to unit vectors."""
        change: Tensor = self.outer(nn.functional.gelu(self.inner(vectors)))
        return normalize(vectors + change, dim=-1)


class MassTool(nn.Module):
    """The model; its parameters belong to no tool and no request."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.shape = shape
        self.request = Adapter(width)
        self.tool = Adapter(width)
        self.detect = nn.Linear(width, HIDDEN)
        self.needed = nn.Linear(HIDDEN, 1)
        self.state = nn.Linear(HIDDEN, HIDDEN)
        # Zero: at first every neighbour is weighed by its plain cosine, and no gate leans.
        self.turn = nn.Parameter(torch.zeros(VIEWS, width, width))
        self.gate = nn.Parameter(torch.zeros(VIEWS, HIDDEN, width))
        self.blend = nn.Parameter(torch.zeros(VIEWS, width, width))
        self.sharpness = nn.Parameter(torch.tensor(3.0))
        self.mixing = nn.Parameter(torch.zeros(2))
        self.weights = nn.Parameter(torch.tensor([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 3.0]))
        self.scale = nn.Parameter(torch.tensor(2.3))

    def tool_views(
        self, texts: Tensor, requests: Tensor, edges: Edges, hidden: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """(tools, width) of each view, from vectors of tool texts and of the pool's requests.

        `hidden`: rows of requests of whose tools the views are to know nothing.
        """
        own = self.tool(texts)
        if not self.shape.has("graph"):
            return own, own
        kept, scene_kept = softplus(self.mixing)
        by_tool = normalize(own + kept * edges.from_requests(requests, hidden), dim=-1)
        by_scene = normalize(by_tool + scene_kept * edges.from_scenes(by_tool, hidden), dim=-1)
        return by_tool, by_scene

    def pool_values(
        self, requests: Tensor, views: tuple[Tensor, ...], served: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, ...]:
        """(n, width) of each view: known requests, each with the tools that served it.

        `requests`: (n, width) adapted vectors; `served`: of these (`Pool.served`).
        """
        tools = (
            embedding_bag(served[0], view, per_sample_weights=served[1], mode="sum")
            for view in views
        )
        return tuple(normalize(requests + normalize(tool, dim=-1), dim=-1) for tool in tools)

    def detection(self, early: Tensor) -> tuple[Tensor, Tensor]:
        """Log odds of the need, and the tower's state."""
        hidden = torch.relu(self.detect(early))
        return self.needed(hidden)[:, 0], torch.relu(self.state(hidden))

    def forward(
        self,
        requests: Tensor,
        early: Tensor,
        views: tuple[Tensor, ...],
        found: Neighbours,
        near: Nearby,
    ) -> Scores:
        """Scores of all tools for `n` requests, given as (n, width) adapted vectors.

        `early`: (n, width) what the detection tower reads; `near`: what is known of each neighbour
        that was `found`.
        """
        need, state = self.detection(early)
        if not self.shape.has("detection"):
            need = torch.zeros_like(need)
        asked = [self.weights[view] * requests for view in range(VIEWS)]
        vote = requests.new_zeros(len(requests), len(views[0]))
        intents: list[Tensor] = []
        if self.shape.has("search"):
            for view in range(VIEWS):
                attention = self.attention(requests, near.vectors, found, view)
                intent = torch.einsum("nk,nkw->nw", attention, near.values[view])
                intents.append(intent)
                if self.shape.has("vote"):
                    shares = (attention[..., None] * near.shares / VIEWS).flatten(1)
                    vote = vote.scatter_add(1, near.tools.flatten(1), shares)
                asked[view] = asked[view] + self.weights[2 + view] * intent
                if self.shape.has("transfer"):
                    moved = normalize(self.transferred(state, intent, view), dim=-1)
                    asked[view] = asked[view] + self.weights[4 + view] * moved
        total = asked[0] @ views[0].T + asked[1] @ views[1].T
        if self.shape.has("vote"):
            total = total + self.weights[6] * vote
        return Scores(total * self.scale.exp(), need, tuple(intents), vote)

    def attention(self, requests: Tensor, vectors: Tensor, found: Neighbours, view: int) -> Tensor:
        """(n, K) weights of the neighbours; all 0 where none is near enough."""
        asked = normalize(requests + requests @ self.turn[view], dim=-1)
        likeness = torch.einsum("nw,nkw->nk", asked, vectors) * self.sharpness.exp()
        kept = found.similarity > (self.shape.threshold if self.shape.has("filter") else -1.0)
        return torch.softmax(likeness.masked_fill(~kept, _MASKED), dim=-1) * kept

    def transferred(self, state: Tensor, intent: Tensor, view: int) -> Tensor:
        """What the neighbours say, in the light of the detection state."""
        leaning = state @ self.gate[view]
        if self.shape.transfer == "gate":
            return torch.sigmoid(leaning) * intent
        if self.shape.transfer == "attention":
            return torch.softmax(leaning, dim=-1) * intent * intent.shape[-1]
        blended = intent @ self.blend[view] if self.shape.transfer == "concat" else 0.0
        return intent + leaning + blended
