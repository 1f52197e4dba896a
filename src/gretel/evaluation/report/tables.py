"""Tables of the report: measures by pipeline, and what the gain depends on."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gretel.evaluation.measures.measures import DEPTHS, MeasureTable
from gretel.evaluation.measures.significance import Paired, paired
from gretel.evaluation.report.results import BASE, ORACLE, Results
from gretel.evaluation.runs.rows import Row

MAIN = ("nDCG@5", "R@5", "Pass@5", "Viable@5", "P@5", "RR")
"""Completeness@5 would say what Pass@5 says: both are judged on the right tools that function."""
ALL_GOLD = ("nDCG@5", "R@5", "Completeness@5", "P@5", "RR")
AT_DEPTHS = ("nDCG", "R", "Pass", "Viable", "P")
PLACES = 3
"""Digits after the point; means that are equal in print are equally good."""
_BROKEN = (0.0, 0.1, 0.2, 0.3, 0.5, 1.0)
"""Upper ends of the bins of requests, by their share of broken candidates."""


class Cell(NamedTuple):
    """One mean."""

    value: float | None
    """None: no request has this measure."""
    best: bool = False
    gain: Paired | None = None
    """Over `retrieval`, where that was tested."""


class Table(NamedTuple):
    """Means, a column each measure."""

    columns: tuple[str, ...]
    rows: dict[str, tuple[Cell, ...]]
    """By pipeline."""


class Bin(NamedTuple):
    """Requests with a like share of broken candidates."""

    label: str
    n: int
    base: float
    subject: float
    gain: Paired


def measure_table(
    tables: Mapping[str, MeasureTable], columns: Sequence[str], *, tested: bool
) -> Table:
    """A row each pipeline; the best of each column is marked, `oracle` apart.

    Where it is to be `tested`, each mean is held against `retrieval`.
    """
    base = tables.get(BASE) if tested else None
    rows = {
        name: tuple(_cell(table, column, tables, base) for column in columns)
        for name, table in tables.items()
    }
    return Table(tuple(columns), rows)


def depth_tables(results: Results) -> list[tuple[str, Table]]:
    """Each measure at every k up to the depth of the run."""
    depths = [k for k in DEPTHS if k <= max(results.manifest.settings.depth, DEPTHS[0])]
    return [
        (name, measure_table(results.tables, [f"{name}@{k}" for k in depths], tested=False))
        for name in AT_DEPTHS
    ]


def _cell(
    table: MeasureTable,
    column: str,
    tables: Mapping[str, MeasureTable],
    base: MeasureTable | None,
) -> Cell:
    mean = _mean(table, column)
    if mean is None:
        return Cell(None)
    others = [_mean(other, column) for name, other in tables.items() if name != ORACLE]
    best = mean == max((value for value in others if value is not None), default=None)
    gain = None
    if base is not None and base is not table:
        gain = paired(base.values[column], table.values[column])
    return Cell(mean, best and table is not tables.get(ORACLE), gain)


def _mean(table: MeasureTable, column: str) -> float | None:
    mean = table.means.get(column)
    return None if mean is None else round(mean, PLACES)


def gain_by_faults(results: Results) -> list[Bin]:
    """The gain over `retrieval` by the share of tried tools that a fault befell.

    Bins without requests are left out; empty where nothing was tried, or nothing was broken.
    """
    bins: dict[int, list[Row]] = {}
    for row in results.judged:
        if row.trials:
            share = min(1.0, len(row.faults) / len(row.trials))  # whoever wrote the row
            place = next(at for at, end in enumerate(_BROKEN) if share <= end)
            bins.setdefault(place, []).append(row)
    if results.subject is None or bins.keys() <= {0}:
        return []
    return [_bin(results, results.subject, place, bins[place]) for place in sorted(bins)]


def _bin(results: Results, subject: str, place: int, rows: Iterable[Row]) -> Bin:
    requests = [row.request_id for row in rows]
    base = {request: results.value(BASE, request) for request in requests}
    other = {request: results.value(subject, request) for request in requests}
    start = f"over {_BROKEN[place - 1]:.0%} to " if place else ""
    return Bin(
        label=f"{start}{_BROKEN[place]:.0%}",
        n=len(requests),
        base=sum(base.values()) / len(base),
        subject=sum(other.values()) / len(other),
        gain=paired(base, other),
    )
