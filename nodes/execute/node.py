"""Second step of a trial: a person is asked where that is wanted, and the sandbox runs the plan.

Asking takes two nodes, because one that is interrupted runs again from its start when the run is
resumed: the first fixes what is asked, and the second does nothing before the answer is there.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from langgraph.errors import GraphInterrupt
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.protocols import Executor
from gretel.contracts.trial import CallPlan, Failure, FailureKind, Outcome
from gretel.nodes.context import Context, context_of
from gretel.nodes.signatures import TrialNode
from gretel.nodes.spending import seconds_left, shortest, spending
from gretel.nodes.state import TrialState, Update
from gretel.sandbox.approvals import ApprovalRequest, Approvals
from gretel.text.foreign import SENTENCE, foreign
from gretel.workers import off_loop

CHANGED = (
    "The tool has changed since it was indexed, so it was not called. If you trust the change, "
    "index the catalogue again."
)


def ask_node(approvals: Approvals) -> TrialNode:
    """The node that writes down what a person must be asked, if anything."""

    async def ask(state: TrialState, runtime: Runtime[Context]) -> Update:
        plan = CallPlan.model_validate(state["plan"])
        affordable = Budget.model_validate(state["budget"]).calls != 0
        request = await off_loop(approvals.request, plan) if affordable else None
        if request is None:
            return {"approval": None}
        _drop_early_answer()
        left = seconds_left(state.get("deadline"))
        return {"approval": {"request": request.model_dump(mode="json"), "left_s": left}}

    return ask


def _drop_early_answer() -> None:
    """Take an answer that is there before its question: it was to a call that was planned before.

    So a request that is edited while a person is asked never goes out by the yes to the old call.
    """
    with suppress(GraphInterrupt):  # there is none
        interrupt(None)


def approve_node(approvals: Approvals) -> TrialNode:
    """The node that interrupts the run, and takes the answer when it is resumed.

    `True`, `"approve"` and `{"type": "approve"}` are a yes; anything else is a no. The time that a
    person takes is not counted against the run.
    """

    async def approve(state: TrialState, runtime: Runtime[Context]) -> Update:
        asked = state["approval"] or {}
        request = ApprovalRequest.model_validate(asked["request"])
        yes = _is_yes(interrupt(request.shown()))
        if yes:
            approvals.grant(request)
        update: dict[str, object] = {"approved": yes}
        if asked["left_s"] is not None:
            update["deadline"] = time.time() + asked["left_s"]
        return update

    return approve


def asked_for_another(state: TrialState) -> bool:
    """Whether the call was edited after a person was asked, or the question into none: the answer
    would be to another one.
    """
    asked = (state.get("approval") or {}).get("request")
    if not isinstance(asked, dict):
        return asked is not None
    return asked.get("arguments") != CallPlan.model_validate(state["plan"]).values()


def _is_yes(answer: object) -> bool:
    """Whether a person's answer is one that lets the call out."""
    return answer is True or answer == "approve" or answer == {"type": "approve"}


def execute_node(executor: Executor, catalog: Catalog, approvals: Approvals) -> TrialNode:
    """The node that asks `executor`; a broken executor is that trial's `unavailable`.

    A tool that is another in `catalog` than the plan was made for is not called. A call that a
    person was asked about goes out at most once, and only with a yes.
    """

    async def execute(state: TrialState, runtime: Runtime[Context]) -> Update:
        plan = CallPlan.model_validate(state["plan"])
        budget = Budget.model_validate(state["budget"])
        seconds = shortest(budget.call_s, seconds_left(state.get("deadline")))
        notes: list[str] = []
        send = partial(_guarded, executor, plan, budget, seconds, notes)
        key = f"execute:{plan.tool_id}:{state['round']}"
        with spending(key, context_of(runtime), budget) as step:
            if budget.calls == 0 or seconds <= 0:
                outcome = _ours("budget_spent", "no calls or no time are left")
            elif plan.digest not in (None, await off_loop(catalog.digest_of, plan.tool_id)):
                failure = Failure(kind="drift", detail=CHANGED, fault="tool")
                outcome = Outcome(status="failed", source="none", failure=failure)
            else:
                outcome = await _with_consent(state, approvals, plan, send)
            if outcome.latency_ms is not None:
                step.tool_calls += 1
        return {"executed": outcome.model_dump(mode="json"), "usage": step.update(), "notes": notes}

    return execute


async def _with_consent(
    state: TrialState,
    approvals: Approvals,
    plan: CallPlan,
    send: Callable[[], Awaitable[Outcome]],
) -> Outcome:
    """What `send` gives, under a person's approval where one was asked."""
    asked = state.get("approval")
    if asked is None:
        return await send()
    if not state.get("approved"):
        return _ours("unsafe_method", "A person was asked and did not approve: nothing was sent.")
    return await approvals.once(asked["request"]["approval_id"], plan, send)


async def _guarded(
    executor: Executor, plan: CallPlan, budget: Budget, seconds: float, notes: list[str]
) -> Outcome:
    """What the executor gives; where it breaks, `notes` says so too."""
    limited = budget.model_copy(update={"call_s": seconds})
    # The executor keeps the deadline itself; this is the net under it.
    net = asyncio.timeout(seconds + 1.0)
    try:
        async with net:
            return await executor.execute(plan, budget=limited)
    except Exception as error:  # one broken trial must not end the others
        words = f"the sandbox broke: {foreign(str(error) or type(error).__name__, SENTENCE)}"
        if net.expired():
            words = f"nothing came back within {seconds:.1f} s; is this machine busy?"
        note = f"execute {plan.tool_id}: {words}"
        notes.append(note)
        return _ours("sandbox_unavailable", note)


def _ours(kind: FailureKind, detail: str) -> Outcome:
    failure = Failure(kind=kind, detail=detail, fault="ours")
    return Outcome(status="unavailable", source="none", failure=failure)
