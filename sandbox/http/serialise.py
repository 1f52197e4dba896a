"""Argument values as they stand in paths, queries, headers and cookies (OpenAPI styles).

Every function raises ArgumentsError for a value that cannot be sent as it is; nothing is repaired
in silence.
"""

import json
import math
import re
from collections.abc import Iterator
from urllib.parse import quote, unquote

from gretel.contracts.errors import ArgumentsError
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Parameter

_DELIMITER = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C"}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_PARTS = re.compile(r"[/\\;]")
_LONGEST = 2_000_000
"""Characters of one argument in a query or a form."""
_MAX_UNQUOTE = 4
"""Rounds of percent-decoding that are looked through for a hidden path separator; nothing honest
needs more."""


def query_pairs(parameter: Parameter, value: JsonValue) -> list[str]:
    """`value` in a query, as `name=value`, percent-encoded; also the rules of a form body.

    None and empty lists give no pair.
    """
    found, left = list[str](), _LONGEST
    for pair in _pairs(parameter, value):
        found.append(pair)
        left -= len(pair)
        if left < 0:  # the name, and names around it, stand before each value
            raise unsendable(parameter, "is too long")
    return found


def _pairs(parameter: Parameter, value: JsonValue) -> Iterator[str]:
    """What `query_pairs` gives, one by one."""
    name = quote(_sound(parameter, parameter.wire_name), safe="")
    style = parameter.style or "form"
    explode = parameter.explode if parameter.explode is not None else style == "form"
    delimiter = _DELIMITER.get(style, ",")
    if isinstance(value, dict):
        if style == "deepObject":
            yield from _deep_pairs(parameter, name, value)
            return
        fields = _fields(parameter, value)
        if explode:
            yield from (f"{key}={item}" for key, item in fields)
            return
        encoded = [part for field in fields for part in field]
    elif isinstance(value, list):
        encoded = [_encoded(parameter, item) for item in value]
        if explode:
            yield from (f"{name}={item}" for item in encoded)
            return
    else:
        encoded = [] if value is None else [_encoded(parameter, value)]
    if encoded:
        yield f"{name}={delimiter.join(encoded)}"


def _deep_pairs(parameter: Parameter, name: str, value: JsonValue) -> Iterator[str]:
    """`name[key][key]=value` for every leaf."""
    if isinstance(value, dict):
        for key, item in value.items():
            inner = f"{name}%5B{quote(_sound(parameter, key), safe='')}%5D"
            yield from _deep_pairs(parameter, inner, item)
    elif isinstance(value, list):
        for item in value:
            yield f"{name}={_encoded(parameter, item)}"
    elif value is not None:
        yield f"{name}={_encoded(parameter, value)}"


def path_segment(parameter: Parameter, value: JsonValue) -> str:
    """`value` in its place of a path: percent-encoded, never empty, never leaving its segment."""
    style = parameter.style or "simple"
    explode = bool(parameter.explode)
    prefix = {"label": ".", "matrix": ";"}.get(style, "")
    separator = prefix if explode and prefix else ","
    name = quote(_sound(parameter, parameter.wire_name), safe="")
    if isinstance(value, dict):
        pairs = _fields(parameter, value)
        parts = [f"{key}={item}" if explode else f"{key},{item}" for key, item in pairs]
    elif isinstance(value, list):
        parts = [_encoded(parameter, item) for item in value]
        if style == "matrix" and explode:
            if len(name) * len(parts) > _LONGEST:
                raise unsendable(parameter, "is too long")
            parts = [f"{name}={part}" for part in parts]
    else:
        parts = [_encoded(parameter, value)]
    joined = separator.join(parts)
    named = style == "matrix" and not (explode and isinstance(value, dict | list))
    segment = f"{prefix}{name}={joined}" if named else f"{prefix}{joined}"
    _stays_inside(parameter, joined, segment)
    return segment


def _stays_inside(parameter: Parameter, value: str, segment: str) -> None:
    """Refuse an empty value, control characters, `.` and `..`, however often they are encoded."""
    if not value:
        raise unsendable(parameter, "is empty, and goes into the path")
    for reading in _decoded(segment):
        if reading is None:
            raise unsendable(parameter, "is percent-encoded too often, and goes into the path")
        if _CONTROL.search(reading):
            raise unsendable(parameter, "holds a control character, and goes into the path")
        if any(part in {".", ".."} for part in _PARTS.split(reading)):
            raise unsendable(parameter, "would leave its place in the path")


def climbs(path: str) -> bool:
    """Whether `..` stands in a path, however it is encoded."""
    return any(reading is None or ".." in _PARTS.split(reading) for reading in _decoded(path))


def _decoded(path: str) -> Iterator[str | None]:
    """`path` decoded once, twice and so on; None where it is encoded too often to tell."""
    for _ in range(_MAX_UNQUOTE):
        path, before = unquote(path), path
        yield path
        if path == before:
            return
    yield None


def header_value(parameter: Parameter, value: JsonValue) -> str:
    """`value` in a header (style simple), refused where it would break the header apart."""
    explode = bool(parameter.explode)
    if isinstance(value, dict):
        sign = "=" if explode else ","
        text = ",".join(
            f"{_sound(parameter, key)}{sign}{value_text(parameter, item)}"
            for key, item in value.items()
        )
    elif isinstance(value, list):
        text = ",".join(value_text(parameter, item) for item in value)
    else:
        text = value_text(parameter, value)
    if _CONTROL.search(text):
        raise unsendable(parameter, "holds a control character, and goes into a header")
    if text != text.strip():
        raise unsendable(parameter, "begins or ends with a blank, and goes into a header")
    return text


def cookie_value(parameter: Parameter, value: JsonValue) -> str:
    """`value` in a cookie, percent-encoded."""
    items = value if isinstance(value, list) else [value]
    return "%2C".join(_encoded(parameter, item) for item in items)


def value_text(parameter: Parameter, value: JsonValue) -> str:
    """One value as text: `true`, `1`, `2.5`; a nested list or object as JSON, None as ''."""
    if isinstance(value, str):
        return _sound(parameter, value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        raise unsendable(parameter, "is not a finite number")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        raise unsendable(parameter, "cannot be written as JSON") from None


def unsendable(parameter: Parameter, problem: str) -> ArgumentsError:
    """The error for a value that cannot be sent; it does not repeat the value."""
    return ArgumentsError(
        f"the value {problem}",
        field=parameter.name,
        remedy="Plan another value, or leave it out.",
    )


def _encoded(parameter: Parameter, value: JsonValue) -> str:
    """One value, percent-encoded whole."""
    return quote(value_text(parameter, value), safe="")


def _fields(parameter: Parameter, value: dict[str, JsonValue]) -> list[tuple[str, str]]:
    """The fields of an object, percent-encoded; those that are None left out."""
    return [
        (quote(_sound(parameter, key), safe=""), _encoded(parameter, item))
        for key, item in value.items()
        if item is not None
    ]


def _sound(parameter: Parameter, text: str) -> str:
    """`text`, refused where it holds half a character (a lone surrogate)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise unsendable(parameter, "holds half a character (a lone surrogate)") from None
    return text
