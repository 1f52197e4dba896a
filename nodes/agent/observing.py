"""The end of a step: what was called, what came of it, and what of that the model is shown."""

from langgraph.runtime import Runtime

from gretel.contracts.agent import AgentStep
from gretel.contracts.ranking import Candidate
from gretel.contracts.trial import CallPlan, Outcome, PlanResult, Refusal
from gretel.nodes.agent.progress import is_repeated, plan_in, steps_of
from gretel.nodes.agent.state import AgentState
from gretel.nodes.context import Context
from gretel.nodes.state import Update

_REFUSED = Outcome(status="refused", source="none")
_REPEATED = "This very call was made before: it was not sent again, and its answer stands above."


async def observe(state: AgentState, *, runtime: Runtime[Context]) -> Update:
    """Gather what the nodes of this step wrote."""
    plan, earlier = plan_in(state), steps_of(state)
    repeated = isinstance(plan, CallPlan) and is_repeated(plan, earlier)
    executed = state.get("executed")
    outcome = Outcome.model_validate(executed) if executed else _REFUSED
    step = AgentStep(
        number=state["round"] or 1,
        thought=state.get("thought") or "",
        tool_id=Candidate.model_validate(state["candidate"]).tool_id,
        plan=plan,
        outcome=outcome,
        repeated=repeated,
        observation=_REPEATED if repeated else observation_of(plan, outcome),
    )
    return {"steps": [step.model_dump(mode="json")], "thought": ""}


def observation_of(plan: PlanResult, outcome: Outcome) -> str:
    """What a model is shown of a step: an answer as it is, anything else in words of ours."""
    if isinstance(plan, Refusal):
        return f"No call could be made: {plan.detail}"
    if outcome.status == "succeeded":
        return outcome.excerpt
    why = outcome.failure.detail if outcome.failure else f"the answer is {outcome.status}"
    if outcome.source == "none":
        return f"It was not called: {why}"
    return f"The call brought nothing: {why}\n{outcome.excerpt}".rstrip()
