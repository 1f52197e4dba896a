"""Bytes → plain JSON: reading, decoding, and bounds on size, depth and expansion."""

import errno
import json
import math
import os
import re
import time
from collections.abc import Iterator, Mapping
from io import RawIOBase
from pathlib import Path
from select import select
from typing import Any

from gretel.catalog.bounds import DEPTH_LIMIT, NODE_LIMIT, RECORD_LIMIT, SIZE_LIMIT
from gretel.catalog.yaml_core import parse_yaml
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject, JsonValue

_WHOLE = range(-(2**63), 2**64)
"""Integers that everything downstream can hold, checkpoints and validators included."""
_PIPE_S = 60.0
"""Seconds in which a pipe brings all, as in `--catalog <(curl …)`."""
_LONG_NUMBER = re.compile(r"\d{19}")
_MOST = ((RECORD_LIMIT, "lists and objects", "[{"), (NODE_LIMIT, "values", ",[{"))


def read_bytes(path: Path) -> bytes:
    """The file's content.

    Raises:
        CatalogError: no such file, not readable, or larger than `SIZE_LIMIT`; a pipe into which
            nothing comes.
    """
    try:
        with open(path, "rb", buffering=0, opener=_unwaiting) as file:
            data = b"".join(_parts(file))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        remedy = "Check the path and its permissions"
        raise CatalogError(f"cannot be read ({reason})", field=str(path), remedy=remedy) from error
    if len(data) > SIZE_LIMIT:
        raise _too_long(path.name)
    return data


def _unwaiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def _parts(file: RawIOBase) -> Iterator[bytes]:
    """What a file holds, or comes through a pipe, up to a byte more than `SIZE_LIMIT`.

    Whatever size it says that it has.

    Raises:
        OSError: it cannot be read, or the writer of a pipe is slower than `_PIPE_S`.
    """
    left, end = SIZE_LIMIT + 1, time.monotonic() + _PIPE_S
    while left:
        part = file.read(left)
        if part == b"":
            return
        if part is None and not select([file], [], [], max(0.0, end - time.monotonic()))[0]:
            raise TimeoutError(errno.ETIMEDOUT, "nothing comes through this pipe")
        if part:
            left -= len(part)
            yield part


def decode(data: bytes, *, place: str) -> str:
    """Text in UTF-8, or in UTF-16 or UTF-32 as its first bytes tell.

    Raises:
        CatalogError: the bytes are not such text.
    """
    try:
        text = data.decode(json.detect_encoding(data))
    except UnicodeDecodeError as error:
        problem = f"is not {error.encoding} text (byte {error.start})"
        raise CatalogError(problem, field=place, remedy="Save it in UTF-8") from error
    return text.removeprefix("\ufeff")


def read_document(path: Path, *, place: str) -> JsonValue:
    """The file's content as plain JSON; raises as `read_bytes` and `parse_document` do."""
    return parse_document(read_bytes(path), place=place)


def parse_document(source: str | bytes, *, place: str) -> JsonValue:
    """JSON or YAML → plain JSON; what begins with a brace is tried as JSON first.

    Raises:
        CatalogError: it is neither, or beyond the limits of `catalog/bounds.py`.
    """
    text = decode(source, place=place) if isinstance(source, bytes) else source
    if len(text) > SIZE_LIMIT:
        raise _too_long(place)
    if text.lstrip()[:1] in ("{", "["):
        try:
            return parse_json(text, place=place)
        except CatalogError as error:
            syntax = isinstance(error.__cause__, json.JSONDecodeError)
            if not syntax or place.lower().endswith(".json"):
                raise
    return as_json(parse_yaml(text, place=place), place=place)


