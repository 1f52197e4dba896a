"""Arrays and weights in files that somebody else may have written: read safely, or refused."""

import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar
from zipfile import ZipFile

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from gretel.contracts.errors import IndexCorrupt
from gretel.files import check_there, open_plain

_N = TypeVar("_N", Tensor, npt.NDArray[np.float32])
_MOST_HEADER = 1 << 20
"""Bytes; a model of a thousand layers has fewer."""
_OURS = frozenset({torch.float32, torch.float16, torch.bfloat16})
_MOST_DIMENSIONS = 8
"""Of a tensor: what its reader takes grows with the square of them, long before it refuses."""
_MOST_BYTES = 1 << 35
_MOST_ENTRY = 4_096
"""Bytes that an archive takes for an array beside its numbers."""
_MOST_TAIL = 1 << 16
"""Bytes that it takes to name its arrays; each name is held in memory."""


def write_part(path: Path, content: Mapping[str, Any]) -> None:
    """Tensors (`.safetensors`) or arrays (`.npz`) by name."""
    from safetensors.torch import save_file

    if path.suffix == ".npz":
        np.savez(path, **content)
    else:
        save_file(dict(content), path)


def read_arrays(path: Path, *names: str) -> list[Any]:
    """Arrays of a file as `write_part` packs them: without objects, and not compressed, so that
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


def check_header(path: Path) -> None:
    """That the header of tensors is as ours are, not long and of few dimensions: it is read before
    all else.

    Raises:
        OSError, ValueError: it is none.
    """
    with open_plain(path) as file:
        size = int.from_bytes(file.read(8), "little")
        if size > _MOST_HEADER:
            raise ValueError("its header is too long")
        head = file.read(size)
    try:
        shapes = [each.get("shape") for each in json.loads(head).values()]
    except (AttributeError, RecursionError) as error:
        raise ValueError("its header is none") from error
    if any(isinstance(shape, list) and len(shape) > _MOST_DIMENSIONS for shape in shapes):
        raise ValueError("its tensors have too many dimensions")


def read_weights(path: Path) -> dict[str, Tensor]:
    """Tensors of a file, all of finite numbers."""
    from safetensors.torch import load_file

    check_header(path)
    kept = load_file(path)
    if not all(value.dtype in _OURS for value in kept.values()):  # of bytes, four times as many
        raise ValueError("its weights are of a kind that we do not write")
    weights = {name: value.float() for name, value in kept.items()}
    if not all(bool(value.isfinite().all()) for value in weights.values()):
        raise ValueError("its weights are no numbers")
    return weights


def told(numbers: _N) -> _N:
    """What weights make of a request; numbers that are finite, each, may still give none.

    Raises:
        IndexCorrupt: it is infinite, or no number.
    """
    if not bool(torch.as_tensor(numbers).isfinite().all()):
        raise IndexCorrupt("the artefact's weights give no numbers. Train it again.")
    return numbers


def unit_vectors(vectors: Any, shape: tuple[int, int]) -> Tensor:
    """Vectors of that shape, brought to unit length; ValueError where they are none."""
    if vectors.shape != shape or vectors.dtype.kind != "f":
        raise ValueError(f"its vectors are not {shape[0]} of {shape[1]} numbers")
    if not np.isfinite(vectors).all():
        raise ValueError("its vectors are no numbers")
    return torch.nn.functional.normalize(torch.from_numpy(vectors).float(), dim=-1)


def checked_digest(path: Path) -> str:
    """Of a file that is as long as it says itself, and there: a hole of a terabyte takes hours to
    read, and what is made of its zeros memory.
    """
    check_there(path)
    if path.suffix == ".npz":
        _check_names(path)
        with open_plain(path) as file, ZipFile(file) as packed:
            said = sum(each.file_size + _MOST_ENTRY for each in packed.infolist())
    else:
        from safetensors import safe_open

        check_header(path)
        with safe_open(path, framework="pt"):  # checks that the tensors fill the file
            said = _MOST_BYTES
    if path.stat().st_size > min(said, _MOST_BYTES):
        raise ValueError("it is longer than it says")
    return digest_of(path)


def _check_names(path: Path) -> None:
    """That an archive has few names: what is read first of it is as long as its last bytes say.

    Raises:
        OSError, ValueError: it has many, or is no archive of ours, which have no words at the end.
    """
    with open_plain(path) as file:
        file.seek(-min(42, path.stat().st_size), 2)
        tail = file.read()
    large, end = tail.startswith(b"PK\6\7"), tail[-22:]  # what is large says its length elsewhere
    size = int.from_bytes(end[12:16], "little")
    if large or not end.startswith(b"PK\5\6") or size > _MOST_TAIL:
        raise ValueError("it has too many names, or is none of ours")


def digest_of(path: Path) -> str:
    """SHA-256 (hex) of a file's content."""
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
