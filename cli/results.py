"""A finished run as a table for a terminal."""

import json
from pathlib import Path
from typing import Any

import typer

K = 5
"""Depth of the measures that are printed; `metrics.json` has them all."""
SHOWN = ("R", "nDCG", "Completeness", "Pass", "Viable")


def print_run(run: Path, *, as_json: bool) -> None:
    """Print measures and denominators of the run, or its `metrics.json`."""
    from rich.console import Console

    from gretel.evaluation.run_folder import read_metrics

    metrics: dict[str, Any] = read_metrics(run)
    if as_json:
        typer.echo(json.dumps(metrics, indent=2))
        return
    Console().print(_table(metrics["measures"]))
    requests = ", ".join(f"{count} {status}" for status, count in metrics["requests"].items())
    typer.echo(f"{metrics['n']} requests: {requests.replace('_', ' ')}")
    typer.echo(
        f"judged on right tools that function; {metrics['n_without_gold']} requests have none "
        "and stand in no mean"
    )
    typer.echo(f"report digest {metrics['digests']['report']}, in {run}")


def _table(measures: dict[str, dict[str, float]]) -> Any:
    from rich.table import Table

    table = Table()
    table.add_column("pipeline")
    names = [f"{name}@{K}" for name in SHOWN]
    best = {
        name: max((found[name] for found in measures.values() if name in found), default=None)
        for name in names
    }
    for name in names:
        table.add_column(name, justify="right")
    for pipeline, found in measures.items():
        table.add_row(pipeline, *(_cell(found.get(name), best[name]) for name in names))
    return table


def _cell(value: float | None, best: float | None) -> str:
    if value is None:
        return "–"
    return f"[bold]{value:.4f}[/]" if value == best else f"{value:.4f}"
