"""Parameters of an operation: path, query, header and cookie."""

import json
import re
from collections.abc import Iterable, Sized
from typing import cast

from gretel.catalog.bounds import NAME_LIMIT, OPERATION_PARAMETERS
from gretel.catalog.document import as_list, as_text
from gretel.catalog.openapi.operation import (
    Operation,
    described_parameter,
    example_values,
    media_rank,
    media_types,
)
from gretel.catalog.references import DanglingError, UnusableError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Location, Parameter
from gretel.text.identifiers import fold_identifier

IGNORED_HEADERS = frozenset({"accept", "content-type", "authorization"})
"""Headers that OpenAPI has no parameters for: media types and security say them."""

_PLACEHOLDER = re.compile(r"\{\+?([^{}]+)\}")
_NAMED = 3
"""Properties that a note names."""
_COLLECTION_STYLES = {"ssv": "spaceDelimited", "pipes": "pipeDelimited"}


def declared_parameters(operation: Operation) -> list[JsonObject]:
    """Parameter objects, references followed; an operation's own replaces its path's.

    One whose reference leads nowhere is left out, with a note: nobody knows that it is required,
    and what the path names is taken as a string anyway.

    Raises:
        UnusableError: a required one has no name or place, or there are more than
            `OPERATION_PARAMETERS`.
    """
    found: dict[tuple[str, str], JsonObject] = {}
    entries = as_list(operation.item.get("parameters")) + as_list(operation.spec.get("parameters"))
    operation.declared = len(entries)
    refuse_many(entries)
    for entry in entries:
        try:
            parameter = operation.resolver.object(entry)
        except DanglingError as error:
            operation.notes.append(f"a parameter was left out: {error.reason}")
            continue
        name, place = parameter.get("name"), parameter.get("in")
        if isinstance(name, str) and len(name) > NAME_LIMIT:
            reason = f"the parameter name {name[:40]!r}… has more than {NAME_LIMIT:,} characters"
            raise UnusableError(reason, "Give it a shorter name")
        if isinstance(name, str) and name and isinstance(place, str):
            found[(name, place)] = parameter
        elif parameter.get("required") is True:
            raise UnusableError("a parameter has no name or no place", "Give it `name` and `in`")
        else:
            operation.notes.append(
                f"parameter {str(name)[:40]!r} has no name or no place and was left out"
            )
    return list(found.values())


def refuse_many(parameters: Sized) -> None:
    """Pass as many parameters as one operation may declare.

    Raises:
        UnusableError: they are more than `OPERATION_PARAMETERS`.
    """
    if len(parameters) > OPERATION_PARAMETERS:
        reason = f"{len(parameters):,} parameters are more than {OPERATION_PARAMETERS:,}"
        raise UnusableError(reason, "Leave out those that nobody sets")


def wire_parameters(operation: Operation, declared: Iterable[JsonObject]) -> list[Parameter]:
    """The parameters outside the body, with a string for each placeholder nobody declared.

    Raises:
        UnusableError: the schema of a required one that is not in the path cannot be read.
    """
    placeholders = dict.fromkeys(_PLACEHOLDER.findall(operation.path))
    declared = list(declared)
    exact = {entry["name"] for entry in declared if entry["in"] == "path"}
    spelled = {fold_identifier(name): name for name in placeholders if name not in exact}
    parameters: list[Parameter] = []
    for entry in declared:
        name, place = as_text(entry["name"]), as_text(entry["in"])
        if place == "path" and name not in placeholders and fold_identifier(name) in spelled:
            wanted = spelled.pop(fold_identifier(name))
            operation.notes.append(f"path parameter {name!r} was read as {wanted!r}")
            parameters += _parameter(operation, {**entry, "name": wanted})
        elif place == "path" and name not in placeholders:
            operation.notes.append(f"path parameter {name!r} is not in the path and was left out")
        elif place == "header" and name.lower() in IGNORED_HEADERS:
            continue
        elif place in ("path", "query", "header", "cookie"):
            parameters += _parameter(operation, entry)
        elif place not in ("body", "formData"):
            operation.notes.append(f"parameter {name!r} in {place[:40]!r} was left out")
    known = {p.wire_name for p in parameters if p.location == "path"}
    for name in placeholders:
        if name not in known:
            operation.notes.append(f"path parameter {name!r} is not declared; taken as a string")
            text: JsonObject = {"type": "string"}
            undeclared = described_parameter(name, text, location="path", required=True)
            parameters.insert(0, undeclared)
    return parameters


