"""From `--catalog` and the environment to a catalogue; what was skipped goes to stderr."""

from collections.abc import Sequence

from gretel.catalog import Catalog, Skipped
from gretel.cli.saying import say
from gretel.contracts.errors import InputError
from gretel.graph.settings import Settings, load_catalog
from gretel.graph.sources import Source, read_source

SHOWN = 3


def named_sources(
    catalogs: Sequence[str] | None, toolkits: Sequence[str] | None, settings: Settings
) -> list[Source]:
    """What `--catalog` or else the environment names; the nth `--toolkit` names the nth of them.

    Raises:
        InputError: there are more or fewer names than catalogues.
        CatalogError: one of them is no path.
    """
    named = [read_source(text) for text in catalogs] if catalogs else settings.catalogs()
    if toolkits and len(toolkits) != len(named):
        raise InputError(
            f"{len(toolkits)} names for {len(named)} catalogues",
            field="--toolkit",
            remedy="Give one for each --catalog, in the same order; '' keeps the document's title.",
        )
    return [
        source._replace(toolkit=toolkit or None)
        for source, toolkit in zip(named, toolkits or [""] * len(named), strict=True)
    ]


def open_catalog(
    catalogs: Sequence[str] | None,
    settings: Settings,
    *,
    strict: bool,
    toolkits: Sequence[str] | None = None,
) -> Catalog:
    """Load every named catalogue into one.

    Raises:
        InputError: none is named, or `toolkits` do not fit them.
        CatalogError: one cannot be used.
    """
    named = named_sources(catalogs, toolkits, settings)
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
        say(f"{word} {row.place}: {row.reason}. {row.remedy}", err=True)
    if len(rows) > SHOWN:
        say(f"… and {len(rows) - SHOWN} more {what}", err=True)
