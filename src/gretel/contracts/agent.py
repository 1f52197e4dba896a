"""An agent's run: what it did step by step, and how it ended."""

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from gretel.contracts.budget import Usage
from gretel.contracts.ranking import Request
from gretel.contracts.record import Excerpt, Record, Sentence
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import MissingField, Outcome, PlanResult
from gretel.text.foreign import passage

Passage = Annotated[str, AfterValidator(passage)]
"""What a model or our own rules write for the user: cleaned, redacted and capped, lines kept."""


class AgentStep(Record):
    """One step: a thought, a tool, its call or why there was none, and what came of it."""

    number: int = Field(ge=1)
    thought: Excerpt = ""
    tool_id: ToolId
    plan: PlanResult
    outcome: Outcome
    """`refused` where no call could be planned, `unavailable` where none was sent."""
    repeated: bool = False
    """Whether this very call was made in an earlier step: it was not sent again."""
    observation: Excerpt
    """What of it is shown to the model: the answer, redacted and cut from its middle, or why there
    is none."""

    @property
    def brought(self) -> bool:
        """Whether it brought an answer that was not there before."""
        return not self.repeated and self.outcome.status == "succeeded"

    @property
    def told(self) -> str:
        """What its server said, also where that brought nothing; '' where it said nothing."""
        if self.brought:
            return self.observation
        if self.repeated or self.outcome.source != "executed":
            return ""
        failure = self.outcome.failure
        return f"{self.outcome.excerpt}\n{failure.detail if failure else ''}"


class Progress(Record):
    """All that a model is asked on."""

    request: Request
    steps: tuple[AgentStep, ...] = ()
    """Oldest first."""
    thought: str = ""
    """The thought of the step that is under way."""


class Ending(Record):
    """What a model ends with."""

    answer: Passage
    gave_up: bool = False
    """Whether it says that the request could not be served."""


EndReason: TypeAlias = Literal[
    "finished",
    "no_tool_needed",
    "no_tool_fits",
    "no_candidates",
    "nothing_left",
    "steps_spent",
    "budget_spent",
]
"""Why a run ended: the model said so; no tool was offered; each that was offered brought nothing
more; or a limit was reached."""


class AgentResult(Record):
    """How a run ended, with all of its steps."""

    answer: Passage
    gave_up: bool
    """Whether the request was not served; `answer` then says why."""
    reason: EndReason
    steps: tuple[AgentStep, ...] = ()
    missing: tuple[MissingField, ...] = ()
    """Values that calls lacked where the run gave up: what to ask the user."""
    hosts: tuple[str, ...] = ()
    """Hosts that calls would have gone to and that policy did not allow."""
    usage: Usage = Usage()
    notes: tuple[Sentence, ...] = ()
