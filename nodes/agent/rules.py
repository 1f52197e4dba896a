"""The agent's model without any model: tools in their order, arguments by rule, a plain answer."""

from collections.abc import Sequence

from gretel.contracts.agent import AgentStep, Ending, Progress
from gretel.contracts.protocols import Planner
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import PlanResult, Refusal
from gretel.nodes.agent.progress import told
from gretel.nodes.plan.node import planned
from gretel.text.foreign import one_line

_SHOWN = 600
"""Characters of an answer that are repeated to the user, each."""


class RuleAgent:
    """The deterministic twin: takes no time, makes nothing up, and repeats answers as they are.

    It tries the tools in the order in which they are offered, until one has answered. A tool before
    that one whose call lacked a value is tried again then: the answer may hold it.
    """

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    async def think(self, progress: Progress) -> str:
        """Nothing: rules do not think."""
        return ""

    async def act(self, progress: Progress, tools: Sequence[Tool]) -> ToolId | None:
        """See `AgentModel.act`."""
        tried = {step.tool_id: step for step in progress.steps}
        answered = any(step.outcome.holds_something for step in tried.values())
        for tool in tools:
            last = tried.get(tool.tool_id)
            if last is None and not answered:
                return tool.tool_id
            if last is not None and isinstance(last.plan, Refusal) and _may_know_more(last, tried):
                return tool.tool_id
        return None

    async def argue(self, progress: Progress, tool: Tool) -> PlanResult:
        """See `AgentModel.argue`."""
        result, _ = await planned(self._planner, self._planner, told(progress), tool)
        return result

    async def finish(self, progress: Progress) -> Ending:
        """What the tools answered, after why others were not called; or why none answered.

        What was not called may be what was asked for, so an answer does not stand there alone.
        """
        brought = [step for step in progress.steps if step.brought]
        last = {step.tool_id: step for step in progress.steps}.values()
        if brought:
            uncalled = (each for each in last if each.outcome.status in ("refused", "unavailable"))
            return Ending(answer="\n".join([*map(_failure, uncalled), *map(_answer, brought)]))
        if not last:
            return Ending(answer="No tool was offered that serves this request.", gave_up=True)
        return Ending(answer="\n".join(_failure(step) for step in last), gave_up=True)


def _may_know_more(last: AgentStep, tried: dict[ToolId, AgentStep]) -> bool:
    """Whether a tool has answered since the call of this one could not be planned."""
    return any(step.brought and step.number > last.number for step in tried.values())


def _answer(step: AgentStep) -> str:
    return f"{step.tool_id} answered: {one_line(step.observation, _SHOWN)}"


def _failure(step: AgentStep) -> str:
    return f"{step.tool_id}: {one_line(step.observation, _SHOWN)}"
