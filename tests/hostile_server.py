"""A loopback HTTP server that misbehaves on request: one path, one misbehaviour.

`async with HostileServer() as api:` then call `api.url("endless")`. A behaviour is a whole answer
in `ANSWERS` or a method `on_<name>`; what a client sent is kept in `api.requests`.
"""

import asyncio
import gzip
import json
import socket
import struct
import zlib
from collections.abc import Mapping
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
    *headers: str,
    status: str = "200 OK",
    kind: str = "application/json",
    length: int | None = None,
) -> bytes:
    """A whole HTTP/1.1 answer that closes its connection."""
    size = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {size}", *headers]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body


def encoded(body: bytes, coding: str) -> bytes:
    """An answer that says how its body is encoded."""
    return answer(body, f"Content-Encoding: {coding}")


def zeros() -> bytes:
    """What a compression bomb unfolds to."""
    return bytes(16 * 1024 * 1024)


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\x03"
EMPTY_BLOCK = b"\0\0\0\xff\xff"
"""A stored block of deflate that holds nothing, and is not the last."""

FOUND = b'{"flights": [{"id": 7}]}'
METADATA = "http://169.254.169.254/latest/meta-data/"
SIGN_IN = b"<!DOCTYPE html><html><title>Sign in</title><h1>Please sign in</h1></html>"

ANSWERS = {
    "ok": answer(FOUND),
    "long": answer(json.dumps(["ж" * 5_000], ensure_ascii=False).encode()),
    "none": answer(b"[]"),
    "nothing": b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n",
    "bad": answer(b'{"error": "to: required"}', status="400 Bad Request"),
    "surrogate_error": answer(b'{"error": "half \\ud800 character"}', status="400 Bad Request"),
    "login": answer(b'{"error": "who are you?"}', status="401 Unauthorized"),
    "missing": answer(b'{"error": "no such path"}', status="404 Not Found"),
    "limited": answer(b"", "Retry-After: 3600", status="429 Too Many Requests"),
    "broken": answer(b"Traceback", status="500 Internal Server Error", kind="text/plain"),
    "sideways": answer(b"", "Location: /ok", status="302 Found"),
    "redirect": answer(b"", f"Location: {METADATA}", status="302 Found"),
    "html": answer(SIGN_IN, kind="text/html"),
    "not_http": b"220 mail.example ESMTP\r\n\r\n",
    "close": b"",
    "gzip": encoded(gzip.compress(FOUND), "gzip"),
    "broken_gzip": encoded(b"no gzip at all", "gzip"),
    "twice_gzip": encoded(gzip.compress(gzip.compress(b"{}")), "gzip, gzip"),
    "brotli": encoded(b"\x0b\x02\x80{}\x03", "br"),
    # Less than Content-Length says, more, and two things at once.
    "short_body": answer(b'{"a": 1}', length=5000),
    "long_body": answer(b'{"a": 1}' + b"x" * 5000, length=8),
    "two_lengths": answer(b'{"a": 1}', "Content-Length: 3"),
    "big_header": answer(b"{}", "X-Big: " + "a" * 1_000_000),
    "many_headers": answer(b"{}", *(f"X-{i}: a" for i in range(1000))),
    "cookies": answer(b'{"a": 1}', "Set-Cookie: session=spy; Path=/"),
    # A codec of Python's that is no character set.
    "odd_charset": answer(b'{"a": 1}', kind="application/json; charset=unicode_escape"),
    "bad_utf8": answer(b'{"name": "caf\xe9 \xff\xfe", "id": 1}'),
    "surrogate": answer(b'{"name": "half \\ud800 character", "id": 1}'),
    "almost_deep_json": answer(b"[" * 150 + b"1" + b"]" * 150),
    # Deeper than validators go, not as deep as the parser does.
    "rather_deep_json": answer(b"[" * 700 + b"1" + b"]" * 700),
    "deep_json": answer(b"[" * 100_000 + b"]" * 100_000),
    "huge_number": answer(b'{"n": ' + b"9" * 500_000 + b"}"),
    "nan": answer(b'{"a": NaN, "b": [Infinity, -Infinity], "c": 1}'),
}
"""Behaviours that are the same bytes for every request."""


