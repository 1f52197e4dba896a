"""What the published documents say that can be called: names, arguments, which must be there."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml

Where: TypeAlias = Literal["path", "query", "header", "cookie", "body"]
Json: TypeAlias = Mapping[str, Any]

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Operation:
    """One thing that can be called: `GET /path` of a service, or a tool."""

    name: str
    places: Mapping[str, Where] = field(default_factory=dict)
    """Where each argument goes; all of a tool's are `body`."""
    required: frozenset[str] = frozenset()
    any_body: bool = False
    """The body is not an object whose fields the document names."""


def operations(document: Path) -> dict[str, Operation]:
    """By name, from OpenAPI, Swagger or the answer to `tools/list`."""
    text = document.read_text()
    read: Json = yaml.safe_load(text) if document.suffix == ".yaml" else json.loads(text)
    found = _tools(read) if "tools" in read else _paths(read)
    return {each.name: each for each in found}


def _tools(read: Json) -> Iterator[Operation]:
    for tool in read["tools"]:
        schema = tool["inputSchema"]
        places: dict[str, Where] = dict.fromkeys(schema.get("properties", {}), "body")
        yield Operation(tool["name"], places, frozenset(schema.get("required", ())))


def _paths(read: Json) -> Iterator[Operation]:
    for path, item in read["paths"].items():
        for method in METHODS:
            if method in item:
                shared = item.get("parameters", [])
                yield _operation(read, f"{method.upper()} {path}", item[method], shared)


def _operation(read: Json, name: str, said: Json, shared: list[Json]) -> Operation:
    places: dict[str, Where] = {}
    required: set[str] = set()
    bodies: list[Json] = []
    for parameter in (_resolved(read, each) for each in [*shared, *said.get("parameters", [])]):
        if parameter["in"] == "body":
            bodies.append(parameter.get("schema", {}))
        elif "{" not in parameter["name"]:  # Kinto's `collection_id}@{timestamp`
            places[parameter["name"]] = parameter["in"]
            if parameter.get("required"):
                required.add(parameter["name"])
    for content in _resolved(read, said.get("requestBody", {})).get("content", {}).values():
        bodies.append(content.get("schema", {}))
    any_body = bool(bodies)
    for body in bodies:
        fields, needed = _fields(read, body)
        any_body = any_body and not fields
        places |= {each: "body" for each in fields if each not in places}
        required |= needed
    return Operation(name, places, frozenset(required), any_body)


def _fields(read: Json, schema: Json) -> tuple[set[str], set[str]]:
    """The names of an object's fields, and those that must be there."""
    schema = _resolved(read, schema)
    fields, needed = set(schema.get("properties", {})), set(schema.get("required", ()))
    writable = {
        name for name in fields if not _resolved(read, schema["properties"][name]).get("readOnly")
    }
    needed &= writable
    for part in schema.get("allOf", ()):
        more, also = _fields(read, part)
        writable, needed = writable | more, needed | also
    for part in [*schema.get("oneOf", ()), *schema.get("anyOf", ())]:
        writable |= _fields(read, part)[0]
    return writable, needed


def _resolved(read: Json, node: Json) -> Json:
    """Behind `$ref`; one to another host is a parameter of a feature's path or of its sorting.

    One that leads nowhere in the document, as one of Superset's, says nothing.
    """
    while "$ref" in node:
        ref = str(node["$ref"])
        if not ref.startswith("#"):
            name = ref.rsplit("/", 1)[-1].removesuffix(".yaml")
            in_path = name == "featureId"
            return {"name": name, "in": "path" if in_path else "query", "required": in_path}
        node = read
        for step in ref[2:].split("/"):
            node = node.get(step.replace("~1", "/").replace("~0", "~"), {})
    return node
