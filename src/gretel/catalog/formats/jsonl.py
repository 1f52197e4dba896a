"""JSONL catalogues: one tool a line."""

import io
from pathlib import Path

from gretel.catalog.bounds import Pool
from gretel.catalog.document import as_object, decode, parse_json, read_bytes
from gretel.catalog.formats.row import Row
from gretel.catalog.formats.rows import read_row
from gretel.catalog.report import Loaded, Note
from gretel.contracts.errors import CatalogError


def load_jsonl(path: str | Path) -> Loaded:
    """Every line that is a tool; an empty file gives no tools.

    Raises:
        CatalogError: the file cannot be read, or has lines and none is a tool.
    """
    path = Path(path)
    text = decode(read_bytes(path), place=path.name)
    loaded, pool = Loaded(), Pool()
    for number, line in enumerate(io.StringIO(text, newline="\n"), start=1):
        if not line.strip():
            continue
        place = f"{path.name}:{number}"
        try:
            content = as_object(parse_json(line, place=place))
        except CatalogError as error:
            loaded.skip(place, "is not JSON", error.remedy)
            continue
        take_row(Row(content, place, pool=pool), loaded)
    if loaded.skipped and not loaded.tools:
        place, reason, remedy = loaded.skipped[0]
        message = f"none of {len(loaded.skipped)} lines is a tool: {reason}"
        raise CatalogError(message, field=place, remedy=remedy)
    return loaded


def take_row(row: Row, loaded: Loaded) -> None:
    """Add the tool that a row describes, or why it describes none."""
    with loaded.row(row.place):
        loaded.take(read_row(row))
        loaded.notes += [Note(row.place, note) for note in row.notes]
