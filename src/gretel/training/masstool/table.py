"""Rows of an ablation as a table, and as curves over λ and ε: means over seeds."""

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import NamedTuple, TypeAlias

from gretel.training.masstool.measures import MEASURES
from gretel.training.masstool.variants import ALONE, AUROC, Row

SPREAD = "Mean ± standard deviation (of the sample) over the seeds, in percent."
_SWEEPS = ("λ", "ε")


Lines: TypeAlias = Mapping[str, Mapping[str, str]]
"""By variant: `mean ± sd` in percent by measure; a dash where there is none."""


class Curve(NamedTuple):
    """One measure against λ or ε."""

    measure: str
    over: str
    lines: Mapping[str, tuple[tuple[float, float], ...]]
    """(value, measure) of each seed, and their mean; all with the same values."""


def table(rows: Sequence[Row]) -> Lines:
    """A line for each variant but those of the sweeps, in the order of the rows."""
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        if row.group not in _SWEEPS:
            by_name.setdefault(row.name, []).append(row)
    measures = [*MEASURES, AUROC] if any(AUROC in row.measures for row in rows) else MEASURES
    return {
        name: {measure: _cell(found, measure) for measure in measures}
        for name, found in by_name.items()
    }


def caption(rows: Sequence[Row]) -> str:
    """What the figures are of."""
    seeds = sorted({row.seed for row in rows})
    return (
        f"Development part, never test: {rows[0].requests} requests, which each of the seeds "
        f"{', '.join(map(str, seeds))} draws anew from the judgements to learn from. The same part "
        "ends the first stage and sets the filter, which flatters every row but the untrained "
        "ones a little."
    )


def markdown(lines: Lines, text: str, made: Mapping[str, str]) -> str:
    """The table, what it is of, and how it was made."""
    columns = next(iter(lines.values()))
    return "\n".join(
        [
            "# MassTool, part by part",
            "",
            text,
            "",
            f"| variant | {' | '.join(columns)} |",
            f"|---|{'---:|' * len(columns)}",
            *(f"| {name} | {' | '.join(cells.values())} |" for name, cells in lines.items()),
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


def curves(rows: Sequence[Row], usual: float) -> list[Curve]:
    """All that there is to draw; `usual` is the λ of the row MassTool.

    Without no-tool requests there is nothing over λ.
    """
    over_weight = [row for row in rows if row.group == "λ"]
    if over_weight:
        over_weight += [
            row.model_copy(update={"at": usual}) for row in rows if row.group == "masstool"
        ]
    over_threshold = [row for row in rows if row.group == "ε"]
    return [
        *(_curve(over_weight, name, "λ") for name in ("R@3", "Completeness@3", AUROC)),
        *(_curve(over_threshold, name, "ε") for name in ("R@3", "Completeness@3", ALONE)),
    ]


def _curve(rows: Sequence[Row], measure: str, over: str) -> Curve:
    lines: dict[str, dict[float, float]] = {}
    for row in rows:
        if row.at is not None and measure in row.measures:
            lines.setdefault(f"seed {row.seed}", {})[row.at] = row.measures[measure]
    shared = sorted(set.intersection(*(set(line) for line in lines.values()))) if lines else []
    drawn = {name: tuple((at, line[at]) for at in shared) for name, line in lines.items()}
    mean = tuple((at, fmean(line[at] for line in lines.values())) for at in shared)
    return Curve(measure, over, drawn | {"mean": mean})
