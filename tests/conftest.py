"""What every test may use; nothing heavy is imported here."""

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hostile_server import HostileServer

if TYPE_CHECKING:
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
