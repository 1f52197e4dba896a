"""A command of `gretel`, run alone."""

from collections.abc import Callable

import typer
from typer.testing import CliRunner, Result


def command(function: Callable[..., None], *args: object) -> Result:
    """The command's end; an error that was foreseen is raised."""
    app = typer.Typer()
    app.command()(function)
    ended = CliRunner().invoke(app, [*map(str, args)], env={"COLUMNS": "160"})
    if ended.exception and not isinstance(ended.exception, SystemExit):
        raise ended.exception
    return ended
