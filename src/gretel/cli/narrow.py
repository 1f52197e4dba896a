"""Tables for terminals that are too narrow for one."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

TABLE_WIDTH = 76
"""Columns that our tables need."""


def is_narrow(console: "Console") -> bool:
    """Whether tables would be cut to pieces."""
    return console.width < TABLE_WIDTH


def print_blocks(console: "Console", blocks: Iterable[tuple[str, Mapping[str, str]]]) -> None:
    """Print each row of a table below its title, a line a cell; markup holds."""
    for title, cells in blocks:
        console.print(f"[bold]{title}[/]")
        width = max(map(len, cells), default=0)
        for name, cell in cells.items():
            console.print(f"  {name:{width}}  {cell}")
