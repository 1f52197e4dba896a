"""Train a query vector rewriter through the fixed semantic retriever.

The retriever's log-odds of every tool stay as they are, and the head's products are added to those
of the tools that a learnt request names. The loss is listwise over the whole catalogue (ListNet,
Cao et al., ICML 2007), as `training/fusion.py` fits the retriever itself. How strongly the head
counts is chosen on the held-out part of the same judgements, and is 0 where it did not help there.

Requests that are learnt name known tools, and those that come may be for others, which a head that
only ever saw right tools raised would lose to the known. So known tools are hidden by lot, as many
as of the whole catalogue are unknown: in every step of the training, and where its strength is
chosen. A hidden tool keeps the retriever's score, as an unknown one does.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import dropout, log_softmax

from gretel.catalog.digest import tool_digest
from gretel.contracts.record import JsonObject, Record
from gretel.files import make_folder
from gretel.nodes.retrieve.encoding.encoder import Matrix, lasting
from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.rewriting.artifact import (
    Artifact,
    Calibration,
    Manifest,
    write_artifact,
)
from gretel.nodes.retrieve.rewriting.head import Head, Shape
from gretel.nodes.retrieve.rewriting.vector import WARM
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.semantic.signals import ToolIndex, dense_text
from gretel.training.data.judged import VectorCache, signals_of
from gretel.training.loop import Told
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Asked
from gretel.training.masstool.measures import MEASURES, request_measures
from gretel.training.masstool.train import encoder_digest, take_threads

POOL = 200
"""Tools of each request that the retriever weighs, at least; the rest scores as its last."""
STRENGTHS = (0.25, 0.5, 0.75, 1.0, 1.25)
_HIDINGS = 8
"""Draws of hidden tools over which the strength is chosen."""
_OFFSETS = (-30.0, 30.0)
"""Log-odds between which the offset is looked for."""


class RewriterSettings(Record):
    """How a head is trained."""

    hidden: int = 512
    epochs: int = 8
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


def train(
    examples: Examples,
    settings: RewriterSettings,
    encoder: str | None,
    out: Path,
    cache: VectorCache,
    told: Told,
) -> Manifest:
    """Train a head and write it to `out`; whatever stops it, there is never half an artefact.

    `encoder` is the retriever's, None for the one of the install, and `cache` one of the same.

    Raises:
        ConfigurationError: the encoder cannot be loaded, or `out` cannot be made.
    """
    make_folder(out)
    rows = cache.documents("tools", [dense_text(tool) for tool in examples.tools])
    index = ToolIndex(examples.tools, rows, tuned=cache.tuned)
    texts = index.vectors
    learnt, held = (lists_of(index, each, cache, told) for each in (examples.train, examples.dev))
    uses = np.bincount([place for gold in learnt.gold for place in gold], minlength=len(texts))
    known = Known.of(uses, texts)
    take_threads()
    head = fitted(learnt, known, settings, told)
    calibration, reached = calibrated(head, held, known)
    artifact = Artifact(
        manifest=Manifest(
            encoder=lasting(encoder),
            encoder_digest=encoder_digest(encoder),
            shape=Shape(width=texts.shape[1], hidden=settings.hidden),
            calibration=calibration,
            catalog_digest=examples.catalog.digest,
            tools={tool.tool_id: tool_digest(tool) for tool in examples.tools},
            files={},
            made=_made(examples, settings, reached),
        ),
        head=head,
        uses=uses.astype(np.int64),
        texts=torch.from_numpy(texts),
    )
    return write_artifact(artifact, out)


def lists_of(index: ToolIndex, asked: Asked, cache: VectorCache, told: Told) -> Lists:
    """What the fixed retriever says of each request."""
    fusion, odds = Fusion.load(), []
    told(0, len(asked.texts), "requests read")
    found = signals_of(index, "requests", asked.texts, cache)
    for done, signals in enumerate(found, 1):
        weighed = fusion.weigh(index, signals, size=POOL)
        own = log_odds(weighed.scores)
        row = np.full(len(index.tools), own.min(), dtype=np.float16)
        row[weighed.places] = own
        odds.append(row)
        told(done, len(asked.texts), "requests read")
    vectors = cache.queries("requests", asked.texts)
    stacked = np.stack([vectors[text] for text in asked.texts])
    general, _ = index.halves(stacked)
    return Lists(torch.from_numpy(general), torch.from_numpy(np.stack(odds)), asked.gold)


def fitted(learnt: Lists, known: Known, settings: RewriterSettings, told: Told) -> Head:
    """A head of the least listwise loss; the same seed gives the same one."""
    torch.manual_seed(settings.seed)
    head = Head(Shape(width=learnt.requests.shape[1], hidden=settings.hidden))
    steps = settings.epochs * math.ceil(len(learnt.gold) / settings.batch)
    optimizer = torch.optim.AdamW(head.parameters(), lr=settings.rate, weight_decay=settings.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, settings.rate, total_steps=max(steps, 11), pct_start=0.1
    )
    for done, batch in enumerate(_batches(len(learnt.gold), settings), 1):
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


def _batches(count: int, settings: RewriterSettings) -> Iterator[list[int]]:
    for _ in range(settings.epochs):
        drawn = torch.randperm(count).tolist()
        yield from (drawn[at : at + settings.batch] for at in range(0, count, settings.batch))


def calibrated(head: Head, held: Lists, known: Known) -> tuple[Calibration, JsonObject]:
    """How strongly the head counts on held-out requests, and the nDCG@5 without it and with it.

    It must gain more than the standard error of the gain, as a mean over draws of hidden tools.
    """
    change = head(held.requests, known.texts)
    plainly = held.odds.float()
    plain = _ndcg(plainly, held)
    draws = [known.shown() for _ in range(_HIDINGS if known.hidden else 1)]
    best, reached = Calibration(), plain
    for strength in STRENGTHS:
        offset = _offset(held, strength * change, known)
        weighed = strength * change + offset
        found = np.mean(
            [_ndcg(plainly.index_add(1, known.places, shown * weighed), held) for shown in draws], 0
        )
        error = (found - plain).std() / math.sqrt(len(plain))
        if found.mean() > max(reached.mean(), plain.mean() + error):
            best, reached = Calibration(strength=strength, offset=offset), found
    return best, {"without": float(plain.mean()), "with": float(reached.mean())}


def _ndcg(scores: Tensor, held: Lists) -> npt.NDArray[np.float64]:
    """nDCG@5 of each request."""
    found = request_measures(scores, held.gold)
    return np.array([each[MEASURES.index("nDCG@5")] for each in found], dtype=np.float64)


def _offset(held: Lists, change: Tensor, known: Known) -> float:
    """What brings the mean probability of the known tools to the share that is right.

    That is the intercept of the logistic map whose slope is 1 (Platt, 1999).
    """
    from scipy.optimize import brentq

    odds = held.odds[:, known.places].double() + change
    place = {tool: row for row, tool in enumerate(known.places.tolist())}
    right = sum(tool in place for gold in held.gold for tool in gold)
    if not right:
        return _OFFSETS[0]
    return float(brentq(lambda to: float(torch.sigmoid(odds + to).sum()) - right, *_OFFSETS))


def _made(examples: Examples, settings: RewriterSettings, reached: JsonObject) -> JsonObject:
    """What an artefact is made from, and what it reached on the held-out requests."""
    return {
        "data": examples.digest,
        "settings": settings.model_dump(mode="json"),
        "requests": {"train": len(examples.train.texts), "dev": len(examples.dev.texts)},
        "nDCG@5": reached,
    }
