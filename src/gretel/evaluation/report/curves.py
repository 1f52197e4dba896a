"""Curves of the report: against depth, against cost, and of abstention."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from gretel.contracts.tool import ToolId
from gretel.evaluation.measures.abstention import measure_abstention
from gretel.evaluation.report.charts import LineChart, Point, Series, line_chart
from gretel.evaluation.report.results import BASE, MEASURE, K, Results
from gretel.evaluation.runs.metrics import chances_of
from gretel.evaluation.runs.rows import Row
from gretel.evaluation.runs.settings import TRYING

ALL_DEPTHS = 20
"""Up to here each depth has a point; beyond, each is a quarter deeper than the one before."""
THRESHOLDS = tuple(step / 50 for step in range(51))


def depth_chart(results: Results) -> LineChart | None:
    """A line each pipeline; None without `retrieval`."""
    if BASE not in results.tables:
        return None
    depths = steps(results.manifest.settings.depth)
    series = [_line(results, name, depths, depths) for name in results.tables]
    x_label = "candidates re-ranked (d)"
    return line_chart(f"{MEASURE} by depth", series, x_label=x_label, y_label=MEASURE)


def cost_chart(results: Results) -> LineChart | None:
    """A line each pipeline that tries tools; None where nothing was sent."""
    depths = [0, *steps(results.manifest.settings.depth)]
    sent, rows = _sent(results.judged), len(results.judged)
    calls = [bisect_left(sent, depth) / rows if rows else 0.0 for depth in depths]
    if BASE not in results.tables or not any(calls):
        return None
    series = [_line(results, name, depths, calls) for name in results.tables if name in TRYING]
    x_label = "calls sent, mean of a request"
    return line_chart(f"{MEASURE} by calls", series, x_label=x_label, y_label=MEASURE)


def abstention_chart(results: Results) -> LineChart | None:
    """False abstentions and false offers at every threshold, before any trial.

    None where the retriever cannot say how likely it is that a tool serves.
    """
    chances = chances_of([*results.rows.values(), *results.no_tool])
    found = [(at, measure_abstention(chances, threshold=at)) for at in THRESHOLDS]
    return line_chart(
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


def steps(depth: int) -> list[int]:
    """The depths from 1 to `depth` that have a point."""
    found = list(range(1, min(depth, ALL_DEPTHS) + 1))
    while found[-1] < depth:
        found.append(min(depth, found[-1] + found[-1] // 4))
    return found


def cut(base: Sequence[ToolId], ranking: Sequence[ToolId], depth: int) -> Iterator[ToolId]:
    """The first `depth` of `base` in the order of `ranking`, the rest of `base` behind them."""
    head, first = set(base[:depth]), set[ToolId]()
    for tool_id in ranking if head else ():
        if tool_id in head:
            head.remove(tool_id)
            first.add(tool_id)
            yield tool_id
        if not head:
            break
    yield from (tool_id for tool_id in base if tool_id not in first)


def _line(
    results: Results, pipeline: str, depths: Sequence[int], places: Sequence[float]
) -> Series:
    """The pipeline at each depth, drawn at these places of the axis."""
    values = (results.mean(_cut(results, pipeline, depth)) for depth in depths)
    return Series(pipeline, tuple(map(Point, places, values)))


def _cut(results: Results, pipeline: str, depth: int) -> dict[str, Sequence[ToolId]]:
    rankings = ((row.request_id, row.rankings) for row in results.judged)
    return {
        request: tuple(islice(cut(found.get(BASE, ()), found.get(pipeline, ()), depth), K))
        for request, found in rankings
    }


def _sent(rows: Iterable[Row]) -> list[int]:
    """How many candidates stand before each whose trial sent a call, of all requests, ascending."""
    found: list[int] = []
    for row in rows:
        sent = [trial.tool_id for trial in row.trials if trial.executed.source == "executed"]
        base = [*row.rankings.get(BASE, ())]
        places = dict(zip(reversed(base), reversed(range(len(base))), strict=True))
        found += [places[name] for name in sent if name in places]
    return sorted(found)
