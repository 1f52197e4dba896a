"""Connections of the way out: none outlives the request that it was opened for."""

import asyncio

import httpcore
import httpx
import pytest

from gretel.sandbox.network.connect import GuardedBackend
from gretel.sandbox.network.egress import EgressTransport
from gretel.sandbox.permission.policy import Policy


async def test_a_deadline_between_connecting_and_sending_leaves_no_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = asyncio.Event()

    async def read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert await reader.read() == b"", "nothing was sent"
        ended.set()
        writer.close()

    connect = GuardedBackend.connect_tcp

    async def connect_at_the_deadline(
        self: GuardedBackend, host: str, port: int, *rest: object, **options: object
    ) -> httpcore.AsyncNetworkStream:
        stream = await connect(self, host, port, *rest, **options)  # type: ignore[arg-type]
        calling.cancel()
        return stream

    monkeypatch.setattr(GuardedBackend, "connect_tcp", connect_at_the_deadline)
    async with await asyncio.start_server(read, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        transport = EgressTransport(Policy(frozenset({f"127.0.0.1:{port}"})))
        request = httpx.Request("GET", f"http://127.0.0.1:{port}/")
        calling = asyncio.ensure_future(transport.handle_async_request(request))
        with pytest.raises(asyncio.CancelledError):
            await calling

        await asyncio.wait_for(ended.wait(), timeout=5)
        await transport.aclose()
