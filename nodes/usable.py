"""What evidence leaves open: shared by routing and by the final selection."""

from gretel.contracts.trial import SIMULATED_FAILURES, CallPlan, Failure, Trial


def excused(failure: Failure) -> bool:
    """Whether the call was kept in, or got lost, by our own doing: policy or a dead network.

    A spent budget is ours too, but then nobody looked, and that is said as such.
    """
    return failure.fault == "ours" and failure.kind != "budget_spent"


def simulated(failure: Failure) -> bool:
    """Whether the simulator steps in for a valid plan that failed in this way."""
    return failure.kind in SIMULATED_FAILURES or excused(failure)


def usable(trial: Trial) -> bool:
    """A valid plan whose outcome succeeded, or against which nothing speaks but our own doing."""
    if not isinstance(trial.plan, CallPlan):
        return False
    failure = trial.executed.failure
    return trial.outcome.status == "succeeded" or (failure is not None and excused(failure))
