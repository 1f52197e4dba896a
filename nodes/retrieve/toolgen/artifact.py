"""A trained ToolGen on disk, bound to its catalogue, base and encoder.

Beside what every artefact has (`artifact/store.py`):

rows.safetensors  a row a slot, or a word of codes, and where hidden states are on average; centres
base.safetensors  those weights of the base that were tuned, or factors of what changed
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import torch
from pydantic import Field
from torch import Tensor

from gretel.contracts.record import Record
from gretel.nodes.retrieve.artifact import manifest as base
from gretel.nodes.retrieve.artifact import store
from gretel.nodes.retrieve.artifact.arrays import read_arrays, read_weights
from gretel.nodes.retrieve.artifact.manifest import Calibration
from gretel.nodes.retrieve.language.adapters import read_changes
from gretel.nodes.retrieve.language.template import Template
from gretel.nodes.retrieve.toolgen.codes import Codebook, Words
from gretel.nodes.retrieve.toolgen.documents import Middle
from gretel.nodes.retrieve.toolgen.rows import Rows
from gretel.nodes.retrieve.toolgen.slots import RESERVED, Slots

FORMAT = "toolgen 1"
_PARTS = ("rows.safetensors", "base.safetensors", store.TOOLS)
_MIDDLE, _CENTRES = "middle/", "centres/"


class Shape(Record):
    """What the rows are rows of."""

    base: str | None
    """Folder or name of the base; None for MiniLM of the install, read as a decoder."""
    base_digest: str
    """Of its weights before anything was tuned."""
    vocabulary: int = Field(ge=1)
    """The token of slot 0."""
    d_in: int = Field(ge=1, le=1 << 16)
    d_out: int = Field(ge=1, le=1 << 16)
    template: Template
    """How texts were put; tokens of another tokenizer would differ."""
    slots: Slots
    codes: Words | None = Field(default=None, exclude_if=lambda own: own is None)
    """What the rows are, where a tool is said in several words; None: a row a tool."""

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.slots) if self.codes is None else RESERVED + len(self.codes.words)


class Manifest(base.Manifest):
    """What an artefact says of itself."""

    format: str = FORMAT
    shape: Shape
    calibration: Calibration


@dataclass(frozen=True)
class Artifact:
    """Everything that a retriever needs."""

    manifest: Manifest
    rows: Rows = field(repr=False)
    middle: Middle = field(repr=False)
    weights: Mapping[str, Tensor] = field(repr=False)
    """Of the base: tuned, or factors of their changes (`language/adapters.py`)."""
    texts: Tensor = field(repr=False)
    """(tools, width) unit vectors of the tools' texts, by the encoder of the semantic retriever."""
    centres: Mapping[str, Tensor] = field(default_factory=dict, repr=False)
    """By which documents are coded (`codes.py`); none where a tool is one token."""

    @property
    def book(self) -> Codebook | None:
        """How codes are made; None where a tool is one token."""
        codes = self.manifest.shape.codes
        return None if codes is None else Codebook(codes.scheme, codes.words, self.centres)


def write_artifact(artifact: Artifact, folder: Path) -> Manifest:
    """Write the files, and give back the manifest; see `store.write_parts`."""
    content = (
        packed_rows(artifact.rows, artifact.middle, artifact.centres),
        artifact.weights,
        store.packed_texts(artifact.texts),
    )
    return store.write_parts(folder, artifact.manifest, dict(zip(_PARTS, content, strict=True)))


def packed_rows(rows: Rows, middle: Middle, centres: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The content of `rows.safetensors`."""
    average = {f"{_MIDDLE}{name}": value for name, value in middle.tensors.items()}
    parts = {f"{_CENTRES}{name}": value for name, value in centres.items()}
    every = {**rows.tensors, **average, **parts}
    return {name: value.clone().contiguous() for name, value in every.items()}


def read_artifact(folder: Path) -> Artifact:
    """What `write_artifact` wrote; raises as `store.read_manifest` and `store.read` do."""
    manifest = store.read_manifest(folder, Manifest)
    rows, base_weights, texts = store.check_files(folder, manifest, _PARTS)
    width = int(store.read(texts, lambda path: read_arrays(path, "vectors")[0].shape[1]))
    own, middle, centres = store.read(rows, lambda path: _rows(read_weights(path), manifest, width))
    return Artifact(
        manifest,
        own,
        middle,
        store.read(base_weights, read_changes),
        store.read_texts(texts, width, len(manifest.tools)),
        centres,
    )


def _rows(
    tensors: dict[str, Tensor], manifest: Manifest, width: int
) -> tuple[Rows, Middle, dict[str, Tensor]]:
    """ValueError or KeyError where the tensors are not what the manifest says."""
    shape = manifest.shape
    centres = _centres(tensors, shape, width)
    middle = Middle(**{name: tensors.pop(f"{_MIDDLE}{name}") for name in Middle.names()})
    rows = Rows(**tensors)
    with torch.device("meta"):  # how large they are, is the manifest's word
        wanted, around = Rows.empty(shape.rows, shape.d_in, shape.d_out), Middle.of(shape.d_out)
    if rows.shapes != wanted.shapes or middle.shapes != around.shapes:
        raise ValueError("its rows are not those of the manifest")
    here = [shape.slots.at(slot) for slot in shape.slots.present()]
    if {tool.tool_id: tool.digest for tool in here} != manifest.tools:
        raise ValueError("its slots are not those of the tools")
    for tool in shape.slots.tools:
        if bool(tool.code) != (shape.codes is not None) or not all(
            RESERVED <= word < shape.rows for word in tool.code
        ):
            raise ValueError("its codes are not of its words")
    return rows, middle, centres


def _centres(tensors: dict[str, Tensor], shape: Shape, width: int) -> dict[str, Tensor]:
    """Taken out of `tensors`."""
    named = [name for name in tensors if name.startswith(_CENTRES)]
    found = {name.removeprefix(_CENTRES): tensors.pop(name) for name in named}
    if any(v.ndim != 2 or not len(v) or v.shape[1] != width for v in found.values()):
        raise ValueError("its centres are not of the encoder's width")
    steps = {str(level) for level in range(len(found))}
    if shape.codes and shape.codes.scheme == "residual" and found.keys() != steps:
        raise ValueError("its centres are not one after another")
    return found
