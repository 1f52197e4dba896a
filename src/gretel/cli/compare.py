"""`gretel compare`: whether two runs differ by more than chance."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gretel.cli.options import Json
from gretel.cli.saying import print_table, say_json

if TYPE_CHECKING:
    from gretel.evaluation.runs.compare import Compared

Run = Annotated[Path, typer.Argument(help="Folder written by `gretel evaluate --out`.")]


def compare(
    first: Run,
    second: Run,
    pipeline: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[,NAME]",
            help="Compare only this pipeline, or one of FIRST with one of SECOND. "
            "Default: all that both runs have.",
            show_default=False,
        ),
    ] = None,
    k: Annotated[
        int, typer.Option("-k", help="Depth of the measures printed: 1, 3, 5, 10, 20.")
    ] = 5,
    all_gold: Annotated[
        bool, typer.Option("--all-gold", help="Also count right tools that do not work as right.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Compare SECOND with FIRST, request by request: means, difference, 95 % interval, p.

    p is from a paired randomisation test, the interval from a bootstrap over requests; neither is
    corrected for the number of measures. `--json` gives the measures at every depth.
    """
    from gretel.contracts.errors import InputError
    from gretel.evaluation.measures.measures import DEPTHS
    from gretel.evaluation.runs.compare import compare_runs, read_run

    if k not in DEPTHS:
        remedy = f"Give one of {', '.join(map(str, DEPTHS))}"
        raise InputError(f"no measure is cut at {k}", field="-k", remedy=remedy)
    names = None if pipeline is None else pipeline.split(",")
    if names is not None and len(names) > 2:
        raise InputError("names more than two", field="--pipeline", remedy="Name one, or two")
    pair = None if names is None else (names[0], names[-1])
    rows = compare_runs(
        read_run(first),
        read_run(second),
        pair,
        depths=DEPTHS if as_json else (k,),
        all_gold=all_gold,
    )
    if as_json:
        say_json(json.dumps([_object(row) for row in rows], indent=2))
    else:
        both = (" → ".join(dict.fromkeys((r.first_pipeline, r.second_pipeline))) for r in rows)
        keyed = (((name, row.measure), _cells(row)) for name, row in zip(both, rows, strict=True))
        print_table(("pipeline", "measure"), keyed)


def _object(row: "Compared") -> dict[str, object]:
    result = row.result
    return {
        "pipelines": [row.first_pipeline, row.second_pipeline],
        "measure": row.measure,
        "means": [row.first, row.second],
        "difference": result.difference,
        "ci95": list(result.ci),
        "p": result.p_value,
        "n": result.n,
    }


def _cells(row: "Compared") -> dict[str, str]:
    from gretel.evaluation.measures.significance import SIGNIFICANT

    result = row.result
    p = f"{result.p_value:.4f}"
    return {
        "first": f"{row.first:.4f}",
        "second": f"{row.second:.4f}",
        "difference": f"{result.difference:+.4f}",
        "95 % interval": f"{result.ci.low:+.4f} … {result.ci.high:+.4f}",
        "p": f"[bold]{p}[/]" if result.p_value < SIGNIFICANT else p,
        "n": str(result.n),
    }
