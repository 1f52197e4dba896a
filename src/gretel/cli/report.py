"""`gretel report`: finished runs as a page."""

from pathlib import Path
from typing import Annotated

import typer

from gretel.cli.saying import say


def report(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Folders written by `gretel evaluate --out`."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="File of the page. Default for one run: its report.html."
        ),
    ] = None,
) -> None:
    """Write an HTML page for one run, or for several over the same requests.

    Runs that differ only in the seed are averaged, with paired significance tests. Runs at several
    fault rates give a curve of the gain against the rate.
    """
    from gretel.contracts.errors import ConfigurationError, InputError
    from gretel.evaluation.report.groups_page import write_groups_report
    from gretel.evaluation.report.page import write_report

    if len(runs) > 1 and out is None:
        raise InputError("several runs", field="--out", remedy="Name the file of their page")
    if out is not None and out.exists() and not out.is_file():
        # the page is moved into place, which would do away with a device
        remedy = "Name a file"
        raise InputError("is not a file", field=f"--out {out}", remedy=remedy)
    try:
        if out is None or len(runs) == 1:
            made = write_report(runs[0], out)
        else:
            made = write_groups_report(runs, out)
    except OSError as error:
        problem = f"cannot be written: {error.strerror}"
        remedy = "Give another --out"
        raise ConfigurationError(problem, field=str(out or runs[0]), remedy=remedy) from None
    say(str(made))
