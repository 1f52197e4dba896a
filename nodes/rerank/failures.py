"""What the outcome of a trial weighs: natural logarithms of likelihood ratios; 0 says nothing.

Constants, and not fitted: how often tools fail is drawn in a mock and unknown in the world.
"""

from gretel.contracts.trial import Failure, FailureKind, Refusal, Trial

SIMULATED = -0.01
"""A simulated success never outranks an executed one, which counts 0, at equal relevance."""
TRANSIENT = -0.01
"""On top, where the tool itself had a transient failure, and the simulator stepped in. Both are
there to order ties: such a failure says nothing of what a tool is good for."""
EMPTY = -6.0
TRANSIENT_KINDS: frozenset[FailureKind] = frozenset({"rate_limit", "timeout", "server_error"})
FAILED: dict[FailureKind, float] = {
    "rejected_arguments": -1.0,  # the tool lives; our plan was wrong
    "rate_limit": -0.5,
    "timeout": -1.5,
    "server_error": -1.2,  # of one tool; that of a whole toolkit: `outage.py`
    "irrelevant": EMPTY,
    "error_in_body": -6.0,
}
CLEAR_FAILURE = -8.0
"""Failures of the tool that are not listed above: it does not work now."""
BROKEN = -3.0
"""From this weight down a tool clearly does not work now; no outcome weighs about as much."""


def failure_weight(trial: Trial) -> float:
    """What the outcome adds; 0 for a refusal and an executed success."""
    if isinstance(trial.plan, Refusal) or trial.executed.status == "succeeded":
        return 0.0
    if trial.executed.status == "empty":
        return EMPTY
    failure = trial.executed.failure
    if trial.simulated is not None and trial.simulated.status == "succeeded":
        return SIMULATED + (_simulated(failure) if failure else 0.0)
    if failure is None or failure.fault == "ours":
        return 0.0
    return FAILED.get(failure.kind, CLEAR_FAILURE)


def broken(trial: Trial) -> bool:
    """Whether the tool clearly does not work now."""
    return failure_weight(trial) <= BROKEN


def _simulated(failure: Failure) -> float:
    """What a failure weighs once the simulator stepped in; what is ours, or no failure, nothing."""
    if failure.fault == "ours" or failure.kind not in TRANSIENT_KINDS:
        return 0.0
    lasting = failure.kind == "server_error" and not failure.transient
    return FAILED["server_error"] if lasting else TRANSIENT
