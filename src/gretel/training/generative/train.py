"""The whole training of one rewriter that writes: examples in, artefact out."""

import copy
import shutil
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from gretel.catalog.digest import tool_digest
from gretel.contracts.record import JsonObject
from gretel.files import make_folder, make_inner
from gretel.nodes.retrieve.encoding.encoder import Encoder, lasting
from gretel.nodes.retrieve.language.adapters import joined
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.nodes.rewrite.generative.artifact import (
    Artifact,
    Calibration,
    Manifest,
    Shape,
    read_artifact,
    write_artifact,
)
from gretel.nodes.rewrite.generative.bases import open_base
from gretel.nodes.rewrite.generative.writer import Writer
from gretel.training.data.judged import VectorCache
from gretel.training.generative.align import AlignLoop
from gretel.training.generative.held import Held
from gretel.training.generative.loop import SftLoop
from gretel.training.generative.samples import Split, split_of
from gretel.training.generative.search import Search
from gretel.training.generative.settings import Settings, Source
from gretel.training.language.lora import adapt, settle
from gretel.training.loop import Told
from gretel.training.masstool.data import Examples
from gretel.training.masstool.train import encoder_digest, take_threads
from gretel.training.resume import finished, key_of


def train(
    examples: Examples, settings: Settings, source: Source, out: Path, told: Told
) -> Manifest:
    """Train a rewriter and write it to `out`; what was half done there is gone on with.

    A finished artefact of the same data and settings is left as it is.

    Raises:
        InputError: a stage has nothing to learn from.
        ConfigurationError: base or encoder cannot be loaded, the base ends no text, `out` cannot
            be made, or the settings want adapters, which take peft.
    """
    base = lasting(source.base) or source.base
    source = source._replace(base=base, encoder=lasting(source.encoder))
    make_folder(out)
    parts = split_of(examples, settings)
    writer = Writer(open_base(source.base, device=source.device))
    made = _made(examples, settings, source, writer.base, parts)
    key, catalog = str(made["key"]), examples.catalog.digest
    old = finished(out, lambda folder: read_artifact(folder).manifest, key, catalog)
    if old is not None:
        return old
    work = make_inner(out / "training")
    texts = _texts(examples, source, work)
    search = Search(examples.tools, make_inner(work / "index"), source.encoder)
    take_threads()
    training = _Training(examples, parts, writer, search, settings, work, key, told)
    weights, reached = _taught(training)
    told(0, 0, "calibration")
    calibration, worth = Held(parts, search, writer).calibrated()
    made |= {**reached, "nDCG@5": worth}
    artifact = _artifact(examples, source, writer, weights, texts, calibration, made)
    manifest = write_artifact(artifact, out)
    shutil.rmtree(work, ignore_errors=True)
    return manifest


class _Training(NamedTuple):
    """What the stages share."""

    examples: Examples
    parts: Split
    writer: Writer
    search: Search
    settings: Settings
    folder: Path
    key: str
    told: Told


def _taught(each: _Training) -> tuple[dict[str, Tensor], JsonObject]:
    """What of the base is changed by all stages, and what each reached."""
    base = each.writer.base
    reached: JsonObject = {}
    factors: dict[str, Tensor] = {}
    stages = {"sft": _tuned, "align": _aligned}
    for stage in each.settings.stages:
        start = copy.deepcopy(base.model) if stage == "align" and each.settings.kl else None
        if each.settings.lora:
            adapt(base, each.settings)
        reached[stage] = stages[stage](each, start)
        if each.settings.lora:
            factors = joined(factors, settle(base))
    return factors if each.settings.lora else base.weights.tuned(), reached


def _tuned(each: _Training, start: object) -> JsonObject:
    """Of the first stage."""
    parts, folder = each.parts, each.folder / "sft"
    tools, settings = each.examples.tools, each.settings
    loop = SftLoop(each.writer, parts.sft, parts.known, tools, settings, folder, each.key)
    return {"likelihood": [*loop.run(each.told).curve]}


def _aligned(each: _Training, start: object) -> JsonObject:
    """Of the second stage: the rewards of held-out requests before it and after each round, and
    what was drawn in each.
    """
    held = Held(each.parts, each.search, each.writer)
    loop = AlignLoop(
        each.writer,
        start,
        each.parts.align,
        each.search,
        each.settings,
        lambda: held.reward(each.settings.share),
        each.folder / "align",
        each.key,
        each.told,
    )
    curve = loop.run(each.told).curve
    rounds = len(curve) - 1
    ended = "no gain" if rounds < each.settings.rounds else "all rounds"
    return {"reward": [*curve], "rounds": [*loop.rounds(rounds)], "ended": ended}


def _texts(examples: Examples, source: Source, work: Path) -> Tensor:
    """General vectors of the tools' texts, in their order; kept on disk meanwhile."""
    cache = VectorCache(make_inner(work / "vectors"), Encoder(source.encoder))
    texts = [dense_text(tool) for tool in examples.tools]
    return torch.from_numpy(cache.documents("tools", texts))


def _artifact(
    examples: Examples,
    source: Source,
    writer: Writer,
    weights: dict[str, Tensor],
    texts: Tensor,
    calibration: Calibration,
    made: JsonObject,
) -> Artifact:
    base = writer.base
    return Artifact(
        manifest=Manifest(
            encoder=source.encoder,
            encoder_digest=encoder_digest(source.encoder),
            shape=Shape(
                base=source.base,
                base_digest=base.weights.digest,
                vocabulary=base.vocabulary,
                template=base.template,
            ),
            calibration=calibration,
            catalog_digest=examples.catalog.digest,
            tools={tool.tool_id: tool_digest(tool) for tool in examples.tools},
            files={},
            made=made,
        ),
        weights=weights,
        texts=texts,
    )


def _made(
    examples: Examples, settings: Settings, source: Source, base: CausalModel, parts: Split
) -> JsonObject:
    """What an artefact is made from; `key` is its digest."""
    content: JsonObject = {
        "data": examples.digest,
        "settings": settings.model_dump(mode="json"),
        "base": [source.base, base.weights.digest],
        "encoder": [source.encoder, encoder_digest(source.encoder)],
        "requests": {name: len(getattr(parts, name).texts) for name in Split._fields[:4]},
        "unnamed": parts.new,
    }
    return {**content, "key": key_of(content)}
