"""A trained MassTool on disk, bound to its catalogue and encoder.

Beside what every artefact has (`artifact/store.py`):

model.safetensors    weights of the second stage
encoder.safetensors  those weights of the encoder that were tuned
pool.npz             vectors of the known requests, and the tools that served each
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from torch import Tensor

from gretel.nodes.retrieve.artifact import manifest as base
from gretel.nodes.retrieve.artifact import store
from gretel.nodes.retrieve.artifact.arrays import read_arrays, read_weights, unit_vectors
from gretel.nodes.retrieve.artifact.manifest import Calibration
from gretel.nodes.retrieve.masstool.config import Shape
from gretel.nodes.retrieve.masstool.pool import Pool

FORMAT = 2
_PARTS = ("model.safetensors", "encoder.safetensors", "pool.npz", store.TOOLS)
_MOST_CELLS = 1 << 25
"""Requests times the tools of the one that has most: a model fills a table of them."""


class Manifest(base.Manifest):
    """What an artefact says of itself."""

    format: int = FORMAT
    shape: Shape
    calibration: Calibration


@dataclass(frozen=True)
class Artifact:
    """Everything that a retriever needs."""

    manifest: Manifest
    model: Mapping[str, Tensor] = field(repr=False)
    encoder: Mapping[str, Tensor] = field(repr=False)
    pool: Pool = field(repr=False)
    texts: Tensor = field(repr=False)
    """(tools, width) unit vectors of the tools' texts."""


def write_artifact(artifact: Artifact, folder: Path) -> Manifest:
    """Write the files, and give back the manifest; see `store.write_parts`."""
    pool = artifact.pool
    lengths = [len(tools) for tools in pool.gold]
    known = {
        "vectors": pool.vectors.half().numpy(),
        "ends": np.cumsum(lengths, dtype=np.int64),
        "tools": np.array([tool for tools in pool.gold for tool in tools], dtype=np.int64),
    }
    texts = store.packed_texts(artifact.texts)
    content = (artifact.model, artifact.encoder, known, texts)
    return store.write_parts(folder, artifact.manifest, dict(zip(_PARTS, content, strict=True)))


def read_artifact(folder: Path) -> Artifact:
    """What `write_artifact` wrote; raises as `store.read_manifest` and `store.read` do."""
    manifest = store.read_manifest(folder, Manifest)
    width, tools = manifest.shape.width, len(manifest.tools)
    model, encoder, pool, texts = store.check_files(folder, manifest, _PARTS)
    return Artifact(
        manifest,
        store.read(model, read_weights),
        store.read(encoder, read_weights),
        store.read(pool, lambda path: _pool(path, width, tools)),
        store.read_texts(texts, width, tools),
    )


def _pool(path: Path, width: int, count: int) -> Pool:
    vectors, ends, tools = read_arrays(path, "vectors", "ends", "tools")
    if any(each.ndim != 1 or each.dtype != np.int64 for each in (ends, tools)):
        raise ValueError("its numbers are none")
    bounds = np.concatenate([[0], ends])
    if (bounds[1:] < bounds[:-1]).any() or bounds[-1] != len(tools):
        raise ValueError("its ends are not those of its tools")
    if ((tools < 0) | (tools >= count)).any():
        raise ValueError("it names tools that are not there")
    if len(ends) * (bounds[1:] - bounds[:-1]).max(initial=0) > _MOST_CELLS:
        raise ValueError("one of its requests has too many tools for their number")
    parts = np.split(tools, ends)[:-1]
    gold = tuple(tuple(part.tolist()) for part in parts)
    return Pool(unit_vectors(vectors, (len(ends), width)), gold)
