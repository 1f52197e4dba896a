"""Third step of a trial: make up the answer of a valid call that could not be executed."""

from langgraph.runtime import Runtime

from gretel.contracts.budget import Budget
from gretel.contracts.protocols import Simulator
from gretel.contracts.trial import CallPlan, Failure
from gretel.nodes.context import Context, context_of
from gretel.nodes.fallback import with_fallback
from gretel.nodes.signatures import TrialNode
from gretel.nodes.spending import seconds_left, shortest, spending
from gretel.nodes.state import TrialState, Update


def simulate_node(simulator: Simulator, fallback: Simulator) -> TrialNode:
    """The node that asks `simulator`, and `fallback` where that is too slow or gives nothing."""

    async def simulate(state: TrialState, runtime: Runtime[Context]) -> Update:
        context = context_of(runtime)
        plan = CallPlan.model_validate(state["plan"])
        failure = Failure.model_validate((state["executed"] or {})["failure"])
        budget = Budget.model_validate(state["budget"])
        seconds = shortest(budget.simulate_s, seconds_left(state.get("deadline")))
        key = f"simulate:{plan.tool_id}:{state['round']}"
        with spending(key, context, budget) as step:
            outcome, notes = await with_fallback(
                lambda: simulator.simulate(plan, failure, seed=context.seed),
                lambda: fallback.simulate(plan, failure, seed=context.seed),
                step=f"simulate {plan.tool_id}",
                instead="simulated from the schema",
                seconds=None if simulator is fallback else seconds,
            )
        return {
            "simulated": outcome.model_dump(mode="json"),
            "usage": step.update(),
            "notes": notes,
        }

    return simulate
