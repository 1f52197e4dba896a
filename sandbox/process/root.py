"""A root of its own for a child process: what it may read, its own folder, and nothing else.

Standard library only: the module runs in the child, before anything of the user's. It needs the
mount namespace of `confine.own_namespaces`.
"""

import contextlib
import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from gretel.sandbox.process.kernel import checked

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
"""The devices that are there, to be read and written."""
_PRIVATE_RECURSIVE = 0x40000 | 0x4000
_BIND_RECURSIVE = 0x1000 | 0x4000
_NO_SUID_NO_DEVICES = 2 | 4
_DETACH = 2
_MOUNT_SETATTR = 442
"""A system call's number, the same on every architecture."""
_HERE, _RECURSIVE, _READ_ONLY = -100, 0x8000, 1
_LINKS = 40
"""Links on the way to a file, as the kernel counts them."""


def own_root(shown: Iterable[str], folder: str, *, size: int) -> None:
    """Move this process, and all that it starts, to a root that holds `shown` and `folder`.

    Each stands where it stood, with the links on the way to it; what does not exist is left out.
    All is read-only, as Landlock does not forbid to change the mode of a file, but `folder`: an
    empty file system of `size` bytes in memory.

    Raises:
        OSError: the kernel refuses; the root is then as it was.
    """
    checked("mount", b"none", b"/", None, _PRIVATE_RECURSIVE, None)
    _mount_memory(folder, "mode=755")
    try:
        _furnish(folder, sorted({*shown, *DEVICES}))
        own = f"{folder}{_way(folder, folder)}"
        os.makedirs(own, exist_ok=True)
        _make_read_only(folder)
        _mount_memory(own, f"size={size},nr_inodes=4096,mode=700")
        os.chdir(folder)
        checked("pivot_root", b".", b".")
    except BaseException:
        checked("umount2", os.fsencode(folder), _DETACH)
        raise
    # The old root lies under the new one at the same place (pivot_root(2)).
    checked("umount2", b".", _DETACH)
    os.chdir("/")


def _furnish(root: str, shown: Iterable[str]) -> None:
    held: set[str] = set()
    for path in shown:
        place = _way(root, path)
        if place is None or not held.isdisjoint((place, *map(str, Path(place).parents))):
            continue
        held.add(place)
        _make_place(root + place, is_folder=os.path.isdir(place))
        with contextlib.suppress(FileNotFoundError):  # gone since: somebody's temporary file
            checked(
                "mount", os.fsencode(place), os.fsencode(root + place), None, _BIND_RECURSIVE, None
            )
            _make_read_only(root + place)


def _way(root: str, path: str) -> str | None:
    """Where `path` lies behind all links, which are made in `root` as well; None: nowhere."""
    place, steps, links = "", path.split("/")[::-1], 0
    while steps:
        step = steps.pop()
        if step == "..":
            place = os.path.dirname(place)
        if step in ("", ".", ".."):
            continue
        try:
            target = os.readlink(f"{place}/{step}")
        except OSError:  # no link
            place = f"{place}/{step}"
            continue
        links += 1
        if links > _LINKS:
            return None
        if not os.path.lexists(f"{root}{place}/{step}"):
            os.makedirs(root + place, exist_ok=True)
            os.symlink(target, f"{root}{place}/{step}")
        steps.extend(target.split("/")[::-1])
        place = "" if target.startswith("/") else place
    return (place or "/") if os.path.lexists(place or "/") else None


def _make_place(path: str, *, is_folder: bool) -> None:
    """What something can be mounted on; nothing where it stands already."""
    os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)
    if not is_folder:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))


def _mount_memory(folder: str, options: str) -> None:
    kind = b"tmpfs"
    checked("mount", kind, os.fsencode(folder), kind, _NO_SUID_NO_DEVICES, options.encode())


def _make_read_only(folder: str) -> None:
    attributes = (ctypes.c_uint64 * 4)(_READ_ONLY, 0, 0, 0)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    path = os.fsencode(folder)
    checked("syscall", _MOUNT_SETATTR, _HERE, path, _RECURSIVE, attributes, size)
