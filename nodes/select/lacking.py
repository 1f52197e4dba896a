"""What the tools lack that were tried, where none is offered."""

from collections.abc import Mapping, Sequence

from gretel.contracts.ranking import Lack, LackingTool, Ranking
from gretel.contracts.trial import FailureKind, Refusal, Trial

_OF_KIND: Mapping[FailureKind, tuple[Lack, str]] = {
    "auth": ("credential", "a credential that its server accepts"),
    "permission": ("credential", "a credential that its server accepts for this"),
    "missing_credential": ("credential", "a credential"),
    "unsafe_method": ("leave", "your permission: it may change something"),
    "host_not_allowed": ("leave", "your permission to call its host"),
    "budget_spent": ("budget", "a trial: the budget ended before it"),
    "empty": ("answer", "an answer with content"),
    "irrelevant": ("answer", "an answer about what was asked"),
    "error_in_body": ("answer", "an answer that is not an error"),
    "missing_required": ("value", "a value that its server asks for"),
    "invalid_value": ("value", "values that can be sent"),
    "rejected_arguments": ("value", "other values: its server did not accept these"),
    "no_binding": ("server", "a way to call it: its document names none"),
    "connection": ("server", "a server that answers"),
    "timeout": ("server", "a server that answers in time"),
}


def lacking_tools(ranking: Ranking, trials: Sequence[Trial], k: int) -> tuple[LackingTool, ...]:
    """The first `k` of the ranking, each with what it lacks."""
    by_id = {trial.tool_id: trial for trial in trials}
    found = []
    for ranked in ranking.tools[:k]:
        trial = by_id[ranked.tool_id]
        lack, lacks = _lack(trial)
        missing = trial.plan.missing if isinstance(trial.plan, Refusal) else ()
        found.append(
            LackingTool(
                **ranked.model_dump(),
                lack=lack,
                lacks=lacks,
                missing=missing,
                trial=trial,
            )
        )
    return tuple(found)


def _lack(trial: Trial) -> tuple[Lack, str]:
    """What it lacks, as a kind and in words."""
    if isinstance(trial.plan, Refusal):
        names = ", ".join(field.name for field in trial.plan.missing)
        return "value", f"a value for {names}" if names else "a call that can be planned"
    failure = trial.executed.failure
    if failure is None:
        return "answer", "an answer that can be used"
    return _OF_KIND.get(failure.kind, ("server", "a server that works"))
