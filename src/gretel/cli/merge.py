"""`gretel merge`: shards of one run into the run."""

from pathlib import Path
from typing import Annotated

import typer

from gretel.cli.options import Json, command_line
from gretel.cli.showing.results import print_run


def merge(
    shards: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Folders of all shards of one run.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="RUN", help="Folder of the whole run.")],
    as_json: Json = False,
) -> None:
    """Merge the shards of one run; the report digest is that of an unsharded run."""
    from gretel.evaluation.report.page import write_report
    from gretel.evaluation.runs.merge import merge_runs

    merge_runs(shards, out, command=command_line())
    write_report(out)
    print_run(out, as_json=as_json)
