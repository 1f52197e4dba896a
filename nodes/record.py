"""Last step of a trial: plan and outcome become one `Trial`."""

from langgraph.runtime import Runtime

from gretel.contracts.ranking import Candidate
from gretel.contracts.trial import Outcome, Trial
from gretel.nodes.context import Context
from gretel.nodes.state import TrialState, Update

_REFUSED = Outcome(status="refused", source="none").model_dump(mode="json")


async def record(state: TrialState, runtime: Runtime[Context]) -> Update:
    """Gather what the steps of this trial wrote."""
    candidate = Candidate.model_validate(state["candidate"])
    trial = Trial.model_validate(
        {
            "tool_id": candidate.tool_id,
            "round": state["round"],
            "rank_before": candidate.rank,
            "retrieval_score": candidate.score,
            "plan": state["plan"],
            "executed": state.get("executed") or _REFUSED,
            "simulated": state.get("simulated"),
            "digest": state.get("digest"),
            "later": bool(candidate.parts.get("later")),
        }
    )
    return {"trials": [trial.model_dump(mode="json")]}
