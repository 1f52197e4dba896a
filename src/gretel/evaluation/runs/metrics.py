"""Rows → `metrics.json`: measures, denominators, failures, cost, and what they were made with."""

import platform
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np

from gretel.contracts.record import JsonObject
from gretel.contracts.trial import FAILURE_CLASS, Refusal, Trial
from gretel.evaluation.measures.abstention import Chance, measure_abstention, share
from gretel.evaluation.measures.compat import compat_measures
from gretel.evaluation.runs.compare import Run
from gretel.evaluation.runs.planning import planning_measures
from gretel.evaluation.runs.rows import Row, RowStatus, report_digest
from gretel.evaluation.runs.settings import Manifest, Pipeline
from gretel.nodes.context import ABSTAIN_BELOW
from gretel.nodes.spending import added

_SEMANTIC = frozenset({"empty", "irrelevant", "error_in_body"})
_STATUSES: tuple[RowStatus, ...] = (
    "answered",
    "abstained",
    "failed",
    "timed_out",
    "infrastructure",
)
_PACKAGES = ("gretel", "langgraph", "torch", "sentence-transformers", "ir-measures")


def metrics_of(
    manifest: Manifest, rows: Mapping[str, Row], *, command: str | None = None
) -> JsonObject:
    """The content of `metrics.json`.

    `measures` are judged on the right tools that function: requests that have none are counted in
    `n_without_gold` and stand in no mean. `measures_all_gold` are judged on all right tools.
    Requests without a ranking count 0 in both; those that need no tool stand in `abstention` and
    `cost` alone. The order of `rows` changes nothing.
    """
    rows = {request_id: rows[request_id] for request_id in sorted(rows)}
    run = as_run(manifest.settings.pipelines, rows)
    listed = list(rows.values())
    judged = [row for row in listed if row.gold]
    trials = [trial for row in judged for trial in row.trials]
    return {
        "data": {"name": manifest.data, "qrels": manifest.qrels, "half": manifest.half},
        "measures": {name: {**run.measured(name).means} for name in run.rankings},
        "measures_all_gold": {
            name: {**run.measured(name, all_gold=True).means} for name in run.rankings
        },
        "compat": {name: _compat(judged, name) for name in run.rankings},
        "n": len(judged),
        "n_without_gold": len(judged) - len(run.working),
        "n_no_tool": len(listed) - len(judged),
        "requests": {status: sum(row.status == status for row in listed) for status in _STATUSES},
        "abstention": abstention(listed),
        "planning": planning_measures(row.planning for row in judged),
        "trials": _trials(trials),
        "recognition": _recognition(judged),
        "cost": _cost(listed),
        "settings": manifest.settings.model_dump(mode="json"),
        "digests": {
            **manifest.digests.model_dump(),
            "config": manifest.key.config,
            "report": report_digest(rows),
        },
        "command": command,
        "environment": {
            "python": platform.python_version(),
            "platform": platform.platform(),
            **{name: version(name) for name in _PACKAGES},
        },
    }


def as_run(pipelines: Iterable[Pipeline], rows: Mapping[str, Row]) -> Run:
    """The rows as `compare` reads them, those without right tools left out."""
    rows = {name: row for name, row in rows.items() if row.gold}
    return Run(
        path=Path(),
        digests={},
        gold={name: frozenset(row.gold) for name, row in rows.items()},
        functioning={name: frozenset(row.functioning) for name, row in rows.items()},
        rankings={
            pipeline: {
                name: row.rankings[pipeline]
                for name, row in rows.items()
                if pipeline in row.rankings
            }
            for pipeline in pipelines
        },
    )


