"""The whole training of one MassTool: examples in, artefact out."""

import os
import shutil
from functools import cache
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from gretel.catalog.digest import tool_digest
from gretel.contracts.record import JsonObject
from gretel.files import make_folder
from gretel.nodes.retrieve.encoding.encoder import Encoder, lasting
from gretel.nodes.retrieve.masstool.artifact import (
    Artifact,
    Manifest,
    read_artifact,
    write_artifact,
)
from gretel.nodes.retrieve.masstool.backbone import Backbone, Vectors
from gretel.nodes.retrieve.masstool.config import Component, Shape, Transfer
from gretel.nodes.retrieve.masstool.model import MassTool
from gretel.nodes.retrieve.masstool.pool import Pool
from gretel.nodes.retrieve.masstool.reader import Reader
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.training.loop import Told
from gretel.training.masstool.calibration import calibrate
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Asked, FirstSettings, FirstStage
from gretel.training.masstool.measures import ranking_measures, reached, vote
from gretel.training.masstool.second import Known, SecondSettings, train_second
from gretel.training.resume import finished, key_of

VOTERS = 100
"""Neighbours that vote where the first stage is measured."""
FILTERS = (0.0, 0.02, 0.05, 0.1)
"""Shares of the development requests that a threshold may leave without their nearest one."""


class Settings(NamedTuple):
    """How one model is trained."""

    first: FirstSettings = FirstSettings()
    second: SecondSettings = SecondSettings()
    encoder: str | None = None
    without: tuple[Component, ...] = ()
    transfer: Transfer = "gate"
    device: str = "cpu"


class Encoded(NamedTuple):
    """What the first stage leaves: all vectors that the second one needs."""

    train: Vectors
    dev: Vectors
    no_tool: Vectors
    no_tool_dev: Vectors
    texts: Tensor
    """(tools, width) unit vectors of the tools' texts, by the encoder as it came."""


def first_stage(
    examples: Examples, settings: Settings, folder: Path, told: Told
) -> tuple[Backbone, Encoded]:
    """Tune the encoder and encode everything with it.

    Raises:
        ConfigurationError: the encoder cannot be loaded, or has no layers to tune.
    """
    backbone = Backbone(settings.encoder, device=settings.device)
    gold, tools = examples.dev.gold, len(examples.tools)

    def measure(pool: Pool) -> float:
        asked = backbone.encode(examples.dev.texts, exact=False).final
        found = pool.nearest(asked, VOTERS)
        likeness = found.similarity / settings.first.temperature
        return reached(vote(found.places, likeness, pool.served(), tools), gold)

    stage = FirstStage(backbone, examples.train, settings.first, measure, folder)
    plain = Encoder(settings.encoder)
    texts = plain.documents([dense_text(tool) for tool in examples.tools])
    take_threads()
    train = stage.run(told)
    others = (examples.dev.texts, examples.no_tool, examples.no_tool_dev)
    dev, no_tool, no_tool_dev = map(backbone.encode, others)
    return backbone, Encoded(train, dev, no_tool, no_tool_dev, torch.from_numpy(texts))


@cache
def encoder_digest(name: str | None) -> str:
    """SHA-256 of an encoder's weights: a name may come to stand for others.

    Raises:
        ConfigurationError: it cannot be loaded.
    """
    return Backbone(name).weights.digest


def take_threads() -> None:
    """Let torch work on all cores, or on as many as `OMP_NUM_THREADS` says.

    An encoder that is opened takes a single one, since it mostly serves beside trials.
    """
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1))


def second_stage(examples: Examples, encoded: Encoded, settings: Settings, told: Told) -> MassTool:
    """The model on these vectors; its filter is what serves the development part best."""
    pool = Pool(encoded.train.final, examples.train.gold)
    shape = Shape(
        width=encoded.texts.shape[1],
        without=tuple(sorted(settings.without)),
        transfer=settings.transfer,
    )
    known = Known(pool, encoded.train.early, encoded.no_tool.early, encoded.texts)
    model = train_second(
        shape, known, settings.second, lambda done, total: told(done, total, "second stage")
    )
    return _filtered(model, pool, encoded, examples.dev) if shape.has("filter") else model


