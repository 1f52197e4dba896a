"""The way of every line and table to the terminal: foreign words in it bring no order to it."""

from collections.abc import Iterable, Mapping

import typer

from gretel.text.foreign import escaped, printable

TABLE_WIDTH = 76
"""Columns that our tables need."""


def say(line: str, *, err: bool = False) -> None:
    """Print a line, whatever names and words stand in it."""
    typer.echo(printable(line), err=err)


def say_json(written: str) -> None:
    """Print JSON; what cannot be seen in it is escaped."""
    typer.echo(escaped(written))


def print_table(
    heads: tuple[str, ...], rows: Iterable[tuple[tuple[str, ...], Mapping[str, str]]]
) -> None:
    """Print rows, each its key under `heads` and then its cells by column; markup holds in cells.

    A terminal of less than `TABLE_WIDTH` columns gets each row as a block, a line a cell.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    table = Table(*heads)
    for number, (key, cells) in enumerate(rows):
        if console.width < TABLE_WIDTH:
            console.print(Text(printable(", ".join(key)), "bold"))
            width = max(map(len, cells), default=0)
            for name, cell in cells.items():
                console.print(f"  {name:{width}}  {cell}")
            continue
        for name in cells if number == 0 else ():
            table.add_column(name, justify="right")
        table.add_row(*(Text(printable(name)) for name in key), *cells.values())
    if table.rows:
        console.print(table)
