"""How far a run has come: what the model is asked on, and which tools are still worth a step."""

import json
from collections.abc import Sequence

from pydantic import TypeAdapter

from gretel.contracts.agent import AgentStep, Progress
from gretel.contracts.ranking import Candidate, Message, Request
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, PlanResult
from gretel.nodes.agent.state import AgentContext, AgentState
from gretel.nodes.request import read_request

_PLAN: TypeAdapter[PlanResult] = TypeAdapter(PlanResult)


def progress_of(state: AgentState, context: AgentContext) -> Progress:
    """The request and the steps so far; the thought of the step that is under way.

    Raises:
        InputError: the request was edited into one that cannot be read.
    """
    return Progress(
        request=read_request(state, context),
        steps=steps_of(state),
        thought=state.get("thought") or "",
    )


def steps_of(state: AgentState) -> tuple[AgentStep, ...]:
    """The steps so far."""
    return tuple(AgentStep.model_validate(step) for step in state.get("steps") or [])


def plan_in(state: AgentState) -> PlanResult:
    """The plan of the step under way."""
    return _PLAN.validate_python(state["plan"])


def told(progress: Progress) -> Request:
    """The request as a planner takes it: with what tools answered among the earlier turns.

    Thoughts are left out: a value that only a model said was said by nobody.
    """
    answers = [
        Message(role="tool", content=step.observation) for step in progress.steps if step.brought
    ]
    request = progress.request
    return request.model_copy(update={"messages": (*request.messages, *answers)})


def open_tools(state: AgentState) -> list[Candidate]:
    """The tools that are offered and may bring something, in their order.

    One that brought nothing is closed until some call has brought an answer: the same tool on the
    same knowledge brings nothing again. So a run ends, whatever its model wants.
    """
    closed: set[ToolId] = set()
    for step in steps_of(state):
        closed = set() if step.brought else closed | {step.tool_id}
    offered = [Candidate.model_validate(each) for each in state.get("candidates") or []]
    return [each for each in offered if each.tool_id not in closed]


def is_repeated(plan: CallPlan, steps: Sequence[AgentStep]) -> bool:
    """Whether this very call stands in an earlier step."""
    calls = (step.plan for step in steps if isinstance(step.plan, CallPlan))
    return any(_call(plan) == _call(made) for made in calls)


def _call(plan: CallPlan) -> tuple[ToolId, str]:
    return plan.tool_id, json.dumps(plan.values(), sort_keys=True)
