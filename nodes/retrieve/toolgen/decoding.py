"""Which tools a model's scores say, and never anything that is no tool.

A tool is one token, so a constrained beam search has one step: of the tokens that are permitted it
keeps the likeliest k. Their order is that of their logits, since all share one normaliser. So one
pass and the best k of the permitted rows give the same tools, in the same order, with the same
probabilities among them; a further step for an end token, as the reference code takes, would add
what the model thinks of ending, and change the order.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import torch
from pydantic import Field
from torch import Tensor

from gretel.contracts.record import Record
from gretel.nodes.retrieve.toolgen.slots import NONE

Mode: TypeAlias = Literal["topk", "nucleus", "chain", "sample"]
"""The likeliest; as many of them as carry a mass; one after another, each read before the next;
drawn without repetition."""

NEVER = -1e30
"""The score of what is never said, and of what is no number: nothing can be below it."""


class Decoding(Record):
    """How tools are taken from the model's belief."""

    mode: Mode = "topk"
    mass: float = Field(default=0.9, gt=0, le=1)
    """Of `nucleus`."""
    temperature: float = Field(default=1.0, gt=0)
    """Of `sample`: higher is more diverse."""
    seed: int = 0
    """Of `sample`."""


class Found(NamedTuple):
    """A tool and the share of the belief in it, among what was permitted."""

    slot: int
    share: float


def shares(scores: Tensor, permitted: Sequence[int]) -> Tensor:
    """(n, slots) scores to (n, permitted) logarithms of shares, each row's summing to 1.

    Whatever the scores are, also no numbers, these are finite.
    """
    own = scores[:, list(permitted)].double()
    own = own.nan_to_num(nan=NEVER, posinf=-NEVER, neginf=NEVER)
    return torch.log_softmax(own, dim=1)


def taken(believed: Tensor, permitted: Sequence[int], k: int, how: Decoding) -> list[list[Found]]:
    """Of each row of `shares` at most `k` tools, without repetition; not for `chain`.

    Best first; of `sample` in the order drawn.
    """
    size = min(k, len(permitted))
    if size < 1:
        return [[] for _ in believed]
    worth = believed
    if how.mode == "sample":
        worth = believed / how.temperature + _gumbel(believed.shape, how.seed)
    best = worth.topk(size, dim=1).indices
    chances = believed.gather(1, best).exp()
    counts = [size] * len(best)
    if how.mode == "nucleus":
        counts = ((chances.cumsum(1) - chances) < how.mass).sum(1).clamp(min=1).tolist()
    return [
        [Found(permitted[place], share) for place, share in zip(row, own, strict=True)][:count]
        for row, own, count in zip(best.tolist(), chances.tolist(), counts, strict=True)
    ]


def need_odds(scores: Tensor, tools: Sequence[int]) -> Tensor:
    """(n,) log odds that the model gives to any of the tools against none."""
    believed = shares(scores, [NONE, *tools])[:, 0].exp()
    return torch.logit(1 - believed, eps=1e-12)


def _gumbel(shape: torch.Size, seed: int) -> Tensor:
    """Noise whose largest sums are draws without replacement (Kool et al., 2019)."""
    drawn = torch.Generator().manual_seed(seed)
    even = torch.rand(shape, generator=drawn, dtype=torch.double)
    return -torch.log(-torch.log(even.clamp(1e-12, 1 - 1e-12)))
