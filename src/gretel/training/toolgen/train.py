"""The whole training of one ToolGen: examples in, artefact out."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from gretel.catalog.digest import tool_digest
from gretel.contracts.errors import InputError
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool
from gretel.files import make_folder
from gretel.nodes.retrieve.encoding.encoder import Encoder, lasting
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.nodes.retrieve.toolgen.artifact import (
    Artifact,
    Manifest,
    Shape,
    read_artifact,
    write_artifact,
)
from gretel.nodes.retrieve.toolgen.coded import CodedModel
from gretel.nodes.retrieve.toolgen.codes import Words
from gretel.nodes.retrieve.toolgen.documents import directions, first_middle, hidden_of, rows_of
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.nodes.retrieve.toolgen.rows import Rows
from gretel.nodes.retrieve.toolgen.slots import RESERVED, Slot, Slots
from gretel.training.language.lora import adapt, settle
from gretel.training.loop import Told
from gretel.training.masstool.data import Examples
from gretel.training.masstool.measures import ranking_measures
from gretel.training.masstool.train import encoder_digest, take_threads
from gretel.training.resume import finished, key_of
from gretel.training.toolgen import coding
from gretel.training.toolgen.agent import AgentLoop, runs_of, slots_of
from gretel.training.toolgen.calibration import calibrated
from gretel.training.toolgen.coded_loop import CodedLoop
from gretel.training.toolgen.loop import ToolLoop
from gretel.training.toolgen.records import Record, digest_of
from gretel.training.toolgen.samples import Samples
from gretel.training.toolgen.settings import USUAL, Settings, Source

MEASURED = 1_000
"""Requests of the development part that are looked at after each epoch."""


def train(
    examples: Examples,
    settings: Settings,
    source: Source,
    out: Path,
    told: Told,
    records: Sequence[Record] = (),
) -> Manifest:
    """Train a model and write it to `out`; what was half done there is gone on with.

    A finished artefact of the same data and settings is left as it is. With the stage `agent`, it
    learns from `records`.

    Raises:
        InputError: the stage `agent` is wanted, and there is no record, or tools are several words.
        ConfigurationError: base or encoder cannot be loaded, `out` cannot be made, or the settings
            want adapters, which take peft.
    """
    source = source._replace(base=lasting(source.base), encoder=lasting(source.encoder))
    make_folder(out)
    if "agent" in settings.stages and not records:
        remedy = "Give data with right calls, or --records."
        raise InputError("has nothing to learn an agent from", field="--stages", remedy=remedy)
    if "agent" in settings.stages and settings.codes != "atomic":
        remedy = "Train it with --codes atomic."
        raise InputError("acts by tools of one token", field="--stages agent", remedy=remedy)
    base = CausalModel(source.base, device=source.device)
    made = _made(examples, settings, source, base, records)
    key, catalog = str(made["key"]), examples.catalog.digest
    old = finished(out, lambda folder: read_artifact(folder).manifest, key, catalog)
    if old is not None:
        return old
    take_threads()
    if settings.lora:
        adapt(base, settings)
    begun = _begun(base, examples, settings, source)
    folder = out / "training"
    made |= {"dev": _taught(begun.model, examples, settings, records, folder, key, told)}
    weights = settle(base) if settings.lora else base.weights.tuned()
    artifact = _artifact(examples, settings, source, begun, weights, made, told)
    manifest = write_artifact(artifact, out)
    shutil.rmtree(out / "training", ignore_errors=True)
    return manifest


class _Begun(NamedTuple):
    """Before the first step."""

    model: ToolModel
    slots: Slots
    texts: Tensor
    """(tools, width) vectors of their documents by the encoder."""


def _begun(base: CausalModel, examples: Examples, settings: Settings, source: Source) -> _Begun:
    made = Encoder(source.encoder).documents([dense_text(tool) for tool in examples.tools])
    texts, slots = torch.from_numpy(made), _slots(examples, settings)
    if settings.codes == "atomic":
        return _Begun(started(base, examples.tools), slots, texts)
    book = coding.fitted(settings.codes, texts, settings.seed)
    book, codes = book.coded(examples.tools, texts, (), base.tokenizer)
    slots = slots.recoded(dict(enumerate(codes, RESERVED)))
    return _Begun(coding.started(base, examples, slots, book), slots, texts)


def _slots(examples: Examples, settings: Settings) -> Slots:
    used = Samples(examples, settings).used
    return Slots(
        tools=tuple(
            Slot(
                tool_id=tool.tool_id,
                digest=tool_digest(tool),
                status="trained" if RESERVED + n in used else "new",
            )
            for n, tool in enumerate(examples.tools)
        )
    )


def started(base: CausalModel, tools: Sequence[Tool]) -> ToolModel:
    """A model whose rows are what its tools' documents say; nothing is learnt yet."""
    reserved = Rows.empty(RESERVED, base.d_in, base.d_out)
    model = ToolModel(base, reserved)
    hidden = hidden_of(model, tools)
    middle = first_middle(hidden)
    found = directions(hidden, middle.documents)
    model.rows = reserved.appended(rows_of(model, tools, found, middle))
    return model


