"""The mock on the wire: an ASGI application, as lean as it can be."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool
from gretel.evaluation.mock.mock_api import MockApi, declared_latency_ms
from gretel.evaluation.mock.replies import Reply, json_reply
from gretel.evaluation.mock.routes import Routes
from gretel.evaluation.mock.virtual import Relay, relayed
from gretel.evaluation.mock.wire import Received, Unreadable, read_arguments

REQUEST_HEADER = "x-gretel-request"
"""Carries what the call is made for, so that transient faults can be drawn; the transport of the
environment sets it, unseen by whoever plans and judges calls."""
_MAX_BODY = 1_000_000
_PATIENCE_S = 60.0
"""How long a server that never answers keeps its connection open."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class _Call(NamedTuple):
    tool: Tool
    arguments: JsonObject
    relayed: bool
    """Whether it came by a server that stands before all tools."""


@dataclass
class MockServer:
    """Serves a `MockApi`: tools below `/{tool_id}`, and at their own paths where unique."""

    api: MockApi
    waits: bool
    """Whether answers take their declared latency."""

    def __post_init__(self) -> None:
        self._routes = Routes(self.api.tools)
        self._relay = Relay(self.api.tools, self._routes)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One request, as ASGI has it."""
        body = await _body(receive)
        headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]}
        call = self._read(scope, headers, body)
        if isinstance(call, Reply):
            await _send(call, send)
            return
        reply = self.api.answer(call.tool, call.arguments, headers.get(REQUEST_HEADER))
        if call.relayed:
            reply = relayed(reply)
        if reply is None:
            await _gone(receive)
            return
        if self.waits:
            latency = declared_latency_ms(call.tool.tool_id, seed=self.api.seed)
            await asyncio.sleep(latency / 1000)
        await _send(reply, send)

    def _read(self, scope: Message, headers: Mapping[str, str], body: bytes) -> _Call | Reply:
        """The call that a request is, or the answer to one that is none."""
        path = scope["raw_path"].decode("latin-1")
        if self._relay.takes(scope["method"], path):
            read = self._relay.read(body)
            return read if isinstance(read, Reply) else _Call(*read, relayed=True)
        match = self._routes.find(scope["method"], path)
        if isinstance(match, Reply):
            return match
        query = scope["query_string"].decode("latin-1")
        try:
            arguments = read_arguments(match.tool, Received(match.values, query, headers, body))
        except Unreadable as error:
            return json_reply(400, {"error": str(error)})
        return _Call(match.tool, arguments, relayed=False)


async def _body(receive: Receive) -> bytes:
    """The body of a request; what is beyond the limit is read and dropped."""
    body, more = b"", True
    while more:
        message = await receive()
        more = message.get("more_body", False)
        if len(body) < _MAX_BODY:
            body += message.get("body", b"")
    return body


async def _gone(receive: Receive) -> None:
    """Wait until the client gives up, or the server loses patience and hangs up."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_PATIENCE_S):
            while (await receive())["type"] != "http.disconnect":
                pass


async def _send(reply: Reply, send: Send) -> None:
    content = reply.text.encode()
    fields = {"content-length": str(len(content) + reply.cut), **reply.headers}
    if content:
        fields["content-type"] = reply.media_type
    headers = [(key.lower().encode(), value.encode()) for key, value in fields.items()]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    # Cut: the body is never ended, so that uvicorn hangs up in the middle of it.
    await send({"type": "http.response.body", "body": content, "more_body": reply.cut})
