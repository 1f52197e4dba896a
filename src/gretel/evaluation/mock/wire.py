"""What came over the wire → the arguments of a tool: the reverse of the sandbox's serialisation.

A value that does not read as its schema's type stays text, so that validation names it.
"""

import email
import json
from collections.abc import Iterable, Mapping, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote, unquote_plus

from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import FORM, MULTIPART, Parameter, Tool
from gretel.evaluation.mock.values import coerced, kinds, retyped

_DELIMITERS = {
    "form": (",",),
    "spaceDelimited": ("%20", "+", " "),
    "pipeDelimited": ("%7C", "%7c", "|"),
}


class Received(NamedTuple):
    """A request as the server has it."""

    path_values: Mapping[str, str]
    """What stood in the places of the path, percent-encoded."""
    query: str
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes


class Unreadable(Exception):
    """The body is not what its media type says."""


class _Pair(NamedTuple):
    name: str
    """Decoded."""
    value: str
    """Percent-encoded still."""


def read_arguments(tool: Tool, received: Received) -> JsonObject:
    """The arguments of a call of `tool`, by the names of its parameters.

    What is unknown or carries a credential is dropped.

    Raises:
        Unreadable: the body cannot be read.
    """
    body = _Body(tool, received)
    query, cookies = _pairs(received.query), _cookies(received.headers.get("cookie", ""))

    def value(parameter: Parameter) -> _Found:
        name = parameter.wire_name
        match parameter.location:
            case "path":
                return _path_value(parameter, received.path_values.get(name))
            case "query":
                return _from_pairs(parameter, query, tool)
            case "header":
                return _listed(parameter, received.headers.get(name.lower()))
            case "cookie":
                return _listed(parameter, cookies.get(name))
            case _:
                return body.value(parameter)

    found = {parameter.name: value(parameter) for parameter in tool.fillable}
    return {name: item for name, item in found.items() if not isinstance(item, _Nothing)}


class _Nothing:
    """No value was sent, as against null."""


_NOTHING = _Nothing()
_Found: TypeAlias = JsonValue | _Nothing


class _Body:
    """The body of a request, read once."""

    def __init__(self, tool: Tool, received: Received) -> None:
        self._tool = tool
        self._text = received.body.decode(errors="replace")
        declared = received.headers.get("content-type", "application/json")
        kind = declared.partition(";")[0].strip().lower()
        self._json: JsonValue = None
        self._pairs: list[_Pair] = []
        self._is_json = kind.endswith("json") and bool(received.body)
        if self._is_json:
            try:
                self._json = json.loads(self._text)
            except (ValueError, RecursionError):
                raise Unreadable("The body is not valid JSON.") from None
        elif kind == FORM:
            self._pairs = _pairs(self._text)
        elif kind == MULTIPART:
            self._pairs = _multipart(declared, received.body)

    def value(self, parameter: Parameter) -> _Found:
        """The parameter's value, or nothing."""
        if parameter.location == "content":
            if self._is_json:
                return self._json
            return self._text if self._text else _NOTHING
        if isinstance(self._json, dict):
            return self._json.get(parameter.wire_name, _NOTHING)
        return _from_pairs(parameter, self._pairs, self._tool)


def _pairs(text: str) -> list[_Pair]:
    parts = (part.partition("=") for part in text.split("&") if part)
    return [_Pair(unquote_plus(name), value) for name, _, value in parts]


def _multipart(content_type: str, body: bytes) -> list[_Pair]:
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    message = email.message_from_bytes(head + body)
    pairs = []
    for part in message.walk():
        name = part.get_param("name", header="content-disposition")
        content = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(content, bytes):
            text = content.decode(errors="replace")
            pairs.append(_Pair(name, text.replace("%", "%25").replace("+", "%2B")))
    return pairs


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: unquote(item.value) for name, item in SimpleCookie(header).items()}
    except CookieError:
        return {}


def _from_pairs(parameter: Parameter, pairs: Sequence[_Pair], tool: Tool) -> _Found:
    """A value of a query or a form."""
    name, schema = parameter.wire_name, parameter.json_schema
    style = parameter.style or "form"
    explode = parameter.explode if parameter.explode is not None else style == "form"
    values = [pair.value for pair in pairs if pair.name == name]
    allowed = kinds(schema)
    if "object" in allowed and (fields := _fields(parameter, pairs, tool, style, explode)):
        return retyped(fields, schema)
    if not values:
        return _NOTHING
    if "array" in allowed and (explode or style != "form" or "string" not in allowed):
        parts = values if explode else _split(values[-1], style)
        return retyped([unquote_plus(part) for part in parts], schema)
    return coerced(unquote_plus(values[-1]), schema)


def _fields(
    parameter: Parameter, pairs: Sequence[_Pair], tool: Tool, style: str, explode: bool
) -> JsonObject:
    """The fields of an object in a query, as text; empty where there are none."""
    name = parameter.wire_name
    if style == "deepObject":
        prefix = f"{name}["
        return _nested((p.name[len(prefix) :], p.value) for p in pairs if p.name.startswith(prefix))
    if explode:
        others = {each.wire_name for each in tool.parameters}
        return {pair.name: unquote_plus(pair.value) for pair in pairs if pair.name not in others}
    joined = next((pair.value for pair in pairs if pair.name == name), "")
    parts = [unquote_plus(part) for part in _split(joined, style)]
    return dict(zip(parts[::2], parts[1::2], strict=False))


def _nested(entries: Iterable[tuple[str, str]]) -> JsonObject:
    """`a][b]=1` as `{"a": {"b": "1"}}`; a repeated name as a list."""
    found: JsonObject = {}
    for path, value in entries:
        *outer, last = path.removesuffix("]").split("][")
        place = found
        for key in outer:
            inner = place.setdefault(key, {})
            place = inner if isinstance(inner, dict) else {}
        text, old = unquote_plus(value), place.get(last)
        if isinstance(old, list):
            old.append(text)
        else:
            place[last] = text if last not in place else [old, text]
    return found


def _split(text: str, style: str) -> list[str]:
    for delimiter in _DELIMITERS.get(style, (",",)):
        if delimiter in text:
            return text.split(delimiter)
    return [text] if text else []


def _path_value(parameter: Parameter, segment: str | None) -> _Found:
    """A value in the path: style simple, label or matrix."""
    if segment is None:
        return _NOTHING
    if parameter.style in {"label", "matrix"}:
        segment = segment[1:]
        separator = {"label": ".", "matrix": ";"}[parameter.style] if parameter.explode else ","
        named = f"{parameter.wire_name}="
        parts = [part.removeprefix(named) for part in segment.split(separator)]
    else:
        parts = segment.split(",")
    return _joined(parameter, [unquote(part) for part in parts], unquote(",".join(parts)))


def _listed(parameter: Parameter, text: str | None) -> _Found:
    """A value in a header or a cookie."""
    return _NOTHING if text is None else _joined(parameter, text.split(","), text)


def _joined(parameter: Parameter, parts: list[str], whole: str) -> JsonValue:
    """Parts as the list or object that the schema asks for, or the whole as one value."""
    allowed = kinds(parameter.json_schema)
    if "object" in allowed:
        if parameter.explode:
            pairs = [part.partition("=")[::2] for part in parts]
        else:
            pairs = list(zip(parts[::2], parts[1::2], strict=False))
        return retyped(dict(pairs), parameter.json_schema)
    if "array" in allowed and "string" not in allowed:
        return retyped([*parts], parameter.json_schema)
    return coerced(whole, parameter.json_schema)
