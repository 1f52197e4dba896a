"""`Journal`: an append-only JSONL file that survives a kill of its writer."""

import fcntl
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from gretel.contracts.errors import InputError
from gretel.files import lines_of

_AT_ONCE = 1 << 20


class Journal:
    """Lines of JSON, appended one by one; each is either there as a whole or not at all.

    What a killed writer left of its last line is dropped at opening. One process writes at a time:
    the kernel frees the lock when a process ends, however it ends.
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
            self._length = self._whole()
        except ValueError as error:
            os.close(self._file)
            remedy = "Give another --out"
            raise InputError(str(error), field=str(path), remedy=remedy) from None
        if self._length < os.fstat(self._file).st_size:
            os.truncate(self._file, self._length)

    def _whole(self) -> int:
        """Bytes of the lines that are there as a whole.

        Raises:
            ValueError: it holds no text.
        """
        read = whole = 0
        while part := os.pread(self._file, _AT_ONCE, read):
            if b"\0" in part:
                raise ValueError("it holds no text")
            end = part.rfind(b"\n") + 1
            whole = read + end if end else whole
            read += len(part)
        return whole

    @property
    def is_empty(self) -> bool:
        """Whether no line stood there at opening."""
        return not self._length

    @property
    def lines(self) -> Iterator[bytes]:
        """What stood there at opening, without line ends; of a line that is too long a part, which
        is refused. Read one by one: a list of empty lines takes sixteen times as much memory.
        """
        left = self._length
        with open(self._file, "rb", closefd=False) as file:
            file.seek(0)
            for line in lines_of(file):
                left -= len(line)
                if left < 0:
                    return
                yield line.removesuffix(b"\n")

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