def _taught(
    model: ToolModel,
    examples: Examples,
    settings: Settings,
    records: Sequence[Record],
    folder: Path,
    key: str,
    told: Told,
) -> JsonObject:
    """What it reaches on the development parts after all stages."""
    asked = model.base.prompts(examples.dev.texts[:MEASURED])
    gold = examples.dev.gold[:MEASURED]

    def measure(model: ToolModel) -> float:
        return ranking_measures(model.read(asked).scores[:, RESERVED:], gold)["nDCG@5"]

    samples = Samples(examples, settings)
    reached: JsonObject = {}
    if set(USUAL) & set(settings.stages):
        kind = CodedLoop if settings.codes != "atomic" else ToolLoop
        loop = kind(model, samples, settings, measure, folder, key)
        reached = {"nDCG@5": loop.run(told).best}
    if "agent" in settings.stages:
        runs = runs_of(records, model, slots_of([tool.tool_id for tool in examples.tools]))
        agent = AgentLoop(model, runs, settings, folder / "agent", key)
        reached |= {"likelihood": agent.run(told).best, "nDCG@5": measure(model)}
    return reached


def _artifact(
    examples: Examples,
    settings: Settings,
    source: Source,
    begun: _Begun,
    weights: Mapping[str, Tensor],
    made: JsonObject,
    told: Told,
) -> Artifact:
    model, slots, texts = begun
    base, book = model.base, None
    if isinstance(model, CodedModel):
        book = model.book
    told(0, 0, "calibration")
    rows, middle, calibration = calibrated(model, examples, slots, settings.seed)
    return Artifact(
        manifest=Manifest(
            encoder=source.encoder,
            encoder_digest=encoder_digest(source.encoder),
            shape=Shape(
                base=source.base,
                base_digest=base.weights.digest,
                vocabulary=base.vocabulary,
                d_in=base.d_in,
                d_out=base.d_out,
                template=base.template,
                slots=slots,
                codes=book and Words(scheme=book.scheme, words=book.words),
            ),
            calibration=calibration,
            catalog_digest=examples.catalog.digest,
            tools={tool.tool_id: tool.digest for tool in slots.tools},
            files={},
            made=made,
        ),
        rows=rows,
        middle=middle,
        weights=weights,
        texts=texts,
        centres=book.centres if book else {},
    )


def _made(
    examples: Examples,
    settings: Settings,
    source: Source,
    base: CausalModel,
    records: Sequence[Record],
) -> JsonObject:
    """What an artefact is made from; `key` is its digest."""
    content: JsonObject = {
        "data": examples.digest,
        "settings": settings.model_dump(mode="json"),
        "base": [source.base, base.weights.digest],
        "encoder": [source.encoder, encoder_digest(source.encoder)],
        "requests": {"train": len(examples.train.texts), "dev": len(examples.dev.texts)},
        "no_tool": {"train": len(examples.no_tool), "dev": len(examples.no_tool_dev)},
    }
    if "agent" in settings.stages:
        content |= {"records": {"n": len(records), "digest": digest_of(records)}}
    return {**content, "key": key_of(content)}
