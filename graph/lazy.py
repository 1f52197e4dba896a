"""Parts that are built when they are first asked, so that building a graph stays instant."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from gretel.contracts.agent import Ending, Progress
from gretel.contracts.protocols import AgentModel, QueryRewriter, Retriever
from gretel.contracts.ranking import Request, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import PlanResult, Trial

T = TypeVar("T")


class Lazy(Generic[T]):
    """Builds a part once, on first use, whichever run comes first.

    A failed build is tried again by the next run.
    """

    def __init__(self, build: Callable[[], Awaitable[T]]) -> None:
        self._build = build
        self._built: T | None = None
        # A lock belongs to one event loop, and a selector may be used from several.
        self._locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = (
            WeakKeyDictionary()
        )

    async def ready(self) -> T:
        """The built part; builds it where that was not done yet."""
        async with self._lock():
            if self._built is None:
                self._built = await self._build()
            return self._built

    def _lock(self) -> asyncio.Lock:
        return self._locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())


class LazyRetriever(Lazy[Retriever]):
    """Builds the real retriever on first use.

    Before that `add` and `remove` do nothing: it is then built from the catalogue as it is.
    """

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


class LazyRewriter(Lazy[QueryRewriter]):
    """Opens the real rewriter on first use."""

    async def rewrite(
        self, request: Request, feedback: Sequence[Trial] | None = None
    ) -> list[RetrievalQuery]:
        """See `QueryRewriter.rewrite`."""
        return await (await self.ready()).rewrite(request, feedback)


class LazyAgent:
    """Asks `build` for an agent's model at each question; it is quick where that was built."""

    def __init__(self, build: Callable[[], Awaitable[AgentModel]]) -> None:
        self._build = build

    async def think(self, progress: Progress) -> str:
        """See `AgentModel.think`."""
        return await (await self._build()).think(progress)

    async def act(self, progress: Progress, tools: Sequence[Tool]) -> ToolId | None:
        """See `AgentModel.act`."""
        return await (await self._build()).act(progress, tools)

    async def argue(self, progress: Progress, tool: Tool) -> PlanResult:
        """See `AgentModel.argue`."""
        return await (await self._build()).argue(progress, tool)

    async def finish(self, progress: Progress) -> Ending:
        """See `AgentModel.finish`."""
        return await (await self._build()).finish(progress)
