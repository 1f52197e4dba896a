"""What every test may use; nothing heavy is imported here."""

import gc
import os
from collections.abc import AsyncIterator, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from hostile_server import HostileServer

if TYPE_CHECKING:
    from gretel.sandbox.http.call import Call, Clock, Received
    from gretel.sandbox.http.session import Session
    from llm_server import LlmServer

ROOT = Path(__file__).resolve().parent.parent

# Without deadlines: how long an example takes says more of the machine than of us.
settings.register_profile("whole", deadline=None)
settings.register_profile("fast", max_examples=20, deadline=None)
settings.load_profile("whole")  # unless pytest is given another one: --hypothesis-profile


def pytest_collection_finish() -> None:
    """What stands after the collection stays: garbage is looked for among newer objects only."""
    gc.collect()
    gc.freeze()


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


ROOMS_WITHOUT_CALLS = {"catalog", "contracts", "datasets", "llm", "prompts", "text", "training"}
"""Rooms that may not import the sandbox (import-linter): their tests make no call."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Watch the calls of every test but those of rooms that cannot make any.

    The tests that are marked slow are not traced for coverage: with it they take twice as long, and
    run little that the others do not.
    """
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker("no_cover")
        room = item.path.relative_to(ROOT / "tests").parts[0]
        if room in ROOMS_WITHOUT_CALLS or not isinstance(item, pytest.Function):
            continue
        if "no_unsafe_calls" not in item.fixturenames:
            item.fixturenames.insert(0, "no_unsafe_calls")


@pytest.fixture
def no_unsafe_calls(unsafe_calls: list[str]) -> Iterator[None]:
    """No test sends a call that may change something, unless the user marked or approved its tool.

    Asserted here and not where it is sent: a trial turns an exception into an outcome.
    """
    yield
    sent, unsafe_calls[:] = list(unsafe_calls), []
    assert sent == []


@pytest.fixture(scope="session")
def unsafe_calls() -> Iterator[list[str]]:
    """Unsafe calls that went out and that no user allowed; see `no_unsafe_calls`.

    Judged at the one function through which every request of `HttpExecutor` goes out, by its method
    alone. A POST of the StableToolBench protocol counts as the method of the API behind it.
    """
    from gretel.contracts.tool import VirtualBinding
    from gretel.sandbox.http import exchange as wire
    from gretel.sandbox.permission.approved import is_approved

    sent: list[str] = []
    exchange = wire.exchange

    async def watched(session: "Session", call: "Call", clock: "Clock") -> "Received":
        binding, tool_id = call.tool.binding, call.tool.tool_id
        method = binding.method if isinstance(binding, VirtualBinding) else call.request.method
        marked = any(fnmatchcase(tool_id, mark) for mark in session.policy.safe_tools)
        allowed = marked or is_approved(call.tool)
        safe = method.upper() in ("GET", "HEAD", "OPTIONS")
        if not (safe or allowed) or tool_id in session.policy.unsafe_tools:
            sent.append(f"{method} {tool_id}")
        return await exchange(session, call, clock)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wire, "exchange", watched)
        yield sent


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
