"""From filled leaves to whole arguments: objects and arrays put together again."""

from typing import NamedTuple

from gretel.catalog.document import as_list, as_object
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter
from gretel.contracts.trial import Argument, ArgumentSource
from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.provenance import ASSUMED
from gretel.nodes.plan.slots.slot import json_type
from gretel.nodes.plan.slots.slots import chosen_schema


class Assembled(NamedTuple):
    """One parameter's value with the leaves it is made of, or what it lacks."""

    value: JsonValue
    leaves: tuple[Filling, ...]
    lacking: tuple[tuple[str, ...], ...]
    """Paths of required leaves without a value; the value may not be sent then."""


def _object(
    path: tuple[str, ...], schema: JsonObject, found: dict[tuple[str, ...], Filling]
) -> Assembled:
    needed = as_list(schema.get("required"))
    value: JsonObject = {}
    leaves: list[Filling] = []
    lacking: list[tuple[str, ...]] = []
    for name, inner in as_object(schema.get("properties")).items():
        inside = assemble((*path, name), as_object(inner), found)
        if inside.lacking and name in needed:
            lacking += inside.lacking
        if not inside.lacking and inside.leaves:
            value[name] = inside.value
            leaves += inside.leaves
    if not leaves and not lacking:
        lacking.append(path)
    return Assembled(value, tuple(leaves), tuple(lacking))


def assemble(
    path: tuple[str, ...], schema: JsonObject, found: dict[tuple[str, ...], Filling]
) -> Assembled:
    """The value at `path`; an object or array of objects without any filled leaf is lacking."""
    schema = chosen_schema(schema)
    if path in found:
        return Assembled(found[path].value, (found[path],), ())
    kind = json_type(schema)
    if kind == "object":
        return _object(path, schema, found)
    inner = chosen_schema(as_object(schema.get("items")))
    if kind == "array" and json_type(inner) in ("object", "array"):
        inside = assemble((*path, "[]"), inner, found)
        return Assembled([inside.value], inside.leaves, inside.lacking)
    if "default" in schema:
        return Assembled(schema["default"], (_default(schema),), ())
    return Assembled(None, (), (path,))


def _default(schema: JsonObject) -> Filling:
    return Filling(schema["default"], "default", confidence=ASSUMED)


_RANK: tuple[ArgumentSource, ...] = ("request", "message", "context", "enum", "example", "default")


def as_argument(assembled: Assembled) -> Argument:
    """The argument with the strongest source among its leaves, and the weakest confidence."""
    leaves = assembled.leaves
    source = min((leaf.source for leaf in leaves), key=_RANK.index)
    spans = [(leaf.segment, leaf.span) for leaf in leaves if leaf.source == source and leaf.span]
    span = None
    if spans and len({segment for segment, _ in spans}) == 1:
        span = min(s[0] for _, s in spans), max(s[1] for _, s in spans)
    return Argument(
        value=assembled.value,
        source=source,
        span=span,
        confidence=min(max(min(leaf.confidence for leaf in leaves), 0.0), 1.0),
    )


def only_value(parameter: Parameter) -> Filling | None:
    """The value of a required parameter that has no choice: its only enum member or its default."""
    schema = chosen_schema(parameter.json_schema)
    enum = [schema["const"]] if "const" in schema else schema.get("enum")
    if "default" in schema:
        return _default(schema)
    if isinstance(enum, list) and len(enum) == 1:
        return Filling(enum[0], "enum")
    return None
