"""A loopback API that answers every GET with one small record, after a fixed time."""

import asyncio

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from loopback import Loopback


class SlowApi(Loopback):
    """The server, in a thread of its own; use as a context manager."""

    def __init__(self, *, delay_s: float) -> None:
        super().__init__(Starlette(routes=[Route("/{path:path}", self._answer)]))
        self._delay_s = delay_s

    async def _answer(self, request: Request) -> JSONResponse:
        await asyncio.sleep(self._delay_s)
        return JSONResponse({"flights": [{"price": 210, "to": "OSL"}]})
