"""What every test may use; nothing heavy is imported here."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hostile_server import HostileServer

if TYPE_CHECKING:
    from gretel.contracts.trial import CallResult
    from llm_server import LlmServer

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The shared measurement data, which is no part of the repository."""
    place = Path(os.environ.get("GRETEL_DATA") or ROOT.parent / "shared" / "data")
    if not place.is_dir():
        pytest.skip(f"no data at {place}: set GRETEL_DATA to the folder that holds toolbench_g1")
    return place


@pytest.fixture(autouse=True, scope="session")
def nothing_changes() -> Iterator[None]:
    """Over all tests: no executor sends an unsafe call that neither user nor person allowed.

    Judged where the request goes out, by its method alone. A POST of the StableToolBench protocol
    counts as the method of the API behind it.
    """
    from gretel.contracts.tool import VirtualBinding
    from gretel.sandbox.approval import is_approved
    from gretel.sandbox.exchange import Call
    from gretel.sandbox.http import HttpExecutor

    send = HttpExecutor._send

    async def watched(self: HttpExecutor, call: Call) -> "CallResult":
        binding = call.tool.binding
        method = binding.method if isinstance(binding, VirtualBinding) else call.request.method
        allowed = call.tool.tool_id in self._policy.safe_tools or is_approved(call.tool.tool_id)
        safe = method.upper() in ("GET", "HEAD", "OPTIONS")
        assert safe or allowed, f"an unsafe call went out: {method} {call.tool.tool_id}"
        assert call.tool.tool_id not in self._policy.unsafe_tools
        return await send(self, call)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HttpExecutor, "_send", watched)
        yield


@pytest.fixture
async def api() -> AsyncIterator[HostileServer]:
    """An API that behaves as its paths say, mostly badly."""
    async with HostileServer() as server:
        yield server


@pytest.fixture(scope="session")
def running_llm() -> Iterator["LlmServer"]:
    """The server behind `llm`, started once."""
    from llm_server import LlmServer

    with LlmServer() as server:
        yield server


@pytest.fixture
def llm(running_llm: "LlmServer") -> "LlmServer":
    """A chat server without scripts."""
    running_llm.reset()
    return running_llm
