"""What evidence leaves open: shared by routing and by the final selection."""

from collections import Counter
from collections.abc import Iterable, Sequence

from gretel.contracts.trial import SIMULATED_FAILURES, CallPlan, Failure, Trial

_GATEWAY = frozenset({502, 503, 504})
"""HTTP statuses by which what stands in front of a server says that the server is not there."""


def excused(failure: Failure) -> bool:
    """Whether the call was kept in, or got lost, by our own doing: policy or a dead network.

    A spent budget is ours too, but then nobody looked, and that is said as such.
    """
    return failure.fault == "ours" and failure.kind != "budget_spent"


def simulated(failure: Failure) -> bool:
    """Whether the simulator steps in for a valid plan that failed in this way."""
    return failure.kind in SIMULATED_FAILURES or excused(failure)


def usable(trials: Sequence[Trial]) -> list[Trial]:
    """Those with a valid plan whose outcome succeeded, or against which only our own doing speaks.

    A call that was not made, or was simulated, says nothing for a tool whose server is down.
    """
    down = silent_hosts(trials)
    return [trial for trial in trials if _alone(trial) and trial.executed.host not in down]


def silent_hosts(trials: Iterable[Trial]) -> frozenset[str]:
    """Hosts from which no trial got an answer.

    One connection that was refused or lost says so, where nothing else was answered; a timeout,
    which may be one operation's own, or a gateway's word, only together with another tool's.
    """
    silent: Counter[str] = Counter()
    answered = set()
    for trial in trials:
        host, failure = trial.executed.host, trial.executed.failure
        if host is None:
            continue
        if failure is not None and _no_answer(failure, trial.executed.http_status):
            silent[host] += 2 if failure.kind == "connection" else 1
        elif trial.executed.source == "executed":
            answered.add(host)
    return frozenset(host for host, weight in silent.items() if weight > 1) - answered


def _alone(trial: Trial) -> bool:
    """Whether a trial, seen alone, leaves its tool open."""
    if not isinstance(trial.plan, CallPlan):
        return False
    failure = trial.executed.failure
    return trial.outcome.status == "succeeded" or (failure is not None and excused(failure))


def _no_answer(failure: Failure, http_status: int | None) -> bool:
    """Whether a call found nobody; our own network's silence says nothing of a server."""
    return failure.fault == "tool" and (
        failure.kind in ("connection", "timeout") or http_status in _GATEWAY
    )
