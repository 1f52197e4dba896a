"""Parameters and responses that are not described by OpenAPI."""

from collections.abc import Iterable, Mapping

from gretel.catalog.bounds import Pool
from gretel.catalog.document import as_list, as_object, as_text
from gretel.catalog.formats.docstrings import parameter_docs
from gretel.catalog.openapi.operation import described_parameter
from gretel.catalog.openapi.parameters import refuse_many
from gretel.catalog.references import Resolver, UnusableError
from gretel.catalog.schema import SchemaReader
from gretel.catalog.schema_keywords import typed
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Location, Parameter

_CHOICES = ("enum", "choices", "allowed_values")
_SAMPLES = ("example", "examples", "example_values")


def schema_parameters(
    schema: JsonValue, pool: Pool, documentation: str = ""
) -> tuple[Parameter, ...]:
    """The properties of a JSON Schema object, as MCP servers and function callers write it.

    A schema of anything but an object gives one optional parameter `input`: nothing says under
    which name it is passed, or that it must be. `pool` is what the whole source may unfold to.
    What a property does not say of itself, the tool's `documentation` may say in a list.

    Raises:
        UnusableError: a reference is external or broken, or this is no schema.
    """
    root = as_object(schema)
    reader = SchemaReader(Resolver(root), siblings=True, direction="request", pool=pool)
    whole = reader.read(schema if schema is not None else {})
    if whole.get("type", "object") != "object":
        return (described_parameter("input", whole, required=False),)
    required = {name for name in as_list(whole.get("required")) if isinstance(name, str)}
    properties = as_object(whole.get("properties"))
    listed = parameter_docs(documentation, properties)
    return tuple(
        described_parameter(
            name,
            {"description": listed.get(name, ""), **as_object(value)},
            required=name in required,
        )
        for name, value in properties.items()
    )


def response_schema(schema: JsonValue, pool: Pool) -> JsonObject | None:
    """A described output; None where there is none, or none that can be read."""
    try:
        resolver = Resolver(as_object(schema))
        reader = SchemaReader(resolver, siblings=True, direction="response", pool=pool)
        return reader.read(schema) if schema else None
    except UnusableError:
        return None


def field_parameters(
    fields: Mapping[str, JsonValue], *, required: Iterable[str], location: Location = "argument"
) -> list[Parameter]:
    """Parameters from `name: {type, description, …}`, with type names of any language.

    Raises:
        UnusableError: they are more than `OPERATION_PARAMETERS`.
    """
    refuse_many(fields)
    needed = set(required)
    return [
        field_parameter(name, as_object(entry), required=name in needed, location=location)
        for name, entry in fields.items()
    ]


def field_parameter(
    name: str, entry: JsonObject, *, required: bool, location: Location = "argument"
) -> Parameter:
    """One parameter from `{type, description, items, enum, default, …}`."""
    schema = field_schema(entry)
    samples: list[JsonValue] = []
    for key in _SAMPLES:
        if key in entry:
            value = entry[key]
            samples += value if isinstance(value, list) else [value]
    return described_parameter(name, schema, required=required, location=location, samples=samples)


def field_schema(entry: JsonValue) -> JsonObject:
    """The JSON Schema of a flat field, or of a bare type name."""
    if not isinstance(entry, dict):
        return typed(entry)
    schema = typed(entry.get("type"))
    inner: JsonObject = schema
    if schema.get("type") == "array" and "items" in entry:
        inner = field_schema(entry["items"])
        schema["items"] = inner
    for key in _CHOICES:
        if as_list(entry.get(key)):
            inner["enum"] = entry[key]
    for key in ("default", "description"):
        if key in entry:
            schema[key] = entry[key]
    if as_text(entry.get("format")):
        schema["format"] = entry["format"]
    return schema


def fields_schema(fields: JsonValue) -> JsonObject | None:
    """An object schema of described fields; None without any."""
    properties: JsonObject = {k: field_schema(v) for k, v in as_object(fields).items()}
    return {"type": "object", "properties": properties} if properties else None
