"""Files of one JSON value a line: read one by one, and bounded together."""

import json
import re
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

from gretel.catalog.bounds import NODE_LIMIT
from gretel.catalog.document import decode, read_bytes, too_many, values_of

_BYTES = re.compile("[\udc80-\udcff]")
"""Bytes that no character could be made of, as Python's `surrogateescape` keeps them."""


def read_lines(path: Path, *, broken: bool = False) -> Iterator[tuple[str, str]]:
    """The lines of a text that are not blank, each behind its place: `queries.jsonl:12`.

    Args:
        path: of the file.
        broken: whether a line that is not UTF-8 is given, too, with its bytes: `is_text`.

    Raises:
        CatalogError: the file cannot be read, or is no text; the lines so far may hold more values
            together than one document may.
    """
    data = read_bytes(path)
    encoding, errors = json.detect_encoding(data), "surrogateescape" if broken else "strict"
    file = TextIOWrapper(BytesIO(data), encoding=encoding, errors=errors, newline="\n")
    held = 0
    try:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            held += values_of(line)
            if held > NODE_LIMIT:
                raise too_many(path.name, NODE_LIMIT, "values")
            yield f"{path.name}:{number}", line
    except UnicodeDecodeError:
        decode(data, place=path.name)  # which says where
        raise


def is_text(line: str) -> bool:
    """Whether a line holds no byte that is part of no character."""
    return line.isascii() or not _BYTES.search(line)
