"""Landlock: which files this process may touch, kept by the kernel (landlock(7)).

Standard library only: the module runs in the child, before anything of the user's.
"""

import ctypes
import os
from collections.abc import Iterable

from gretel.sandbox.process.kernel import checked, libc

MIN_ABI = 3
"""Older kernels cannot forbid truncating a file."""

_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""System call numbers, the same on every architecture."""
_VERSION_FLAG = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE = 1 << 14
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
"""The rights that a rule on a file, not a folder, may name."""
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_ALL_FS, _ALL_FS_SINCE_5 = (1 << 15) - 1, (1 << 16) - 1
_NET_TCP = 0b11
_SCOPES = 0b11
"""Abstract unix sockets, and signals to processes outside."""


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("fs", ctypes.c_uint64),
        ("net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def abi() -> int:
    """The version of Landlock that the kernel offers; 0 for none."""
    version = libc().syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION_FLAG)
    return max(int(version), 0)


def restrict(
    *, readable: Iterable[str], listable: Iterable[str], writable: Iterable[str], network: bool
) -> None:
    """Let this process, and all that it starts, read `readable` and change `writable` only.

    Of `listable` it may read the names of what is in there. Paths that do not exist are left out.
    Without `network` the kernel's TCP rules forbid every connection too, where it has them. Needs
    `no_new_privs`. There is no way back.

    Raises:
        OSError: the kernel refuses, or offers no Landlock of `MIN_ABI`.
    """
    version = abi()
    if version < MIN_ABI:
        raise OSError(f"the kernel offers Landlock {version}, and {MIN_ABI} is needed")
    everything = _ALL_FS if version < 5 else _ALL_FS_SINCE_5
    rules = _Ruleset(everything, 0, 0)
    if version >= 4 and not network:
        rules.net = _NET_TCP
    if version >= 6:
        rules.scoped = _SCOPES
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = checked("syscall", _CREATE, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    try:
        for path in readable:
            _allow(ruleset, path, _READ)
        for path in listable:
            _allow(ruleset, path, _READ_DIR)
        for path in writable:
            _allow(ruleset, path, everything)
        checked("syscall", _RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            rights &= _FILE_RIGHTS
        rule = _Beneath(rights, parent)
        checked("syscall", _ADD, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(parent)
