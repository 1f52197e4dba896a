"""Which keywords a schema keeps, and which values make them valid JSON Schema 2020-12."""

from collections.abc import Callable
from typing import TypeAlias, cast

from gretel.contracts.record import JsonObject, JsonValue

Check: TypeAlias = Callable[[JsonValue], bool]

ANNOTATIONS = frozenset(
    {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}
)
SUBSCHEMA = frozenset(
    {"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"}
)
SUBSCHEMA_LIST = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SUBSCHEMA_MAP = frozenset({"properties", "patternProperties", "dependentSchemas"})

_JSON_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_PLAIN_TYPES = {
    "string": "str text char enum",
    "integer": "int",
    "number": "float double decimal",
    "boolean": "bool",
    "array": "list tuple set",
    "object": "dict map hash",
    "null": "none",
}
_FORMATS = {"uuid": "uuid", "uri": "uri", "url": "uri", "date": "date", "time": "time"}
_FORMATS |= {"datetime": "date-time", "date-time": "date-time"}
_FORMATS |= {"file": "binary", "binary": "binary"}
_TYPE_NAMES: dict[str, JsonObject] = {
    **{name: {"type": kind} for kind, names in _PLAIN_TYPES.items() for name in names.split()},
    **{name: {"type": "string", "format": form} for name, form in _FORMATS.items()},
    "long": {"type": "integer", "format": "int64"},
}


def typed(name: JsonValue) -> JsonObject:
    """The schema that a type name stands for, whatever language it is borrowed from.

    A list of names gives a union. A name that says nothing, like `any`, gives `{}`.
    """
    if isinstance(name, list):
        known = dict.fromkeys(
            kind for item in name if isinstance(kind := typed(item).get("type"), str)
        )
        return {"type": list(known)} if known and len(known) == len(set(map(str, name))) else {}
    if not isinstance(name, str):
        return {}
    word = name.strip().lower()
    if word in _JSON_TYPES:
        return {"type": word}
    return dict(_TYPE_NAMES.get(word, {}))


def is_number(value: JsonValue) -> bool:
    """Whether a value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_names(value: JsonValue) -> bool:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return False
    return len(set(map(str, value))) == len(value)


_KEYWORDS: tuple[tuple[Check, tuple[str, ...]], ...] = (
    (
        lambda value: isinstance(value, str),
        ("title", "description", "format", "pattern", "contentMediaType", "contentEncoding"),
    ),
    (lambda value: True, ("default", "const")),
    (lambda value: isinstance(value, list) and bool(value), ("examples", "enum")),
    (_are_names, ("required",)),
    (lambda value: is_number(value) and cast(float, value) > 0, ("multipleOf",)),
    (is_number, ("maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum")),
    (
        lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0,
        ("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties"),
    ),
    (lambda value: isinstance(value, bool), ("uniqueItems", "deprecated", "readOnly", "writeOnly")),
)
CHECKS = {word: check for check, words in _KEYWORDS for word in words}
"""Keyword → is this value of it usable? One that is not is left out."""
