"""Rows made in memory → a catalogue, as if they stood in a `corpus.jsonl`."""

from collections.abc import Iterable

from gretel.catalog import Catalog
from gretel.catalog.formats.jsonl import take_row
from gretel.catalog.formats.row import Row
from gretel.catalog.report import Loaded
from gretel.datasets.reading import Line


def catalog_of(rows: Iterable[Line]) -> Catalog:
    """The tools that the rows describe; a row that describes none is in `Catalog.skipped`.

    Raises:
        DuplicateToolError: two different tools cannot be told apart.
    """
    loaded = Loaded()
    for place, content in rows:
        take_row(Row(content, place), loaded)
    return Catalog.from_loaded(loaded)
