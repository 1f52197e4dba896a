"""Rows of JSONL catalogues → tools: one reader a shape, chosen by the keys that are there."""

from collections.abc import Callable
from typing import TypeVar

from pydantic import ValidationError

from gretel.catalog.bounds import (
    DESCRIPTION_LIMIT,
    NOTE_LIMIT,
    ROW_WEIGHT,
    TOOLKIT_DESCRIPTION_LIMIT,
    weight,
)
from gretel.catalog.document import as_list, as_object, as_text, parse_json
from gretel.catalog.formats.functions import (
    field_parameters,
    fields_schema,
    response_schema,
    schema_parameters,
)
from gretel.catalog.formats.row import Row, row_tool
from gretel.catalog.formats.rows_http import http_tool
from gretel.catalog.formats.toolbench import toolbench_tool
from gretel.catalog.openapi.parameters import refuse_many
from gretel.catalog.openapi.response import as_documented
from gretel.catalog.references import UnusableError
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import CallableBinding, McpBinding, Parameter, Response, Tool

ID_LIMIT = 4_000
"""Characters of a tool_id: two names and four qualifiers."""

_Part = TypeVar("_Part", Parameter, Response)
_TOOLLENS_HEAD = ("category_name:", ", tool_name:", ", api_name:", ", api_description:")
_TOOLLENS_TAIL = (", required_params: ", ", optional_params: ", ", return_schema: ")
_TOOLLENS_NAMES = ("category_name", "tool_name", "api_name", "api_description")


def read_row(row: Row) -> Tool:
    """The tool that the row describes.

    Raises:
        UnusableError: no shape fits, or the shape is incomplete, or a schema is too large.
    """
    for fits, reader in _READERS:
        if fits(row):
            return _checked(reader(row))
    raise UnusableError(
        "no known kind of row", "Give a Tool record, or a row with `_id`, `title` and `text`"
    )


def _checked(tool: Tool) -> Tool:
    schemas: list[JsonValue] = [
        *(each.json_schema for each in tool.parameters),
        *(list(each.examples) for each in tool.parameters),
        tool.response.json_schema,
        tool.response.example,
    ]
    if any(weight(each, ROW_WEIGHT) > ROW_WEIGHT for each in schemas):
        reason = f"a schema or its examples hold more than {ROW_WEIGHT:,} values"
        raise UnusableError(reason, "Leave out what nobody needs")
    return tool


