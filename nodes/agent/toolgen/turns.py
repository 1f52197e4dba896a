"""An agent's run as a dialogue with a language model, in training and at work alike.

Three turns a step (ToolGen, arXiv 2410.03439, section 3.4): a thought, a tool's token, arguments
behind the tool's document. What is asked for between them is one word.
"""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from gretel import prompts
from gretel.contracts.agent import AgentStep, Progress
from gretel.contracts.ranking import Request
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan

Kind: TypeAlias = Literal[
    "request", "thought", "choose", "action", "document", "arguments", "observation", "ask",
    "answer",
]  # fmt: skip
LEARNT: frozenset[Kind] = frozenset({"thought", "action", "arguments", "answer"})
"""What the model says; everything else is told to it."""
Documents: TypeAlias = Callable[[ToolId], str]


class Turn(NamedTuple):
    """One turn of the dialogue."""

    kind: Kind
    text: str = ""
    tool: ToolId | None = None
    """Of an action; None: finish."""

    @property
    def learnt(self) -> bool:
        """Whether it is the model's."""
        return self.kind in LEARNT


class Script(NamedTuple):
    """A dialogue in parts, so that one which is too long loses whole steps."""

    begin: Turn
    steps: tuple[tuple[Turn, ...], ...]
    end: tuple[Turn, ...] = ()

    def turns(self, since: int = 0) -> list[Turn]:
        """All of them, or without the first `since` steps."""
        inner = [turn for step in self.steps[since:] for turn in step]
        return [self.begin, *inner, *self.end]


CHOOSE = Turn("choose", "Tool?")
ASK = Turn("ask", "Answer?")


def begin_turn(request: Request) -> Turn:
    """What the model is told first."""
    earlier = prompts.conversation(request)
    said = f"{earlier}\nuser: {request.text}" if earlier else request.text
    return Turn("request", f"Serve the request with tools.\n{said}")


def step_turns(
    thought: str, tool: ToolId, document: str, arguments: str, observation: str
) -> tuple[Turn, ...]:
    """A whole step."""
    return (
        Turn("thought", thought),
        CHOOSE,
        Turn("action", tool=tool),
        Turn("document", f"{document}\nArguments?"),
        Turn("arguments", arguments),
        Turn("observation", f"Answer: {observation}"),
    )


def end_turns(thought: str, answer: str | None = None) -> tuple[Turn, ...]:
    """The last thought, the end, and the answer where there is one already."""
    asked = (Turn("thought", thought), CHOOSE, Turn("action"), ASK)
    return asked if answer is None else (*asked, Turn("answer", answer))


def script_of(progress: Progress, documents: Documents, end: Sequence[Turn] = ()) -> Script:
    """A run so far, and what is to come before the model speaks."""
    steps = tuple(_turns(step, documents) for step in progress.steps)
    return Script(begin_turn(progress.request), steps, tuple(end))


def _turns(step: AgentStep, documents: Documents) -> tuple[Turn, ...]:
    plan = step.plan
    arguments = prompts.json_text(plan.values()) if isinstance(plan, CallPlan) else "null"
    return step_turns(
        step.thought, step.tool_id, documents(step.tool_id), arguments, step.observation
    )
