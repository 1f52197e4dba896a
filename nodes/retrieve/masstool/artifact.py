"""A trained MassTool on disk: safetensors, npz and JSON, bound to its catalogue and encoder.

manifest.json        format, encoder, digests of catalogue and files, calibration, how made
model.safetensors    weights of the second stage
encoder.safetensors  those weights of the encoder that were tuned
pool.npz             vectors of the known requests, and the tools that served each
tools.npz            vectors of the tools' texts
"""

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from zipfile import ZipFile

import numpy as np
import torch
from pydantic import FiniteFloat
from torch import Tensor

from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.contracts.record import JsonObject, Record
from gretel.files import open_plain, read_json
from gretel.nodes.retrieve.masstool.config import Shape
from gretel.nodes.retrieve.masstool.pool import Pool

FORMAT = 2
MANIFEST = "manifest.json"
_MOST_HEADER = 1 << 20
"""Bytes; a model of a thousand layers has fewer."""
_MOST_BYTES = 1 << 35
_MOST_ENTRY = 4_096
"""Bytes that an archive takes for an array beside its numbers."""
_MOST_CELLS = 1 << 25
"""Requests times the tools of the one that has most: a model fills a table of them."""
_T = TypeVar("_T")


class Calibration(Record):
    """How the model's figures become probabilities; all fitted on the development part."""

    slope: FiniteFloat = 1.0
    offset: FiniteFloat = 0.0
    """A tool of log share s serves with log odds `slope * s + offset`."""
    need_slope: FiniteFloat = 1.0
    need_offset: FiniteFloat = 0.0
    detects: bool = False
    """Whether there were requests without need to learn from."""


