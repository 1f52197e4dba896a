"""A report of several runs: means over seeds, and what the gain depends on."""

from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from gretel.evaluation.measures.significance import Paired
from gretel.evaluation.report.charts import LineChart, Point, Series, line_chart
from gretel.evaluation.report.groups import Group, Spread, read_groups
from gretel.evaluation.report.page import write_page
from gretel.evaluation.report.results import BASE, MEASURE, ORACLE
from gretel.evaluation.report.tables import MAIN, PLACES


class Cell(NamedTuple):
    """One measure of one pipeline over the seeds."""

    found: Spread | None
    best: bool
    gain: Spread | None
    tested: Paired | None
    reached: float | None


class Section(NamedTuple):
    """One group."""

    title: str
    group: Group
    lines: dict[str, tuple[Cell, ...]]
    """By pipeline."""
    by_depth: LineChart | None
    by_cost: LineChart | None


def write_groups_report(runs: Sequence[Path], out: Path) -> Path:
    """Write the report of several finished runs into the file `out`; returns its path.

    Runs that differ in the seed alone make one table. As in the report of one run, everything that
    others said is escaped, and the same runs give the same page.

    Raises:
        InputError: see `read_groups`.
        OSError: the file cannot be written.
    """
    groups = read_groups(runs)
    return write_page(
        out,
        "report_groups.html",
        manifest=groups[0].first,
        sections=[_section(group) for group in groups],
        rates=gain_by_rate(groups),
        columns=MAIN,
        runs=sum(len(group.members) for group in groups),
    )


def _section(group: Group) -> Section:
    return Section(
        title=_title(group),
        group=group,
        lines={name: _cells(group, name) for name in group.pipelines},
        by_depth=averaged([member.by_depth for member in group.members]),
        by_cost=averaged([member.by_cost for member in group.members]),
    )


def _title(group: Group) -> str:
    settings = group.first.settings
    faults = f"{group.rate:g} % faults per {settings.fault_unit}" if group.rate else "no faults"
    model = f", model {settings.model}" if settings.model else ""
    return f"{settings.retriever}, depth {settings.depth}, {faults}, world {settings.world}{model}"


def _cells(group: Group, pipeline: str) -> tuple[Cell, ...]:
    return tuple(
        Cell(
            found=group.spread(pipeline, measure),
            best=pipeline != ORACLE and _is_best(group, pipeline, measure),
            gain=None if pipeline == BASE else group.gain(pipeline, measure),
            tested=group.tested(pipeline, measure),
            reached=None if pipeline in (BASE, ORACLE) else group.reached(pipeline, measure),
        )
        for measure in MAIN
    )


def _is_best(group: Group, pipeline: str, measure: str) -> bool:
    """Equal in print is equally good."""
    means = {
        name: round(found.mean, PLACES)
        for name in group.pipelines
        if name != ORACLE and (found := group.spread(name, measure))
    }
    return pipeline in means and means[pipeline] == max(means.values())


def averaged(charts: Sequence[LineChart | None]) -> LineChart | None:
    """The lines that all charts have, point by point; None where a chart is missing."""
    found = [chart for chart in charts if chart]
    if len(found) < len(charts):
        return None
    lines = [dict(chart.series) for chart in found]
    shared = [name for name in lines[0] if all(name in each for each in lines)]
    series = (Series(name, _mean_points([each[name] for each in lines])) for name in shared)
    return found[0]._replace(series=tuple(series))


def _mean_points(lines: Sequence[Sequence[Point]]) -> tuple[Point, ...]:
    return tuple(
        Point(mean(point.x for point in points), mean(point.y for point in points))
        for points in zip(*lines, strict=True)
    )


def gain_by_rate(groups: Sequence[Group]) -> list[LineChart]:
    """Gains over `retrieval` against the share of faults, wherever two shares were run."""
    families: dict[str, list[Group]] = {}
    for group in groups:
        families.setdefault(_family(group), []).append(group)
    charts = [_by_rate(family) for family in families.values() if len(family) > 1]
    return [chart for chart in charts if chart]


def _family(group: Group) -> str:
    """All that the groups of one chart share; `oracle` stands beside faults alone."""
    same = {"seed": 0, "faults": {}, "pipelines": ()}
    return group.first.settings.model_copy(update=same).model_dump_json()


def _by_rate(family: Sequence[Group]) -> LineChart | None:
    names = [name for name in family[-1].pipelines if name != BASE]
    series = []
    for name in names:
        gains = [(g.rate, _gain(g, name)) for g in sorted(family, key=lambda group: group.rate)]
        points = tuple(Point(rate, gain) for rate, gain in gains if gain is not None)
        if len(points) == len(family):
            series.append(Series(name, points))
    settings = family[0].first.settings
    faults = f"faults per {settings.fault_unit}, world {settings.world}"
    title = f"{settings.retriever}, depth {settings.depth}, {faults}"
    return line_chart(
        title,
        series,
        x_label="faults per 100 tools",
        y_label=f"{MEASURE}: gain over {BASE}",
    )


def _gain(group: Group, name: str) -> float | None:
    """Without faults the oracle is `retrieval`."""
    if name not in group.pipelines:
        return 0.0 if name == ORACLE and not group.rate else None
    found = group.gain(name, MEASURE)
    return None if found is None else found.mean
