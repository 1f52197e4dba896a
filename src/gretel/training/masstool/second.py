"""The second stage: MassTool's parts, trained together on vectors that stay as they are."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import (
    binary_cross_entropy_with_logits,
    cross_entropy,
    log_softmax,
    normalize,
)

from gretel.contracts.record import Record
from gretel.nodes.retrieve.masstool.config import Shape
from gretel.nodes.retrieve.masstool.graph import Edges
from gretel.nodes.retrieve.masstool.model import MassTool, Neighbours, Scores, nearby
from gretel.nodes.retrieve.masstool.pool import Pool, spread


class SecondSettings(Record):
    """How the second stage is trained."""

    epochs: int = 4
    batch: int = 256
    rate: float = 1e-3
    decay: float = 1e-4
    detection: float = 0.1
    """Weight of the detection loss (the paper's λ)."""
    contrast: float = 0.04
    """Weight of the contrastive loss (the paper's β)."""
    temperature: float = 0.1
    """Of the contrastive loss."""
    alone: float = 0.15
    """Share of the requests that must do without neighbours, as foreign ones must later on."""
    seed: int = 7


@dataclass(frozen=True)
class Known:
    """Everything that the second stage learns from, as vectors.

    Attributes:
        pool: the training requests.
        early: (requests, width) what the detection tower reads of them.
        no_tool: (n, width) the same of requests that need no tool; none: no detection loss.
        texts: (tools, width) vectors of the tools' texts.
    """

    pool: Pool
    early: Tensor
    no_tool: Tensor
    texts: Tensor


def train_second(
    shape: Shape,
    known: Known,
    settings: SecondSettings,
    told: Callable[[int, int], None] | None = None,
) -> MassTool:
    """A model of that shape; the same to the bit for the same seed on one thread.

    `told` is told (steps done, steps in all).
    """
    torch.manual_seed(settings.seed)
    model = MassTool(shape)
    steps = settings.epochs * math.ceil(len(known.pool.gold) / settings.batch)
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.rate, weight_decay=settings.decay)
    # Of exactly ten steps torch makes a warm-up without length, by which it divides.
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, settings.rate, total_steps=max(steps, 11), pct_start=0.1
    )
    for step, loss in enumerate(_losses(model, known, settings), 1):
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if told is not None:
            told(step, steps)
    return model.eval()


def _losses(model: MassTool, known: Known, settings: SecondSettings) -> Iterator[Tensor]:
    """The joint loss of batch after batch."""
    found = known.pool.nearest(known.pool.vectors, model.shape.neighbours, known=True)
    places, shares = known.pool.served()
    edges = Edges.of(known.pool.gold, len(known.texts))
    for _ in range(settings.epochs):
        # Known requests are read as they were at the beginning of the epoch.
        with torch.no_grad():
            requests = model.request(known.pool.vectors)
        for batch in torch.split(torch.randperm(len(requests)), settings.batch):
            # A request must not meet its own label: not in the graph, not in what its neighbours
            # take on from there.
            views = model.tool_views(known.texts, requests, edges, hidden=batch)
            near = _some_alone(found, batch, settings.alone)
            rows, local = torch.unique(near.places, return_inverse=True)
            served = places[rows], shares[rows]
            with torch.no_grad():
                values = model.pool_values(requests[rows], views, served)
            scores = model(
                model.request(known.pool.vectors[batch]),
                known.early[batch],
                views,
                near,
                nearby(local, requests[rows], values, served),
            )
            target = spread(places[batch], shares[batch], len(known.texts))
            yield joint_loss(model, scores, target, known, settings)


def _some_alone(found: Neighbours, batch: Tensor, share: float) -> Neighbours:
    similarity = found.similarity[batch].clone()
    similarity[torch.rand(len(batch)) < share] = -1.0
    return Neighbours(found.places[batch], similarity)


def joint_loss(
    model: MassTool, scores: Scores, target: Tensor, known: Known, settings: SecondSettings
) -> Tensor:
    """Retrieval, detection and contrast (MassTool, joint optimisation)."""
    loss = -(target * log_softmax(scores.tools, dim=1)).sum(1).mean()
    if model.shape.has("detection") and len(known.no_tool):
        drawn = known.no_tool[torch.randint(len(known.no_tool), (len(target),))]
        logits = torch.cat([scores.need, model.detection(drawn)[0]])
        labels = torch.cat([torch.ones(len(target)), torch.zeros(len(drawn))])
        loss = loss + settings.detection * binary_cross_entropy_with_logits(logits, labels)
    if model.shape.has("contrast"):
        loss = loss + settings.contrast * _contrast(scores, target, settings.temperature)
    return loss


def _contrast(scores: Scores, target: Tensor, temperature: float) -> Tensor:
    """InfoNCE between both views of each request; requests of one scene are no negatives."""
    first, second = (normalize(intent, dim=-1) for intent in scores.intents)
    same = (target @ target.T) / target.square().sum(1) > 1 - 1e-4
    same = same & same.T & ~torch.eye(len(target), dtype=torch.bool)
    logits = (first @ second.T / temperature).masked_fill(same, -1e4)
    labels = torch.arange(len(target))
    return (cross_entropy(logits, labels) + cross_entropy(logits.T, labels)) / 2
