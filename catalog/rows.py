"""Rows of JSONL catalogues → tools: one reader a shape, chosen by the keys that are there."""

import re
from collections.abc import Callable
from typing import NamedTuple, cast

from pydantic import ValidationError

from gretel.catalog.document import as_list, as_object, as_text, parse_json
from gretel.catalog.functions import (
    field_parameter,
    field_parameters,
    field_schema,
    fields_schema,
    response_schema,
    schema_parameters,
)
from gretel.catalog.identity import clean_name, mint, operation_name
from gretel.catalog.openapi_operation import joined_text
from gretel.catalog.openapi_parameters import distinct_names, path_template
from gretel.catalog.references import UnusableError
from gretel.catalog.toolbench import toolbench_tool
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import (
    Binding,
    HttpBinding,
    Location,
    NoBinding,
    Parameter,
    Response,
    Tool,
)

_TOOLLENS = re.compile(
    r"category_name:(?P<category_name>.*?), tool_name:(?P<tool_name>.*?), "
    r"api_name:(?P<api_name>.*?), api_description:(?P<api_description>.*), "
    r"required_params: (?P<required>\[.*\]), optional_params: (?P<optional>\[.*\]), "
    r"return_schema: (?P<returns>.*)",
    re.DOTALL,
)


class Row(NamedTuple):
    """One line, parsed."""

    content: JsonObject
    place: str

    @property
    def metadata(self) -> JsonObject:
        """What a corpus row carries beside its text."""
        return as_object(self.content.get("metadata"))

    @property
    def api(self) -> JsonObject:
        """The original description, in corpora that keep it."""
        return as_object(self.metadata.get("api"))

    @property
    def external_id(self) -> str | None:
        """The id that qrels use."""
        return as_text(self.content.get("_id")) or None


def read_row(row: Row) -> Tool:
    """The tool that the row describes.

    Raises:
        UnusableError: no shape fits, or the shape is incomplete.
    """
    for fits, reader in _READERS:
        if fits(row):
            return reader(row)
    raise UnusableError(
        "no known kind of row", "Give a Tool record, or a row with `_id`, `title` and `text`"
    )


