"""Embeddings that outlive the process: plain arrays in a folder, keyed by what was encoded.

vectors.bin   a whole catalogue, written in one piece when all of it is encoded
part-*.bin    what an indexing that has not ended encoded so far, a batch each

A file is a line of JSON (`Head`) and rows of a key and a vector. Nothing in it names code or
another file, and its sizes are checked before memory is taken, so that a folder which somebody else
wrote is read or refused (docs/decisions/0010-vectors-in-plain-arrays.md).
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias, TypeVar

import numpy as np
from pydantic import Field, ValidationError

from gretel.contracts.errors import ConfigurationError, IndexCorrupt
from gretel.contracts.record import Record
from gretel.files import check_there, open_plain, replacing
from gretel.nodes.retrieve.encoding.encoder import Matrix

WHOLE = "vectors.bin"
_PARTS = "part-*.bin"
_REMEDY = "Delete the folder and run `gretel index` again."
_KEY = "S64"
_HEAD_BYTES = 16_384
_MOST_ROWS = 2_000_000
_MOST_WIDTH = 1 << 16
_AT_ONCE = 4 << 20
"""Bytes of rows in memory beside those that are kept."""
_Rows: TypeAlias = "np.ndarray[Any, Any]"
_T = TypeVar("_T")
_UNIT = 1.01
"""Length of a vector at most; an encoder's rounding is far below."""


class Head(Record):
    """What a file says of itself, in its first line."""

    format: Literal[1] = 1
    model: str
    catalog: str | None = None
    """Digest of the catalogue of which the file has all; None for a batch."""
    rows: int = Field(ge=0, le=_MOST_ROWS)
    width: int = Field(ge=1, le=_MOST_WIDTH)
    content: str
    """SHA-256 of the rows."""


class EmbeddingStore:
    """Vectors by key in a folder. Every batch written is on disk, so a killed run resumes.

    `seal` puts all batches together and binds them to a catalogue digest. All methods block.

    Raises:
        ConfigurationError: the folder cannot be made or written.
        IndexCorrupt: the folder holds something else, was made by another model, or changed.
    """

    def __init__(self, folder: Path, *, model: str) -> None:
        self.folder = folder
        self.model = model
        with self._writing():
            folder.mkdir(parents=True, exist_ok=True)
        for path in self._files():
            self._read(path, self._head)

    def read(self, wanted: AbstractSet[str], *, width: int) -> dict[str, Matrix]:
        """Those vectors of length `width` that are here, by key, as they were written."""
        found: dict[str, Matrix] = {}
        for path in self._files():
            for each in self._read(path, lambda file: self._rows(file, wanted, width)):
                found |= each
        return found

    def write(self, keys: Sequence[str], vectors: Matrix) -> None:
        """Add vectors; they are on disk when this returns."""
        rows = _packed(keys, vectors)
        self._put(self.folder / _PARTS.replace("*", _digest(rows)[:16]), rows, None)

    def seal(self, vectors: Mapping[str, Matrix], *, catalog_digest: str) -> None:
        """Hold exactly `vectors`, for this catalogue."""
        parts = self._parts()
        keys = sorted(vectors)
        rows = _packed(keys, np.stack([vectors[key] for key in keys]))
        self._put(self.folder / WHOLE, rows, catalog_digest)
        with self._writing():
            for part in parts:
                part.unlink(missing_ok=True)

    def is_sealed(self, catalog_digest: str, *, rows: int) -> bool:
        """Whether this catalogue was sealed with that many vectors, and nothing written since."""
        heads = [] if self._parts() else self._read(self.folder / WHOLE, self._head)
        return [(head.catalog, head.rows) for head in heads] == [(catalog_digest, rows)]

    def _parts(self) -> list[Path]:
        return sorted(self.folder.glob(_PARTS))

    def _files(self) -> list[Path]:
        """The whole last: whoever seals meanwhile writes it before the parts go."""
        whole = self.folder / WHOLE
        return [*self._parts(), *([whole] if os.path.lexists(whole) else [])]

    def _read(self, path: Path, how: Callable[[BinaryIO], _T]) -> list[_T]:
        """What `how` makes of a file; nothing where it has gone since it was seen."""
        try:
            check_there(path)
            with open_plain(path) as file:
                return [how(file)]
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            why = "it is not an index of GRETEL" if isinstance(error, ValidationError) else error
            raise IndexCorrupt(
                f"The index in {self.folder} cannot be used ({path.name}: {why}). {_REMEDY}"
            ) from error

    def _head(self, file: BinaryIO) -> Head:
        head = Head.model_validate_json(file.readline(_HEAD_BYTES))
        if head.model != self.model:
            raise IndexCorrupt(
                f"The index in {self.folder} was made by the encoder {head.model!r}, not "
                f"{self.model!r}. {_REMEDY} Or name that encoder, or another folder."
            )
        return head

    def _rows(self, file: BinaryIO, wanted: AbstractSet[str], width: int) -> dict[str, Matrix]:
        head = self._head(file)
        row = _row(head.width)
        if os.fstat(file.fileno()).st_size - file.tell() != head.rows * row.itemsize:
            raise ValueError("its size is not what it says")
        if head.width != width:
            raise ValueError(f"its vectors have {head.width} numbers, not {width}")
        content, found = hashlib.sha256(), dict[str, Matrix]()
        while block := file.read(max(1, _AT_ONCE // row.itemsize) * row.itemsize):
            content.update(block)
            found |= _kept(np.frombuffer(block, row), wanted)
        if content.hexdigest() != head.content:
            raise ValueError("it does not match its digest")
        return found

    def _put(self, path: Path, rows: _Rows, catalog: str | None) -> None:
        head = Head(
            model=self.model,
            catalog=catalog,
            rows=len(rows),
            width=rows["vector"].shape[1],
            content=_digest(rows),
        )
        with self._writing(), replacing(path) as file:
            file.write(head.model_dump_json().encode() + b"\n")
            file.write(rows.view(np.uint8).data)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ConfigurationError(
                f"the folder {self.folder} cannot be made or written ({error.strerror})",
                field="index",
                remedy="Name a folder that can be written.",
            ) from error


def _row(width: int) -> "np.dtype[Any]":
    return np.dtype([("key", _KEY), ("vector", "<f4", (width,))])


def _packed(keys: Sequence[str], vectors: Matrix) -> _Rows:
    rows = np.empty(len(keys), _row(vectors.shape[1]))
    rows["key"], rows["vector"] = keys, vectors
    return rows


def _digest(rows: _Rows) -> str:
    return hashlib.sha256(rows.view(np.uint8).data).hexdigest()


def _kept(rows: _Rows, wanted: AbstractSet[str]) -> dict[str, Matrix]:
    """The wanted ones, apart from the block that they were read in."""
    with np.errstate(all="ignore"):
        lengths = np.linalg.norm(rows["vector"], axis=1)
    if not (lengths <= _UNIT).all():  # what is no number is not below either
        raise ValueError("it holds no unit vectors")
    pairs = zip(rows["key"].tolist(), rows["vector"], strict=True)
    return {
        name: vector.copy() for key, vector in pairs if (name := key.decode("latin-1")) in wanted
    }
