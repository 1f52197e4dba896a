"""A finished run, read and judged once for all parts of its report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gretel.contracts.record import JsonObject
from gretel.contracts.tool import ToolId
from gretel.evaluation.measures.measures import MeasureTable, ndcg
from gretel.evaluation.runs.folder import ROWS, read_metrics
from gretel.evaluation.runs.metrics import as_run
from gretel.evaluation.runs.rows import Row, read_rows
from gretel.evaluation.runs.settings import Manifest, read_manifest

BASE = "retrieval"
"""What every other pipeline is held against."""
ORACLE = "oracle"
"""Knows what no product can: never the best."""
K = 5
MEASURE = f"nDCG@{K}"
"""Of curves, gains and losses."""


@dataclass(frozen=True, slots=True)
class Results:
    """What a run's folder says."""

    manifest: Manifest
    metrics: JsonObject
    rows: Mapping[str, Row]
    """Of requests that have a right tool."""
    no_tool: Sequence[Row]
    """Of requests that need no tool."""
    gold: Mapping[str, frozenset[ToolId]]
    """Of each request that is judged the right tools that function."""
    tables: Mapping[str, MeasureTable]
    """By pipeline, judged on `gold`."""
    all_gold: Mapping[str, MeasureTable]
    """By pipeline, judged on all right tools."""

    @property
    def judged(self) -> list[Row]:
        """The rows that stand in the means."""
        return [self.rows[request] for request in self.gold]

    @property
    def offered_in_vain(self) -> int:
        """Requests none of whose right tools functions, answered all the same."""
        without = self.rows.keys() - self.gold.keys()
        return sum(self.rows[request].status == "answered" for request in without)

    @property
    def subject(self) -> str | None:
        """The pipeline that gains and losses are shown of; None: nothing to hold against `BASE`."""
        names = [name for name in self.tables if name not in (BASE, ORACLE)]
        return names[-1] if names and BASE in self.tables else None

    def value(self, pipeline: str, request: str) -> float:
        """`MEASURE` of one judged request."""
        return self.tables[pipeline].values[MEASURE][request]

    def mean(self, rankings: Mapping[str, Sequence[ToolId]]) -> float:
        """`MEASURE` of other rankings of the same requests; 0 where none is judged."""
        return ndcg(rankings, self.gold, K) or 0.0


def read_results(run_dir: Path) -> Results:
    """Read a finished run.

    Raises:
        InputError: the folder holds none, or a row is damaged.
    """
    metrics = read_metrics(run_dir)
    manifest, rows = read_manifest(run_dir), read_rows(run_dir / ROWS)
    run = as_run(manifest.settings.pipelines, rows)
    return Results(
        manifest=manifest,
        metrics=metrics,
        rows={name: row for name, row in rows.items() if row.gold},
        no_tool=[row for row in rows.values() if not row.gold],
        gold=run.working,
        tables={name: run.measured(name) for name in run.rankings},
        all_gold={name: run.measured(name, all_gold=True) for name in run.rankings},
    )
