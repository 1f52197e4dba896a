"""Between plan and execution: a person says whether a call that may change something is made.

Two nodes, because a node that is interrupted runs again from its start when the run is resumed:
what is asked is fixed by the first, and the second does nothing before the answer is there.
"""

import time
from contextlib import suppress

from langgraph.errors import GraphInterrupt
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from gretel.contracts.budget import Budget
from gretel.contracts.trial import CallPlan
from gretel.nodes.context import Context
from gretel.nodes.signatures import TrialNode
from gretel.nodes.spending import seconds_left
from gretel.nodes.state import TrialState, Update
from gretel.sandbox.approvals import ApprovalRequest, Approvals


def ask_node(approvals: Approvals) -> TrialNode:
    """The node that writes down what a person must be asked, if anything."""

    async def ask(state: TrialState, runtime: Runtime[Context]) -> Update:
        plan = CallPlan.model_validate(state["plan"])
        affordable = Budget.model_validate(state["budget"]).calls != 0
        request = approvals.request(plan) if affordable else None
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
        yes = _is_yes(interrupt(request.model_dump(mode="json", exclude={"plan_sha256"})))
        if yes:
            approvals.grant(request)
        update: dict[str, object] = {"approved": yes}
        if asked["left_s"] is not None:
            update["deadline"] = time.time() + asked["left_s"]
        return update

    return approve


def _is_yes(answer: object) -> bool:
    """Whether a person's answer is one that lets the call out."""
    return answer is True or answer == "approve" or answer == {"type": "approve"}
