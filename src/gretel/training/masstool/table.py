"""Rows of an ablation as a table: means and standard deviations over seeds."""

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from gretel.training.masstool.measures import MEASURES
from gretel.training.masstool.variants import AUROC, Row

SPREAD = "Mean ± standard deviation (of the sample) over the seeds, in percent."
_SWEEPS = ("λ", "ε")


class Line(NamedTuple):
    """One variant."""

    name: str
    cells: Mapping[str, str]
    """`mean ± sd` in percent by measure; a dash where there is none."""


def table(rows: Sequence[Row]) -> list[Line]:
    """A line for each variant but those of the sweeps, in the order of the rows."""
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        if row.group not in _SWEEPS:
            by_name.setdefault(row.name, []).append(row)
    measures = [*MEASURES, AUROC] if any(AUROC in row.measures for row in rows) else MEASURES
    return [
        Line(name, {measure: _cell(found, measure) for measure in measures})
        for name, found in by_name.items()
    ]


def caption(rows: Sequence[Row]) -> str:
    """What the figures are of."""
    seeds = sorted({row.seed for row in rows})
    return (
        f"Development part, never test: {rows[0].requests} requests, which each of the seeds "
        f"{', '.join(map(str, seeds))} draws anew from the judgements to learn from. The same part "
        "ends the first stage and sets the filter, which flatters every row but the untrained "
        "ones a little."
    )


def markdown(lines: Sequence[Line], text: str, made: Mapping[str, str]) -> str:
    """The table, what it is of, and how it was made."""
    columns = list(lines[0].cells)
    return "\n".join(
        [
            "# MassTool, part by part",
            "",
            text,
            "",
            f"| variant | {' | '.join(columns)} |",
            f"|---|{'---:|' * len(columns)}",
            *(f"| {line.name} | {' | '.join(line.cells.values())} |" for line in lines),
            "",
            *(f"- {name}: `{value}`" for name, value in made.items()),
            "",
        ]
    )


def _cell(rows: Sequence[Row], measure: str) -> str:
    found = [100 * row.measures[measure] for row in rows if measure in row.measures]
    if len(found) < len(rows):
        return "–"
    spread = stdev(found) if len(found) > 1 else 0.0
    return f"{fmean(found):.2f} ± {spread:.2f}"
