"""One client and one cap on requests at a time for each event loop."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from gretel.llm.bounds import PLAIN, within_bounds

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


class Client(NamedTuple):
    """A chat model, and how to close what it holds open."""

    chat: "BaseChatModel"
    close: Callable[[], Awaitable[None]] | None = None


@dataclass
class Connection:
    """What one event loop uses."""

    slots: asyncio.Semaphore
    """One for each request that may be under way at a time."""
    building: asyncio.Lock = field(default_factory=asyncio.Lock)
    client: Client | None = None


class Connections:
    """Clients made on demand, one for each event loop.

    An async HTTP client is bound to the loop of its first request; langchain-openai's own cache
    hands it to the next loop, which then fails with "Event loop is closed".
    """

    def __init__(self, connect: Callable[[], Client], concurrency: int) -> None:
        self._connect = connect
        self._concurrency = concurrency
        self._by_loop: dict[asyncio.AbstractEventLoop, Connection] = {}

    async def here(self) -> tuple["BaseChatModel", asyncio.Semaphore]:
        """The running loop's chat model and its slots; made in a thread, for imports block."""
        loop = asyncio.get_running_loop()
        for dead in [known for known in list(self._by_loop) if known.is_closed()]:
            self._by_loop.pop(dead, None)
        connection = self._by_loop.setdefault(
            loop, Connection(asyncio.Semaphore(self._concurrency))
        )
        async with connection.building:
            if connection.client is None:
                connection.client = await asyncio.to_thread(self._connect)
        return connection.client.chat, connection.slots

    async def aclose(self) -> None:
        """Close the running loop's client; a later request makes a new one."""
        connection = self._by_loop.pop(asyncio.get_running_loop(), None)
        if connection and connection.client and connection.client.close:
            await connection.client.close()


def without_user(url: str | None) -> tuple[str | None, tuple[str, str] | None]:
    """A URL without its user's name and password, and both: clients log their URLs."""
    parts = urlsplit(url or "")
    if parts.username is None and parts.password is None:
        return url, None
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    return bare, (unquote(parts.username or ""), unquote(parts.password or ""))


def openai_client(name: str, base_url: str | None, api_key: str, request_s: float) -> Client:
    """A client of its own for the event loop that uses it first; call in a thread, imports block.

    It does not retry, for that is `Sender`'s, and does not stream, for half a JSON object is of
    no use to anybody, also where LangGraph streams messages. Nor does it follow a redirect: that
    would lead prompts elsewhere, and a request of ours to whatever address an endpoint names.
    What an endpoint sends is read within bounds.
    """
    import openai
    from langchain_openai import ChatOpenAI
    from pydantic import SecretStr

    base_url, auth = without_user(base_url)
    http = openai.DefaultAsyncHttpxClient(
        timeout=request_s,
        auth=auth,
        headers=PLAIN,
        follow_redirects=False,
        event_hooks={"response": [within_bounds]},
    )
    chat = ChatOpenAI(
        model=name,
        base_url=base_url,
        api_key=SecretStr(api_key),
        timeout=request_s,
        max_retries=0,
        disable_streaming=True,
        http_async_client=http,
    )
    return Client(chat, http.aclose)
