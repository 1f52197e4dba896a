"""Files in folders that somebody else may have written to: what is no plain file is not read, and a
link leads no write elsewhere.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def open_plain(path: Path) -> BinaryIO:
    """Open a plain file to read it; links are not followed, and no pipe or device is waited for.

    Raises:
        OSError: it is none, or cannot be opened.
    """
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "No plain file", str(path))
    return file


def read_plain(path: Path, most: int) -> bytes:
    """A plain file's content.

    Raises:
        OSError: as `open_plain`, or the file is longer than `most` bytes.
    """
    with open_plain(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"Longer than {most:,} bytes", str(path))
    return content


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
    except BaseException:
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


def make_inner(folder: Path) -> Path:
    """Make a folder in one that the user named, where it is missing; gives it back.

    Raises:
        OSError: it cannot be made, or a link or something else stands there.
    """
    with suppress(FileExistsError):
        folder.mkdir()
    if not stat.S_ISDIR(folder.lstat().st_mode):
        raise OSError(errno.ENOTDIR, "No folder of its own", str(folder))
    return folder
