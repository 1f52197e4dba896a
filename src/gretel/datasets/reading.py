"""Files of data sets: their rows, and the digest of what was read."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from gretel.catalog import Catalog
from gretel.catalog.document import as_object, as_text, decode, parse_json, read_bytes
from gretel.catalog.formats import lines
from gretel.catalog.formats.jsonl import take_row
from gretel.catalog.formats.row import Row
from gretel.catalog.report import Loaded
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.files import check_few


class Line(NamedTuple):
    """One row of a JSONL file."""

    place: str
    """`queries.jsonl:12`."""
    content: JsonObject


def read_lines(path: Path) -> Iterator[Line]:
    """The rows of a JSONL file, empty lines left out; what is no object is an empty one.

    Raises:
        CatalogError: the file cannot be read, a row is not JSON, or one of them, or all together,
            hold too much.
    """
    for place, line in lines.read_lines(path):
        yield Line(place, read_row(line, place=place))


def read_row(line: str, *, place: str) -> JsonObject:
    """The object of one line; an empty one where it is none.

    Raises:
        CatalogError: it is not JSON, or holds more than a line does.
    """
    try:
        check_few(line.encode())
    except ValueError as error:
        remedy = "Split it, or leave out what nobody reads"
        raise CatalogError(str(error), field=place, remedy=remedy) from None
    return as_object(parse_json(line, place=place))


def read_json(path: Path) -> JsonValue:
    """The JSON of a whole file.

    Raises:
        CatalogError: the file cannot be read, is not JSON, or holds too much.
    """
    return parse_json(read_text(path), place=path.name)


def catalog_of(rows: Iterable[Line]) -> Catalog:
    """The tools of rows made in memory, as if they stood in a `corpus.jsonl`.

    A row that describes no tool is in `Catalog.skipped`.

    Raises:
        DuplicateToolError: two different tools cannot be told apart.
    """
    loaded = Loaded()
    for place, content in rows:
        take_row(Row(content, place), loaded)
    return Catalog.from_loaded(loaded)


def read_text(path: Path) -> str:
    """The file's text.

    Raises:
        CatalogError: the file cannot be read, or is no text.
    """
    return decode(read_bytes(path), place=path.name)


def files_digest(files: Iterable[Path], *marks: str) -> str:
    """SHA-256 (hex) over the files' contents, in the order given, and the marks."""
    content = hashlib.sha256()
    for file in files:
        content.update(hashlib.sha256(read_bytes(file)).digest())
    content.update("\n".join(marks).encode())
    return content.hexdigest()


def contents_digest(files: Iterable[Path]) -> str:
    """SHA-256 (hex) of all contents, one after the other: what fitted files name their data by."""
    content = hashlib.sha256()
    for file in files:
        content.update(read_bytes(file))
    return content.hexdigest()


def as_written(value: JsonValue) -> str:
    """A text with its blanks at both ends, as models learn from it; else `as_text`."""
    return value if isinstance(value, str) else as_text(value)


def same_text(text: str) -> str:
    """A key that is equal for texts that differ in case and blanks alone."""
    return " ".join(text.casefold().split())
