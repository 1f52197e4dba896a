"""First step of a trial: the intended call, or the refusal."""

import asyncio

from langgraph.runtime import Runtime

from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.errors import (
    BudgetSpent,
    ConfigurationError,
    ModelReplyError,
    ServiceUnreachable,
)
from gretel.contracts.protocols import Planner
from gretel.contracts.ranking import Candidate, Request
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan, PlanResult, Refusal
from gretel.nodes.context import Context, context_of
from gretel.nodes.signatures import TrialNode
from gretel.nodes.spending import seconds_left, shortest, spending
from gretel.nodes.state import TrialState, Update

PLAN_SHARE = 0.6
"""Share of a trial's time that planning may take; the call needs the rest."""


def plan_node(planner: Planner, fallback: Planner, catalog: Catalog) -> TrialNode:
    """The node that asks `planner`, and `fallback` where that is too slow or gives nothing.

    Neither reads a tool that says something else of itself than when it was indexed: it gets an
    empty plan, for which `execute` sends nothing.
    """

    async def plan(state: TrialState, runtime: Runtime[Context]) -> Update:
        context = context_of(runtime)
        request = Request.model_validate(state["request"])
        candidate = Candidate.model_validate(state["candidate"])
        budget = Budget.model_validate(state["budget"])
        seconds = shortest(budget.trial_s * PLAN_SHARE, seconds_left(state.get("deadline")))
        tool = catalog[candidate.tool_id]
        digest = candidate.digest or catalog.digest_of(tool.tool_id)
        if digest != catalog.digest_of(tool.tool_id):
            unread = CallPlan(tool_id=tool.tool_id, arguments={}, confidence=0.0, digest=digest)
            return {"plan": unread.model_dump(mode="json"), "digest": digest}
        notes: list[str] = []
        key = f"plan:{tool.tool_id}:{state['round']}"
        with spending(key, context, budget) as step:
            try:
                async with asyncio.timeout(seconds):
                    result = await planner.plan(request, tool)
            except (TimeoutError, ModelReplyError, BudgetSpent) as error:
                notes.append(f"plan {tool.tool_id}: {_said(error, seconds)}; planned by rule")
                result = await fallback.plan(request, tool)
            except (ServiceUnreachable, ConfigurationError):
                raise  # no matter of this one tool: every trial would meet it
            except Exception as error:  # one broken trial must not end the others
                result = _broken(tool, error)
        if isinstance(result, CallPlan):
            result = result.model_copy(update={"digest": digest})
        return {
            "plan": result.model_dump(mode="json"),
            "digest": digest,
            "usage": step.update(),
            "notes": notes,
        }

    return plan


def _said(error: Exception, seconds: float) -> str:
    return f"no plan within {seconds:.1f} s" if isinstance(error, TimeoutError) else str(error)


def _broken(tool: Tool, error: Exception) -> PlanResult:
    return Refusal(
        tool_id=tool.tool_id,
        reason="planner_failed",
        detail=f"the planner broke: {type(error).__name__}: {error}",
        confidence=0.0,
    )
