"""Texts of a URL or a form → values of the types that a schema asks for."""

import contextlib
import json
import re

from gretel.catalog.document import as_list, as_object
from gretel.contracts.record import JsonValue

_INTEGER = re.compile(r"-?\d{1,400}")
_BOOLEANS: dict[str, JsonValue] = {"true": True, "false": False}


def kinds(schema: JsonValue) -> frozenset[str]:
    """The JSON types that a schema allows at its top; none where it names none."""
    declared = as_object(schema).get("type")
    names = [declared] if isinstance(declared, str) else as_list(declared)
    found = {name for name in names if isinstance(name, str)}
    return frozenset(found).union(*map(kinds, _branches(schema)))


def coerced(text: str, schema: JsonValue) -> JsonValue:
    """`text` as a value of the type that the schema asks for; text where it is none."""
    for member in _members(schema):
        if text == (member if isinstance(member, str) else json.dumps(member)):
            return member
    allowed = kinds(schema)
    if "string" in allowed or not allowed:
        return text
    if "boolean" in allowed and text in _BOOLEANS:
        return _BOOLEANS[text]
    if "integer" in allowed and _INTEGER.fullmatch(text):
        return int(text)
    if allowed & {"integer", "number"}:
        with contextlib.suppress(ValueError):
            return float(text) if not _INTEGER.fullmatch(text) else int(text)
    if "null" in allowed and text in {"", "null"}:
        return None
    return _structured(text, schema) if allowed & {"array", "object"} else text


def retyped(value: JsonValue, schema: JsonValue) -> JsonValue:
    """`value` with its texts coerced, level by level."""
    if isinstance(value, str):
        return coerced(value, schema)
    if isinstance(value, list):
        items = _subschema(schema, "items")
        return [retyped(item, items) for item in value]
    if isinstance(value, dict):
        return {key: retyped(item, _property(schema, key)) for key, item in value.items()}
    return value


def _structured(text: str, schema: JsonValue) -> JsonValue:
    """A nested list or object, which travels as JSON; a list also with commas."""
    with contextlib.suppress(ValueError, RecursionError):
        return retyped(json.loads(text), schema)
    if "array" in kinds(schema):
        return retyped([*text.split(",")], schema)
    return text


def _members(schema: JsonValue) -> list[JsonValue]:
    """The values that a schema lists."""
    known = as_object(schema)
    return [*as_list(known.get("enum")), *([known["const"]] if "const" in known else [])]


def _property(schema: JsonValue, name: str) -> JsonValue:
    properties = as_object(_subschema(schema, "properties"))
    return properties[name] if name in properties else _subschema(schema, "additionalProperties")


def _subschema(schema: JsonValue, key: str) -> JsonValue:
    """What a schema, or the first of its branches that has it, says under `key`."""
    if isinstance(schema, dict) and key in schema:
        return schema[key]
    below = (_subschema(branch, key) for branch in _branches(schema))
    return next((found for found in below if found), {})


def _branches(schema: JsonValue) -> list[JsonValue]:
    """The schemas that one is put together from."""
    known = as_object(schema)
    return [each for name in ("allOf", "anyOf", "oneOf") for each in as_list(known.get(name))]
