"""From `--catalog` and the environment to a catalogue; what was skipped goes to stderr."""

from collections.abc import Sequence
from pathlib import Path

import typer

from gretel.catalog import Catalog, Skipped
from gretel.contracts.errors import InputError
from gretel.graph.settings import Settings, load_catalog

SHOWN = 3


def open_catalog(paths: list[Path] | None, settings: Settings, *, strict: bool) -> Catalog:
    """Load every named catalogue into one.

    Raises:
        InputError: none is named.
        CatalogError: one cannot be used.
    """
    named = paths or settings.catalogs()
    if not named:
        raise InputError(
            "no catalogue is named",
            field="--catalog",
            remedy="Give a file or folder, or set GRETEL_CATALOG.",
        )
    catalog = load_catalog(named, strict=strict)
    tell_rows("skipped", catalog.skipped, "operations skipped")
    return catalog


def tell_rows(word: str, rows: Sequence[Skipped], what: str) -> None:
    """Say on stderr what of some data could not be used, the first rows in full."""
    for row in rows[:SHOWN]:
        typer.echo(f"{word} {row.place}: {row.reason}. {row.remedy}", err=True)
    if len(rows) > SHOWN:
        typer.echo(f"… and {len(rows) - SHOWN} more {what}", err=True)
