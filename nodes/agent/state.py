"""The agent graph's state and run context: those of a selection, and its own."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, NotRequired

from pydantic import Field

from gretel.nodes.context import Context, prompt_of
from gretel.nodes.state import Json, State, merging

if TYPE_CHECKING:
    from langgraph.runtime import Runtime

MAX_STEPS = 32


class AgentContext(Context):
    """How one run of the agent is to be done."""

    steps: int = Field(default=8, ge=1, le=MAX_STEPS, description="Steps of a run at most.")
    prompt_think: str | None = prompt_of("think")
    prompt_act: str | None = prompt_of("act")
    prompt_finish: str | None = prompt_of("finish")


@merging("steps")
def merge_steps(old: list[Json] | None, new: list[Json] | None) -> list[Json]:
    """Union keyed by number, the newer one winning: replays and forks double nothing."""
    merged = {step["number"]: step for step in [*(old or []), *(new or [])]}
    return [merged[number] for number in sorted(merged)]


class AgentState(State):
    """Everything that a run knows; also the graph's output.

    `round` is the number of the step under way. What stands in `candidates` is offered.
    """

    steps: Annotated[list[Json], merge_steps]
    """`AgentStep` records."""
    thought: NotRequired[str]
    candidate: NotRequired[Json | None]
    """The tool of the step under way, as it was offered; None: finish."""
    documentation: NotRequired[str]
    """What the model is shown of that tool."""
    plan: NotRequired[Json]
    planned_for: NotRequired[str]
    """Hash of the request that the plan was made for."""
    budget: NotRequired[Json]
    """What is left to the step."""
    approval: NotRequired[Json | None]
    approved: NotRequired[bool]
    executed: NotRequired[Json | None]
    result: NotRequired[Json | None]
    """An `AgentResult` record, without its steps."""


def agent_context_of(runtime: "Runtime[Context]") -> AgentContext:
    """The run's context; in-process runs that give none have None there."""
    given = runtime.context
    return given if isinstance(given, AgentContext) else AgentContext()


def agent_settings_in(state: Mapping[str, Any]) -> AgentContext:
    """The context that the state's last node ran under; the defaults before any node ran."""
    return AgentContext.model_validate(state.get("settings") or {})
