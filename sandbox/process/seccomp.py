"""seccomp: which system calls this process may make (seccomp(2), classic BPF).

What is not listed is allowed. Standard library only: the module runs in the child, before anything
of the user's.
"""

import ctypes
import errno
import os
import platform
import struct
from typing import NamedTuple

DENIED_NETWORK = errno.ENETDOWN
"""What a socket that is refused fails with: a tool's error then says that it was our rule."""


class _Machine(NamedTuple):
    """An architecture's audit name and the numbers of the calls that are refused."""

    audit: int
    clone: int
    socket: int
    socketpair: int
    forks: tuple[int, ...]
    refused: tuple[int, ...]


_SAME_EVERYWHERE = (425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 447)
"""io_uring_*, open_tree, move_mount, fsopen … fspick, pidfd_getfd, mount_setattr, memfd_secret."""
_CLONE3 = 435

# In this order: ptrace, process_vm_readv, process_vm_writev, kcmp; unshare, setns, mount, umount2,
# pivot_root, chroot; bpf, perf_event_open, userfaultfd; add_key, request_key, keyctl; kexec_load,
# kexec_file_load, init_module, finit_module, delete_module, reboot, swapon, swapoff; setuid,
# setgid, setreuid, setregid, setresuid, setresgid, setgroups, setfsuid, setfsgid;
# name_to_handle_at, open_by_handle_at, personality, quotactl, acct, settimeofday, clock_settime,
# adjtimex; shmget, msgget, semget, memfd_create (memory that RLIMIT_AS does not count).
# fmt: off
_MACHINES = {
    "x86_64": _Machine(
        audit=0xC000003E, clone=56, socket=41, socketpair=53, forks=(57, 58),
        refused=(101, 310, 311, 312, 272, 308, 165, 166, 155, 161, 321, 298, 323, 248, 249, 250,
                 246, 320, 175, 313, 176, 169, 167, 168, 105, 106, 113, 114, 117, 119, 116, 122,
                 123, 303, 304, 135, 179, 163, 164, 227, 159, 29, 68, 64, 319),
    ),
    "aarch64": _Machine(
        audit=0xC00000B7, clone=220, socket=198, socketpair=199, forks=(),
        refused=(117, 270, 271, 272, 97, 268, 40, 39, 41, 51, 280, 241, 282, 217, 218, 219,
                 104, 294, 105, 273, 106, 142, 224, 225, 146, 144, 145, 143, 147, 149, 159, 151,
                 152, 264, 265, 92, 60, 89, 170, 112, 171, 194, 186, 190, 279),
    ),
}
# fmt: on
_X32 = 0x40000000
"""Numbers from here on are x86-64's second table."""
_CLONE_THREAD = 0x00010000
_CLONE_NEW = 0x7E020080
"""Every flag of clone that makes a namespace."""
_UNIX = 1
_NO_STREAM = 0xE
"""The bits of a socket's type that a stream has not."""

_LOAD, _IF_EQUAL, _IF_GREATER_EQUAL, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_PR_SET_SECCOMP, _FILTER_MODE = 22, 2


def install(*, network: bool, subprocesses: bool) -> None:
    """Filter the calls of this process and of all that it starts. There is no way back.

    Needs `no_new_privs`. Without `network` there is no socket of any family but pairs of streams,
    which reach each other alone (a datagram socket of a pair sends to any path); without
    `subprocesses` no process beside this one; threads there are in either case.

    Raises:
        OSError: the kernel refuses, or no filter is known for this architecture.
    """
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        raise OSError(f"no filter is known for {platform.machine()}")
    code = _program(machine, network=network, subprocesses=subprocesses)
    block = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(block))
    program = ctypes.create_string_buffer(head, len(head))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _program(machine: _Machine, *, network: bool, subprocesses: bool) -> bytes:
    lines = [
        _line(_LOAD, _ARCH),
        _line(_IF_EQUAL, machine.audit, 1, 0),
        _line(_RETURN, _KILL),
        _line(_LOAD, _NUMBER),
        _line(_IF_GREATER_EQUAL, _X32, 0, 1),
        _line(_RETURN, _KILL),
    ]
    for number in (*machine.refused, *_SAME_EVERYWHERE):
        lines += _refuse(number, errno.EPERM)
    lines += _refuse(_CLONE3, errno.ENOSYS)  # its flags lie in memory; libc falls back to clone
    if not network:
        lines += _refuse(machine.socket, DENIED_NETWORK) + _streams_only(machine.socketpair)
    if not subprocesses:
        for number in machine.forks:
            lines += _refuse(number, errno.EPERM)
    return b"".join(lines + _clone(machine.clone, subprocesses=subprocesses))


def _clone(number: int, *, subprocesses: bool) -> list[bytes]:
    """The end of the program: clone by its flags, all else allowed."""
    thread_only = [] if subprocesses else [
        _line(_IF_ANY_BIT, _CLONE_THREAD, 1, 0),
        _line(_RETURN, _ERRNO | errno.EPERM),
    ]  # fmt: skip
    return [
        _line(_IF_EQUAL, number, 1, 0),
        _line(_RETURN, _ALLOW),
        _line(_LOAD, _FIRST_ARGUMENT),
        _line(_IF_ANY_BIT, _CLONE_NEW, 0, 1),
        _line(_RETURN, _ERRNO | errno.EPERM),
        *thread_only,
        _line(_RETURN, _ALLOW),
    ]


def _streams_only(number: int) -> list[bytes]:
    """Pairs by their family and type, which event loops and pipes between processes need."""
    return [
        _line(_IF_EQUAL, number, 0, 6),
        _line(_LOAD, _FIRST_ARGUMENT),
        _line(_IF_EQUAL, _UNIX, 0, 2),
        _line(_LOAD, _SECOND_ARGUMENT),
        _line(_IF_ANY_BIT, _NO_STREAM, 0, 1),
        _line(_RETURN, _ERRNO | DENIED_NETWORK),
        _line(_RETURN, _ALLOW),
    ]


def _refuse(number: int, code: int) -> list[bytes]:
    return [_line(_IF_EQUAL, number, 0, 1), _line(_RETURN, _ERRNO | code)]


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
