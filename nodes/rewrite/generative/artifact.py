"""A trained rewriter that writes, on disk: bound to its catalogue, base and encoder.

Beside what every artefact has (`artifact/store.py`):

base.safetensors  those weights of the base that were tuned, or factors of what changed
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import Field, FiniteFloat
from torch import Tensor

from gretel.contracts.record import Record
from gretel.nodes.retrieve.artifact import manifest as base
from gretel.nodes.retrieve.artifact import store
from gretel.nodes.retrieve.artifact.arrays import read_arrays
from gretel.nodes.retrieve.language.adapters import read_changes
from gretel.nodes.retrieve.language.template import Template

FORMAT = "generative 1"
_PARTS = ("base.safetensors", store.TOOLS)


class Shape(Record):
    """Of which base the weights are."""

    base: str
    """Folder or name."""
    base_digest: str
    """Of its weights before anything was tuned."""
    vocabulary: int = Field(ge=1)
    template: Template
    """How requests were put; tokens of another tokenizer would differ."""


class Calibration(Record):
    """What the queries are worth, measured on requests that were not learnt."""

    weight: FiniteFloat = Field(default=0.0, ge=0, le=1)
    """Their share beside the request; 0 where they did not help: then none is written."""


class Manifest(base.Manifest):
    """What an artefact says of itself."""

    format: str = FORMAT
    shape: Shape
    calibration: Calibration


@dataclass(frozen=True)
class Artifact:
    """Everything that a rewriter needs beside its base."""

    manifest: Manifest
    weights: Mapping[str, Tensor] = field(repr=False)
    """Of the base: tuned, or factors of their changes (`language/adapters.py`)."""
    texts: Tensor = field(repr=False)
    """(tools, width) unit vectors of the tools' texts."""


def write_artifact(artifact: Artifact, folder: Path) -> Manifest:
    """Write the files, and give back the manifest; see `store.write_parts`."""
    content = (artifact.weights, store.packed_texts(artifact.texts))
    return store.write_parts(folder, artifact.manifest, dict(zip(_PARTS, content, strict=True)))


def read_artifact(folder: Path) -> Artifact:
    """What `write_artifact` wrote; raises as `store.read_manifest` and `store.read` do."""
    manifest = store.read_manifest(folder, Manifest)
    weights, texts = store.check_files(folder, manifest, _PARTS)
    width = int(store.read(texts, lambda path: read_arrays(path, "vectors")[0].shape[1]))
    return Artifact(
        manifest,
        store.read(weights, read_changes),
        store.read_texts(texts, width, len(manifest.tools)),
    )
