"""Calls of several tools for one request, planned in one reply of a model."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from gretel import prompts
from gretel.contracts.errors import ModelReplyError
from gretel.contracts.ranking import Message, Request
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import Tool
from gretel.contracts.trial import PlanResult
from gretel.llm.model import StructuredModel
from gretel.llm.reading import problems
from gretel.llm.strict import closed
from gretel.nodes.plan.llm import ACCEPTED, LlmPlanner, messages_for, read_plan, schema_of
from gretel.workers import off_loop

GATHER_S = 0.05
"""Seconds that the first tool of a request waits for others; trials start at once."""
MAX_CHARS = 20_000
"""Of all specifications together; a tool that would take more than its share is asked alone."""
SEVERAL = (
    "The first block holds several operations, a number before each. Plan each by itself, and "
    'reply with one such object for each number: {"1": {…}, "2": {…}}.'
)


class _Waiting(NamedTuple):
    """A tool whose plan is waited for."""

    tool: Tool
    said: str
    plan: "asyncio.Future[PlanResult]"


class BatchPlanner:
    """Plans calls of at most `size` tools of one request at a time.

    The first of them asks for all, in its own step: what the request costs is booked there, and
    where it is given up, the others have no plan either.
    """

    def __init__(self, model: StructuredModel, size: int) -> None:
        self._model = model
        self._size = size
        self._alone = LlmPlanner(model)
        self._open: dict[tuple[int, str], list[_Waiting]] = {}

    async def plan(self, request: Request, tool: Tool) -> PlanResult:
        """As `LlmPlanner.plan`; unusable for one tool is no matter of the others."""
        said = await off_loop(prompts.tool_text, tool)
        if len(said) > MAX_CHARS // self._size:
            return await self._alone.plan(request, tool)
        loop = asyncio.get_running_loop()
        mine = _Waiting(tool, said, loop.create_future())
        key = id(loop), request.model_dump_json()
        batch = self._open.setdefault(key, [])
        batch.append(mine)
        if len(batch) == self._size:
            del self._open[key]  # the next one begins another
        if batch[0] is mine:
            await self._lead(key, request, batch)
        return await mine.plan

    async def _lead(self, key: tuple[int, str], request: Request, batch: list[_Waiting]) -> None:
        """Wait for others, ask, and give each its own; an error is the others', too."""
        error: Exception = ModelReplyError("the request that planned it was given up")
        try:
            await asyncio.sleep(GATHER_S)
            self._close(key, batch)
            for each, found in zip(batch, await self._ask(request, batch), strict=True):
                _settle(each.plan, found)
        except Exception as met:
            error = met
            raise
        finally:
            self._close(key, batch)
            for each in batch[1:]:
                _settle(each.plan, error)

    def _close(self, key: tuple[int, str], batch: list[_Waiting]) -> None:
        if self._open.get(key) is batch:
            del self._open[key]

    async def _ask(
        self, request: Request, batch: Sequence[_Waiting]
    ) -> "list[PlanResult | Exception]":
        if len(batch) == 1:
            return [await self._alone.plan(request, batch[0].tool)]
        tools = [each.tool for each in batch]
        numbered = "\n".join(f"{n}: {each.said}" for n, each in enumerate(batch, 1))
        *first, last = messages_for(request, numbered)
        several = Message(role=last.role, content=f"{last.content}\n\n{SEVERAL}")
        return await self._model.reply(
            [*first, several],
            closed({str(n): schema_of(tool) for n, tool in enumerate(tools, 1)}),
            partial(_read, request, tools),
            step="plan",
            accepted={"type": "object"},
        )


def _settle(plan: "asyncio.Future[PlanResult]", found: PlanResult | Exception) -> None:
    if plan.done():  # given, or waited for no more
        return
    if isinstance(found, Exception):
        plan.set_exception(found)
    else:
        plan.set_result(found)


def _read(
    request: Request, tools: Sequence[Tool], reply: JsonObject
) -> list[PlanResult | Exception]:
    """Each tool's plan, or why there is none; a reply that plans nothing is asked for again."""
    found: list[PlanResult | Exception] = []
    for number, tool in enumerate(tools, 1):
        said = reply.get(str(number))
        try:
            if not isinstance(said, dict) or (wrong := problems(ACCEPTED, said)):
                raise ValueError(f"{number}: {wrong if isinstance(said, dict) else 'is no object'}")
            found.append(read_plan(request, tool, said))
        except ValueError as error:
            found.append(ModelReplyError(f"no usable plan of several: {error}"))
    if all(isinstance(each, ModelReplyError) for each in found):
        raise ValueError(str(found[0]))
    return found
