"""Files of data sets: their rows, and the digest of what was read."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from gretel.catalog.document import as_object, decode, parse_json, read_bytes
from gretel.contracts.record import JsonObject


class Line(NamedTuple):
    """One row of a JSONL file."""

    place: str
    """`queries.jsonl:12`."""
    content: JsonObject


def read_lines(path: Path) -> Iterator[Line]:
    """The rows of a JSONL file, empty lines left out; what is no object is an empty one.

    Raises:
        CatalogError: the file cannot be read, or a row is not JSON.
    """
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            place = f"{path.name}:{number}"
            yield Line(place, as_object(parse_json(line, place=place)))


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