class Manifest(Record):
    """What an artefact says of itself."""

    format: int = FORMAT
    encoder: str | None
    """Name or folder; None for the encoder of the install."""
    encoder_digest: str
    """Of the encoder's weights before anything was tuned."""
    shape: Shape
    calibration: Calibration
    catalog_digest: str
    tools: dict[str, str]
    """Content hashes by tool_id, in the order of the rows of `tools.npz`."""
    files: dict[str, str]
    """SHA-256 of the other files."""
    made: JsonObject
    """Data digest, seed, settings and development measures, for whoever asks."""
    digest: str = ""
    """SHA-256 of all of the above."""

    @property
    def content_digest(self) -> str:
        """What `digest` must be."""
        text = self.model_dump_json(exclude={"digest"})
        return hashlib.sha256(text.encode()).hexdigest()


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
    """Write the files, and give back the manifest.

    All are written apart and then moved into their places, the manifest last: whatever stops this,
    an artefact that stood there is whole, or is known to be broken.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="new-", dir=folder) as name:
        place = Path(name)
        _write_parts(artifact, place)
        files = {path.name: _digest(path) for path in _parts(place)}
        manifest = artifact.manifest.model_copy(update={"files": files})
        manifest = manifest.model_copy(update={"digest": manifest.content_digest})
        text = manifest.model_dump_json(indent=1)
        (place / MANIFEST).write_text(text + "\n", encoding="utf-8")
        for part in [*_parts(place), place / MANIFEST]:
            part.replace(folder / part.name)
    return manifest


def _write_parts(artifact: Artifact, folder: Path) -> None:
    from safetensors.torch import save_file

    save_file(dict(artifact.model), folder / "model.safetensors")
    save_file(dict(artifact.encoder), folder / "encoder.safetensors")
    lengths = [len(tools) for tools in artifact.pool.gold]
    np.savez(
        folder / "pool.npz",
        vectors=artifact.pool.vectors.half().numpy(),
        ends=np.cumsum(lengths, dtype=np.int64),
        tools=np.array([tool for tools in artifact.pool.gold for tool in tools], dtype=np.int64),
    )
    np.savez(folder / "tools.npz", vectors=artifact.texts.half().numpy())


def read_artifact(folder: Path) -> Artifact:
    """What `write_artifact` wrote.

    Raises:
        ConfigurationError: the folder holds no artefact, or one of another format.
        IndexCorrupt: a file is missing, was changed, or is not what we write, whatever digest the
            manifest gives of it.
    """
    manifest = _manifest(folder)
    width, tools = manifest.shape.width, len(manifest.tools)
    model, encoder, pool, texts = _parts(folder)
    for path in (model, encoder, pool, texts):
        if not path.is_file() or _read(path, _checked_digest) != manifest.files.get(path.name):
            raise IndexCorrupt(f"{path} is missing or was changed. Train the artefact again.")
    return Artifact(
        manifest,
        _read(model, _weights),
        _read(encoder, _weights),
        _read(pool, lambda path: _pool(path, width, tools)),
        _read(texts, lambda path: _unit(_arrays(path, "vectors")[0], (tools, width))),
    )


def _read(path: Path, how: Callable[[Path], _T]) -> _T:
    """What `how` makes of a file that somebody else may have written.

    Raises:
        IndexCorrupt: it makes nothing of it.
    """
    try:
        return how(path)
    except Exception as error:  # zip, numpy, safetensors and torch have dozens of kinds
        raise IndexCorrupt(f"{path} cannot be read. Train the artefact again.") from error


def _arrays(path: Path, *names: str) -> list[Any]:
    """Arrays of a file as `_write_parts` packs them: without objects, and not compressed, so that
    what is read is no larger than what lies there.
    """
    with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
        if any(each.compress_type for each in stored.zip.infolist()):
            raise ValueError("it is compressed")
        return [_array(stored.zip, f"{name}.npy") for name in names]


def _array(packed: ZipFile, name: str) -> Any:
    """An array that is as large as its file: what its header says is taken in memory at once."""
    with packed.open(name) as file:
        version = np.lib.format.read_magic(file)
        read_header = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }[version]
        shape, _, dtype = read_header(file)
        if math.prod(shape) * dtype.itemsize != packed.getinfo(name).file_size - file.tell():
            raise ValueError("its header says another size")
        file.seek(0)
        return np.lib.format.read_array(file, allow_pickle=False)


def _check_header(path: Path) -> None:
    """That the header of tensors is no longer than ours are: it is read before all else."""
    with open_plain(path) as file:
        if int.from_bytes(file.read(8), "little") > _MOST_HEADER:
            raise ValueError("its header is too long")


def _weights(path: Path) -> dict[str, Tensor]:
    from safetensors.torch import load_file

    weights = {name: value.float() for name, value in load_file(path).items()}
    if not all(bool(value.isfinite().all()) for value in weights.values()):
        raise ValueError("its weights are no numbers")
    return weights


def _pool(path: Path, width: int, count: int) -> Pool:
    vectors, ends, tools = _arrays(path, "vectors", "ends", "tools")
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
    return Pool(_unit(vectors, (len(ends), width)), gold)


def _manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST
    remedy = "Give the folder that `gretel train masstool --out` wrote."
    if not path.is_file():
        raise ConfigurationError("is no artefact", field=str(folder), remedy=remedy)
    content: dict[str, Any] = _read(path, lambda place: {**read_json(place)})
    if content.get("format") != FORMAT:
        message = f"has format {content.get('format')}, not {FORMAT}"
        raise ConfigurationError(message, field=str(path), remedy="Train it again.")
    manifest = _read(path, lambda _: Manifest.model_validate(content))
    if manifest.digest != manifest.content_digest:
        raise IndexCorrupt(f"{path} was changed. Train the artefact again.")
    return manifest


def _parts(folder: Path) -> Sequence[Path]:
    names = ("model.safetensors", "encoder.safetensors", "pool.npz", "tools.npz")
    return [folder / name for name in names]


def _unit(vectors: Any, shape: tuple[int, int]) -> Tensor:
    if vectors.shape != shape or vectors.dtype.kind != "f":
        raise ValueError(f"its vectors are not {shape[0]} of {shape[1]} numbers")
    if not np.isfinite(vectors).all():
        raise ValueError("its vectors are no numbers")
    return torch.nn.functional.normalize(torch.from_numpy(vectors).float(), dim=-1)


def _checked_digest(path: Path) -> str:
    """Of a file that is as long as it says itself: one of a terabyte takes hours to read."""
    if path.suffix == ".npz":
        with open_plain(path) as file, ZipFile(file) as packed:
            said = sum(each.file_size + _MOST_ENTRY for each in packed.infolist())
    else:
        from safetensors import safe_open

        _check_header(path)
        with safe_open(path, framework="pt"):  # checks that the tensors fill the file
            said = _MOST_BYTES
    if path.stat().st_size > min(said, _MOST_BYTES):
        raise ValueError("it is longer than it says")
    return _digest(path)


def _digest(path: Path) -> str:
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
