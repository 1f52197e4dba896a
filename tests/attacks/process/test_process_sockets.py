"""What a confined callable reaches by pairs of sockets, which need no call of `socket`: nothing."""

import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


@pytest.mark.parametrize("kind", every(6, PAIRS))
@pytest.mark.parametrize("connected", [False, True], ids=["sends", "connects"])
async def test_no_socket_outside_hears_a_pair(
    connected: bool, kind: str, listener: socket.socket
) -> None:
    result = await attack("reaches_by_pair", reach(listener, PAIRS[kind], connected=connected))

    with pytest.raises(BlockingIOError):
        _ = listener.recv(9) if listener.type == socket.SOCK_DGRAM else listener.accept()
    if how(result) != ("unavailable", "sandbox_unavailable"):  # refused, for want of layers
        refused = ("unavailable", "host_not_allowed")
        by_system = ("failed", how(result)[1])  # its own words: "Invalid argument", or another
        assert how(result) == (by_system if kind == "streams" else refused)


async def test_who_opens_the_network_opens_pairs_too(tmp_path: Path) -> None:
    """The attack works; only our rule is in its way."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "log"))
        listener.settimeout(5)

        result = await attack("reaches_by_pair", reach(listener, socket.SOCK_DGRAM), network=True)

        if how(result) != ("unavailable", "sandbox_unavailable"):
            assert listener.recv(9) == b"leak"


async def test_pairs_of_streams_work() -> None:
    """An event loop has one, and a pipe that goes both ways is one."""
    result = await attack("pairs_of_its_own")

    if how(result) != ("unavailable", "sandbox_unavailable"):
        assert result.body == "an event loop and a pipe", result
