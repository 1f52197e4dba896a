"""Files in folders that somebody else may have written to: what is no plain file is not read, and
no link leads a write elsewhere.
"""

import errno
import json
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

from gretel.contracts.errors import ConfigurationError

_MOST_JSON = 32 << 20
_BYTES_A_VALUE = 32
"""Our own files hold a digest for each name, and so more bytes for each value."""
_VALUES_FREE = 1_000
_LINE_VALUES = 300_000
"""Of a line, or a file, of a run, which repeats what servers answered."""
_AT_ONCE = 1 << 20
_MOST_HOLE = 1 << 24
_PACKED = 4
"""Times that a file may be longer than what the disk holds of it: some disks pack."""


def open_plain(path: Path) -> BufferedReader:
    """Open a plain file, or what a link to one leads to, to read it; waits for no pipe or device.

    Raises:
        OSError: it is none, or cannot be opened.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # `fdopen` keeps a folder's open
        os.close(descriptor)
        raise OSError(errno.EINVAL, "No plain file", str(path))
    return os.fdopen(descriptor, "rb")


def check_there(path: Path) -> None:
    """That no more than a part of a file is a hole, where the disk says how much of it is there.

    Raises:
        ValueError: it is one.
    """
    found = path.stat()
    there = getattr(found, "st_blocks", 0) * 512
    if there and found.st_size > _PACKED * there + _MOST_HOLE:
        raise ValueError("most of it is a hole")


def read_json(path: Path) -> Any:
    """The JSON of a file of ours, whose values are few for its length.

    Raises:
        OSError: as `open_plain`.
        ValueError, RecursionError: it is no JSON, or would take far more memory than such a file.
    """
    with open_plain(path) as file:
        content = file.read(_MOST_JSON + 1)
    values = _values(content)
    if len(content) > _MOST_JSON or values > _VALUES_FREE + len(content) // _BYTES_A_VALUE:
        raise ValueError("it holds too much")
    return json.loads(content)


def check_few(content: bytes) -> None:
    """See that the JSON of a line, or of a file, of a run holds no more than one does.

    Raises:
        ValueError: it does, and reading it may take memory twenty times its length.
    """
    if len(content) > _MOST_JSON or _values(content) > _LINE_VALUES:
        raise ValueError("it holds too much")


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file one by one; of one that is too long a part, which `check_few` refuses."""
    return iter(lambda: file.readline(_MOST_JSON + 1), b"")


def _values(content: bytes) -> int:
    """At least as many values as JSON holds."""
    return sum(map(content.count, (b",", b"[", b"{")))


def read_text_bytes(file: BinaryIO) -> bytes:
    """The bytes of a text: a file may be larger than any memory, and hold nothing but holes.

    Raises:
        ValueError: it is no text.
    """
    content = bytearray()
    while part := file.read(_AT_ONCE):
        if b"\0" in part:
            raise ValueError("it holds no text")
        content += part
    return bytes(content)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` when the block ends well, and else is gone.

    Whatever stood there is replaced as a name: a link is not followed, other names of the same file
    keep their content.

    Raises:
        OSError: it cannot be written, or a folder stands there.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)
        with suppress(OSError):
            draft.unlink()
        raise


def write_whole(path: Path, text: str) -> None:
    """Write a file that is there as a whole or not at all.

    Raises:
        OSError: as `replacing`.
    """
    with replacing(path) as file:
        file.write(text.encode())


def make_folder(folder: Path) -> None:
    """Make a folder that the user named, where it is missing, and see that it can be written.

    Raises:
        ConfigurationError: it cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _unusable(folder, error) from error


def make_inner(folder: Path) -> Path:
    """Make a folder in one that the user named, where it is missing; gives it back.

    Raises:
        ConfigurationError: a link or something else stands there, or it cannot be made.
    """
    try:
        with suppress(FileExistsError):
            folder.mkdir(parents=True)
    except OSError as error:
        raise _unusable(folder, error) from None
    if not stat.S_ISDIR(folder.lstat().st_mode):
        remedy = "Remove it, or name another folder."
        raise ConfigurationError("is a link or no folder", field=str(folder), remedy=remedy)
    return folder


def _unusable(folder: Path, error: OSError) -> ConfigurationError:
    problem = f"cannot be made or written ({error.strerror})"
    return ConfigurationError(problem, field=str(folder), remedy="Name another folder.")
