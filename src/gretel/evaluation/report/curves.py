"""Curves of the report: against depth, against cost, and of abstention."""

from collections.abc import Sequence
from typing import NamedTuple

from gretel.contracts.tool import ToolId
from gretel.evaluation.measures.abstention import AbstentionMeasures, measure_abstention
from gretel.evaluation.report.charts import LineChart, Point, Series, line_chart
from gretel.evaluation.report.results import BASE, MEASURE, Results
from gretel.evaluation.runs.metrics import chances_of
from gretel.evaluation.runs.rows import Row
from gretel.evaluation.runs.settings import TRYING
from gretel.nodes.context import ABSTAIN_BELOW

ALL_DEPTHS = 20
"""Up to here each depth has a point; beyond, each is a quarter deeper than the one before."""
THRESHOLDS = tuple(step / 50 for step in range(51))


class AbstentionCurve(NamedTuple):
    """What a threshold on the retriever's probability that a tool serves would do."""

    chart: LineChart | None
    """None where the retriever cannot say."""
    at_default: AbstentionMeasures
    threshold: float
    """The product's default."""
    offered: int
    """Requests none of whose right tools functions, answered all the same."""


def depth_series(results: Results) -> list[Series]:
    """A line each pipeline; none without `retrieval`."""
    if BASE not in results.tables:
        return []
    depths = steps(results.manifest.settings.depth)
    return [
        Series(name, tuple(Point(d, results.mean(_cut(results, name, d))) for d in depths))
        for name in results.tables
    ]


def cost_series(results: Results) -> list[Series]:
    """A line each pipeline that tries tools; none where nothing was sent."""
    depths = [0, *steps(results.manifest.settings.depth)]
    calls = [_calls(results.judged, depth) for depth in depths]
    if BASE not in results.tables or not any(calls):
        return []
    return [
        Series(
            name,
            tuple(
                Point(cost, results.mean(_cut(results, name, depth)))
                for depth, cost in zip(depths, calls, strict=True)
            ),
        )
        for name in results.tables
        if name in TRYING
    ]


def depth_chart(series: Sequence[Series]) -> LineChart | None:
    """The chart of `depth_series`."""
    x_label = "candidates re-ranked (d)"
    return line_chart(f"{MEASURE} by depth", series, x_label=x_label, y_label=MEASURE)


def cost_chart(series: Sequence[Series]) -> LineChart | None:
    """The chart of `cost_series`."""
    x_label = "calls sent, mean of a request"
    return line_chart(f"{MEASURE} by calls", series, x_label=x_label, y_label=MEASURE)


def abstention_curve(results: Results) -> AbstentionCurve:
    """False abstentions and false offers at every threshold, before any trial."""
    chances = chances_of(results.rows.values(), results.no_tool)
    found = [(at, measure_abstention(chances, threshold=at)) for at in THRESHOLDS]
    chart = line_chart(
        "Abstention by threshold",
        [
            Series(
                name.replace("_", " "),
                tuple(Point(at, y) for at, each in found if (y := getattr(each, name)) is not None),
            )
            for name in ("false_abstentions", "false_offers")
        ],
        x_label="abstain where the probability is below",
        y_label="share of requests",
        y_range=(0.0, 1.0),
    )
    return AbstentionCurve(
        chart=chart,
        at_default=measure_abstention(chances, threshold=ABSTAIN_BELOW),
        threshold=ABSTAIN_BELOW,
        offered=sum(
            row.status == "answered" and name not in results.gold
            for name, row in results.rows.items()
        ),
    )


def steps(depth: int) -> list[int]:
    """The depths from 1 to `depth` that have a point."""
    found = list(range(1, min(depth, ALL_DEPTHS) + 1))
    while found[-1] < depth:
        found.append(min(depth, found[-1] + found[-1] // 4))
    return found


def cut(base: Sequence[ToolId], ranking: Sequence[ToolId], depth: int) -> list[ToolId]:
    """The first `depth` of `base` in the order of `ranking`, the rest of `base` behind them."""
    head = set(base[:depth])
    first = dict.fromkeys(tool_id for tool_id in ranking if tool_id in head)
    return [*first, *(tool_id for tool_id in base if tool_id not in first)]


def _cut(results: Results, pipeline: str, depth: int) -> dict[str, Sequence[ToolId]]:
    return {
        row.request_id: cut(row.rankings.get(BASE, ()), row.rankings.get(pipeline, ()), depth)
        for row in results.judged
    }


def _calls(rows: Sequence[Row], depth: int) -> float:
    """Trials of the first `depth` candidates that sent a call, mean of a request."""
    sent = sum(
        trial.executed.source == "executed"
        for row in rows
        for trial in row.trials
        if trial.tool_id in row.rankings.get(BASE, ())[:depth]
    )
    return sent / len(rows) if rows else 0.0
