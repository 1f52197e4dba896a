"""A loopback HTTP server that misbehaves on request: one path, one misbehaviour.

`async with HostileServer() as server:` then call `server.url("hang")`. Each behaviour is a method
`on_<name>`; what a client sent is kept in `server.requests`.
"""

import asyncio
import gzip
import json
import socket
import struct
import zlib
from types import TracebackType
from typing import NamedTuple, Self


class Received(NamedTuple):
    """One request, as it came."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


def answer(
    body: bytes = b"{}",
    *,
    status: str = "200 OK",
    kind: str = "application/json",
    headers: tuple[str, ...] = (),
    length: int | None = None,
) -> bytes:
    """A whole HTTP/1.1 answer that closes its connection."""
    size = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {size}", *headers]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body


def bomb(size: int = 16 * 1024 * 1024) -> bytes:
    """`size` zero bytes, compressed with gzip."""
    return gzip.compress(bytes(size))


class HostileServer:
    """Serves `/<behaviour>`; unknown behaviours are answered with a small JSON object."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.port = 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    @property
    def host(self) -> str:
        """`127.0.0.1:port`, as an allow-list names it."""
        return f"127.0.0.1:{self.port}"

    def url(self, behaviour: str = "") -> str:
        """The address of one behaviour."""
        return f"http://{self.host}/{behaviour}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            received = await self._read(reader)
            name = received.target.partition("?")[0].strip("/").replace("-", "_")
            await getattr(self, f"on_{name}", self.on_ok)(writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client hung up first, as it should on most of these
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> Received:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        method, target, _ = first.split(" ")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        received = Received(method, target, headers, body)
        self.requests.append(received)
        return received

    async def on_ok(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b'{"flights": [{"id": 7}]}'))

    async def on_echo(self, writer: asyncio.StreamWriter) -> None:
        """Everything that was sent, in body and headers."""
        last = self.requests[-1]
        body = json.dumps({"echoed": [last.target, last.headers]}).encode()
        writer.write(answer(body, headers=(f"X-Echo: {last.target} {last.headers}",)))

    async def on_hang(self, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    async def on_slow_body(self, writer: asyncio.StreamWriter) -> None:
        """One byte at a time: no single read is slow."""
        writer.write(answer(b"", length=100_000))
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.02)

    async def on_flood(self, writer: asyncio.StreamWriter) -> None:
        """A body without an end."""
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while True:
            writer.write(bytes(65_536))
            await writer.drain()

    async def on_endless_chunks(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"1000\r\n" + b"a" * 4096 + b"\r\n")
            await writer.drain()

    async def on_redirect(self, writer: asyncio.StreamWriter) -> None:
        place = "Location: http://169.254.169.254/latest/meta-data/"
        writer.write(answer(b"", status="302 Found", headers=(place,)))

    async def on_moved(self, writer: asyncio.StreamWriter) -> None:
        place = f"Location: {self.url('ok')}"
        writer.write(answer(b"", status="301 Moved Permanently", headers=(place,)))

    async def on_html(self, writer: asyncio.StreamWriter) -> None:
        page = b"<!DOCTYPE html><html><title>Sign in</title><h1>Please sign in</h1></html>"
        writer.write(answer(page, kind="text/html"))

    async def on_gzip(self, writer: asyncio.StreamWriter) -> None:
        body = gzip.compress(b'{"flights": [{"id": 8}]}')
        writer.write(answer(body, headers=("Content-Encoding: gzip",)))

    async def on_gzip_bomb(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(bomb(), headers=("Content-Encoding: gzip",)))

    async def on_deflate_bomb(self, writer: asyncio.StreamWriter) -> None:
        body = zlib.compress(bytes(16 * 1024 * 1024))
        writer.write(answer(body, headers=("Content-Encoding: deflate",)))

    async def on_broken_gzip(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b"no gzip at all", headers=("Content-Encoding: gzip",)))

    async def on_brotli(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b"\x0b\x02\x80{}\x03", headers=("Content-Encoding: br",)))

    async def on_twice_gzip(self, writer: asyncio.StreamWriter) -> None:
        body = gzip.compress(gzip.compress(b"{}"))
        writer.write(answer(body, headers=("Content-Encoding: gzip, gzip",)))

    async def on_short_body(self, writer: asyncio.StreamWriter) -> None:
        """Less than Content-Length says."""
        writer.write(answer(b'{"a": 1}', length=5000))

    async def on_long_body(self, writer: asyncio.StreamWriter) -> None:
        """More than Content-Length says."""
        writer.write(answer(b'{"a": 1}' + b"x" * 5000, length=8))

    async def on_two_lengths(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b'{"a": 1}', headers=("Content-Length: 3",)))

    async def on_big_header(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b"{}", headers=("X-Big: " + "a" * 1_000_000,)))

    async def on_many_headers(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b"{}", headers=tuple(f"X-{i}: a" for i in range(1000))))

    async def on_informational(self, writer: asyncio.StreamWriter) -> None:
        """1xx answers without an end."""
        while True:
            writer.write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100)
            await writer.drain()
            await asyncio.sleep(0.001)

    async def on_not_http(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n\r\n")

    async def on_reset(self, writer: asyncio.StreamWriter) -> None:
        """A TCP reset in the middle of the body."""
        writer.write(answer(b'{"a": 1}', length=5000))
        await writer.drain()
        await asyncio.sleep(0.05)
        raw = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async def on_close(self, writer: asyncio.StreamWriter) -> None:
        """Hangs up without a word."""

    async def on_bad_utf8(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b'{"name": "caf\xe9 \xff\xfe", "id": 1}'))

    async def on_surrogate(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b'{"name": "half \\ud800 character", "id": 1}'))

    async def on_surrogate_error(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b'{"error": "half \\ud800 character"}', status="400 Bad Request"))

    async def on_rather_deep_json(self, writer: asyncio.StreamWriter) -> None:
        """Deeper than validators go, not as deep as the parser does."""
        writer.write(answer(b"[" * 700 + b"1" + b"]" * 700))

    async def on_deep_json(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b"[" * 100_000 + b"]" * 100_000))

    async def on_almost_deep_json(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b"[" * 150 + b"1" + b"]" * 150))

    async def on_huge_number(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b'{"n": ' + b"9" * 500_000 + b"}"))

    async def on_nan(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b'{"a": NaN, "b": [Infinity, -Infinity], "c": 1}'))

    async def on_cookies(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b'{"a": 1}', headers=("Set-Cookie: session=spy; Path=/",)))

    async def on_odd_charset(self, writer: asyncio.StreamWriter) -> None:
        """A codec of Python's that is no character set."""
        writer.write(answer(b'{"a": 1}', kind="application/json; charset=unicode_escape"))
