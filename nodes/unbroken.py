"""The one place where what breaks in a step of a trial becomes that trial's outcome."""

from collections.abc import Callable

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime

from gretel.contracts.errors import InputError, ServiceUnreachable, UnknownToolError
from gretel.contracts.ranking import Candidate
from gretel.contracts.trial import Failure, Outcome, Refusal, Trial
from gretel.nodes.context import Context
from gretel.nodes.request import request_hash
from gretel.nodes.signatures import TrialNode
from gretel.nodes.state import TrialState, Update
from gretel.text.foreign import foreign

WORDS = 300
"""Characters of an exception's own words that are repeated."""


def unbroken(step: str, node: TrialNode) -> TrialNode:
    """`node`, after which the trial goes on whatever it met; what ends all trials is raised.

    That is a model that does not answer, a caller's own mistake, and a person who is waited for.
    """

    async def guarded(state: TrialState, *, runtime: Runtime[Context]) -> Update:
        try:
            return await node(state, runtime=runtime)
        except UnknownToolError as error:  # it was taken out of the catalogue meanwhile
            return _BROKEN[step](state, str(error))
        except (GraphBubbleUp, ServiceUnreachable, InputError):
            raise
        except Exception as error:
            words = foreign(f"{type(error).__name__}: {error}", WORDS)
            return _BROKEN[step](state, f"{step} broke: {words}")

    return guarded


def _refused(state: TrialState, detail: str) -> Refusal:
    candidate = Candidate.model_validate(state["candidate"])
    return Refusal(
        tool_id=candidate.tool_id, reason="planner_failed", detail=detail, confidence=0.0
    )


def _plan(state: TrialState, detail: str) -> Update:
    plan = _refused(state, detail).model_dump(mode="json")
    digest = state["candidate"].get("digest")  # by which a call is held to what was indexed
    return {"plan": plan, "digest": digest, "planned_for": request_hash(state["request"])}


def _execute(state: TrialState, detail: str) -> Update:
    failure = Failure(kind="sandbox_unavailable", detail=detail, fault="ours")
    outcome = Outcome(status="unavailable", source="none", failure=failure)
    return {"executed": outcome.model_dump(mode="json"), "notes": [_note(state, detail)]}


def _simulate(state: TrialState, detail: str) -> Update:
    return {"simulated": None, "notes": [_note(state, detail)]}


def _record(state: TrialState, detail: str) -> Update:
    candidate = Candidate.model_validate(state["candidate"])
    trial = Trial(
        tool_id=candidate.tool_id,
        round=state["round"],
        rank_before=candidate.rank,
        retrieval_score=candidate.score,
        plan=_refused(state, detail),
        executed=Outcome(status="refused", source="none"),
    )
    return {"trials": [trial.model_dump(mode="json")], "notes": [_note(state, detail)]}


def _note(state: TrialState, detail: str) -> str:
    return f"{state['candidate']['tool_id']}: {detail}"


_BROKEN: dict[str, Callable[[TrialState, str], Update]] = {
    "plan": _plan,
    "ask": lambda state, detail: {"approval": None},  # the policy stands, unasked
    "approve": lambda state, detail: {"approved": False},
    "execute": _execute,
    "simulate": _simulate,
    "record": _record,
}
"""What a step leaves behind where it broke."""
