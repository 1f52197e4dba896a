"""What evidence leaves open: shared by routing and by the final selection."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from gretel.catalog import Catalog
from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.errors import UnknownToolError
from gretel.contracts.trial import SIMULATED_FAILURES, CallPlan, Failure, Trial
from gretel.workers import off_loop

T = TypeVar("T")

_GATEWAY = frozenset({502, 503, 504})
"""HTTP statuses by which what stands in front of a server says that the server is not there."""


def trials_in(state: Mapping[str, Any], catalog: Catalog) -> list[Trial]:
    """The trials of the tools that the catalogue still has: some may be removed during a run."""
    trials = [*map(Trial.model_validate, state.get("trials") or [])]
    return [trial for trial in trials if trial.tool_id in catalog]


async def with_trials(
    work: Callable[[list[Trial]], Awaitable[T]], state: Mapping[str, Any], catalog: Catalog
) -> T:
    """What `work` makes of them; again, without it, where one is removed while it looks."""
    while True:
        trials = await off_loop(trials_in, state, catalog)
        try:
            return await work(trials)
        except UnknownToolError:
            if all(trial.tool_id in catalog for trial in trials):
                raise


def excused(failure: Failure) -> bool:
    """Whether the call was kept in, or got lost, by our own doing: policy or a dead network.

    A spent budget is ours too, but then nobody looked, and that is said as such.
    """
    return failure.fault == "ours" and failure.kind != "budget_spent"


def simulated(failure: Failure) -> bool:
    """Whether the simulator steps in for a valid plan that failed in this way."""
    return failure.kind in SIMULATED_FAILURES or excused(failure)


def usable(trials: Sequence[Trial], catalog: Catalog) -> list[Trial]:
    """Those with a valid plan whose outcome succeeded, or against which only our own doing speaks.

    A call that was not made, or was simulated, says nothing for a tool whose server is down.
    """
    down = silent_hosts(trials, catalog)
    return [trial for trial in trials if _alone(trial) and _server(trial, catalog) not in down]


def silent_hosts(trials: Iterable[Trial], catalog: Catalog) -> frozenset[tuple[Owner, str]]:
    """Hosts from which no trial of a document got an answer, with whose word they are.

    A document may name another's host: what comes of that is no word on the other's tools. One
    connection that was refused or lost says so, where nothing else was answered; a timeout, which
    may be one operation's own, or a gateway's word, only together with another tool's.
    """
    silent: Counter[tuple[Owner, str]] = Counter()
    answered = set()
    for trial in trials:
        server, failure = _server(trial, catalog), trial.executed.failure
        if server is None:
            continue
        if failure is not None and _no_answer(failure, trial.executed.http_status):
            silent[server] += 2 if failure.kind == "connection" else 1
        elif trial.executed.source == "executed":
            answered.add(server)
    return frozenset(server for server, weight in silent.items() if weight > 1) - answered


def _server(trial: Trial, catalog: Catalog) -> tuple[Owner, str] | None:
    """Whose tool was called where, as far as that is known."""
    host = trial.executed.host
    return None if host is None else (owner_of(catalog[trial.tool_id]), host)


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
