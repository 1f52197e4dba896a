"""A loopback API that answers every GET with one small record, after a fixed time."""

import asyncio
import socket
import threading
import time

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


class SlowApi:
    """The server, in a thread of its own; use as a context manager."""

    def __init__(self, *, delay_s: float) -> None:
        self._delay_s = delay_s
        self._socket = socket.create_server(("127.0.0.1", 0))
        app = Starlette(routes=[Route("/{path:path}", self._answer)])
        self._server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True
        )

    @property
    def url(self) -> str:
        """Base URL of the API."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> "SlowApi":
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=10)
        self._socket.close()

    async def _answer(self, request: Request) -> JSONResponse:
        await asyncio.sleep(self._delay_s)
        return JSONResponse({"flights": [{"price": 210, "to": "OSL"}]})
