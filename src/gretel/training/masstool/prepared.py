"""The first stage of one seed, kept on disk: what an ablation measures stands on its vectors."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from gretel.nodes.retrieve.masstool.backbone import Backbone, Vectors
from gretel.nodes.retrieve.masstool.model import MassTool
from gretel.nodes.retrieve.masstool.pool import Pool
from gretel.nodes.retrieve.masstool.reader import Reader
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Told
from gretel.training.masstool.resume import key_of, read_state, write_state
from gretel.training.masstool.train import (
    Encoded,
    Settings,
    encoder_digest,
    first_stage,
    second_stage,
    take_threads,
)


@dataclass
class Prepared:
    """Examples of one seed with their vectors; models are trained on them as they are asked for."""

    examples: Examples
    encoded: Encoded
    """What the first stage made of them."""
    raw: Tensor
    """The training requests by the encoder as it came."""
    raw_dev: Tensor
    """The same of the development part."""
    _last: tuple[Settings, MassTool] | None = None

    @property
    def pool(self) -> Pool:
        """The training requests by the tuned encoder."""
        return Pool(self.encoded.train.final, self.examples.train.gold)

    def model(self, settings: Settings, told: Told) -> MassTool:
        """The second stage with these settings; asked again for the last one, it is at hand."""
        if self._last is None or self._last[0] != settings:
            self._last = settings, second_stage(self.examples, self.encoded, settings, told)
        return self._last[1]

    def reader(self, model: MassTool) -> Reader:
        """The model with the training requests as its pool."""
        return Reader(model, self.pool, self.encoded.texts)


def prepare(examples: Examples, settings: Settings, folder: Path, told: Told) -> Prepared:
    """Read the vectors of this seed from `folder`, or make them and keep them there.

    Raises:
        ConfigurationError: the encoder cannot be loaded.
    """
    encoded = _encoded(examples, settings, folder / f"seed-{settings.first.seed}", told)
    raw = _raw(examples, settings, folder / "raw.safetensors", told)
    take_threads()
    return Prepared(
        examples,
        encoded,
        torch.stack([raw[text] for text in examples.train.texts]),
        torch.stack([raw[text] for text in examples.dev.texts]),
    )


def _encoded(examples: Examples, settings: Settings, folder: Path, told: Told) -> Encoded:
    path, state = folder / "vectors.safetensors", folder / "first"
    encoder, first = encoder_digest(settings.encoder), settings.first.model_dump(mode="json")
    key = key_of(examples.digest, encoder, first, Encoded._fields)
    kept = read_state(path, key)
    if kept is not None:
        return _unpacked(kept[0])
    _, encoded = first_stage(examples, settings, state, told)
    write_state(path, _packed(encoded), key)
    shutil.rmtree(state, ignore_errors=True)
    return encoded


def _packed(encoded: Encoded) -> dict[str, Tensor]:
    *parts, texts = encoded
    return {"texts": texts} | {
        f"{part}.{name}": tensor
        for part, made in zip(Encoded._fields, parts, strict=False)
        for name, tensor in made._asdict().items()
    }


def _unpacked(tensors: dict[str, Tensor]) -> Encoded:
    train, dev, no_tool, no_tool_dev = (
        Vectors(tensors[f"{part}.final"], tensors[f"{part}.early"]) for part in Encoded._fields[:-1]
    )
    return Encoded(train, dev, no_tool, no_tool_dev, tensors["texts"])


def _raw(examples: Examples, settings: Settings, path: Path, told: Told) -> dict[str, Tensor]:
    """All requests by the encoder as it came; every seed has the same ones."""
    texts = sorted({*examples.train.texts, *examples.dev.texts})
    key = key_of(examples.digest, encoder_digest(settings.encoder))
    kept = read_state(path, key)
    if kept is not None:
        return dict(zip(texts, kept[0]["vectors"], strict=True))
    backbone = Backbone(settings.encoder, device=settings.device)
    take_threads()
    vectors = backbone.encode(
        texts, lambda done, total: told(done, total, "encoding requests, untuned")
    ).final
    write_state(path, {"vectors": vectors}, key)
    return dict(zip(texts, vectors, strict=True))
