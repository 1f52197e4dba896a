"""A retriever that is built when it is first asked, so that building a graph stays instant."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from weakref import WeakKeyDictionary

from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId


class LazyRetriever:
    """Builds the real retriever once, on first use, whichever run comes first.

    A failed build is tried again by the next run. Before the first use `add` and `remove` do
    nothing: the retriever is then built from the catalogue as it is.
    """

    def __init__(self, build: Callable[[], Awaitable[Retriever]]) -> None:
        self._build = build
        self._built: Retriever | None = None
        # A lock belongs to one event loop, and a selector may be used from several.
        self._locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = (
            WeakKeyDictionary()
        )

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        """See `Retriever.retrieve`."""
        return await (await self.ready()).retrieve(queries, k=k)

    async def add(self, tools: Sequence[Tool]) -> None:
        """See `Retriever.add`."""
        async with self._lock():
            if self._built is not None:
                await self._built.add(tools)

    async def remove(self, ids: Sequence[ToolId]) -> None:
        """See `Retriever.remove`."""
        async with self._lock():
            if self._built is not None:
                await self._built.remove(ids)

    def _lock(self) -> asyncio.Lock:
        return self._locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())

    async def ready(self) -> Retriever:
        """The built retriever; builds it where that was not done yet."""
        async with self._lock():
            if self._built is None:
                self._built = await self._build()
            return self._built
