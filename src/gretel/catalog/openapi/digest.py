"""The digest of a parsed document, made without writing the whole of it at once."""

import hashlib
import json
from collections.abc import Iterator

from gretel.contracts.record import JsonValue

_LEVELS = 4
"""Levels of a document that are written one by one, down to what a method of a path holds."""
_TOGETHER = 1_000
"""Entries of a list that are written at once, and characters of the longest text among them."""


def digest_of(document: JsonValue) -> str:
    """SHA-256 of the document as JSON with its keys in order, in hexadecimal."""
    digest = hashlib.sha256()
    for part in _written(document, _LEVELS):
        digest.update(part.encode())
    return digest.hexdigest()


def _written(value: JsonValue, levels: int) -> Iterator[str]:
    """`value` as JSON, its keys in order, in parts: aliases make it longer than its document."""
    if not levels or not value or not isinstance(value, dict | list):
        yield json.dumps(value, sort_keys=True)
    elif isinstance(value, dict):
        opening = "{"
        for key in sorted(value):
            yield f"{opening}{json.dumps(key)}: "
            yield from _written(value[key], levels - 1)
            opening = ", "
        yield "}"
    else:
        opening = "["
        for entries in _short_together(value):
            yield opening
            if len(entries) > 1:
                yield json.dumps(entries)[1:-1]
            else:
                yield from _written(entries[0], levels - 1)
            opening = ", "
        yield "]"


def _short_together(value: list[JsonValue]) -> Iterator[list[JsonValue]]:
    """The entries in order: those that are long alone, the others up to `_TOGETHER` in one."""
    for first in range(0, len(value), _TOGETHER):
        entries = value[first : first + _TOGETHER]
        if any(map(_is_long, entries)):
            yield from ([entry] for entry in entries)
        else:
            yield entries


def _is_long(value: JsonValue) -> bool:
    return isinstance(value, dict | list) or (isinstance(value, str) and len(value) > _TOGETHER)
