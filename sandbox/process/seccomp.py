"""seccomp: which system calls this process may make (seccomp(2), classic BPF).

What `calls.py` does not list is refused. Standard library only: the module runs in the child,
before anything of the user's.
"""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Mapping
from typing import NamedTuple

from gretel.sandbox.process import calls
from gretel.sandbox.process.kernel import libc

DENIED_NETWORK = errno.ENETDOWN
"""What a socket that is refused fails with: a tool's error then says that it was our rule."""


class _Machine(NamedTuple):
    """An architecture's audit name, and the numbers of the calls that have rules of their own."""

    name: str
    audit: int
    clone: int
    fcntl: int
    flock: int
    socket: int
    socketpair: int
    setsockopt: int


_MACHINES = {
    "x86_64": _Machine(
        "x86_64", 0xC000003E, 56, fcntl=72, flock=73, socket=41, socketpair=53, setsockopt=54
    ),
    "aarch64": _Machine(
        "aarch64", 0xC00000B7, 220, fcntl=25, flock=32, socket=198, socketpair=199, setsockopt=208
    ),
}
_CLONE3 = 435
_NEWEST = 452
"""What came later is unknown here, and so unknown to the tool: libraries fall back."""
_X32 = 0x40000000
"""Numbers from here on are x86-64's second table."""
_CLONE_FILES, _CLONE_THREAD = 0x00000400, 0x00010000
_CLONE_NEW = 0x7E020080
"""Every flag of clone that makes a namespace."""
_LEASE, _NOTIFY = 1024, 1026
"""Commands of fcntl that hold up whoever opens a file, and that watch a folder."""
_LOCKS = (6, 7, 37, 38)
"""Those that lock a part of a file, as `flock` does all of it: for every process of the machine."""
_BUFFERS = (7, 8, 32, 33)
"""Options of a socket that say how much the kernel keeps for it, which no limit counts."""
_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16
_NO_STREAM = 0xE
"""The bits of a socket's type that a stream has not."""

_LOAD, _IF_EQUAL, _IF_GREATER_EQUAL, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _FIRST_ARGUMENT, _SECOND_ARGUMENT, _THIRD_ARGUMENT = 0, 4, 16, 24, 32
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_REFUSE = _ERRNO | errno.EPERM
_PRETEND = _ERRNO
"""It gives 0, and did nothing."""
_PR_SET_SECCOMP, _FILTER_MODE = 22, 2


def install(*, network: bool, subprocesses: bool) -> None:
    """Filter the calls of this process and of all that it starts. There is no way back.

    Needs `no_new_privs`. Of local sockets there are pairs of streams only, which reach each other
    alone (a datagram socket of a pair sends to any path), and without `network` no others either;
    without `subprocesses` no process beside this one; threads there are in either case, which share
    their open files: their number is limited for each table of them. A lock is granted and not
    made: it would hold others up, who lock what this process may only read. So is a larger buffer.

    Raises:
        OSError: the kernel refuses, or no filter is known for this architecture.
    """
    machine = _MACHINES.get(platform.machine())
    if machine is None:
        raise OSError(f"no filter is known for {platform.machine()}")
    _load(_program(machine, network=network, subprocesses=subprocesses))


def _load(code: bytes) -> None:
    block = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(block))
    program = ctypes.create_string_buffer(head, len(head))
    if libc().prctl(_PR_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _program(machine: _Machine, *, network: bool, subprocesses: bool) -> bytes:
    groups = [calls.FILES, calls.WAITING, calls.MEMORY, calls.THREADS, calls.PAIRS]
    groups += [calls.NETWORK] if network else []
    groups += [calls.PROCESSES] if subprocesses else []
    lines = [
        _line(_LOAD, _ARCH),
        _line(_IF_EQUAL, machine.audit, 1, 0),
        _line(_RETURN, _KILL),
        _line(_LOAD, _NUMBER),
        _line(_IF_GREATER_EQUAL, _X32, 0, 1),
        _line(_RETURN, _KILL),
        _line(_IF_GREATER_EQUAL, _NEWEST + 1, 0, 1),
        _line(_RETURN, _ERRNO | errno.ENOSYS),
        # Its flags lie in memory; libc falls back to clone.
        *_answer(_CLONE3, _ERRNO | errno.ENOSYS),
    ]
    for number in sorted(calls.numbers(*groups)[machine.name]):
        lines += _answer(number, _ALLOW)
    for number in sorted(calls.numbers(calls.ATTRIBUTES)[machine.name]):
        lines += _answer(number, _ERRNO | errno.EOPNOTSUPP)
    lines += _answer(machine.flock, _PRETEND)
    commands = {_LEASE: _REFUSE, _NOTIFY: _REFUSE, **dict.fromkeys(_LOCKS, _PRETEND)}
    lines += _by_argument(machine.fcntl, _SECOND_ARGUMENT, commands, _ALLOW)
    buffers = dict.fromkeys(_BUFFERS, _PRETEND)
    lines += _by_argument(machine.setsockopt, _THIRD_ARGUMENT, buffers, _ALLOW)
    no_socket = _REFUSE if network else _ERRNO | DENIED_NETWORK
    families = dict.fromkeys((_INET, _INET6, _NETLINK) if network else (), _ALLOW)
    lines += _by_argument(machine.socket, _FIRST_ARGUMENT, families, no_socket)
    lines += _streams_only(machine.socketpair, no_socket)
    lines += _clone(machine.clone, subprocesses=subprocesses)
    return b"".join([*lines, _line(_RETURN, _REFUSE)])


def _clone(number: int, *, subprocesses: bool) -> list[bytes]:
    """A thread, without open files of its own, and with `subprocesses` a process; no namespace."""
    of_process = _ALLOW if subprocesses else _REFUSE
    threads = [
        _line(_IF_ANY_BIT, _CLONE_THREAD, 1, 0),
        _line(_RETURN, of_process),
        _line(_IF_ANY_BIT, _CLONE_FILES, 1, 0),
        _line(_RETURN, _REFUSE),
    ]
    rule = [
        _line(_LOAD, _FIRST_ARGUMENT),
        _line(_IF_ANY_BIT, _CLONE_NEW, 0, 1),
        _line(_RETURN, _REFUSE),
        *threads,
        _line(_RETURN, _ALLOW),
    ]
    return [_line(_IF_EQUAL, number, 0, len(rule)), *rule]


def _by_argument(
    number: int, argument: int, answers: Mapping[int, int], otherwise: int
) -> list[bytes]:
    """Answered by the value of an argument."""
    rule = [_line(_LOAD, argument)]
    for value, answer in answers.items():
        rule += _answer(value, answer)
    rule.append(_line(_RETURN, otherwise))
    return [_line(_IF_EQUAL, number, 0, len(rule)), *rule]


def _streams_only(number: int, otherwise: int) -> list[bytes]:
    """Pairs by their family and type, which event loops and pipes between processes need."""
    return [
        _line(_IF_EQUAL, number, 0, 6),
        _line(_LOAD, _FIRST_ARGUMENT),
        _line(_IF_EQUAL, _UNIX, 0, 2),
        _line(_LOAD, _SECOND_ARGUMENT),
        _line(_IF_ANY_BIT, _NO_STREAM, 0, 1),
        _line(_RETURN, otherwise),
        _line(_RETURN, _ALLOW),
    ]


def _answer(value: int, answer: int) -> list[bytes]:
    """Answer so where what was loaded has this value."""
    return [_line(_IF_EQUAL, value, 0, 1), _line(_RETURN, answer)]


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
