"""An artefact in its folder, whatever was trained.

manifest.json        what it is, and the digests of the other files (`manifest.py`)
tools.npz            vectors of the tools' texts, which more tools may join (`grow`)
others               `.safetensors` and `.npz`, as its kind has them
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import torch
from torch import Tensor

from gretel.catalog.digest import combined_digest, tool_digest
from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.contracts.tool import Tool
from gretel.files import read_json
from gretel.nodes.retrieve.artifact.arrays import (
    checked_digest,
    digest_of,
    read_arrays,
    unit_vectors,
    write_part,
)
from gretel.nodes.retrieve.artifact.manifest import Manifest
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.semantic.signals import dense_text

MANIFEST = "manifest.json"
TOOLS = "tools.npz"
REMEDY = "Give the folder that `gretel train` wrote."
_T = TypeVar("_T")
_M = TypeVar("_M", bound=Manifest)


def write_parts(folder: Path, manifest: _M, parts: Mapping[str, Mapping[str, Any]]) -> _M:
    """Write the files `parts` by name, and give back the manifest, which keeps its other files.

    All are written apart and then moved into their places, the manifest last: whatever stops this,
    an artefact that stood there is whole, or is known to be broken.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="new-", dir=folder) as temporary:
        place = Path(temporary)
        for name, content in parts.items():
            write_part(place / name, content)
        files = {**manifest.files, **{name: digest_of(place / name) for name in parts}}
        manifest = manifest.model_copy(update={"files": files})
        manifest = manifest.model_copy(update={"digest": manifest.content_digest})
        text = manifest.model_dump_json(indent=1)
        (place / MANIFEST).write_text(text + "\n", encoding="utf-8")
        for name in (*parts, MANIFEST):
            (place / name).replace(folder / name)
    return manifest


def read_manifest(folder: Path, kind: type[_M]) -> _M:
    """What an artefact says of itself, as `kind` of manifest; the base takes every kind.

    Raises:
        ConfigurationError: the folder holds no artefact, or one of another kind or version.
        IndexCorrupt: a file is missing or was changed.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise ConfigurationError("is not an artefact", field=str(folder), remedy=REMEDY)
    content: dict[str, Any] = read(path, lambda place: {**read_json(place)})
    wanted = kind.model_fields["format"].default
    if kind is not Manifest and content.get("format") != wanted:
        message = f"has format {content.get('format')}, not {wanted}"
        raise ConfigurationError(message, field=str(path), remedy="Train it again.")
    manifest = read(path, lambda _: kind.model_validate(content))
    # What JSON may hold and no text can (half a character, brackets without end) is found here.
    if manifest.digest != read(path, lambda _: manifest.content_digest):
        raise IndexCorrupt(f"{path} was changed. Train the artefact again.")
    return manifest


def check_files(folder: Path, manifest: Manifest, names: Sequence[str]) -> list[Path]:
    """The files of those names, which are as the manifest says.

    Raises:
        IndexCorrupt: one is missing or was changed.
    """
    for path in (folder / name for name in names):
        if not path.is_file() or read(path, checked_digest) != manifest.files.get(path.name):
            raise IndexCorrupt(f"{path} is missing or was changed. Train the artefact again.")
    return [folder / name for name in names]


def read(path: Path, how: Callable[[Path], _T]) -> _T:
    """What `how` makes of a file that somebody else may have written.

    Raises:
        IndexCorrupt: it makes nothing of it.
    """
    try:
        return how(path)
    except Exception as error:  # zip, numpy, safetensors and torch have dozens of kinds
        raise IndexCorrupt(f"{path} cannot be read. Train the artefact again.") from error


def packed_texts(texts: Tensor) -> dict[str, Any]:
    """The content of `TOOLS`."""
    return {"vectors": texts.half().numpy()}


def read_texts(path: Path, width: int, tools: int) -> Tensor:
    """(tools, width) unit vectors of the tools' texts; IndexCorrupt where there are none."""
    return read(path, lambda path: unit_vectors(read_arrays(path, "vectors")[0], (tools, width)))


def grow(folder: Path, tools: Sequence[Tool]) -> Manifest:
    """Add `tools`, or put them in the place of those with their ids; nothing is trained.

    Raises:
        ConfigurationError: the folder holds no artefact, or the encoder cannot be loaded.
        IndexCorrupt: a file of it is missing or was changed.
    """
    manifest = read_manifest(folder, Manifest)
    check_files(folder, manifest, tuple(manifest.files))
    made = Encoder(manifest.encoder).documents([dense_text(tool) for tool in tools])
    known = dict(manifest.tools)
    rows = dict(zip(known, read_texts(folder / TOOLS, made.shape[1], len(known)), strict=True))
    for tool, row in zip(tools, made, strict=True):
        known[tool.tool_id] = tool_digest(tool)
        rows[tool.tool_id] = torch.from_numpy(row)
    update = {"tools": known, "catalog_digest": combined_digest(known.values())}
    texts = packed_texts(torch.stack(list(rows.values())))
    return write_parts(folder, manifest.model_copy(update=update), {TOOLS: texts})
