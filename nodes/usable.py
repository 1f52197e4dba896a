"""Whether evidence leaves a tool usable: shared by routing and by the final selection."""

from collections.abc import Iterable

from gretel.contracts.trial import CallPlan, Trial

_UNVERIFIED = frozenset({"unsafe_method", "host_not_allowed", "missing_credential", "no_binding"})
"""Policy kept the call in; nothing speaks against the tool itself."""


def usable(trial: Trial) -> bool:
    """A valid plan whose outcome succeeded, or that was never tried for reasons of ours alone."""
    if not isinstance(trial.plan, CallPlan):
        return False
    if trial.outcome.status == "succeeded":
        return True
    failure = trial.executed.failure
    return failure is not None and failure.kind in _UNVERIFIED


def any_usable(trials: Iterable[Trial]) -> bool:
    """Whether at least one tool is usable."""
    return any(usable(trial) for trial in trials)
