"""Rows made in memory → a catalogue, as if they stood in a `corpus.jsonl`."""

from collections.abc import Iterable

from gretel.catalog import Catalog, Skipped
from gretel.catalog.formats.row import Row
from gretel.catalog.formats.rows import read_row
from gretel.catalog.identity import tell_apart
from gretel.catalog.references import UnusableError
from gretel.catalog.report import Loaded, Note
from gretel.datasets.reading import Line


def catalog_of(rows: Iterable[Line]) -> Catalog:
    """The tools that the rows describe; a row that describes none is in `Catalog.skipped`.

    Raises:
        DuplicateToolError: two different tools cannot be told apart.
    """
    loaded = Loaded()
    for place, content in rows:
        row = Row(content, place)
        try:
            loaded.tools.append(read_row(row))
            loaded.notes += [Note(place, note) for note in row.notes]
        except UnusableError as error:
            loaded.skipped.append(Skipped(place, error.reason, error.remedy))
    distinct = tell_apart(loaded)
    return Catalog(distinct.tools, skipped=distinct.skipped, notes=distinct.notes)