class HostileServer:
    """Serves `/<behaviour>`; an unknown one is answered as `ok` is.

    `answers` adds behaviours to `ANSWERS`, or replaces some.
    """

    def __init__(self, answers: Mapping[str, bytes] | None = None) -> None:
        self.answers = ANSWERS | dict(answers or {})
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
            first = received.target.partition("?")[0].strip("/").partition("/")[0]
            await self._behave(first.replace("-", "_"), writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client hung up first, as it should on most of these
        except asyncio.CancelledError:
            pass  # the server ends
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _behave(self, name: str, writer: asyncio.StreamWriter) -> None:
        behave = getattr(self, f"on_{name}", None)
        if behave:
            await behave(writer)
        else:
            writer.write(self.answers.get(name, ANSWERS["ok"]))
        await writer.drain()

    async def _read(self, reader: asyncio.StreamReader) -> Received:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        method, target, _ = first.split(" ")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        received = Received(method, target, headers, body)
        self.requests.append(received)
        return received

    async def on_echo(self, writer: asyncio.StreamWriter) -> None:
        """Everything that was sent, in body and headers."""
        last = self.requests[-1]
        body = json.dumps({"echoed": [last.target, last.headers]}).encode()
        writer.write(answer(body, f"X-Echo: {last.target} {last.headers}"))

    async def on_endless(self, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    async def on_slow_body(self, writer: asyncio.StreamWriter) -> None:
        """One byte at a time: no single read is slow."""
        await self._drip(writer, answer(b"", length=100_000), b" ")

    async def on_flood(self, writer: asyncio.StreamWriter) -> None:
        """A body without an end."""
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[")
        while True:
            writer.write(b"1" * 65_536)
            await writer.drain()

    async def on_endless_chunks(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"1000\r\n" + b"a" * 4096 + b"\r\n")
            await writer.drain()

    async def on_moved(self, writer: asyncio.StreamWriter) -> None:
        place = f"Location: {self.url('ok')}"
        writer.write(answer(b"", place, status="301 Moved Permanently"))

    async def on_gzip_bomb(self, writer: asyncio.StreamWriter) -> None:
        writer.write(encoded(gzip.compress(zeros()), "gzip"))

    async def on_deflate_bomb(self, writer: asyncio.StreamWriter) -> None:
        writer.write(encoded(zlib.compress(zeros()), "deflate"))

    async def on_informational(self, writer: asyncio.StreamWriter) -> None:
        """1xx answers without an end."""
        while True:
            writer.write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100)
            await writer.drain()
            await asyncio.sleep(0.001)

    async def on_slow_head(self, writer: asyncio.StreamWriter) -> None:
        await self._drip(writer, b"HTTP/1.1 200 OK\r\n", b"X: a\r\n")

    async def on_slow_header(self, writer: asyncio.StreamWriter) -> None:
        await self._drip(writer, b"HTTP/1.1 200 OK\r\nX: ", b"a")

    async def on_slow_status(self, writer: asyncio.StreamWriter) -> None:
        await self._drip(writer, b"HTTP/1.1 200 ", b"O")

    async def on_slow_chunks(self, writer: asyncio.StreamWriter) -> None:
        await self._drip(writer, CHUNKED, b"1\r\n \r\n")

    async def on_slow_chunk_size(self, writer: asyncio.StreamWriter) -> None:
        await self._drip(writer, CHUNKED, b"0")

    async def on_slow_trailers(self, writer: asyncio.StreamWriter) -> None:
        await self._drip(writer, CHUNKED + b"2\r\n{}\r\n0\r\n", b"X: a\r\n")

    async def on_slow_gzip(self, writer: asyncio.StreamWriter) -> None:
        """Empty blocks that decode to nothing."""
        head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
        await self._drip(writer, head + GZIP_HEAD, EMPTY_BLOCK)

    async def on_half_answer(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b'{"a": ', length=100))
        await asyncio.sleep(60)

    async def on_endless_head(self, writer: asyncio.StreamWriter) -> None:
        await self._pour(writer, b"HTTP/1.1 200 OK\r\n", b"X: a\r\n" * 1000)

    async def on_endless_informational_head(self, writer: asyncio.StreamWriter) -> None:
        """1xx answers with headers, as fast as they are read."""
        await self._pour(writer, b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")

    async def on_endless_empty_gzip(self, writer: asyncio.StreamWriter) -> None:
        """Wire bytes without end that decode to nothing."""
        head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
        await self._pour(writer, head + GZIP_HEAD, EMPTY_BLOCK * 5_000)

    async def _drip(self, writer: asyncio.StreamWriter, head: bytes, drop: bytes) -> None:
        """`head`, then `drop` for ever: no single read is slow."""
        writer.write(head)
        while True:
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(0.02)

    async def _pour(self, writer: asyncio.StreamWriter, head: bytes, drop: bytes) -> None:
        """`head`, then `drop` for ever, as fast as it is taken."""
        writer.write(head)
        while True:
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(0)

    async def on_tcp_cut(self, writer: asyncio.StreamWriter) -> None:
        """A TCP reset in the middle of the body."""
        writer.write(answer(b'{"a": 1}', length=5000))
        await writer.drain()
        await asyncio.sleep(0.05)
        raw = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