def abstention(rows: Sequence[Row]) -> JsonObject:
    """Offers and abstentions with all evidence, and what the retriever alone could tell.

    A request is served where a right tool functions, and before trials, where faults do not show,
    wherever there is one; `no_tool` requests need none.
    """
    served = [row for row in rows if set(row.gold) & set(row.functioning)]
    no_tool = [row for row in rows if not row.gold]
    kept_back = sum(row.abstention is not None for row in served)
    offered = sum(row.offers for row in no_tool)
    why: Counter[str] = Counter(row.abstention.reason for row in rows if row.abstention)
    return {
        "served": len(served),
        "false_abstentions": kept_back,
        "false_abstention_rate": share(kept_back, len(served)),
        "no_tool": len(no_tool),
        "false_offers": offered,
        "false_offer_rate": share(offered, len(no_tool)),
        "before_trials": {
            "threshold": ABSTAIN_BELOW,
            **measure_abstention(chances_of(rows), threshold=ABSTAIN_BELOW)._asdict(),
        },
        "reasons": {**why},
    }


def chances_of(rows: Iterable[Row]) -> list[Chance]:
    """How sure the retriever was of each request that it could judge."""
    return [Chance(row.chance, bool(row.gold)) for row in rows if row.chance is not None]


def _compat(rows: Sequence[Row], pipeline: str) -> JsonObject:
    """Other people's counting, on all right tools."""
    rankings = {row.request_id: row.rankings.get(pipeline, ()) for row in rows}
    gold = {
        row.request_id: {tool_id: row.repeated.get(tool_id, 1) for tool_id in row.gold}
        for row in rows
    }
    return {**compat_measures(rankings, gold)}


def _trials(trials: Sequence[Trial]) -> JsonObject:
    """How the trials of all requests ended (the seed's Table 4)."""
    failures = [t.executed.failure.kind for t in trials if t.executed.failure]
    return {
        "n": len(trials),
        "executed": {**Counter(trial.executed.status for trial in trials)},
        "refused": {**Counter(t.plan.reason for t in trials if isinstance(t.plan, Refusal))},
        "simulated": sum(trial.simulated is not None for trial in trials),
        "failures": {**Counter(failures)},
        "failure_classes": {**Counter(FAILURE_CLASS[kind] for kind in failures)},
    }


def _recognition(rows: Iterable[Row]) -> JsonObject:
    """By what was wrong with a tool (`ok`: nothing; `unknown`: nothing but that it did not know a
    value): calls that got an answer, and those of them that were taken for failed, or for empty or
    irrelevant ones.
    """
    found: dict[str, Counter[str]] = {}
    for row in rows:
        for trial in row.trials:
            if trial.executed.source != "executed":
                continue
            well = "unknown" if trial.tool_id in row.unknown else "ok"
            count = found.setdefault(row.faults.get(trial.tool_id, well), Counter())
            count["called"] += 1
            count["not_succeeded"] += trial.executed.status != "succeeded"
            count["semantic_mismatch"] += _is_semantic(trial)
    return {kind: {**count} for kind, count in sorted(found.items())}


def _is_semantic(trial: Trial) -> bool:
    """Whether the answer was seen to hold nothing, or nothing that was asked for."""
    executed, failure = trial.executed, trial.executed.failure
    nothing = executed.status == "empty" or executed.says_none
    return nothing or (failure is not None and failure.kind in _SEMANTIC)


def _cost(rows: Collection[Row]) -> JsonObject:
    """By stage: sums over all requests, and milliseconds of a request at p50 and p95."""
    stages = sorted({stage for row in rows for stage in row.usage})
    return {stage: _stage_cost(rows, stage) for stage in stages}


def _stage_cost(rows: Iterable[Row], stage: str) -> JsonObject:
    spent = [row.usage[stage] for row in rows if stage in row.usage]
    times = [usage.ms for usage in spent]
    p50, p95 = np.quantile(times, (0.50, 0.95), method="inverted_cdf").round(3).tolist()
    return {
        "requests": len(spent),
        **added(spent).model_dump(exclude={"ms"}),
        "ms_p50": p50,
        "ms_p95": p95,
    }
