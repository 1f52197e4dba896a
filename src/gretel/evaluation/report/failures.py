"""How trials ended: the failure taxonomy (GRETEL, Table 4) as bars, and every outcome counted."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, get_args

from gretel.contracts.trial import FAILURE_CLASS, FailureClass, Refusal, Trial
from gretel.evaluation.report.results import Results

OTHER_REFUSALS = "no plan"
"""Refusals for reasons that are no failure of a tool: off topic, another tool needed first, …"""
_CLASSES: dict[str, str] = dict(FAILURE_CLASS.items())


class Count(NamedTuple):
    """Trials of right tools, and of all others."""

    right: int = 0
    other: int = 0

    @property
    def total(self) -> int:
        """Both."""
        return self.right + self.other


class Bar(NamedTuple):
    """One kind of failure."""

    name: str
    met: Count


class Group(NamedTuple):
    """One class of the taxonomy."""

    name: str
    met: Count
    bars: tuple[Bar, ...]
    """Largest first; kinds that nothing met are left out."""


class Failures(NamedTuple):
    """The taxonomy over all trials of a run."""

    groups: tuple[Group, ...]
    """Every class, in the order of Table 4, those that nothing met included."""
    trials: Count
    ended: tuple[Bar, ...]
    """All trials by status and source."""

    @property
    def longest(self) -> int:
        """Trials of the longest bar; at least 1."""
        return max((bar.met.total for group in self.groups for bar in group.bars), default=1)


def failures(results: Results) -> Failures:
    """Count every trial of the run."""
    trials = [(trial, trial.tool_id in row.gold) for row, trial in results.trials()]
    found = _counted((kind, right) for trial, right in trials if (kind := _kind(trial)))
    classes: tuple[str, ...] = (*get_args(FailureClass), OTHER_REFUSALS)
    return Failures(
        groups=tuple(_group(name, found) for name in classes),
        trials=_sum(_counted(("trial", right) for _, right in trials).values()),
        ended=_bars(_counted((_ended(trial), right) for trial, right in trials)),
    )


def _kind(trial: Trial) -> str | None:
    """The kind of failure that execution met; an empty answer is one, whatever else it says."""
    if isinstance(trial.plan, Refusal):
        return trial.plan.reason
    if trial.executed.failure is not None:
        return trial.executed.failure.kind
    return "empty" if trial.executed.status == "empty" else None


def _group(name: str, found: dict[str, Count]) -> Group:
    bars = _bars({kind: count for kind, count in found.items() if _class(kind) == name})
    return Group(name, _sum(bar.met for bar in bars), bars)


def _class(kind: str) -> str:
    """A refusal's reason may be a kind of failure, too (`missing_required`), or none."""
    return _CLASSES.get(kind, OTHER_REFUSALS)


def _ended(trial: Trial) -> str:
    executed = trial.executed
    said = (
        executed.status if executed.source == "none" else f"{executed.status} ({executed.source})"
    )
    return said if trial.simulated is None else f"{said}, then simulated: {trial.simulated.status}"


def _bars(found: dict[str, Count]) -> tuple[Bar, ...]:
    return tuple(
        Bar(name, found[name])
        for name in sorted(found, key=lambda each: (-found[each].total, each))
    )


def _counted(names: Iterable[tuple[str, bool]]) -> dict[str, Count]:
    counts: Counter[tuple[str, bool]] = Counter(names)
    return {name: Count(counts[name, True], counts[name, False]) for name in dict(counts.keys())}


def _sum(counts: Iterable[Count]) -> Count:
    listed = list(counts)
    return Count(sum(each.right for each in listed), sum(each.other for each in listed))
