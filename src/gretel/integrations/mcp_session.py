"""One session with an MCP server, owned by a task of its own.

The client's scopes have to be left by the task that entered them, while calls come from any.
"""

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from gretel.contracts.errors import ConfigurationError, ServiceUnreachable
from gretel.sandbox.network.origin import origin_of, parse_server
from gretel.sandbox.permission.policy import Policy
from gretel.text.foreign import SENTENCE, foreign

if TYPE_CHECKING:
    from mcp import Client

    from gretel.integrations.mcp_http import GuardedTransport

_OPEN_S = 20.0


class Session:
    """An open session.

    Attributes:
        client: the MCP client; usable from any task of its event loop.
    """

    def __init__(self, client: "Client", transport: "GuardedTransport | None") -> None:
        self.client = client
        self._transport = transport
        self._end = asyncio.Event()
        self._owner: asyncio.Task[None] | None = None

    @property
    def refused(self) -> str | None:
        """Why the policy kept a request in; None where it did not."""
        return self._transport.refused if self._transport else None

    def reason(self, error: BaseException) -> str:
        """The error in words: the policy's where it was that."""
        return self.refused or foreign(f"{type(error).__name__}: {error}", SENTENCE)

    async def aclose(self) -> None:
        """Close the session and whatever it started."""
        self._end.set()
        if self._owner is not None:
            with contextlib.suppress(Exception):
                await self._owner

    async def open(self) -> None:
        """Enter the client in a task that waits for the end.

        Raises:
            ServiceUnreachable: the server does not answer, or the policy keeps us from asking.
        """
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._owner = asyncio.create_task(self._own(ready))
        done, _ = await asyncio.wait(
            {ready, self._owner}, timeout=_OPEN_S, return_when=asyncio.FIRST_COMPLETED
        )
        if ready in done:
            return
        self._owner.cancel()
        result = await asyncio.gather(self._owner, return_exceptions=True)
        error = result[0] if isinstance(result[0], BaseException) else TimeoutError("no answer")
        raise ServiceUnreachable(self.reason(error)) from error

    async def _own(self, ready: "asyncio.Future[None]") -> None:
        async with contextlib.AsyncExitStack() as stack:
            if self._transport is not None:
                stack.push_async_callback(self._transport.aclose)
            await stack.enter_async_context(self.client)
            ready.set_result(None)
            await self._end.wait()


async def open_session(name: str, server: Any, policy: Policy) -> Session:
    """A session with `server`.

    Raises:
        ConfigurationError: the extra `mcp` is not installed, or the URL is unusable.
        ServiceUnreachable: the server does not answer, or the policy keeps us from asking.
    """
    try:
        from mcp import Client
    except ImportError as error:
        raise ConfigurationError(
            "needs the package mcp", field=name, remedy="Install gretel[mcp]."
        ) from error
    if not isinstance(server, str):
        session = Session(Client(server, cache=None), None)
    else:
        session = _over_http(name, server, policy)
    try:
        await session.open()
    except ServiceUnreachable as error:
        raise ServiceUnreachable(f"{name}: {error}") from error
    return session


def _over_http(name: str, url: str, policy: Policy) -> Session:
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    from gretel.integrations.mcp_http import GuardedTransport

    origin = origin_of(parse_server(url))
    if not policy.host_allowed(origin):
        raise ServiceUnreachable(f"{name}: {origin.authority} is not an allowed host")
    transport = GuardedTransport(policy)
    client = httpx2.AsyncClient(transport=transport, trust_env=False, timeout=_OPEN_S)
    return Session(Client(streamable_http_client(url, http_client=client), cache=None), transport)
