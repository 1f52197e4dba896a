"""TEXT states: the thought before a step, and the answer at the end. No text becomes a tool."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from gretel.contracts.agent import AgentResult, AgentStep, EndReason
from gretel.contracts.protocols import AgentModel
from gretel.contracts.ranking import Abstention, Selection
from gretel.contracts.trial import MissingField, Refusal
from gretel.nodes.agent.asking import asked
from gretel.nodes.agent.progress import open_tools, progress_of, steps_of
from gretel.nodes.agent.state import AgentState, agent_context_of, agent_settings_in
from gretel.nodes.context import Context, settings_of
from gretel.nodes.signatures import Node
from gretel.nodes.spending import remaining, seconds_left
from gretel.nodes.state import Update
from gretel.text.foreign import excerpt
from gretel.workers import off_loop


def think_node(model: AgentModel, twin: AgentModel) -> Node[AgentState]:
    """The node that begins a step: the model says in words what it wants."""

    async def think(state: AgentState, *, runtime: Runtime[Context]) -> Update:
        context = agent_context_of(runtime)
        progress = await off_loop(progress_of, {**state, "thought": ""}, context)
        begun: AgentState = {**state, "round": len(progress.steps) + 1}
        thought, spent = await asked(
            lambda each: each.think(progress),
            *(model, twin, begun, context),
            step="think",
            instead="thought by rule",
        )
        return {
            **spent,
            "round": begun["round"],
            "thought": excerpt(thought),
            "budget": remaining(context.budget, state.get("usage")).model_dump(mode="json"),
            "settings": settings_of(context),
            **{"candidate": None, "documentation": "", "approval": None, "executed": None},
        }

    return think


def finish_node(model: AgentModel, twin: AgentModel) -> Node[AgentState]:
    """The node that ends a run: the model answers from what was observed, or says why it cannot.

    A model's word that it could not do it stands. Its word that it could needs an answer of some
    tool, unless it called none at all. Where a limit was reached the twin answers: it takes no
    time.
    """

    async def finish(state: AgentState, *, runtime: Runtime[Context]) -> Update:
        context = agent_context_of(runtime)
        progress = await off_loop(progress_of, state, context)
        reason = end_of(state)
        last = twin if reason == "budget_spent" else model
        ending, spent = await asked(
            lambda each: each.finish(progress),
            *(last, twin, state, context),
            step="finish",
            instead="answered by rule",
        )
        served = any(step.brought for step in progress.steps) or not progress.steps
        gave_up = ending.gave_up or not served
        result = AgentResult(
            answer=ending.answer,
            gave_up=gave_up,
            reason=reason,
            missing=_missing(progress.steps) if gave_up else (),
            hosts=_hosts(progress.steps),
        )
        return {**spent, "result": result.model_dump(mode="json", exclude={"steps", "usage"})}

    return finish


def end_of(state: AgentState) -> EndReason:
    """Why a run goes no further, by what its state holds."""
    context, steps = agent_settings_in(state), steps_of(state)
    if not state.get("candidates"):
        return _nothing_offered(state)
    if seconds_left(state.get("deadline")) == 0:
        return "budget_spent"
    if len(steps) >= context.steps:
        return "steps_spent"
    return "finished" if open_tools(state) else "nothing_left"


def _nothing_offered(state: AgentState) -> EndReason:
    """Why, by the word of the selection."""
    selection = Selection.model_validate(state.get("selection") or {})
    match selection.abstention:
        case Abstention(reason="no_tool_needed" | "no_tool_fits" | "budget_spent" as reason):
            return reason
        case _:
            return "no_candidates"


def _missing(steps: Sequence[AgentStep]) -> tuple[MissingField, ...]:
    """What calls lacked, of each tool as it was planned last."""
    last = {step.tool_id: step.plan for step in steps}
    return tuple(
        field for plan in last.values() if isinstance(plan, Refusal) for field in plan.missing
    )


def _hosts(steps: Sequence[AgentStep]) -> tuple[str, ...]:
    failures = (step.outcome.failure for step in steps)
    return tuple(
        sorted({f.host for f in failures if f and f.kind == "host_not_allowed" and f.host})
    )
