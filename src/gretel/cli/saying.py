"""The way of every line to the terminal: foreign words in it bring no order to it."""

import typer

from gretel.text.foreign import escaped, printable


def say(line: str, *, err: bool = False) -> None:
    """Print a line, whatever names and words stand in it."""
    typer.echo(printable(line), err=err)


def say_json(written: str) -> None:
    """Print JSON; what cannot be seen in it is escaped."""
    typer.echo(escaped(written))
