"""The `gretel` command: its sub-commands, and how errors become exit codes.

Exit codes: 0 ok, 1 our machinery broke, 2 bad input, 3 abstained, 4 a needed service is
unreachable.
"""

import sys
from typing import NoReturn

import typer

from gretel.cli import compare, doctor, evaluate, index, merge, mock, report, select
from gretel.contracts.errors import GretelError, InputError, ServiceUnreachable

app = typer.Typer(
    name="gretel",
    help="The right tools out of thousands, by trial.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("select")(select.select)
app.command("index")(index.index)
app.command("doctor")(doctor.doctor)
app.command("mock")(mock.mock)
app.command("evaluate")(evaluate.evaluate)
app.command("merge")(merge.merge)
app.command("compare")(compare.compare)
app.command("report")(report.report)


def run() -> None:
    """Run the command line; an error that we foresaw is one line on stderr, never a traceback."""
    try:
        app()
    except InputError as error:
        _fail(error, 2)
    except ServiceUnreachable as error:
        _fail(error, 4)
    except GretelError as error:
        _fail(error, 1)


def _fail(error: GretelError, code: int) -> NoReturn:
    line = " ".join(str(error).split())
    sys.stderr.write(f"gretel: {line}\n")
    raise SystemExit(code)
