"""Train a query vector rewriter: read the fixed retriever, fit a head, choose its strength.

How strongly the head counts is chosen on a held-out part of the same judgements, and is 0 where it
did not help there.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from gretel.catalog.digest import tool_digest
from gretel.contracts.record import JsonObject
from gretel.files import make_folder
from gretel.nodes.retrieve.encoding.encoder import Matrix, lasting
from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.rewriting.artifact import Artifact, Manifest, Shape, write_artifact
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.semantic.signals import ToolIndex, dense_text
from gretel.training.data.judged import VectorCache, signals_of
from gretel.training.loop import Told
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Asked
from gretel.training.masstool.train import encoder_digest, take_threads
from gretel.training.rewriting.head import Known, Lists, RewriterSettings, fitted
from gretel.training.rewriting.strength import Tried, calibrated

POOL = 200
"""Tools of each request that the retriever weighs, at least; the rest scores as its last."""
FEW = 2_000
"""Requests below which a tenth is too few to choose a strength by: each fifth is held out in turn,
and the head that stays learns from all."""
_FOLDS = 5


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
    take_threads()  # the encoder, which is open now, reads the requests with all of them
    index = ToolIndex(examples.tools, rows, tuned=cache.tuned)
    texts = index.vectors
    learnt, held = (lists_of(index, each, cache, told) for each in (examples.train, examples.dev))
    take_threads()  # where the tools were kept, it was opened only then, and took one
    if len(learnt.gold) + len(held.gold) < FEW:
        learnt = _joined(learnt, held)
        tried = [*_in_turn(learnt, texts, settings, told)]
        head = fitted(learnt, Known.of(learnt.uses(), texts), settings, told)
    else:
        known = Known.of(learnt.uses(), texts)
        head = fitted(learnt, known, settings, told)
        tried = [Tried(head, held, known)]
    calibration, reached = calibrated(tried)
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
        uses=learnt.uses(),
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


def _joined(first: Lists, second: Lists) -> Lists:
    both = (torch.cat([first.requests, second.requests]), torch.cat([first.odds, second.odds]))
    return Lists(*both, first.gold + second.gold)


def _in_turn(
    every: Lists, texts: Matrix, settings: RewriterSettings, told: Told
) -> Iterator[Tried]:
    """Heads of which each never saw a fifth of the requests; those come in an order by lot."""
    for fold in range(_FOLDS):
        held = [*range(fold, len(every.gold), _FOLDS)]
        learnt = every.part([*{*range(len(every.gold))}.difference(held)])
        known = Known.of(learnt.uses(), texts)
        yield Tried(fitted(learnt, known, settings, told), every.part(held), known)


def _made(examples: Examples, settings: RewriterSettings, reached: JsonObject) -> JsonObject:
    """What an artefact is made from, and what it reached on the held-out requests."""
    return {
        "data": examples.digest,
        "settings": settings.model_dump(mode="json"),
        "requests": {"train": len(examples.train.texts), "dev": len(examples.dev.texts)},
        "nDCG@5": reached,
    }
