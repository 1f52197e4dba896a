"""One session with an MCP server, owned by a task of its own.

The client's scopes have to be left by the task that entered them, while calls come from any.
"""

import asyncio
import contextlib
import shlex
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gretel.contracts.errors import ConfigurationError, ServiceUnreachable
from gretel.integrations.mcp_bounds import OPEN_S, Reading, innermost, keep_out_of_logs
from gretel.sandbox.network.origin import origin_of, parse_server
from gretel.sandbox.permission.policy import Policy
from gretel.workers import off_loop

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters

_CLOSE_S = 10.0
_REFUSALS = (-32022, -32601)
"""What a server answers that takes no greeting, or none of its kind."""


class Session:
    """An open session.

    Attributes:
        client: the MCP client; usable from any task of its event loop.
        ungreeted: whether it did not open because the server does not take its greeting.
    """

    client: "Client"
    ungreeted = False

    def __init__(self) -> None:
        self._end = asyncio.Event()
        self._owner: asyncio.Task[None] | None = None
        self._problem: Exception | None = None

    @property
    def ended(self) -> bool:
        """Whether the session is over, by our will or the server's."""
        return self._end.is_set() or self._owner is None or self._owner.done()

    def end(self, problem: Exception | None = None) -> None:
        """Let the owner close the session; `problem` is what the server did."""
        self._problem = problem
        self._end.set()

    def reason(self, error: BaseException, reading: Reading) -> str:
        """The error in words: a bound that was passed or the policy's, where it was that."""
        reading.problem = reading.problem or self._problem
        return reading.reason(error)

    async def aclose(self) -> None:
        """Close the session and whatever it started."""
        self.end()
        if self._owner is not None:
            await asyncio.wait({self._owner}, timeout=_CLOSE_S)
            self._owner.cancel()

    async def open(self, close: Callable[[], Awaitable[None]] | None) -> None:
        """Enter the client in a task that waits for the end, and calls `close` behind it.

        Raises:
            ServiceUnreachable: the server does not answer, or the policy keeps us from asking.
        """
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        reading = Reading.opening()
        owner = self._owner = asyncio.create_task(self._own(ready, reading, close))
        owner.add_done_callback(lambda task: task.cancelled() or task.exception())
        try:
            await asyncio.wait({ready, owner}, timeout=OPEN_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not ready.done():
                owner.cancel()
        if ready.done():
            return
        result = await asyncio.gather(owner, return_exceptions=True)
        error = result[0] if isinstance(result[0], Exception) else TimeoutError("no answer")
        if self._end.is_set() and self._problem is None:
            error = EOFError("the command ended, or closed its output, before it answered")
        # None: an error of the client's repeats what the server said, as it stands.
        why = await off_loop(self.reason, error, reading)
        raise ServiceUnreachable(f"{why}{_remedy(reading)}") from None

    async def _own(
        self,
        ready: "asyncio.Future[None]",
        reading: Reading,
        close: Callable[[], Awaitable[None]] | None,
    ) -> None:
        async with contextlib.AsyncExitStack() as stack:
            if close is not None:
                stack.push_async_callback(close)
            with reading.current():
                await self._enter(stack)
            ready.set_result(None)
            await self._end.wait()
            with Reading.opening().current():  # taking leave is a request too, and is not logged
                await stack.aclose()

    async def _enter(self, stack: contextlib.AsyncExitStack) -> None:
        try:
            await stack.enter_async_context(self.client)
        except Exception as error:
            self.ungreeted = getattr(innermost(error), "code", None) in _REFUSALS
            raise


def _remedy(reading: Reading) -> str:
    """What to do about an answer that no MCP server gives to a greeting."""
    status, kind = reading.answer or (200, "")
    if not kind or reading.problem is not None or status >= 500:
        return ""
    if status in (401, 403):
        return ". It wants credentials; an MCP server is sent those in its URL alone."
    return ". Is this the URL of an MCP endpoint? Its path is often /mcp."


def read_server(name: str, server: Any) -> Any:
    """`server`, where it is a command line, as its parts; a text with `://` is a URL.

    Raises:
        ConfigurationError: it is an unusable text, or the extra `mcp` is not installed.
    """
    if not isinstance(server, str) or "://" in server:
        return server
    try:
        parts = shlex.split(server)
    except ValueError:
        parts = []
    if not parts:
        remedy = 'Give "https://…", a command as "uvx mcp-server-git", or StdioServerParameters.'
        raise ConfigurationError("is neither a URL nor a command", field=name, remedy=remedy)
    try:
        from mcp.client.stdio import StdioServerParameters
    except ImportError as error:
        raise _not_installed(name) from error
    return StdioServerParameters(command=parts[0], args=parts[1:])


def _not_installed(name: str) -> ConfigurationError:
    return ConfigurationError("needs the package mcp", field=name, remedy="Install gretel[mcp].")


async def open_session(name: str, server: Any, policy: Policy) -> Session:
    """A session with `server`.

    Raises:
        ConfigurationError: the extra `mcp` is not installed, or the URL is unusable.
        ServiceUnreachable: the server does not answer, or the policy keeps us from asking.
    """
    try:
        await off_loop(import_module, "mcp.client.streamable_http")  # it takes half a second
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters
    except ImportError as error:
        raise _not_installed(name) from error
    keep_out_of_logs()
    session, close = Session(), None
    try:
        if isinstance(server, StdioServerParameters):
            return await _of_command(server)
        if isinstance(server, str):
            session.client, close = _over_http(server, policy)
        else:
            session.client = Client(server, cache=None)
        await session.open(close)
    except ServiceUnreachable as error:
        raise ServiceUnreachable(f"{name}: {error}") from None
    return session


def _over_http(url: str, policy: Policy) -> "tuple[Client, Callable[[], Awaitable[None]]]":
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    from gretel.integrations.mcp_http import HEADERS, GuardedTransport
    from gretel.integrations.mcp_messages import unchecked

    origin = origin_of(parse_server(url))
    if not policy.host_allowed(origin):
        remedy = f"Add it to Policy(allow_hosts={{{origin.authority!r}}})."
        raise ServiceUnreachable(f"{origin.authority} is not an allowed host. {remedy}")
    named = httpx2.URL(url)
    http = httpx2.AsyncClient(
        transport=GuardedTransport(policy, named.query or None),
        headers=HEADERS,
        trust_env=False,
        timeout=OPEN_S,
    )
    bare = str(named.copy_with(query=None, fragment=None))
    # Its events are as long as the `Reading` lets them be.
    streams = streamable_http_client(bare, http_client=http, max_sse_event_size=None)
    return Client(unchecked(streams), cache=None), http.aclose


async def _of_command(server: "StdioServerParameters") -> Session:
    """A session with a command, greeted as all know it, and otherwise as the client would.

    The client first says a word that older servers do not know: they log pages about it to the
    terminal, or end.
    """
    from mcp import Client

    from gretel.integrations.mcp_messages import unchecked
    from gretel.integrations.mcp_stdio import command_streams

    session = Session()
    session.client = Client(
        unchecked(command_streams(server, session.end)), cache=None, mode="legacy"
    )
    try:
        await session.open(None)
    except ServiceUnreachable:
        if not session.ungreeted:
            raise
        session = Session()
        session.client = Client(unchecked(command_streams(server, session.end)), cache=None)
        await session.open(None)
    return session
