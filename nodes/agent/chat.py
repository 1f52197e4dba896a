"""The agent's model behind a chat model: each question is one structured reply."""

from collections.abc import Sequence

from gretel import prompts
from gretel.contracts.agent import AgentStep, Ending, Progress
from gretel.contracts.protocols import Planner
from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import CallPlan, PlanResult
from gretel.llm.model import StructuredModel
from gretel.llm.strict import closed
from gretel.nodes.agent.progress import told
from gretel.workers import off_loop

SHOWN = 40
"""Tools that it chooses among at most: the first that are offered."""
_DESCRIPTION = 300
_ARGUMENTS = 1_000
"""Characters of a step's arguments that are shown."""
_THOUGHT = closed({"thought": {"type": "string", "maxLength": 400}})
_ENDING = closed(
    {
        "answer": {"type": "string", "maxLength": 4_000, "minLength": 1},
        "gave_up": {"type": "boolean"},
    }
)


class ChatAgent:
    """Asks a chat model; a tool is chosen by its number, so that a reply can name no other."""

    def __init__(self, model: StructuredModel, planner: Planner) -> None:
        """`planner` plans the calls: the model's own, or the rules where these were shown to be
        better.
        """
        self._model = model
        self._planner = planner

    async def think(self, progress: Progress) -> str:
        """See `AgentModel.think`."""
        said = await off_loop(_asked, "think", progress)
        return await self._model.reply(
            said, _THOUGHT, lambda reply: str(reply["thought"]), step="think"
        )

    async def act(self, progress: Progress, tools: Sequence[Tool]) -> ToolId | None:
        """See `AgentModel.act`."""
        shown = tools[:SHOWN]
        said = await off_loop(_asked_to_act, progress, shown)
        schema = closed({"tool": {"enum": list(range(len(shown) + 1))}})
        number = await self._model.reply(said, schema, _number, step="act")
        return shown[number - 1].tool_id if number else None

    async def argue(self, progress: Progress, tool: Tool) -> PlanResult:
        """See `AgentModel.argue`."""
        return await self._planner.plan(await off_loop(told, progress), tool)

    async def finish(self, progress: Progress) -> Ending:
        """See `AgentModel.finish`."""
        said = await off_loop(_asked, "finish", progress)
        return await self._model.reply(said, _ENDING, Ending.model_validate, step="finish")


def _number(reply: JsonObject) -> int:
    number = reply["tool"]
    if not isinstance(number, int):
        raise ValueError("tool is no number of the list")
    return number


def _asked(step: str, progress: Progress) -> list[Message]:
    """What asks: arguments and answers of any length that earlier steps may have had."""
    return prompts.load(step).render(**_blocks(progress))


def _asked_to_act(progress: Progress, tools: Sequence[Tool]) -> list[Message]:
    shown = {**_blocks(progress), "thought": progress.thought, "tools": _listed(tools)}
    return prompts.load("act").render(**shown)


def _blocks(progress: Progress) -> dict[str, str]:
    return {
        "request": progress.request.text,
        "conversation": prompts.conversation(progress.request),
        "steps": "\n".join(map(_shown, progress.steps)),
    }


def _shown(step: AgentStep) -> str:
    plan = step.plan
    arguments: JsonValue = plan.values() if isinstance(plan, CallPlan) else None
    if len(written := prompts.json_text(arguments)) > _ARGUMENTS:
        arguments = prompts.one_line(written, _ARGUMENTS)  # other steps have to be seen, too
    shown = {"tool": step.tool_id, "arguments": arguments, "answer": step.observation}
    return prompts.json_text(shown)


def _listed(tools: Sequence[Tool]) -> str:
    return "\n".join(
        prompts.json_text(
            {
                "number": number,
                "tool": tool.tool_id,
                "description": prompts.one_line(tool.description, _DESCRIPTION),
            }
        )
        for number, tool in enumerate(tools, start=1)
    )
