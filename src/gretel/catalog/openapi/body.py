"""The request body of an operation, as parameters."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gretel.catalog.bounds import NAME_LIMIT
from gretel.catalog.document import as_list, as_object, as_text
from gretel.catalog.openapi.operation import (
    MEDIA_TYPES_READ,
    Operation,
    described_parameter,
    example_values,
    media_rank,
    media_types,
)
from gretel.catalog.openapi.parameters import read_schema, unreadable
from gretel.catalog.references import DanglingError, UnusableError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import FORM, MULTIPART, Parameter

_SPREAD_RANK = 2
"""Media types up to this rank (JSON, forms) can be put together from single properties."""


class Body(NamedTuple):
    """What a request carries, and in which form."""

    parameters: list[Parameter]
    media_type: str | None


def read_body(operation: Operation, declared: Sequence[JsonObject]) -> Body:
    """The body of an operation in either version; without one, nothing.

    Raises:
        UnusableError: the schema of a body, or of a form field, that has to be sent cannot be read,
            or there is none.
    """
    if operation.document.version == "2.0":
        return _swagger_body(operation, declared)
    if operation.spec.get("requestBody") is None:
        return Body([], None)
    body = operation.resolver.object(operation.spec["requestBody"])
    for media_type, media in media_types(body.get("content")):
        # Authors leave `required` out (false, by the specification) far more often than they mean
        # an optional body; only where they wrote it down do its properties become optional too.
        needed = body.get("required") is not False
        try:
            schema = read_schema(operation, "request body", media.get("schema", {}))
        except DanglingError as error:
            return Body([*unreadable(operation, error, required=needed)], None)
        samples = example_values(operation.resolver, media)
        text = as_text(body.get("description"))
        return _body(_concrete(media_type), schema, samples, needed=needed, description=text)
    raise UnusableError("request body: no usable schema", "Give it a media type with a schema")


def _shape(schema: JsonObject) -> tuple[JsonObject, set[str]] | None:
    """The properties of an object schema, compositions merged, and the names of required ones.

    None where it is more, or other, than one object.
    """
    found: dict[str, list[JsonValue]] = {}
    required: set[str] = set()
    for part in _parts(schema):
        kind = part.get("type", "object")
        alternatives = as_list(part.get("oneOf")) + as_list(part.get("anyOf"))
        if kind != "object" and kind != ["object", "null"]:
            return None
        if any(as_object(choice).keys() - {"required"} for choice in alternatives):
            return None
        for name, value in as_object(part.get("properties")).items():
            versions = found.setdefault(name, [])
            if value not in versions:
                versions.append(value)
        required |= {name for name in as_list(part.get("required")) if isinstance(name, str)}
    properties: JsonObject = {
        name: {"allOf": versions} if len(versions) > 1 else versions[0]
        for name, versions in found.items()
    }
    return (properties, required) if properties else None


def _parts(schema: JsonObject) -> Iterator[JsonObject]:
    yield schema
    for part in as_list(schema.get("allOf")):
        yield from _parts(as_object(part))


def _body(
    media_type: str, schema: JsonObject, samples: list[JsonValue], *, needed: bool, description: str
) -> Body:
    shape = _shape(schema) if media_rank(media_type) <= _SPREAD_RANK else None
    if shape is None:
        whole = described_parameter(
            "body",
            schema,
            location="content",
            required=needed,
            description=description,
            samples=samples,
        )
        return Body([whole], media_type)
    properties, required = shape
    examples = [as_object(sample) for sample in [*samples, *as_list(schema.get("examples"))]]
    parameters = [
        described_parameter(
            name,
            as_object(value),
            location="body",
            required=needed and name in required,
            samples=[example[name] for example in examples if name in example],
        )
        for name, value in properties.items()
    ]
    return Body(parameters, media_type)


def _swagger_body(operation: Operation, declared: Sequence[JsonObject]) -> Body:
    for entry in declared:
        if entry.get("in") == "body":
            needed = entry.get("required") is not False
            try:
                schema = read_schema(operation, "request body", entry.get("schema"))
            except DanglingError as error:
                return Body([*unreadable(operation, error, required=needed)], None)
            accepted = _accepted(operation)
            media_type = _concrete(accepted[0]) if accepted else "application/json"
            text = as_text(entry.get("description"))
            return _body(media_type, schema, [], needed=needed, description=text)
    fields = [entry for entry in declared if entry.get("in") == "formData"]
    if not fields:
        return Body([], None)
    files = any(entry.get("type") == "file" for entry in fields)
    forms = [name for name in _accepted(operation) if media_rank(name) in (1, 2)]
    return Body(
        [field for entry in fields for field in _form_field(operation, entry)],
        MULTIPART if files else (forms or [FORM])[0],
    )


def _accepted(operation: Operation) -> list[str]:
    """The media types that an operation takes, best first; of many the first that are named."""
    consumes = operation.spec.get("consumes", operation.document.root.get("consumes"))
    names = map(as_text, as_list(consumes)[:MEDIA_TYPES_READ])
    return sorted((name for name in names if len(name) <= NAME_LIMIT), key=media_rank)


def _form_field(operation: Operation, entry: JsonObject) -> tuple[Parameter] | tuple[()]:
    name = as_text(entry["name"])
    skeleton = {key: value for key, value in entry.items() if key != "required"}
    required = entry.get("required") is True
    try:
        schema = read_schema(operation, f"form field {name!r}", skeleton)
    except DanglingError as error:
        return unreadable(operation, error, required=required)
    samples = [entry["x-example"]] if "x-example" in entry else []
    return (described_parameter(name, schema, location="body", required=required, samples=samples),)


def _concrete(media_type: str) -> str:
    """A media type that can be sent: a wildcard, or none, is JSON."""
    return "application/json" if "*" in media_type or not media_type else media_type
