"""OpenAI's strict mode: what it takes of a JSON Schema, and what it adds to a reply."""

from collections.abc import Mapping, Sequence

from gretel.contracts.record import JsonObject, JsonValue

KEPT = ("title", "description", "type", "enum")
"""Keywords that every endpoint with a strict mode takes; bounds and formats it rejects, or not."""
MAX_DEPTH = 8


def strict(schema: JsonObject) -> JsonObject | None:
    """The schema in the strict subset; None where it cannot be said there.

    Every property is required, those that need not be there may be null (`without_nulls` takes
    them back), and no object holds others. An object or value without a shape cannot be said.
    """
    return _strict(schema, MAX_DEPTH)


def _strict(schema: JsonValue, depth: int) -> JsonObject | None:
    if not isinstance(schema, dict) or depth < 0:
        return None
    if "anyOf" in schema:
        return _union(schema["anyOf"], depth)
    kept = {key: schema[key] for key in KEPT if key in schema}
    if "const" in schema:
        kept["enum"] = [schema["const"]]
    if "properties" in schema:
        return _object(kept, schema, depth)
    if schema.get("type") == "array":
        items = _strict(schema.get("items"), depth - 1)
        return None if items is None else {**kept, "items": items}
    shapeless = schema.get("type") in (None, "object") and "enum" not in kept
    return None if shapeless else kept


def _union(branches: JsonValue, depth: int) -> JsonObject | None:
    said = [_strict(each, depth) for each in branches] if isinstance(branches, list) else []
    whole: list[JsonValue] = [each for each in said if each is not None]
    return {"anyOf": whole} if whole and len(whole) == len(said) else None


def _object(kept: JsonObject, schema: JsonObject, depth: int) -> JsonObject | None:
    given, required = _properties(schema), _required(schema)
    parts: JsonObject = {}
    for name, part in given.items():
        said = _strict(part, depth - 1)
        if said is None:
            return None
        parts[name] = said if name in required else or_null(said)
    return {**kept, **closed(parts)}


def closed(properties: Mapping[str, JsonValue], required: Sequence[str] = ()) -> JsonObject:
    """An object of these properties and no others, each of which must be there, or those named."""
    return {
        "type": "object",
        "properties": {**properties},
        "required": [*(required or properties)],
        "additionalProperties": False,
    }


def or_null(schema: JsonObject) -> JsonObject:
    """The schema, or null."""
    return schema if nullable(schema) else {"anyOf": [schema, {"type": "null"}]}


def nullable(schema: JsonValue) -> bool:
    """Whether a schema admits null, as far as its plain words say."""
    if not isinstance(schema, dict):
        return schema is True
    kind, branches, listed = (schema.get(key) for key in ("type", "anyOf", "enum"))
    if isinstance(branches, list):
        return any(map(nullable, branches))
    if isinstance(listed, list):
        return None in listed
    if kind is None:
        return schema.keys().isdisjoint(("const", "properties"))
    return kind == "null" or (isinstance(kind, list) and "null" in kind)


def without_nulls(value: JsonValue, schema: JsonValue) -> JsonValue:
    """`value` without the nulls that stand for properties left out."""
    schema = _with_parts(schema)
    if not isinstance(schema, dict):
        return value
    if isinstance(value, list):
        return [without_nulls(item, schema.get("items")) for item in value]
    parts, required = _properties(schema), _required(schema)
    if not isinstance(value, dict) or not parts:
        return value
    return {
        name: without_nulls(part, parts.get(name))
        for name, part in value.items()
        if part is not None or name in required or name not in parts or nullable(parts[name])
    }


def _with_parts(schema: JsonValue) -> JsonValue:
    """The schema or, of a union, the first branch that has parts."""
    branches = schema.get("anyOf") if isinstance(schema, dict) else None
    if not isinstance(branches, list):
        return schema
    parted = (
        each
        for each in branches
        if isinstance(each, dict) and {"properties", "items"} & each.keys()
    )
    return next(parted, None)


def _properties(schema: JsonObject) -> JsonObject:
    given = schema.get("properties")
    return given if isinstance(given, dict) else {}


def _required(schema: JsonObject) -> list[JsonValue]:
    names = schema.get("required")
    return names if isinstance(names, list) else []
