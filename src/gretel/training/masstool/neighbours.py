"""The first stage's loss: what the neighbours of a request would vote for."""

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import softmax

from gretel.nodes.retrieve.masstool.pool import spread


def vote_loss(
    made: Tensor,
    bank: Tensor,
    batch: Sequence[int],
    served: tuple[Tensor, Tensor],
    own: Tensor,
    temperature: float,
) -> Tensor:
    """Cross entropy between a request's tools and the vote of all other requests.

    Args:
        made: (n, width) the requests' vectors, with gradients.
        bank: (requests, width) vectors of all requests.
        batch: the n requests' rows in `bank`.
        served: the tools of all requests (`Pool.served`).
        own: (n, requests) true where a request of `bank` is the same one or its double.
        temperature: of the softmax over cosines.
    """
    rows = torch.tensor(batch)
    target, columns = _shares(rows, served)
    likeness = (made @ bank.T / temperature).masked_fill(own, -1e4)
    vote = softmax(likeness, dim=1) @ columns
    return -(target * (vote + 1e-6).log()).sum(1).mean()


def numbered(texts: Sequence[str]) -> Tensor:
    """(texts,) the same number for those that differ in case and blanks at most."""
    plain = [" ".join(text.lower().split()) for text in texts]
    number = {text: place for place, text in enumerate(plain)}
    return torch.tensor([number[text] for text in plain])


def _shares(rows: Tensor, served: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Shares in the tools that serve any of the `rows`: those of the rows, and of all requests."""
    places, shares = served
    tools = torch.unique(places[rows][shares[rows] > 0])
    column = torch.full((int(places.max()) + 1,), len(tools))
    column[tools] = torch.arange(len(tools))
    every = spread(column[places], shares, len(tools) + 1)
    return every[rows, :-1], every[:, :-1]
