"""Headers of an MCP server's answer that its client cannot take: the connection does not stay."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import httpx2
import pytest

from gretel.integrations.mcp_bounds import Reading
from gretel.integrations.mcp_http import GuardedTransport
from gretel.sandbox.permission.policy import Policy
from gretel.text.foreign import excerpt
from gretel.text.redact import Redactor

LENGTH = b"Content-Length: 2\r\n"
ODD = {
    "a session of other letters": LENGTH + b"Mcp-Session-Id: \xe4\r\n",
    "a session in UTF-8": LENGTH + "Mcp-Session-Id: s日1\r\n".encode(),
    "a place of other letters": LENGTH + b"Location: /\xe4\r\n",
    "a media type of other letters": LENGTH + b"Content-Type: application/json\xe4\r\n",
    "two lengths": LENGTH + b"Content-Length: 3\r\n",
    "a length below none": b"Content-Length: -2\r\n",
    "a length in words": b"Content-Length: two\r\n",
    "an unknown transfer": b"Transfer-Encoding: foo\r\n",
    "two transfers": b"Transfer-Encoding: chunked\r\n" * 2,
    "a coding of other letters": LENGTH + b"Content-Encoding: \xe4\r\n",
    "a header that ends early": LENGTH + b"X-A: a\x00b\r\n",
}


class KeepingServer:
    """Answers every request with the same head, and closes no connection by itself."""

    def __init__(self, head: bytes) -> None:
        self._answer = b"HTTP/1.1 200 OK\r\n" + head + b"\r\n{}"
        self.left = asyncio.Event()
        self.url = self.host = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(self._answer)
                await writer.drain()
        self.left.set()
        writer.close()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator["KeepingServer"]:
        async with await asyncio.start_server(self.serve, "127.0.0.1", 0) as server:
            self.host = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
            self.url = f"http://{self.host}/mcp"
            yield self


@pytest.mark.parametrize("head", ODD)
async def test_a_connection_is_closed_whatever_its_head_says(head: str) -> None:
    async with KeepingServer(ODD[head]).open() as server:
        transport = GuardedTransport(Policy(allow_hosts=frozenset({server.host})))
        reading = Reading.opening()
        with reading.current(), contextlib.suppress(httpx2.StreamError):
            response = await transport.handle_async_request(httpx2.Request("POST", server.url))
            async with contextlib.aclosing(response):
                await response.aread()
        assert str(reading.problem)
        async with asyncio.timeout(4):  # what is kept is closed with the transport alone
            await server.left.wait()
        await transport.aclose()


async def test_an_honest_connection_is_kept() -> None:
    async with KeepingServer(LENGTH + b"Content-Type: application/json\r\n").open() as server:
        transport = GuardedTransport(Policy(allow_hosts=frozenset({server.host})))
        with Reading.opening().current():
            response = await transport.handle_async_request(httpx2.Request("POST", server.url))
            assert (await response.aread()).strip() == b"data: {}"
            await response.aclose()
        assert not server.left.is_set()
        await transport.aclose()


async def test_a_sessions_id_is_masked_whoever_repeats_it() -> None:
    session = "5f0c1d9e-84b7-4a26-9c3e-7d1b2a6f0e48"
    head = LENGTH + f"Content-Type: application/json\r\nMcp-Session-Id: {session}\r\n".encode()
    async with KeepingServer(head).open() as server:
        transport = GuardedTransport(Policy(allow_hosts=frozenset({server.host})))
        with Reading.opening().current():
            response = await transport.handle_async_request(httpx2.Request("POST", server.url))
            await response.aclose()
        await transport.aclose()
    assert response.headers["mcp-session-id"] == session
    with Redactor().during([]):
        assert session not in excerpt(f"somebody speaks in {session} here")
