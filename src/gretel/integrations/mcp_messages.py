"""The messages of an MCP session, before its client checks their parts on the event loop."""

import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Self

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from gretel.integrations.mcp_results import light


class Unchecked:
    """What a transport reads, with little in it that the client would check.

    The client checks an entry of a listing, or a block of an answer, twice, in 10 to 30 µs, and
    nothing else runs meanwhile: a result goes through as its plain values, with itself as it came
    beside them, for `mcp_results`. What a server notes is dropped, for nobody listens; what it asks
    for is declined, since it lacks its parameters.
    """

    def __init__(self, read: Any) -> None:
        """Read from the stream `read`."""
        self._read = read

    @property
    def last_context(self) -> Any:
        """The context in which the last message was read; the client goes on in it."""
        return getattr(self._read, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """The next message."""
        while True:
            item: SessionMessage | Exception = await self._read.receive()
            message = item.message if isinstance(item, SessionMessage) else None
            if isinstance(message, JSONRPCResponse):
                message.result = light(message.result)
            elif isinstance(message, JSONRPCRequest):
                message.params = None
            if not isinstance(message, JSONRPCNotification):
                return item

    async def aclose(self) -> None:
        """Close the stream."""
        await self._read.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()


@contextlib.asynccontextmanager
async def unchecked(
    transport: AbstractAsyncContextManager[tuple[Any, Any]],
) -> AsyncIterator[tuple[Unchecked, Any]]:
    """The streams of `transport`, of which the one that is read is `Unchecked`."""
    async with transport as (read, write):
        yield Unchecked(read), write
