"""What a confined callable reaches by pairs of sockets, which need no call of `socket`: nothing."""

import errno
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hostile_callables
import pytest
from confined import attack

from gretel.contracts.trial import CallResult
from lanes import every

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="callables run on Linux only")

LISTENING = {
    "datagrams": socket.SOCK_DGRAM,
    "streams": socket.SOCK_STREAM,
    "packets": socket.SOCK_SEQPACKET,
}
PAIRS = {
    **LISTENING,
    "raw": socket.SOCK_RAW,  # for the kernel another name of datagrams
    "datagrams-flagged": socket.SOCK_DGRAM | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC,
}


def how(result: CallResult) -> tuple[str, str | None]:
    failure = result.outcome.failure
    return result.outcome.status, failure.kind if failure else None


def reach(listener: socket.socket, kind: int, *, connected: bool = False) -> dict[str, Any]:
    return {"path": listener.getsockname(), "kind": int(kind), "connected": connected}


@pytest.fixture(params=LISTENING)
def listener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[socket.socket]:
    """Somebody else's socket at a path, of any type."""
    with socket.socket(socket.AF_UNIX, LISTENING[request.param]) as made:
        made.bind(str(tmp_path / "log"))
        if request.param != "datagrams":
            made.listen()
        made.setblocking(False)
        yield made


@pytest.mark.parametrize("network", every(2, [True, False]), ids=["network", ""])
@pytest.mark.parametrize("kind", every(6, PAIRS))
@pytest.mark.parametrize("connected", every(2, [False, True]), ids=["sends", "connects"])
async def test_no_socket_outside_hears_a_pair(
    connected: bool, kind: str, network: bool, listener: socket.socket
) -> None:
    how_far = reach(listener, PAIRS[kind], connected=connected)

    result = await attack("reaches_by_pair", how_far, network=network)

    with pytest.raises(BlockingIOError):
        _ = listener.recv(9) if listener.type == socket.SOCK_DGRAM else listener.accept()
    if how(result) != ("unavailable", "sandbox_unavailable"):  # refused, for want of layers
        refused = ("unavailable", "permission" if network else "host_not_allowed")
        by_system = ("failed", how(result)[1])  # its own words: "Invalid argument", or another
        assert how(result) == (by_system if kind == "streams" else refused)


def test_outside_of_the_sandbox_a_pair_is_heard(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "log"))
        listener.settimeout(5)

        hostile_callables.reaches_by_pair(**reach(listener, socket.SOCK_DGRAM))

        assert listener.recv(9) == b"leak"


@pytest.mark.parametrize("network", [False, True])
async def test_pairs_of_streams_work(network: bool) -> None:
    """An event loop has one, and a pipe that goes both ways is one."""
    result = await attack("pairs_of_its_own", network=network)

    if how(result) != ("unavailable", "sandbox_unavailable"):
        assert result.body == "an event loop and a pipe", result


async def test_a_pair_keeps_no_more_than_the_kernel_gives_unasked() -> None:
    result = await attack("bytes_in_a_pair")

    assert how(result) == ("succeeded", None)
    assert isinstance(result.body, int) and result.body < 1 << 20


async def test_no_thread_has_a_table_of_open_files_of_its_own() -> None:
    result = await attack("thread_with_files_of_its_own")

    assert how(result) == ("succeeded", None)
    assert result.body == errno.EPERM
