"""A finished run as a table for a terminal."""

import json
from pathlib import Path
from typing import Any

from gretel.cli.saying import print_table, say, say_json

K = 5
"""Depth of the measures that are printed; `metrics.json` has them all."""
SHOWN = ("R", "nDCG", "Completeness", "Pass", "Viable")


def print_run(run: Path, *, as_json: bool) -> None:
    """Print measures and denominators of the run, or its `metrics.json`.

    Raises:
        InputError: that file is not what `gretel evaluate` writes.
    """
    from gretel.evaluation.runs.folder import read_metrics, showing_metrics

    metrics: dict[str, Any] = read_metrics(run)
    if as_json:
        say_json(json.dumps(metrics, indent=2))
        return
    with showing_metrics(run):
        _print_metrics(metrics, run)


def _print_metrics(metrics: dict[str, Any], run: Path) -> None:
    rows = _rows(metrics["measures"])
    print_table(("pipeline",), (((name,), cells) for name, cells in rows.items()))
    total = sum(metrics["requests"].values())
    if no_tool := total - metrics["n"]:
        say(_abstention(metrics["abstention"], no_tool))
    if metrics["planning"]:
        say(_planning(metrics["planning"]))
    requests = ", ".join(f"{count} {status}" for status, count in metrics["requests"].items())
    say(f"{total} requests: {requests.replace('_', ' ')}")
    say(
        f"judged on right tools that function; {metrics['n_without_gold']} requests have none "
        "and stand in no mean"
    )
    say(f"report digest {metrics['digests']['report']}, in {run}")


def _rows(measures: dict[str, dict[str, float]]) -> dict[str, dict[str, str]]:
    """Pipeline → measure → cell, the best of each measure in bold."""
    names = [f"{name}@{K}" for name in SHOWN]
    best = {
        name: max((found[name] for found in measures.values() if name in found), default=None)
        for name in names
    }
    return {
        pipeline: {name: _cell(found.get(name), best[name]) for name in names}
        for pipeline, found in measures.items()
    }


def _cell(value: float | None, best: float | None) -> str:
    if value is None:
        return "–"
    return f"[bold]{value:.4f}[/]" if value == best else f"{value:.4f}"


def _abstention(found: dict[str, Any], no_tool: int) -> str:
    return (
        f"false offers {_share(found['false_offer_rate'])} of {no_tool}, "
        f"false abstentions {_share(found['false_abstention_rate'])} of {found['served']}, "
        f"AUROC before trials {_cell(found['before_trials']['auroc'], None)}"
    )


def _planning(found: dict[str, Any]) -> str:
    pairs, masked = found["pairs"], found["masked"]
    return (
        f"planned arguments right {_share(pairs['arguments'])} of {pairs['values']}, "
        f"false refusals {_share(pairs['false_refusals'])} of {pairs['complete']}, "
        f"refused where a value was taken out {_share(masked['refusal_recall'])} "
        f"of {masked['incomplete']}"
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"
