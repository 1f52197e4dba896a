"""First step of a trial: the intended call, or the refusal."""

from langgraph.runtime import Runtime

from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ConfigurationError, ServiceUnreachable
from gretel.contracts.protocols import Planner
from gretel.contracts.ranking import Candidate, Request
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan, PlanResult, Refusal
from gretel.nodes.context import Context, context_of
from gretel.nodes.fallback import with_fallback
from gretel.nodes.plan.provenance import facts_of, heard
from gretel.nodes.request import read_trial_request, request_hash
from gretel.nodes.signatures import TrialNode
from gretel.nodes.spending import seconds_left, shortest, spending
from gretel.nodes.state import TrialState, Update
from gretel.text.foreign import SENTENCE, foreign
from gretel.workers import off_loop


def plan_node(planner: Planner, fallback: Planner, catalog: Catalog) -> TrialNode:
    """The node that asks `planner`, and `fallback` where that is too slow or gives nothing.

    Neither reads a tool that says something else of itself than when it was indexed: it gets an
    empty plan, for which `execute` sends nothing.
    """

    async def plan(state: TrialState, runtime: Runtime[Context]) -> Update:
        context = context_of(runtime)
        request = read_trial_request(state["request"])
        candidate = Candidate.model_validate(state["candidate"])
        budget = Budget.model_validate(state["budget"])
        seconds = shortest(budget.plan_s, seconds_left(state.get("deadline")))
        tool = catalog[candidate.tool_id]
        said = await off_loop(catalog.digest_of, tool.tool_id)
        digest = candidate.digest or said
        if digest != said:
            unread = CallPlan(tool_id=tool.tool_id, arguments={}, confidence=0.0, digest=digest)
            return {**_anew(state), "plan": unread.model_dump(mode="json"), "digest": digest}
        key = f"plan:{tool.tool_id}:{state['round']}"
        with spending(key, context, budget) as step:
            result, notes = await planned(planner, fallback, request, tool, seconds=seconds)
        if isinstance(result, CallPlan):
            # Off the loop: earlier turns may hold documents, and answers of any length.
            facts = await off_loop(facts_of, result, request, tool)
            result = await off_loop(heard, result, request)
            result = result.model_copy(update={"digest": digest, "facts": facts})
        return {
            **_anew(state),
            "plan": result.model_dump(mode="json"),
            "digest": digest,
            "usage": step.update(),
            "notes": notes,
        }

    return plan


def planned_for_another(state: TrialState) -> bool:
    """Whether the request of a trial was edited after its call was planned."""
    return state.get("planned_for") not in (None, request_hash(state["request"]))


def _anew(state: TrialState) -> Update:
    """What a plan is for; and of a plan for another request, nothing is kept."""
    update: dict[str, object] = {"planned_for": request_hash(state["request"])}
    if "planned_for" in state:
        update |= {"approval": None, "approved": False, "executed": None, "simulated": None}
    return update


async def planned(
    planner: Planner,
    fallback: Planner,
    request: Request,
    tool: Tool,
    *,
    seconds: float | None = None,
) -> tuple[PlanResult, list[str]]:
    """One tool's plan, with the notes of what went wrong; a broken planner is a refusal.

    `fallback` is asked where `planner` takes more than `seconds`, or gives nothing usable.

    Raises:
        ServiceUnreachable, ConfigurationError: no matter of this one tool: every plan would meet
            it.
    """
    try:
        return await with_fallback(
            lambda: planner.plan(request, tool),
            lambda: fallback.plan(request, tool),
            step=f"plan {tool.tool_id}",
            instead="planned by rule",
            seconds=None if planner is fallback else seconds,
        )
    except (ServiceUnreachable, ConfigurationError):
        raise
    except Exception as error:  # one broken trial must not end the others
        words = foreign(f"{type(error).__name__}: {error}", SENTENCE)
        detail = f"the planner broke: {words}"
        broken = Refusal(
            tool_id=tool.tool_id, reason="planner_failed", detail=detail, confidence=0.0
        )
        return broken, []
