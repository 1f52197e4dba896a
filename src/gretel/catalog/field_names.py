"""Names of fields: those of an answer, and those that a document promises.

Values are not read, so that no text in an answer can change what is found. Names that begin with a
sign or a digit say nothing and are left out.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias, TypeVar

from gretel.catalog.document import as_list, as_object
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Response
from gretel.text.identifiers import fold_identifier, split_identifier
from gretel.text.remembering import remembered
from gretel.text.words import singular

NAMES_LIMIT = 120
"""Distinct names that take part: more say no more."""
_DEPTH = 12
_ITEMS = 20
"""Items of a list that are looked into."""
_NODES = 4_000
"""Fields and items that are looked at, of an answer or a schema."""
_LENGTH = 60
"""Characters; a longer key is data."""
_MAP = 3
"""Fields from which an object of numbers alone, or of lists and objects alone, may be a map."""
_PARTS = 200_000
"""Lists and objects of a text that is read as JSON; what holds more is read as one that was cut."""
_QUOTED_KEYS = 20
"""Keys that are read off JSON that was cut: from its beginning, which nothing appended changes."""
_QUOTED_KEY = re.compile(r'"([^"]{1,60})":')
_ERROR_WORDS = frozenset({"error", "err", "errmsg", "fault", "exception"})
_ALL_WELL: tuple[JsonValue, ...] = (None, "", False, [], {}, "NoneType", "null", "bool")
"""Values of an error field, in examples and ToolBench templates, that tell of no error."""
_MESSAGE = frozenset({"message", "messages", "msg", "detail"})
_PROBLEM = frozenset({"type", "title", "status"})
"""What RFC 9457 says of a problem without a `detail`."""
_ABOUT_THE_CALL = (
    _MESSAGE
    | _PROBLEM
    | {"code", "statuscode", "errorcode", "error", "errors", "success", "ok"}
    | {"traceid", "timestamp", "path", "instance"}
)
"""Plain names of fields that stand beside a message and are no data either."""
_NOTHING: tuple[JsonValue, ...] = (None, "", [], {})
_Node = TypeVar("_Node")
_Documented: TypeAlias = tuple[JsonValue, JsonValue]
"""A value, and what is documented of it."""
_SCALARS = ("string", "integer", "number", "boolean")
_SCHEMA_INSIDE = ("items", "additionalProperties")
_SCHEMA_BRANCHES = ("allOf", "oneOf", "anyOf", "prefixItems")


@remembered(32_768)
def name_words(name: str) -> tuple[str, ...]:
    """The words of `name`, each in the singular."""
    return tuple(map(singular, split_identifier(name)))


class FieldNames(NamedTuple):
    """Distinct names, the outermost first."""

    fields: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """Those that may be keys of maps, which are data and no names."""


def answer_names(value: JsonValue, schema: JsonValue = None) -> FieldNames:
    """Names of the fields anywhere in an answer, or an example of one; those in a text that holds
    JSON count too.

    Where the documented `schema` says what any key of an object holds, and names none, the keys are
    data.
    """
    if isinstance(value, str):
        return _text_names(value, schema)
    return _found(value, schema)


def promised_names(response: Response) -> FieldNames:
    """Names of the fields that the schema or the example promises.

    An example that is an error promises nothing: its names stand beside keys of maps.
    """
    shown = answer_names(response.example)
    if shows_error(response.example):
        shown = FieldNames((), (*shown.fields, *shown.keys))
    fields = (*_schema_names(response.json_schema), *shown.fields)
    return FieldNames(_distinct(fields), shown.keys)


def promises_little(response: Response) -> bool:
    """Whether the document names no field, or one alone that may wrap items it does not describe.

    Many an API answers with the items, and not with the wrapper. And where most names stand in
    objects of which the schema says that they may hold others, others break no promise; nor do any
    where one of the forms that an answer may have is an object, or a list, without names.
    """
    fields = promised_names(response).fields
    if len(fields) != 1:
        return not fields or _is_open(response)
    schema, example = response.json_schema or {}, response.example
    properties = schema.get("properties")
    inner = properties.get(fields[0]) if isinstance(properties, dict) else None
    if isinstance(inner, dict):
        return inner.get("type") not in _SCALARS
    held = example.get(fields[0]) if isinstance(example, dict) else None
    return held is None or isinstance(held, dict | list)


def _is_open(response: Response) -> bool:
    """Whether a schema lets an answer have other names than it says."""
    if response.example is not None:
        return False
    if _says_no_names(response.json_schema):
        return True
    named = among = 0
    for each in _objects(response.json_schema):
        names = len(as_object(each.get("properties")))
        named += names
        among += names if each.get("additionalProperties") not in (None, False) else 0
    return among * 2 >= named > 0


def _says_no_names(schema: JsonValue, depth: int = _DEPTH) -> bool:
    """Whether an answer of this schema may be an object, or a list of objects, without a name."""
    said = as_object(schema)
    forms = [form for word in ("oneOf", "anyOf") for form in as_list(said.get(word))]
    if forms and depth:
        return any(_says_no_names(form, depth - 1) for form in forms)
    if "items" in said and depth:
        return _says_no_names(said["items"], depth - 1)
    kinds = said.get("type", "object")
    held = "object" in (kinds if isinstance(kinds, list) else [kinds])
    return held and next(_schema_names(said), None) is None


def shows_error(example: JsonValue, depth: int = 0) -> bool:
    """Whether a documented example is an error: an error field, and no list or object beside it."""
    if isinstance(example, list):
        return len(example) == 1 and depth < 2 and shows_error(example[0], depth + 1)
    if not isinstance(example, dict):
        return False
    errors = {key for key in example if not _ERROR_WORDS.isdisjoint(name_words(key))}
    if any(example[key] not in _ALL_WELL for key in errors):
        beside = (item for key, item in example.items() if key not in errors)
        return not any(isinstance(item, dict | list) and item for item in beside)
    only = next(iter(example.values())) if len(example) == 1 else None
    return isinstance(only, dict) and depth < 2 and shows_error(only, depth + 1)


def is_message(value: JsonValue) -> bool:
    """Whether an answer says how the call went and no more: `{"code": 7, "message": "Hello"}`."""
    if not isinstance(value, dict):
        return False
    said = {fold_identifier(name): each for name, each in value.items() if each not in _NOTHING}
    if not said.keys() <= _ABOUT_THE_CALL or any(isinstance(e, dict | list) for e in said.values()):
        return False
    return said.keys() >= _PROBLEM or any(isinstance(said.get(name), str) for name in _MESSAGE)


def _text_names(text: str, schema: JsonValue) -> FieldNames:
    text = text.lstrip()
    if not text.startswith(("{", "[")):
        return FieldNames()
    try:
        if text.count("[") + text.count("{") > _PARTS:
            raise ValueError
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        quoted = _distinct(key[1] for key in _QUOTED_KEY.finditer(text))[:_QUOTED_KEYS]
        return FieldNames(tuple(filter(_says_something, quoted)))
    return _found(value, schema)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for name in names:
        found.setdefault(name)
        if len(found) == NAMES_LIMIT:
            break
    return tuple(found)


def _says_something(name: str) -> bool:
    return name[:1].isalpha() and len(name) <= _LENGTH


def _found(value: JsonValue, schema: JsonValue) -> FieldNames:
    fields: dict[str, None] = {}
    keys: dict[str, None] = {}
    for each, documented in _levels((value, schema), _DEPTH, _held):
        if not isinstance(each, dict):
            continue
        names = filter(_says_something, each)
        is_map = _is_map(list(each.values())) or _is_documented_map(as_object(documented))
        (keys if is_map else fields).update(dict.fromkeys(names))
        if len(fields) >= NAMES_LIMIT:
            break
    return FieldNames(_distinct(fields), _distinct(key for key in keys if key not in fields))


def _levels(
    first: _Node, depth: int, inside: Callable[[_Node], Iterable[_Node]]
) -> Iterator[_Node]:
    """What is in `first`, level by level; `inside` says what lies directly in one of them."""
    level, seen = [first], 0
    for _ in range(depth):
        inner: list[_Node] = []
        for each in level:
            yield each
            inner += inside(each)
        level = inner[: _NODES - seen]
        seen += len(level)
        if not level:
            return


def _held(node: _Documented) -> Iterator[_Documented]:
    """Objects and lists of one, each with its schema, where one is given without branches."""
    value, schema = node[0], as_object(node[1])
    inner: Iterable[_Documented]
    if isinstance(value, list):
        inner = ((item, schema.get("items")) for item in value[:_ITEMS])
    else:
        known, other = as_object(schema.get("properties")), schema.get("additionalProperties")
        inner = ((item, known.get(name, other)) for name, item in as_object(value).items())
    return (each for each in inner if isinstance(each[0], dict | list))


def _is_documented_map(schema: JsonObject) -> bool:
    """Whether what any key holds is documented, and no key by its name."""
    return not schema.get("properties") and bool(as_object(schema.get("additionalProperties")))


def _objects(schema: JsonValue) -> Iterator[JsonObject]:
    """The objects anywhere in a JSON Schema, level by level."""
    found = _levels(schema, 2 * _DEPTH, _subschemas)
    return (each for each in found if isinstance(each, dict))


def _is_map(items: list[JsonValue]) -> bool:
    if len(items) < _MAP:
        return False
    return all(isinstance(item, dict | list) for item in items) or all(
        isinstance(item, int | float) or item in ("int", "float") for item in items
    )


def _schema_names(schema: JsonValue) -> Iterator[str]:
    """Names of the properties anywhere in a JSON Schema, level by level."""
    for each in _objects(schema):
        yield from filter(_says_something, as_object(each.get("properties")))


def _subschemas(value: JsonValue) -> Iterator[JsonValue]:
    schema = as_object(value)
    inner = [
        *as_object(schema.get("properties")).values(),
        *(schema.get(word) for word in _SCHEMA_INSIDE),
        *(each for word in _SCHEMA_BRANCHES for each in as_list(schema.get(word))),
    ]
    return (each for each in inner if isinstance(each, dict | list))