def _record(row: Row) -> Tool:
    try:
        return Tool.model_validate(row.content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UnusableError(f"{where}: {first['msg']}", "Write it as a Tool record") from error


def _toolbench(row: Row) -> Tool:
    return toolbench_tool(row.api, source=row.place, external_id=row.external_id)


def _toollens(row: Row) -> Tool:
    match = _TOOLLENS.fullmatch(as_text(row.content["text"]))
    if match is None:
        raise UnusableError("the text is cut or out of order", "Restore its eight parts")
    api: JsonObject = {**match.groupdict()}
    try:
        api["required_parameters"] = parse_json(match["required"], place=row.place)
        api["optional_parameters"] = parse_json(match["optional"], place=row.place)
        api["template_response"] = parse_json(match["returns"], place=row.place)
    except CatalogError as error:
        raise UnusableError(str(error), error.remedy) from error
    return toolbench_tool(api, source=row.place, external_id=row.external_id)


def _function(row: Row) -> Tool:
    """A function with JSON Schema parameters."""
    return _tool(
        row,
        toolkit=as_text(row.metadata.get("domain")),
        operation=as_text(row.api.get("name")),
        description=as_text(row.api.get("description")),
        category=as_text(row.metadata.get("domain")),
        parameters=schema_parameters(row.api["parameters"]),
        response=Response(json_schema=fields_schema(row.api.get("returnParameter"))),
    )


def _fields(row: Row) -> Tool:
    """A function whose parameters are `name: {type, description}`."""
    required = [as_text(name) for name in as_list(row.api.get("required"))]
    fields = as_object(row.api.get("parameters"))
    return _tool(
        row,
        toolkit="",
        operation=as_text(row.api.get("api_name")),
        description=as_text(row.api.get("api_description")),
        category=as_text(row.api.get("field")),
        parameters=tuple(field_parameters(fields, required=required)),
        response=Response(json_schema=fields_schema(row.api.get("responses"))),
    )


def _mcp(row: Row) -> Tool:
    return _tool(
        row,
        toolkit=as_text(row.metadata.get("server")),
        operation=as_text(row.content.get("title")),
        description=as_text(row.content.get("text")),
        toolkit_description=as_text(row.metadata.get("server_description")),
        category=as_text(row.metadata.get("category")),
        parameters=schema_parameters(row.metadata["inputSchema"]),
        response=Response(json_schema=response_schema(row.metadata.get("outputSchema"))),
    )


def _http(row: Row) -> Tool:
    """An OpenAPI operation, flattened."""
    meta = row.metadata
    method, path = as_text(meta["method"]).upper(), as_text(meta["path"])
    body = as_object(meta.get("request_body"))
    types = [as_text(name) for name in as_list(body.get("content_types"))]
    parameters = [*_wire(meta), *_body(body)]
    return _tool(
        row,
        toolkit=as_text(meta.get("api_title")),
        operation=as_text(meta.get("operationId")) or operation_name(method, path),
        description=joined_text(meta.get("summary"), meta.get("description")),
        category=next((as_text(tag) for tag in as_list(meta.get("tags"))), ""),
        parameters=distinct_names(parameters),
        binding=HttpBinding(
            method=method,
            path=path_template(path),
            servers=tuple(as_text(url) for url in as_list(meta.get("servers"))),
            media_type=(types or ["application/json"])[0] if body else None,
        ),
        deprecated=meta.get("deprecated") is True,
    )


def _wire(meta: JsonObject) -> list[Parameter]:
    parameters = []
    for raw in as_list(meta.get("parameters")):
        entry = as_object(raw)
        name, place = as_text(entry.get("name")), entry.get("in")
        if not name or place not in ("path", "query", "header", "cookie"):
            raise UnusableError("a parameter has no name or no place", "Give it `name` and `in`")
        needed = entry.get("required") is True
        location = cast(Location, place)
        parameters.append(field_parameter(name, entry, required=needed, location=location))
    return parameters


def _body(body: JsonObject) -> list[Parameter]:
    fields = as_object(body.get("properties"))
    if fields:
        needed = [name for name, entry in fields.items() if as_object(entry).get("required")]
        return field_parameters(fields, required=needed, location="body")
    if not body:
        return []
    schema = field_schema({"type": body.get("type")})
    required = body.get("required") is True
    return [
        Parameter(
            name="body",
            wire_name="body",
            location="content",
            required=required,
            json_schema=schema,
        )
    ]


def _plain(row: Row) -> Tool:
    title, text = as_text(row.content.get("title")), as_text(row.content.get("text"))
    return _tool(row, toolkit="", operation=title, description=text)


def _tool(
    row: Row,
    *,
    toolkit: str,
    operation: str,
    description: str,
    toolkit_description: str = "",
    category: str = "",
    parameters: tuple[Parameter, ...] = (),
    response: Response | None = None,
    binding: Binding | None = None,
    deprecated: bool = False,
) -> Tool:
    """A tool without a provider is its own toolkit; one without a name has its row's id."""
    operation = operation or row.external_id or ""
    if not operation:
        raise UnusableError("the row names no tool", "Give it a title or an `_id`")
    return Tool(
        tool_id=mint(toolkit or operation, operation),
        toolkit=clean_name(toolkit or operation),
        operation=clean_name(operation),
        description=description,
        toolkit_description=toolkit_description,
        category=category,
        parameters=parameters,
        response=response or Response(),
        binding=binding or NoBinding(),
        external_id=row.external_id,
        source=row.place,
        deprecated=deprecated,
    )


def _is_schema(value: JsonValue) -> bool:
    """A JSON Schema, and not `name: {…}` of a function with a parameter called `type`."""
    return isinstance(as_object(value).get("type"), str)


_READERS: tuple[tuple[Callable[[Row], bool], Callable[[Row], Tool]], ...] = (
    (lambda row: "tool_id" in row.content, _record),
    (lambda row: "tool_name" in row.api and "api_name" in row.api, _toolbench),
    (lambda row: "name" in row.api and _is_schema(row.api.get("parameters")), _function),
    (lambda row: "api_name" in row.api and "parameters" in row.api, _fields),
    (lambda row: "inputSchema" in row.metadata, _mcp),
    (lambda row: "method" in row.metadata and "path" in row.metadata, _http),
    (lambda row: as_text(row.content.get("text")).startswith("category_name:"), _toollens),
    (lambda row: "text" in row.content or "title" in row.content, _plain),
)