def _filtered(model: MassTool, pool: Pool, encoded: Encoded, dev: Asked) -> MassTool:
    """The model with the best threshold; of equal ones the highest, which hears least."""
    nearest = pool.nearest(encoded.dev.final, 1).similarity[:, 0]
    tried = []
    for share in FILTERS:
        threshold = float(nearest.quantile(share)) - 1e-4
        filtered = with_threshold(model, threshold)
        read = Reader(filtered, pool, encoded.texts).read(encoded.dev)
        tried.append((reached(read.shares, dev.gold), threshold))
    return with_threshold(model, max(tried)[1])


def with_threshold(model: MassTool, threshold: float) -> MassTool:
    """A copy of the model that asks no neighbours less similar than that."""
    other = MassTool(model.shape.model_copy(update={"threshold": max(-1.0, threshold)}))
    other.load_state_dict(model.state_dict())
    return other.eval()


def train(examples: Examples, settings: Settings, out: Path, told: Told) -> Manifest:
    """Train a model and write it to `out`; what was half done there is gone on with.

    A finished artefact of the same data and settings is left as it is.

    Raises:
        ConfigurationError: the encoder cannot be loaded, or `out` cannot be made.
    """
    settings = settings._replace(encoder=lasting(settings.encoder))
    made = _made(examples, settings)
    make_folder(out)
    key, catalog = str(made["key"]), examples.catalog.digest
    old = finished(out, lambda folder: read_artifact(folder).manifest, key, catalog)
    if old is not None:
        return old
    backbone, encoded = first_stage(examples, settings, out / "training", told)
    model = second_stage(examples, encoded, settings, told)
    manifest = write_artifact(_artifact(examples, settings, backbone, encoded, model, made), out)
    shutil.rmtree(out / "training", ignore_errors=True)
    return manifest


def _artifact(
    examples: Examples,
    settings: Settings,
    backbone: Backbone,
    encoded: Encoded,
    model: MassTool,
    made: JsonObject,
) -> Artifact:
    """The development part calibrates, and joins the pool when all is chosen."""
    learnt = Pool(encoded.train.final, examples.train.gold)
    reader = Reader(model, learnt, encoded.texts)
    read = reader.read(encoded.dev)
    detects = model.shape.has("detection") and bool(examples.no_tool_dev)
    needs = (read.need, reader.read(encoded.no_tool_dev).need) if detects else None
    found = ranking_measures(read.shares, examples.dev.gold)
    dev: JsonObject = {name: found[name] for name in ("R@3", "Completeness@3")}
    return Artifact(
        manifest=Manifest(
            encoder=settings.encoder,
            encoder_digest=backbone.weights.digest,
            shape=model.shape,
            calibration=calibrate(read.shares, examples.dev.gold, needs),
            catalog_digest=examples.catalog.digest,
            tools={tool.tool_id: tool_digest(tool) for tool in examples.tools},
            files={},
            made={**made, "dev": dev},
        ),
        model=model.state_dict(),
        encoder=backbone.weights.tuned(),
        pool=learnt.with_more(encoded.dev.final, examples.dev.gold),
        texts=encoded.texts,
    )


def _made(examples: Examples, settings: Settings) -> JsonObject:
    """What an artefact is made from; `key` is its digest."""
    content: JsonObject = {
        "data": examples.digest,
        "first": settings.first.model_dump(mode="json"),
        "second": settings.second.model_dump(mode="json"),
        "encoder": encoder_digest(settings.encoder),
        "parts": [settings.encoder, *settings.without, settings.transfer],
        "requests": {"train": len(examples.train.texts), "dev": len(examples.dev.texts)},
        # A key of the manifest: under another name a finished training would be done again.
        "no_tool": {"train": len(examples.no_tool), "dev": len(examples.no_tool_dev)},
    }
    return {**content, "key": key_of(content)}
