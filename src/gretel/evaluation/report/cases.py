"""The requests that gained and lost most, with the evidence for every place."""

import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, Self

from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallPlan, Outcome, Trial
from gretel.evaluation.report.results import BASE, Results
from gretel.evaluation.runs.rows import Row

SHOWN = 10
"""Requests on either side."""
TOP = 5
"""Places of a ranking that the measure looks at."""


class Evidence(NamedTuple):
    """A tool of one request, and what its trial showed."""

    tool_id: ToolId
    before: int | None
    """Place in `retrieval`; None where it was not found."""
    after: int | None
    right: bool
    functions: bool
    fault: str | None
    """What was wrong with it, which no pipeline knew."""
    unknown: bool
    """Whether it worked and did not know a value that it was sent; no pipeline knew that either."""
    reason: str
    planned: str
    """Arguments as JSON, or why there is no call."""
    ended: str
    excerpt: str


class Case(NamedTuple):
    """One request, before and after."""

    request_id: str
    text: str
    """What was asked."""
    before: float
    after: float
    missed: tuple[ToolId, ...]
    """Right tools that were no candidates."""
    evidence: tuple[Evidence, ...]
    """The first `TOP` of both rankings and every right candidate, best first."""
    notes: tuple[str, ...]

    @property
    def change(self) -> float:
        """After less before."""
        return self.after - self.before


class Cases(NamedTuple):
    """The largest changes, largest first; a request that did not change is in neither."""

    gained: tuple[Case, ...]
    lost: tuple[Case, ...]
    counts: tuple[int, int, int]
    """Requests that gained, stayed, lost."""


def cases(results: Results) -> Cases | None:
    """Gains and losses of the run's subject over `retrieval`; None where there is no such pair."""
    subject = results.subject
    if subject is None:
        return None
    change = {
        request: results.value(subject, request) - results.value(BASE, request)
        for request in results.gold
    }
    ordered = sorted(change, key=lambda request: (-abs(change[request]), request))
    gained = [request for request in ordered if change[request] > 0]
    lost = [request for request in ordered if change[request] < 0]
    return Cases(
        gained=tuple(_case(results, subject, request) for request in gained[:SHOWN]),
        lost=tuple(_case(results, subject, request) for request in lost[:SHOWN]),
        counts=(len(gained), len(change) - len(gained) - len(lost), len(lost)),
    )


def _case(results: Results, subject: str, request: str) -> Case:
    row = results.rows[request]
    base, ranking = row.rankings.get(BASE, ()), row.rankings.get(subject, ())
    shown = {*base[:TOP], *ranking[:TOP], *row.gold}
    seen = _Seen.of(row, subject)
    listed = sorted(
        shown & {*base, *ranking}, key=lambda t: (seen.after.get(t, len(seen.after) + 1), t)
    )
    return Case(
        request_id=row.request_id,
        text=row.text,
        before=results.value(BASE, request),
        after=results.value(subject, request),
        missed=tuple(sorted(set(row.gold) - {*base, *ranking})),
        evidence=tuple(seen.evidence(tool_id) for tool_id in listed),
        notes=row.notes,
    )


class _Seen(NamedTuple):
    """A row, whose tools are looked up by their ids: it may have tens of thousands."""

    row: Row
    reasons: Sequence[str]
    before: Mapping[ToolId, int]
    after: Mapping[ToolId, int]
    trials: Mapping[ToolId, Trial]
    right: AbstractSet[ToolId]
    functioning: AbstractSet[ToolId]
    unknown: AbstractSet[ToolId]

    @classmethod
    def of(cls, row: Row, subject: str) -> Self:
        before, after = (
            {tool_id: place for place, tool_id in enumerate(row.rankings.get(name, ()), 1)}
            for name in (BASE, subject)
        )
        return cls(
            row=row,
            reasons=row.reasons.get(subject, ()),
            before=before,
            after=after,
            trials={each.tool_id: each for each in reversed(row.trials)},
            right=frozenset(row.gold),
            functioning=frozenset(row.functioning),
            unknown=frozenset(row.unknown),
        )

    def evidence(self, tool_id: ToolId) -> Evidence:
        """What is shown of one tool."""
        after, trial = self.after.get(tool_id), self.trials.get(tool_id)
        return Evidence(
            tool_id=tool_id,
            before=self.before.get(tool_id),
            after=after,
            right=tool_id in self.right,
            functions=tool_id in self.functioning,
            fault=self.row.faults.get(tool_id),
            unknown=tool_id in self.unknown,
            reason=self.reasons[after - 1] if after and after <= len(self.reasons) else "",
            planned=_planned(trial),
            ended=_ended(trial),
            excerpt=trial.executed.excerpt if trial else "",
        )


def _planned(trial: Trial | None) -> str:
    if trial is None:
        return "not tried"
    if isinstance(trial.plan, CallPlan):
        return json.dumps(trial.plan.values(), ensure_ascii=False, sort_keys=True)
    return f"refused ({trial.plan.reason}): {trial.plan.detail}"


def _ended(trial: Trial | None) -> str:
    if trial is None:
        return ""
    said = _outcome(trial.executed)
    return said if trial.simulated is None else f"{said}; simulated: {_outcome(trial.simulated)}"


def _outcome(outcome: Outcome) -> str:
    said: list[str] = [outcome.status]
    if outcome.failure is not None:
        said.append(f"{outcome.failure.kind}: {outcome.failure.detail}")
    if outcome.http_status is not None:
        said.append(f"HTTP {outcome.http_status}")
    if outcome.latency_ms is not None:
        said.append(f"{outcome.latency_ms:.0f} ms")
    return ", ".join(said)
