"""The digest of a parsed document, made without writing the whole of it at once."""

import hashlib
import json
from collections.abc import Callable, Iterator

from gretel.contracts.record import JsonValue

_TOGETHER = 200
"""Entries of a list that are written at once, where all of them are short."""
_FEW = 8
"""Entries of what is short, on each of two levels."""
_SHORT = 100
"""Characters of each text in what is short."""
_ENCODER = json.JSONEncoder(sort_keys=True)


def digest_of(document: JsonValue) -> str:
    """SHA-256 of the document as JSON with its keys in order, in hexadecimal.

    It is written in parts, as aliases make it many times longer than what is in memory.
    """
    digest = hashlib.sha256()
    _write(document, lambda part: digest.update(part.encode()))
    return digest.hexdigest()


def _write(value: JsonValue, write: Callable[[str], None]) -> None:
    if not isinstance(value, dict | list) or _is_short(value):
        write(_ENCODER.encode(value))
    elif isinstance(value, dict):
        opening = "{"
        for key in sorted(value):
            write(f"{opening}{_ENCODER.encode(key)}: ")
            _write(value[key], write)
            opening = ", "
        write("}")
    else:
        opening = "["
        for entries in _short_together(value):
            write(opening)
            if len(entries) > 1:
                write(_ENCODER.encode(entries)[1:-1])
            else:
                _write(entries[0], write)
            opening = ", "
        write("]")


def _short_together(value: list[JsonValue]) -> Iterator[list[JsonValue]]:
    """The entries in order: those that are short up to `_TOGETHER` in one, others alone."""
    for first in range(0, len(value), _TOGETHER):
        entries = value[first : first + _TOGETHER]
        if all(map(_is_short, entries)):
            yield entries
        else:
            yield from ([entry] for entry in entries)


def _is_short(value: JsonValue, levels: int = 2) -> bool:
    if isinstance(value, str):
        return len(value) <= _SHORT
    if not isinstance(value, dict | list):
        return True
    if not levels or len(value) > _FEW:
        return False
    within = [*value, *value.values()] if isinstance(value, dict) else value
    return all(_is_short(each, levels - 1) for each in within)