def _record(row: Row) -> Tool:
    try:
        tool = Tool.model_validate(row.content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UnusableError(f"{where}: {first['msg']}", "Write it as a Tool record") from error
    names = (tool.tool_id, tool.toolkit, tool.operation)
    if " " in tool.tool_id or not all(n.isprintable() and len(n) <= ID_LIMIT for n in names):
        reason = "tool_id, toolkit or operation has blanks or invisible characters, or is too long"
        raise UnusableError(reason, "Take the names that a catalogue of ours has")
    refuse_many(tool.parameters)
    if isinstance(tool.binding, CallableBinding | McpBinding):
        # No function of ours, and of no server's listing, wherever it says to be from.
        tool = tool.model_copy(update={"source": row.place})
    return _described(tool)


def _described(tool: Tool) -> Tool:
    """The tool with what it says of itself cut as other formats cut it, and of its answers what
    these can say.
    """
    changes = {
        "description": tool.description[:DESCRIPTION_LIMIT],
        "toolkit_description": tool.toolkit_description[:TOOLKIT_DESCRIPTION_LIMIT],
        "parameters": tuple(map(_noted, tool.parameters)),
        "response": as_documented(_noted(tool.response)),
    }
    return tool.model_copy(update=changes)


def _noted(part: _Part) -> _Part:
    said = part.description
    return part.model_copy(update={"description": said[:NOTE_LIMIT]}) if said else part


def _toolbench(row: Row) -> Tool:
    return toolbench_tool(row.api, source=row.place, external_id=row.external_id, pool=row.pool)


def _toollens(row: Row) -> Tool:
    heads, tails = _toollens_parts(as_text(row.content["text"]))
    api: JsonObject = dict(zip(_TOOLLENS_NAMES, heads, strict=True))
    try:
        api["required_parameters"] = parse_json(tails[0], place=row.place)
        api["optional_parameters"] = parse_json(tails[1], place=row.place)
        api["template_response"] = parse_json(tails[2], place=row.place)
    except CatalogError as error:
        raise UnusableError(str(error), error.remedy) from error
    return toolbench_tool(api, source=row.place, external_id=row.external_id, pool=row.pool)


def _toollens_parts(text: str) -> tuple[list[str], list[str]]:
    """The four names and texts at the beginning, and the three JSON values at the end."""
    rest, tails = text, list[str]()
    for mark in reversed(_TOOLLENS_TAIL):
        rest, found, value = rest.rpartition(mark)
        if not found:
            raise UnusableError("the text is cut or out of order", "Restore its eight parts")
        tails.insert(0, value)
    first, found, rest = rest.partition(_TOOLLENS_HEAD[0])
    heads: list[str] = []
    for mark in _TOOLLENS_HEAD[1:]:
        value, found, rest = rest.partition(mark)
        if first or not found:
            raise UnusableError("the text is cut or out of order", "Restore its eight parts")
        heads.append(value)
    return [*heads, rest], tails


def _function(row: Row) -> Tool:
    """A function with JSON Schema parameters."""
    return row_tool(
        row,
        toolkit=as_text(row.metadata.get("domain")),
        operation=as_text(row.api.get("name")),
        description=as_text(row.api.get("description")),
        category=as_text(row.metadata.get("domain")),
        parameters=schema_parameters(
            row.api["parameters"], row.pool, as_text(row.api.get("description"))
        ),
        response=Response(json_schema=fields_schema(row.api.get("returnParameter"))),
    )


def _fields(row: Row) -> Tool:
    """A function whose parameters are `name: {type, description}`."""
    required = [as_text(name) for name in as_list(row.api.get("required"))]
    fields = as_object(row.api.get("parameters"))
    return row_tool(
        row,
        toolkit="",
        operation=as_text(row.api.get("api_name")),
        description=as_text(row.api.get("api_description")),
        category=as_text(row.api.get("field")),
        parameters=tuple(field_parameters(fields, required=required)),
        response=Response(json_schema=fields_schema(row.api.get("responses"))),
    )


def _mcp(row: Row) -> Tool:
    """A tool as an MCP server lists it, bare or in a corpus row's metadata."""
    meta = row.metadata or row.content
    said = as_text(row.content.get("text")) or as_text(row.content.get("description"))
    return row_tool(
        row,
        toolkit=as_text(meta.get("server")),
        operation=as_text(row.content.get("name")) or as_text(row.content.get("title")),
        description=said,
        toolkit_description=as_text(meta.get("server_description")),
        category=as_text(meta.get("category")),
        parameters=schema_parameters(meta["inputSchema"], row.pool, said),
        response=Response(json_schema=response_schema(meta.get("outputSchema"), row.pool)),
    )


def _titled(row: Row) -> Tool:
    title, text = as_text(row.content.get("title")), as_text(row.content.get("text"))
    return row_tool(row, toolkit="", operation=title, description=text)


def _is_schema(value: JsonValue) -> bool:
    """A JSON Schema, and not `name: {…}` of a function with a parameter called `type`."""
    return isinstance(as_object(value).get("type"), str)


_READERS: tuple[tuple[Callable[[Row], bool], Callable[[Row], Tool]], ...] = (
    (lambda row: "tool_id" in row.content, _record),
    (lambda row: "tool_name" in row.api and "api_name" in row.api, _toolbench),
    (lambda row: "name" in row.api and _is_schema(row.api.get("parameters")), _function),
    (lambda row: "api_name" in row.api and "parameters" in row.api, _fields),
    (lambda row: "inputSchema" in (row.metadata or row.content), _mcp),
    (lambda row: "method" in row.metadata and "path" in row.metadata, http_tool),
    (lambda row: as_text(row.content.get("text")).startswith("category_name:"), _toollens),
    (lambda row: "text" in row.content or "title" in row.content, _titled),
)
