"""One scripted chat server for all tests of the room."""

from collections.abc import Iterator

import pytest
from llm_server import LlmServer


@pytest.fixture(scope="session")
def running() -> Iterator[LlmServer]:
    with LlmServer() as server:
        yield server


@pytest.fixture
def server(running: LlmServer) -> LlmServer:
    running.reset()
    return running
