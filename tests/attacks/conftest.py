"""The arena: a hostile server, and a network that ends at this machine."""

from collections.abc import AsyncIterator, Iterable

import httpcore
import pytest
from arena import Arena
from hostile_answers import ANSWERS

from hostile_server import HostileServer


@pytest.fixture
async def arena(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Arena]:
    """Everything that is dialled is written down; only the hostile server can be reached."""
    async with HostileServer(ANSWERS) as api:
        made = Arena(api)
        connect = httpcore.AnyIOBackend.connect_tcp

        async def dial(
            self: httpcore.AnyIOBackend,
            host: str,
            port: int,
            timeout: float | None = None,
            local_address: str | None = None,
            socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
        ) -> httpcore.AsyncNetworkStream:
            made.dialled.append((host, port))
            if (host, port) != ("127.0.0.1", api.port):
                raise httpcore.ConnectError("nothing outside is called in tests")
            return await connect(self, host, port, timeout, local_address, socket_options)

        monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", dial)
        yield made
        for executor in made.executors:
            await executor.aclose()
