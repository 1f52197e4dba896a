"""The sandbox's egress and bounds under the MCP client's own HTTP client, which is httpx2's."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import httpx2

from gretel.integrations.mcp_bounds import Reading, current_reading
from gretel.sandbox.network.body import BodyRefused, decoded
from gretel.sandbox.network.egress import ALLOWANCE, EgressTransport
from gretel.sandbox.permission.policy import Policy
from gretel.text.redact import Redactor
from gretel.text.secrecy.values import is_drawn

HEADERS = {"Accept-Encoding": "identity", "User-Agent": "gretel"}
_KEPT = ("mcp-session-id", "location")
_SESSION = _KEPT[0]
_LONGEST_SESSION = 200
"""Characters: getting ready to look for one takes the event loop."""
_sessions = Redactor()
"""Who has a session's id can speak in it: one that a machine drew is masked whoever repeats it."""
_EVENTS, _JSON = "text/event-stream", "application/json"

_ONE_LINE = bytes.maketrans(b"\r\n", b"  ")
"""JSON has its line breaks between values alone."""


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Sends what httpx2 gives it over `EgressTransport`: checked, pinned, within the `Reading`.

    What comes back is decoded, and has no header by which httpx2 would decode it once more. The
    query of the server's URL is added here, since it may hold a key: the client logs its URLs.
    """

    def __init__(self, policy: Policy, query: bytes | None = None) -> None:
        self._transport = EgressTransport(policy)
        self._query = query

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request`; one that fails is answered with 502, and the `Reading` knows why.

        A stream of what nobody asked for is not opened: the answer is that of a server without one.
        """
        if request.method == "GET" and "last-event-id" not in request.headers:
            return httpx2.Response(405)
        reading = current_reading()
        try:
            return await self._sent(request, reading)
        except Exception as error:
            # As an answer: an error here would end the session, and with it the calls beside.
            reading.problem = _named(error)
            return httpx2.Response(502)

    async def _sent(self, request: httpx2.Request, reading: Reading) -> httpx2.Response:
        reading.asks()
        async with asyncio.timeout_at(reading.until):
            outgoing = await _to_httpx(request, reading, self._query)
            response = await self._transport.handle_async_request(outgoing)
        try:
            return _to_httpx2(response, reading)
        except BaseException:  # nobody else knows of it: its connection would stay open
            await response.aclose()
            raise

    async def aclose(self) -> None:
        """Close every connection."""
        await self._transport.aclose()


class _Stream(httpx2.AsyncByteStream):
    """A body of httpx's, decoded and within bounds, as httpx2 reads it."""

    def __init__(self, response: httpx.Response, reading: Reading, *, messages: bool) -> None:
        self._response = response
        self._reading = reading
        self._messages = messages

    async def __aiter__(self) -> AsyncIterator[bytes]:
        parts = decoded(self._response)
        while True:
            try:
                async with asyncio.timeout_at(self._reading.until):
                    part = await anext(parts, None)
                if part is None:
                    return
                self._reading.took(part, messages=self._messages)
            except Exception as error:
                self._reading.problem = self._reading.problem or _named(error)
                # The client takes this for the end of one answer, any other for the session's.
                raise httpx2.StreamError(str(self._reading.problem)) from error
            yield part

    async def aclose(self) -> None:
        await self._response.aclose()


class _OneEvent(httpx2.AsyncByteStream):
    """A message as a stream of one event.

    At the end of a stream the client knows that its request is not answered; behind a message that
    has another id, or is no answer, it waits for more.
    """

    def __init__(self, message: httpx2.AsyncByteStream) -> None:
        self._message = message

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"data: "
        async for part in self._message:
            yield part.translate(_ONE_LINE)
        yield b"\n\n"

    async def aclose(self) -> None:
        await self._message.aclose()


def _named(error: Exception) -> Exception:
    """The error, with words where it has none of its own."""
    named = str(error) or isinstance(error, TimeoutError)
    return error if named else BodyRefused(f"The answer broke off ({type(error).__name__}).")


def _to_httpx2(response: httpx.Response, reading: Reading) -> httpx2.Response:
    """The answer as the client takes it.

    Raises:
        BodyRefused: a header that the client reads is not ASCII: it could not be sent again.
    """
    heads = {name: response.headers.get(name, "") for name in ("content-type", *_KEPT)}
    for name, value in heads.items():
        if not value.isascii():
            raise BodyRefused(f"The answer's header {name} is not ASCII.")
    kind = heads.pop("content-type").partition(";")[0].strip().lower()
    known = response.is_success and (kind in (_EVENTS, _JSON) or response.status_code == 202)
    reading.answer = None if known else (response.status_code, kind or "no media type")
    stream: httpx2.AsyncByteStream = _Stream(response, reading, messages=kind == _EVENTS)
    if kind == _JSON and response.status_code == 200:
        kind, stream = _EVENTS, _OneEvent(stream)
    kept = {name: value for name, value in heads.items() if name in response.headers}
    if len(heads[_SESSION]) <= _LONGEST_SESSION and is_drawn(heads[_SESSION]):
        with _sessions.during([heads[_SESSION]]):
            pass
    return httpx2.Response(
        status_code=response.status_code, headers={**kept, "content-type": kind}, stream=stream
    )


async def _to_httpx(
    request: httpx2.Request, reading: Reading, query: bytes | None
) -> httpx.Request:
    return httpx.Request(
        request.method,
        str(request.url.copy_with(query=query)),
        headers=request.headers.raw,
        content=await request.aread(),
        extensions={**request.extensions, ALLOWANCE: reading.allowance},
    )
