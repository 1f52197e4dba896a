"""How trials ended: the failure taxonomy (GRETEL, Table 4) as bars, and every outcome counted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, get_args

from gretel.contracts.trial import FAILURE_CLASS, FailureClass, Refusal, Trial
from gretel.evaluation.report.charts import Bar, BarChart
from gretel.evaluation.report.results import Results

OTHER_REFUSALS = "no plan"
"""Refusals for reasons that are no failure of a tool: off topic, another tool needed first, …"""
_CLASSES: dict[str, str] = dict(FAILURE_CLASS.items())
"""A refusal's reason may be a kind of failure, too (`missing_required`), or none."""


class Group(NamedTuple):
    """One class of the taxonomy."""

    met: Bar
    """The whole class."""
    bars: tuple[Bar, ...]
    """Its kinds, largest first; those that nothing met are left out."""


class Failures(NamedTuple):
    """The taxonomy over all trials of a run."""

    groups: tuple[Group, ...]
    """Every class, in the order of Table 4, those that nothing met included."""
    trials: Bar
    """All trials."""
    ended: tuple[Bar, ...]
    """All trials by status and source."""

    @property
    def chart(self) -> BarChart | None:
        """The kinds in the order of their classes; None where nothing failed."""
        bars = [
            bar._replace(name=bar.name.replace("_", " "))
            for group in self.groups
            for bar in group.bars
        ]
        return BarChart("Trials by kind of failure", "trials", tuple(bars)) if bars else None


def failures(results: Results) -> Failures:
    """Count every trial of the run."""
    rows = results.rows.values()
    trials = [(trial, trial.tool_id in row.gold) for row in rows for trial in row.trials]
    met = _bars((kind, right) for trial, right in trials if (kind := _kind(trial)))
    classes: tuple[str, ...] = (*get_args(FailureClass), OTHER_REFUSALS)
    return Failures(
        groups=tuple(_group(name, met) for name in classes),
        trials=_sum("trials", _bars(("trial", right) for _, right in trials)),
        ended=_bars((_ended(trial), right) for trial, right in trials),
    )


def _kind(trial: Trial) -> str | None:
    """The kind of failure that execution met; an empty answer is one, whatever else it says."""
    if isinstance(trial.plan, Refusal):
        return trial.plan.reason
    if trial.executed.failure is not None:
        return trial.executed.failure.kind
    return "empty" if trial.executed.status == "empty" else None


def _group(name: str, met: Sequence[Bar]) -> Group:
    bars = tuple(bar for bar in met if _CLASSES.get(bar.name, OTHER_REFUSALS) == name)
    return Group(_sum(name, bars), bars)


def _ended(trial: Trial) -> str:
    executed = trial.executed
    said = (
        executed.status if executed.source == "none" else f"{executed.status} ({executed.source})"
    )
    return said if trial.simulated is None else f"{said}, then simulated: {trial.simulated.status}"


def _bars(names: Iterable[tuple[str, bool]]) -> tuple[Bar, ...]:
    """A bar for each name, largest first; beside each name stands whether the tool was right."""
    counts = Counter(names)
    bars = {name: Bar(name, counts[name, True], counts[name, False]) for name, _ in [*counts]}
    return tuple(sorted(bars.values(), key=lambda bar: (-bar.total, bar.name)))


def _sum(name: str, bars: Sequence[Bar]) -> Bar:
    return Bar(name, sum(each.right for each in bars), sum(each.other for each in bars))
