"""The egress policy under the MCP client's own HTTP client, which is httpx2's."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import httpx2

from gretel.contracts.errors import CallRefused
from gretel.sandbox.network.egress import EgressTransport
from gretel.sandbox.permission.policy import Policy


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Sends what httpx2 gives it over `EgressTransport`: checked, pinned, no proxy.

    Attributes:
        refused: why the policy kept the last request in; None where it did not.
    """

    def __init__(self, policy: Policy) -> None:
        self._transport = EgressTransport(policy)
        self.refused: str | None = None

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send `request`; a refusal is a connection error for the client."""
        try:
            response = await self._transport.handle_async_request(await _to_httpx(request))
        except CallRefused as error:
            self.refused = str(error)
            raise httpx2.ConnectError(str(error)) from error
        except Exception as error:
            raise httpx2.ConnectError(type(error).__name__) from error
        return httpx2.Response(
            status_code=response.status_code,
            headers=response.headers.raw,
            stream=_Stream(response),
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._transport.aclose()


class _Stream(httpx2.AsyncByteStream):
    """A body of httpx's, as httpx2 reads it."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        stream: Any = self._response.stream
        async for part in stream:
            yield part

    async def aclose(self) -> None:
        await self._response.aclose()


async def _to_httpx(request: httpx2.Request) -> httpx.Request:
    return httpx.Request(
        request.method,
        str(request.url),
        headers=request.headers.raw,
        content=await request.aread(),
        extensions=dict(request.extensions),
    )
