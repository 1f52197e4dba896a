"""The program of the system call filter, run call by call as the kernel would, for each machine."""

import errno
import socket
import struct

import pytest

from gretel.sandbox.process import seccomp

MACHINES = sorted(seccomp._MACHINES)
ALLOWED, REFUSED = 0x7FFF0000, 0x00050000 | errno.ENETDOWN
STREAM, DATAGRAM = int(socket.SOCK_STREAM), int(socket.SOCK_DGRAM)


def said(name: str, number: int, *arguments: int, network: bool = False) -> int:
    """What the filter of machine `name` says of one call (the part of classic BPF that we use)."""
    machine = seccomp._MACHINES[name]
    code = seccomp._program(machine, network=network, subprocesses=False)
    data = struct.pack("<iIQ6Q", number, machine.audit, 0, *arguments, *[0] * (6 - len(arguments)))
    loaded, place = 0, 0
    while True:
        kind, if_true, if_false, value = struct.unpack_from("HBBI", code, place * 8)
        place += 1
        if kind == 0x20:
            (loaded,) = struct.unpack_from("<I", data, value)
        elif kind == 0x06:
            return int(value)
        else:
            holds = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}
            place += if_true if holds[kind] else if_false


def socketpair(name: str) -> int:
    return {"x86_64": 53, "aarch64": 199}[name]


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("flags", [0, 0o4000, 0o2000000], ids=["", "nonblock", "cloexec"])
def test_a_pair_of_streams_is_the_only_pair(name: str, flags: int) -> None:
    kinds = [
        kind for kind in range(1, 16) if said(name, socketpair(name), 1, kind | flags) == ALLOWED
    ]

    assert kinds == [STREAM]
    assert said(name, socketpair(name), 1, DATAGRAM | flags) == REFUSED


@pytest.mark.parametrize("name", MACHINES)
def test_a_pair_is_local(name: str) -> None:
    families = [each for each in range(64) if said(name, socketpair(name), each, STREAM) == ALLOWED]

    assert families == [1]


@pytest.mark.parametrize("name", MACHINES)
def test_high_bits_that_the_kernel_drops_hide_nothing(name: str) -> None:
    high = 1 << 32

    assert said(name, socketpair(name), 1 | high, DATAGRAM | high) == REFUSED
    assert said(name, socketpair(name), 2, STREAM | high) == REFUSED


@pytest.mark.parametrize("name", MACHINES)
def test_the_network_is_that_of_names_and_addresses(name: str) -> None:
    refused, call = 0x00050000 | errno.EPERM, {"x86_64": 41, "aarch64": 198}[name]
    families = [each for each in range(64) if said(name, call, each, network=True) == ALLOWED]

    assert families == [2, 10, 16]
    assert said(name, call, 1, network=True) == refused
    assert said(name, socketpair(name), 1, DATAGRAM, network=True) == refused
    assert said(name, socketpair(name), 1, STREAM, network=True) == ALLOWED


@pytest.mark.parametrize("name", MACHINES)
def test_what_stands_behind_the_rule_is_still_reached(name: str) -> None:
    """The rule loads arguments; whoever is not meant must come to the rule of `clone` unharmed."""
    clone = {"x86_64": 56, "aarch64": 220}[name]
    threads, process = 0x00010400, 0x11

    assert said(name, clone, threads) == ALLOWED
    assert said(name, clone, threads - 0x400) == 0x00050000 | errno.EPERM  # with files of its own
    assert said(name, clone, process) == 0x00050000 | errno.EPERM
    assert said(name, {"x86_64": 0, "aarch64": 63}[name]) == ALLOWED
