"""Are these arguments what the tool's schema asks for? Nothing is coerced."""

import json
from collections.abc import Iterator, Set
from functools import lru_cache
from typing import Literal, NamedTuple

import jsonschema_rs

from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool

BACKTRACK_LIMIT = 20_000
"""Steps after which a document's `pattern` is given up, so that a hostile one cannot hang us."""


class ArgumentProblem(NamedTuple):
    """Why an argument breaks the schema."""

    field: str
    """The argument's name."""
    kind: Literal["missing_required", "invalid_value", "unknown"]
    detail: str


def _constraints(tool: Tool) -> JsonObject:
    """The tool's arguments as one JSON Schema object that allows no other property."""
    properties: JsonObject = {p.name: p.json_schema for p in tool.fillable}
    required: list[JsonValue] = [p.name for p in tool.fillable if p.required]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def argument_problems(tool: Tool, arguments: JsonObject) -> list[ArgumentProblem]:
    """Everything that is wrong with `arguments`; empty when they may be sent.

    A parameter that carries a credential is no argument: it is not missed, and not taken.
    A part of the schema that is itself not valid JSON Schema constrains nothing, and a pattern
    too expensive to run counts as met. Ordered as the validator finds them.
    """
    text = json.dumps(_constraints(tool), ensure_ascii=False, sort_keys=True)
    try:
        errors = list(_validator(text).iter_errors(arguments))
    except ValueError as error:  # a value that JSON cannot say, or one nested without end
        return [ArgumentProblem("arguments", "invalid_value", str(error).splitlines()[0])]
    credentials = {p.name for p in tool.parameters} - {p.name for p in tool.fillable}
    return [problem for error in errors for problem in _problems(error, credentials)]


def _problems(
    error: jsonschema_rs.ValidationError, credentials: Set[str]
) -> Iterator[ArgumentProblem]:
    kind, path = error.kind, error.instance_path
    if isinstance(kind, jsonschema_rs.ValidationErrorKind.BacktrackLimitExceeded):
        return
    if not path and isinstance(kind, jsonschema_rs.ValidationErrorKind.Required):
        yield ArgumentProblem(kind.property, "missing_required", "is required and was not given")
    elif not path and isinstance(kind, jsonschema_rs.ValidationErrorKind.AdditionalProperties):
        for name in kind.unexpected:
            known = name in credentials
            detail = "carries a credential" if known else "is no argument of this tool"
            yield ArgumentProblem(name, "unknown", detail)
    else:
        where = "/".join(str(part) for part in path[1:])
        detail = f"{where}: {error.message}" if where else error.message
        yield ArgumentProblem(str(path[0]) if path else "arguments", "invalid_value", detail)


@lru_cache(maxsize=4_096)
def _validator(schema_text: str) -> jsonschema_rs.Draft202012Validator:
    schema = json.loads(schema_text)
    try:
        return compile_schema(schema)
    except ValueError:
        properties = schema["properties"]
        for name, value in properties.items():
            properties[name] = _usable(value)
        return compile_schema(schema)


def _usable(schema: JsonValue) -> JsonValue:
    """The schema, without its patterns if they are the trouble, else without constraint."""
    for candidate in (schema, _without_patterns(schema)):
        try:
            compile_schema(candidate if isinstance(candidate, dict) else {})
        except ValueError:
            continue
        return candidate
    return {}


def _without_patterns(value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_without_patterns(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _without_patterns(item)
        for key, item in value.items()
        if not (key == "pattern" and isinstance(item, str)) and key != "patternProperties"
    }


def compile_schema(schema: JsonObject) -> jsonschema_rs.Draft202012Validator:
    """A validator of a stranger's schema: it opens nothing, and gives up on costly patterns.

    Raises:
        ValueError: this is no JSON Schema, or it refers to something outside.
    """
    return jsonschema_rs.Draft202012Validator(
        schema,
        pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT),
        retriever=_no_retrieval,
    )


def _no_retrieval(uri: str) -> JsonValue:
    raise ValueError(f"{uri} is not followed: tools are self-contained")