def path_template(path: str) -> str:
    """The path with plain placeholders: Google's `{+name}` is `{name}`."""
    path = path if path.startswith("/") else f"/{path}"
    return _PLACEHOLDER.sub(r"{\1}", path)


def distinct_names(parameters: Iterable[Parameter]) -> tuple[Parameter, ...]:
    """The parameters under unique names; the first of a name keeps it, the next adds its place."""
    taken: set[str] = set()
    result = []
    for parameter in parameters:
        name, count = parameter.name, 1
        while name in taken:
            suffix = parameter.location if count == 1 else f"{parameter.location}_{count}"
            name, count = f"{parameter.name}_{suffix}", count + 1
        taken.add(name)
        same = name == parameter.name
        result.append(parameter if same else parameter.model_copy(update={"name": name}))
    return tuple(result)


def read_schema(operation: Operation, what: str, schema: JsonValue) -> JsonObject:
    """A request schema; an error says which part of the operation it is about.

    Properties that it does not require and that cannot be read are left out, with a note.

    Raises:
        DanglingError: a reference is external or broken.
        UnusableError: this is no schema.
    """
    try:
        found = operation.request.read(schema)
    except UnusableError as error:
        raise type(error)(f"{what}: {error.reason}", error.remedy) from error
    left_out = operation.request.left_out
    if left_out:
        names = ", ".join(repr(name[:40]) for name in [*left_out][:_NAMED])
        reason = next(iter(left_out.values()))
        operation.notes.append(f"{what}: left out {len(left_out)} ({names}): {reason}")
    return found


def unreadable(operation: Operation, error: DanglingError, *, required: bool) -> tuple[()]:
    """Leave out what cannot be read and nobody has to give.

    Raises:
        DanglingError: it is `required`.
    """
    if required:
        raise error
    operation.notes.append(f"{error.reason}; left out")
    return ()


def _parameter(operation: Operation, entry: JsonObject) -> tuple[Parameter] | tuple[()]:
    """The parameter; a string where it is in the path, nothing where nobody has to give it, if its
    schema cannot be read.
    """
    name = as_text(entry["name"])
    location = cast(Location, entry["in"])
    required = location == "path" or entry.get("required") is True
    try:
        holder, schema = _schema(operation, entry, f"parameter {name!r}")
    except DanglingError as error:
        if location != "path":
            return unreadable(operation, error, required=required)
        operation.notes.append(f"{error.reason}; taken as a string")
        holder, schema = entry, {"type": "string"}
    swagger = operation.document.version == "2.0"
    style = None if swagger else as_text(entry.get("style")) or None
    explode = entry.get("explode") if isinstance(entry.get("explode"), bool) else None
    if swagger and schema.get("type") == "array":
        style, explode = _collection(entry)
    samples = example_values(operation.resolver, holder)
    if "x-example" in entry:
        samples.append(entry["x-example"])
    read = described_parameter(
        name,
        schema,
        location=location,
        required=required,
        description=as_text(entry.get("description")),
        samples=samples,
        style=style,
        explode=explode if isinstance(explode, bool) else None,
    )
    return (read,)


def _schema(operation: Operation, entry: JsonObject, what: str) -> tuple[JsonObject, JsonObject]:
    """The object that holds the examples, and the schema: that of a string where there is none."""
    if isinstance(entry.get("schema"), dict | bool):
        return entry, read_schema(operation, what, entry["schema"])
    for media_type, media in media_types(entry.get("content")):
        inner = read_schema(operation, what, media.get("schema", {}))
        if media_rank(media_type) > 0:
            return media, inner
        samples = example_values(operation.resolver, media)
        written: JsonObject = {"examples": [json.dumps(sample) for sample in samples]}
        text: JsonObject = {"type": "string", "contentMediaType": media_type}
        return written, {**text, "contentSchema": inner}
    if "type" in entry:  # Swagger 2.0, and documents that were converted by halves
        skeleton = {k: v for k, v in entry.items() if k not in ("description", "required")}
        return entry, read_schema(operation, what, skeleton)
    operation.notes.append(f"{what} has no usable schema; taken as a string")
    return entry, {"type": "string"}


def _collection(entry: JsonObject) -> tuple[str | None, JsonValue]:
    """Style and explode that mean what Swagger 2.0's `collectionFormat` means."""
    kind = as_text(entry.get("collectionFormat"))
    if kind in _COLLECTION_STYLES:
        return _COLLECTION_STYLES[kind], False
    query = entry.get("in") in ("query", "formData")
    return ("form" if query else "simple"), kind == "multi"
