"""A language model with tools among its tokens, as an agent."""

import asyncio
from collections.abc import Callable, Sequence

import torch

from gretel import prompts
from gretel.catalog import Catalog
from gretel.contracts.agent import Ending, Progress
from gretel.contracts.errors import ModelReplyError
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import PlanResult
from gretel.llm.reading import read_object
from gretel.nodes.agent.progress import told
from gretel.nodes.agent.toolgen.choosing import choice
from gretel.nodes.agent.toolgen.dialogue import LONGEST, Dialogue
from gretel.nodes.agent.toolgen.turns import CHOOSE, Kind, Turn, end_turns, script_of
from gretel.nodes.plan.llm import read_plan
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.nodes.retrieve.toolgen.slots import Slots

Opened = Callable[[], tuple[ToolModel, Slots]]
GAVE_UP = "I cannot"
"""How an answer begins that says that there is none."""


class ToolGenAgent:
    """Thinks and argues in its own words, and chooses in one step among tokens of tools.

    Which of the two is scored is decided here, by what is asked: a text is made of the model's own
    vocabulary alone, and a choice of the slots that are permitted, the end's among them.
    """

    def __init__(self, opened: Opened, catalog: Catalog) -> None:
        """`opened` gives the model with its slots as they are now; it is asked each time."""
        self._opened = opened
        self._catalog = catalog

    async def think(self, progress: Progress) -> str:
        """See `AgentModel.think`."""
        return await self._written(progress, (), "thought")

    async def act(self, progress: Progress, tools: Sequence[Tool]) -> ToolId | None:
        """See `AgentModel.act`.

        Raises:
            ModelReplyError: none of the tools has a token.
        """
        model, slots = self._opened()
        here = slots.by_id()
        offered = [tool.tool_id for tool in tools if tool.tool_id in here]
        if not offered:
            raise ModelReplyError("none of the tools that are offered has a token")
        return await asyncio.to_thread(self._chosen, model, slots, progress, offered)

    async def argue(self, progress: Progress, tool: Tool) -> PlanResult:
        """See `AgentModel.argue`."""
        said = (
            Turn("thought", progress.thought),
            CHOOSE,
            Turn("action", tool=tool.tool_id),
            Turn("document", f"{prompts.tool_text(tool)}\nArguments?"),
        )
        text = await self._written(progress, said, "arguments")
        try:
            return read_plan(told(progress), tool, {"arguments": read_object(text)})
        except ValueError as problem:
            raise ModelReplyError(f"no usable arguments: {problem}") from None

    async def finish(self, progress: Progress) -> Ending:
        """See `AgentModel.finish`."""
        text = await self._written(progress, end_turns(progress.thought), "answer")
        if not text:
            raise ModelReplyError("no answer")
        return Ending(answer=text, gave_up=text.startswith(GAVE_UP))

    async def _written(self, progress: Progress, said: Sequence[Turn], kind: Kind) -> str:
        model, slots = self._opened()
        return await asyncio.to_thread(
            self._text, model, slots.by_id(), progress, said, LONGEST[kind]
        )

    def _text(
        self,
        model: ToolModel,
        slots: dict[ToolId, int],
        progress: Progress,
        said: Sequence[Turn],
        most: int,
    ) -> str:
        dialogue = Dialogue(model.base)
        prompt = dialogue.prompt(script_of(progress, self._document, said), slots)
        return dialogue.text(written(model, prompt, most, dialogue.marks.end)).strip()

    def _chosen(
        self, model: ToolModel, slots: Slots, progress: Progress, offered: Sequence[ToolId]
    ) -> ToolId | None:
        said = (Turn("thought", progress.thought), CHOOSE)
        script = script_of(progress, self._document, said)
        prompt = Dialogue(model.base).prompt(script, slots.by_id())
        tried = {step.tool_id for step in progress.steps}
        return choice(model.read([prompt]).scores, slots, offered, tried)

    def _document(self, tool_id: ToolId) -> str:
        return prompts.tool_text(self._catalog[tool_id]) if tool_id in self._catalog else "{}"


def written(model: ToolModel, prompt: Sequence[int], most: int, end: int) -> list[int]:
    """The likeliest next tokens of the model's own vocabulary, `most` at most, up to `end`."""
    found: list[int] = []
    left, past = list(prompt), None
    with model.lock, torch.inference_mode():
        while len(found) < most:
            tokens = torch.tensor([left], device=model.base.device)
            place = torch.tensor([len(left) - 1], device=model.base.device)
            with model.extension.scoring("text", place):
                made = model.base.model(input_ids=tokens, past_key_values=past, use_cache=True)
            past = made.past_key_values
            token = int(made.logits[0, -1, : model.base.vocabulary].argmax())
            if token == end:
                break
            found.append(token)
            left = [token]
    return found
