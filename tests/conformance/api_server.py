"""An API on loopback whose every path answers in its own way, mostly badly."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


def answer(status: str, body: str = "", *headers: str, kind: str = "application/json") -> bytes:
    """A whole HTTP/1.1 response that closes the connection."""
    data = body.encode()
    head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(data)}"]
    return "\r\n".join([*head, "Connection: close", *headers, "", ""]).encode() + data


ANSWERS = {
    "/ok": answer("200 OK", '{"price": 210}'),
    "/long": answer("200 OK", '["' + "ж" * 5_000 + '"]'),
    "/none": answer("200 OK", "[]"),
    "/nothing": b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n",
    "/bad": answer("400 Bad Request", '{"error": "to: required"}'),
    "/login": answer("401 Unauthorized", '{"error": "who are you?"}'),
    "/missing": answer("404 Not Found", '{"error": "no such path"}'),
    "/limited": answer("429 Too Many Requests", "", "Retry-After: 3600"),
    "/broken": answer("500 Internal Server Error", "Traceback", kind="text/plain"),
    "/moved": answer("302 Found", "", "Location: /ok"),
    "/garbage": b"it does not speak HTTP\r\n\r\n",
    "/cut": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{",
    "/silent": b"",
}


class ApiServer:
    """Answers by path; `/hang` never does, `/drip` and `/flood` never end.

    Attributes:
        url: its base URL.
        paths: every path that was asked for, in the order of arrival.
        tasks: what serves, or served, a connection.
    """

    def __init__(self) -> None:
        self.url = ""
        self.paths: list[str] = []
        self.tasks: list[asyncio.Task[object]] = []

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        task = asyncio.current_task()
        assert task
        self.tasks.append(task)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ")[1].decode().partition("?")[0]
                self.paths.append(path)
                await self._reply(path, writer)
        finally:
            writer.close()

    async def _reply(self, path: str, writer: asyncio.StreamWriter) -> None:
        if path == "/hang":
            await asyncio.sleep(3_600)
        elif path in ("/drip", "/flood"):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[")
            await _endless(writer, b"1" * (100_000 if path == "/flood" else 1))
        else:
            writer.write(ANSWERS[path])
            await writer.drain()


async def _endless(writer: asyncio.StreamWriter, piece: bytes) -> None:
    while not writer.is_closing():
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0.01)


@asynccontextmanager
async def serve() -> AsyncIterator[ApiServer]:
    """A running server; what still hangs is ended with it."""
    api = ApiServer()
    server = await asyncio.start_server(api.handle, "127.0.0.1", 0)
    api.url = "http://{}:{}".format(*server.sockets[0].getsockname())
    try:
        yield api
    finally:
        server.close()
        for task in api.tasks:
            task.cancel()
        await asyncio.gather(*api.tasks, return_exceptions=True)
