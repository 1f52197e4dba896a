"""The `gretel` command: its sub-commands, and how errors become exit codes.

Exit codes: 0 ok, 1 our machinery broke, 2 bad input, 3 abstained, 4 a needed service is
unreachable.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Annotated, Any, NoReturn, TextIO

import typer
from typer.core import TyperGroup

import gretel
from gretel.cli import (
    add_tools,
    agent,
    calibrate,
    compare,
    doctor,
    evaluate,
    index,
    merge,
    mock,
    report,
    select,
    train,
)
from gretel.cli.saying import say, take_any_sign
from gretel.contracts.errors import GretelError, InputError, ServiceUnreachable
from gretel.text.foreign import one_line
from gretel.text.redact import shapes_masked

OLD_NAMES = {"needless": "no-tool", "negatives": "no-tool", "fact": "context"}
"""Options that had another name; the old one is not in the help, and works."""


class _Commands(TyperGroup):
    """Commands; what is wrong with their words repeats no key that was typed among them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _masking():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with _masking():
            return super().invoke(ctx)


@contextmanager
def _masking() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        said = getattr(error, "message", None)  # of what a command's words are found to be
        if isinstance(said, str):
            error.message = shapes_masked(said)  # type: ignore[attr-defined]
        raise


app = typer.Typer(
    name="gretel",
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"token_normalize_func": lambda name: OLD_NAMES.get(name, name)},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"gretel {gretel.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    """Pick the right tools out of thousands by trying them."""


app.command("select")(select.select)
app.command("agent")(agent.agent)
app.command("index")(index.index)
app.add_typer(train.app, name="train")
app.command("add-tools")(add_tools.add_tools)
app.command("doctor")(doctor.doctor)
app.command("mock")(mock.mock)
app.command("evaluate")(evaluate.evaluate)
app.command("calibrate")(calibrate.calibrate)
app.command("merge")(merge.merge)
app.command("compare")(compare.compare)
app.command("report")(report.report)


def run() -> None:
    """Run the command line; an error that we foresaw is one line on stderr, never a traceback."""
    take_any_sign(sys.stdout, sys.stderr)
    try:
        app()
    except InputError as error:
        _fail(error, 2)
    except ServiceUnreachable as error:
        _fail(error, 4)
    except GretelError as error:
        _fail(error, 1)
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        _mute(sys.stdout)
        said = error.strerror or "the output cannot be written"
        name, remedy = error.filename, "Make room, and give the same command again"
        _fail(f"{name}: cannot be written ({said}). {remedy}" if name else said, 1)


_UNWRITABLE = frozenset({errno.ENOSPC, errno.EPIPE, errno.EIO, errno.EDQUOT})
"""The output, or a file of ours, went nowhere: the disk is full, or the reader has gone."""


def _mute(stream: TextIO) -> None:
    """Let the interpreter flush what is left into nothing at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _fail(error: GretelError | str, code: int) -> NoReturn:
    try:
        sys.stderr.write(f"gretel: {one_line(str(error))}\n")
        sys.stderr.flush()
    except OSError:  # there is nobody left to tell
        _mute(sys.stderr)
    raise SystemExit(code)