def parse_json(text: str, *, place: str) -> JsonValue:
    """JSON → plain JSON; of equal keys the last wins.

    NaN and numbers beyond a double become null, integers beyond 64 bits the nearest double.

    Raises:
        CatalogError: it is not JSON, or has more values than `NODE_LIMIT`, or `RECORD_LIMIT`, say.
    """
    for most, what, signs in _MOST:  # before they take memory
        if sum(map(text.count, signs)) > most:
            raise too_many(place, most, what)
    try:
        value: JsonValue = json.loads(
            text, parse_constant=lambda name: None, parse_float=finite, object_hook=in_turns
        )
    except json.JSONDecodeError as error:
        where = f"{error.msg}, line {error.lineno} column {error.colno}"
        raise CatalogError(f"is not JSON ({where})", field=place, remedy="Correct it") from error
    except ValueError as error:  # an integer of thousands of digits
        remedy = "Write such a number as a string"
        raise CatalogError(f"is not usable JSON ({error})", field=place, remedy=remedy) from error
    except RecursionError as error:
        raise _too_deep(place) from error
    if _needs_no_copy(text):
        return value
    return as_json(value, place=place)


def values_of(text: str) -> int:
    """At least as many values as JSON holds."""
    return sum(map(text.count, ",[{"))


def _needs_no_copy(text: str) -> bool:
    """Too few brackets to be nested too deep, and no half a character or number beyond 64 bits."""
    shallow = text.count("{") + text.count("[") <= DEPTH_LIMIT
    whole = "\\ud" not in text and "\\uD" not in text
    return shallow and whole and _LONG_NUMBER.search(text) is None


def as_json(value: Any, *, place: str) -> JsonValue:
    """A copy of `value` that any JSON writer takes: own containers, text keys, finite numbers.

    Raises:
        CatalogError: it has more values than `NODE_LIMIT`, or more characters than `SIZE_LIMIT`,
            counting each time what stands in several places; it is nested beyond `DEPTH_LIMIT`.
    """
    left, unsaid = NODE_LIMIT, SIZE_LIMIT

    def sound(text: str) -> str:
        nonlocal unsaid
        unsaid -= len(text)
        if unsaid < 0:
            raise too_many(place, SIZE_LIMIT, "characters")
        return _encodable(text)

    def copy(item: Any, depth: int) -> JsonValue:
        nonlocal left
        left -= 1
        if left < 0:
            raise too_many(place, NODE_LIMIT, "values")
        if depth > DEPTH_LIMIT:
            raise _too_deep(place)
        if isinstance(item, str):
            return sound(item)
        if item is None or isinstance(item, bool):
            return item
        if isinstance(item, int):
            return _number(item)
        if isinstance(item, float):
            return item if math.isfinite(item) else None
        if isinstance(item, Mapping):
            return {sound(str(key)): copy(child, depth + 1) for key, child in item.items()}
        if isinstance(item, list | tuple):
            return [copy(child, depth + 1) for child in item]
        return sound(str(item))

    return copy(value, 0)


def as_object(value: JsonValue) -> JsonObject:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: JsonValue) -> list[JsonValue]:
    """The value where it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: JsonValue) -> str:
    """The value where it is a string, else an empty one; numbers and booleans are written out."""
    if isinstance(value, str):
        return value.strip()
    return json.dumps(value) if isinstance(value, int | float) else ""


def _encodable(text: str) -> str:
    """`text` itself where it is sound: many places of a document may hold the very same one."""
    try:
        if not text.isascii():
            text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _number(whole: int) -> int | float | None:
    """An integer as it is where 64 bits hold it, else as other readers of JSON have it."""
    if whole in _WHOLE:
        return whole
    try:
        return float(whole)
    except OverflowError:
        return None


def finite(digits: str) -> float | None:
    """A float as it is written; None for one that is too large."""
    number = float(digits)
    return number if math.isfinite(number) else None


def in_turns(record: JsonObject) -> JsonObject:
    """`record`. As a reader's `object_hook`: between its calls other threads get a turn."""
    return record


def _too_long(place: str) -> CatalogError:
    remedy = "Split it, or leave out what does not describe tools"
    return CatalogError(f"is larger than {SIZE_LIMIT // 1_000_000} MB", field=place, remedy=remedy)


def _too_deep(place: str) -> CatalogError:
    problem = f"is nested deeper than {DEPTH_LIMIT} levels"
    return CatalogError(problem, field=place, remedy="Flatten the document")


def too_many(place: str, most: int, what: str) -> CatalogError:
    """What is said of a document that holds more than one may."""
    problem = f"holds more than {most:,} {what}, aliases expanded"
    return CatalogError(problem, field=place, remedy="Split the document, or write no long aliases")
