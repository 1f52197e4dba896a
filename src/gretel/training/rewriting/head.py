"""The head of a query vector rewriter, fitted through the fixed retriever.

The retriever's log-odds of every tool stay as they are, and the head's products are added to those
of the tools that a learnt request names. The loss is listwise over the whole catalogue (ListNet,
Cao et al., ICML 2007), as `training/fusion.py` fits the retriever itself.

Requests that are learnt name known tools, and those that come may be for others, which a head that
only ever saw right tools raised would lose to the known. So known tools are hidden by lot, as many
as of the whole catalogue are unknown, in every step: a hidden tool keeps the retriever's score, as
an unknown one does.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import dropout, log_softmax

from gretel.contracts.record import Record
from gretel.nodes.retrieve.encoding.encoder import Matrix
from gretel.nodes.retrieve.rewriting.artifact import Head, Shape
from gretel.nodes.retrieve.rewriting.vector import WARM
from gretel.training.loop import Told


class RewriterSettings(Record):
    """How a head is trained."""

    hidden: int = 512
    epochs: int = 8
    least: int = 150
    """Steps, for which there are more epochs where requests are few."""
    batch: int = 128
    rate: float = 2e-3
    decay: float = 0.05
    dropout: float = 0.1
    """Of the request's vector, while it is learnt."""
    seed: int = 7


class Lists(NamedTuple):
    """Requests with what the fixed retriever says of every tool."""

    requests: Tensor
    """(n, width) unit vectors."""
    odds: Tensor
    """(n, tools) log-odds."""
    gold: tuple[tuple[int, ...], ...]

    def rows(self, batch: Sequence[int]) -> tuple[Tensor, Tensor, Tensor]:
        """Vectors, log-odds, and the shares of each request's tools."""
        target = torch.zeros(len(batch), self.odds.shape[1])
        for row, request in enumerate(batch):
            target[row, list(self.gold[request])] = 1 / len(self.gold[request])
        return self.requests[batch], self.odds[batch].float(), target

    def part(self, rows: Sequence[int]) -> "Lists":
        """Some of the requests."""
        return Lists(self.requests[rows], self.odds[rows], tuple(self.gold[row] for row in rows))

    def uses(self) -> npt.NDArray[np.int64]:
        """How often each tool is right."""
        every = [place for gold in self.gold for place in gold]
        return np.bincount(every, minlength=self.odds.shape[1]).astype(np.int64)


class Known(NamedTuple):
    """The tools that learnt requests name."""

    places: Tensor
    texts: Tensor
    """Their vectors."""
    hidden: float
    """The share of all tools that is not known."""

    @classmethod
    def of(cls, uses: npt.NDArray[np.intp], texts: Matrix) -> Self:
        """Those that are used often enough."""
        places = np.flatnonzero(uses >= WARM)
        hidden = 1 - len(places) / len(uses)
        return cls(torch.from_numpy(places), torch.from_numpy(texts[places]), hidden)

    def shown(self) -> Tensor:
        """1 for each tool, and 0 for those that a new draw hides."""
        return (torch.rand(len(self.places)) >= self.hidden).float()


def fitted(learnt: Lists, known: Known, settings: RewriterSettings, told: Told) -> Head:
    """A head of the least listwise loss; the same seed gives the same one."""
    torch.manual_seed(settings.seed)
    head = Head(Shape(width=learnt.requests.shape[1], hidden=settings.hidden))
    batches = math.ceil(len(learnt.gold) / settings.batch)
    epochs = max(settings.epochs, math.ceil(settings.least / batches))
    steps = epochs * batches
    optimizer = torch.optim.AdamW(head.parameters(), lr=settings.rate, weight_decay=settings.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, settings.rate, total_steps=max(steps, 11), pct_start=0.1
    )
    for done, batch in enumerate(_batches(len(learnt.gold), epochs, settings), 1):
        requests, odds, target = learnt.rows(batch)
        seen = dropout(requests, settings.dropout)
        change = known.shown() * head(seen, known.texts)
        scores = odds.index_add(1, known.places, change)
        loss = -(target * log_softmax(scores, dim=1)).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
        told(done, steps, "head")
    return head.eval().requires_grad_(requires_grad=False)


def _batches(count: int, epochs: int, settings: RewriterSettings) -> Iterator[list[int]]:
    for _ in range(epochs):
        drawn = torch.randperm(count).tolist()
        yield from (drawn[at : at + settings.batch] for at in range(0, count, settings.batch))
