"""`Journal`: an append-only JSONL file that survives a kill of its writer."""

import fcntl
import os
import stat
from pathlib import Path
from typing import Self

from gretel.contracts.errors import InputError
from gretel.files import read_text_bytes


class Journal:
    """Lines of JSON, appended one by one; each is either there as a whole or not at all.

    What a killed writer left of its last line is dropped at opening. One process writes at a time:
    the kernel frees the lock when a process ends, however it ends.

    Attributes:
        lines: what stood there at opening, without line ends.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, made where needed.

        Raises:
            InputError: another process writes it, it holds no text, or it is a link: what is added,
                and what is cut, would be somewhere else.
        """
        self._path = path
        self._file = _opened(path)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            remedy = "Wait for it, or give another --out"
            raise InputError("another process writes it", field=str(path), remedy=remedy) from None
        try:
            with open(self._file, "rb", closefd=False) as file:
                content = read_text_bytes(file)
        except ValueError as error:
            os.close(self._file)
            remedy = "Give another --out"
            raise InputError(str(error), field=str(path), remedy=remedy) from None
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.truncate(self._file, whole)
        self.lines = content[:whole].split(b"\n")[:-1]

    def append(self, line: str) -> None:
        """Add one line; it is in the kernel's hands when this returns.

        Raises:
            OSError: it cannot be written; the error names the file.
        """
        left = memoryview(line.encode() + b"\n")
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            error.filename = str(self._path)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)


def _opened(path: Path) -> int:
    """The only name of a plain file, opened to be read and added to."""
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        file = os.open(path, flags, 0o644)
    except OSError as error:
        remedy = "Remove it, or give another --out"
        raise InputError(
            f"cannot be written ({error.strerror})", field=str(path), remedy=remedy
        ) from None
    found = os.fstat(file)
    if stat.S_ISREG(found.st_mode) and found.st_nlink == 1:
        return file
    os.close(file)
    remedy = "Give another --out, or copy the file to its place"
    raise InputError("is not a file, or has other names", field=str(path), remedy=remedy)
