"""How records are written into prompts: compact JSON, the essential first."""

import json

from gretel.contracts.ranking import Request
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Parameter, Tool
from gretel.text.foreign import one_line

MAX_CONVERSATION_CHARS = 6_000
MAX_SCHEMA_CHARS = 2_000
MAX_PARAMETERS_CHARS = 20_000
"""Optional parameters beyond it are left out, and of required ones all but their names."""
MAX_NAME_CHARS = 200
MAX_ENUM = 40
SHAPE_KEYS = ("type", "format", "const", "default", "pattern", "minimum", "maximum", "required")
"""What is kept of a schema that is too long."""


def json_text(value: object) -> str:
    """Compact JSON with characters as they are."""
    return json.dumps(value, ensure_ascii=False)


def conversation(request: Request) -> str:
    """The latest turns, oldest first, a line each."""
    lines: list[str] = []
    room = MAX_CONVERSATION_CHARS
    for message in reversed(request.messages):
        line = one_line(f"{message.role}: {message.content}", room)
        lines.insert(0, line)
        room -= len(line) + 1
        if room <= 1:
            break
    return "\n".join(lines)


def tool_text(tool: Tool) -> str:
    """A tool's specification as JSON: what it does and which arguments it takes, required first."""
    ordered = sorted(tool.fillable, key=lambda parameter: not parameter.required)
    shown: list[JsonValue] = []
    room = MAX_PARAMETERS_CHARS
    for parameter in ordered:
        entry = _parameter(parameter)
        room -= len(json_text(entry))
        if room >= 0:
            shown.append(entry)
        elif parameter.required:
            shown.append({"name": parameter.name, "required": True})
    spec: JsonObject = {
        "toolkit": one_line(tool.toolkit, MAX_NAME_CHARS),
        "operation": one_line(tool.operation, MAX_NAME_CHARS),
        "description": one_line(tool.description, 1_500),
        "toolkit_description": one_line(tool.toolkit_description, 300),
        "parameters": shown,
    }
    if len(shown) < len(ordered):
        spec["optional_parameters_left_out"] = len(ordered) - len(shown)
    return json_text({name: value for name, value in spec.items() if value != ""})


def _parameter(parameter: Parameter) -> JsonObject:
    entry: JsonObject = {
        "name": parameter.name,
        **({"required": True} if parameter.required else {}),
        "schema": short_schema(parameter.json_schema),
    }
    if parameter.description:
        entry["description"] = one_line(parameter.description, 400)
    if parameter.examples:
        entry["examples"] = [one_line(json_text(value), 100) for value in parameter.examples[:2]]
    return entry


def short_schema(schema: JsonObject) -> JsonObject:
    """The schema, reduced to its shape where it is long."""
    for depth in (4, 2, 1):
        if len(json_text(schema)) <= MAX_SCHEMA_CHARS:
            return schema
        schema = _shape(schema, depth)
    return schema


def _shape(schema: JsonObject, depth: int) -> JsonObject:
    shape = {key: schema[key] for key in SHAPE_KEYS if key in schema}
    listed = schema.get("enum")
    if isinstance(listed, list):
        shape["enum"] = listed[:MAX_ENUM]
    properties, items = schema.get("properties"), schema.get("items")
    if depth > 0 and isinstance(properties, dict):
        shape["properties"] = {
            name: _shape(part, depth - 1)
            for name, part in properties.items()
            if isinstance(part, dict)
        }
    if depth > 0 and isinstance(items, dict):
        shape["items"] = _shape(items, depth - 1)
    return shape
