"""The way of every line and table to the terminal: foreign words in it bring no order to it."""

import io
import sys
from collections.abc import Iterable, Mapping
from typing import TextIO

import typer

from gretel.text.foreign import escaped, printable

_WIDEST = 10_000
"""Columns that no table of ours needs."""


def say(line: str, *, err: bool = False) -> None:
    """Print a line, whatever names and words stand in it."""
    typer.echo(printable(line), err=err)


def say_json(written: str) -> None:
    """Print JSON; what cannot be seen in it, or written to this output, is escaped."""
    typer.echo(escaped(written, getattr(sys.stdout, "encoding", None) or "utf-8"))


def take_any_sign(*streams: TextIO) -> None:
    """Let streams write every sign, those that their encoding has not by its number: others choose
    what names and titles are made of.
    """
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def print_table(
    heads: tuple[str, ...], rows: Iterable[tuple[tuple[str, ...], Mapping[str, str]]]
) -> None:
    """Print rows, each its key under `heads` and then its cells by column; markup holds in cells.

    Where the terminal is too narrow for them, each row is a block, a line a cell.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console, rows = Console(), list(rows)
    table = Table(*heads)
    for name in rows[0][1] if rows else ():
        table.add_column(name, justify="right")
    for key, cells in rows:
        table.add_row(*(Text(printable(name)) for name in key), *cells.values())
    unbound = console.options.update(width=_WIDEST)
    if console.measure(table, options=unbound).maximum <= console.width:
        if rows:
            console.print(table)
        return
    for key, cells in rows:
        console.print(Text(printable(", ".join(key)), "bold"))
        width = max(map(len, cells), default=0)
        for name, cell in cells.items():
            console.print(f"  {name:{width}}  {cell}")
