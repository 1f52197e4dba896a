"""Rows that flatten an OpenAPI operation."""

from typing import cast

from gretel.catalog.document import as_list, as_object, as_text
from gretel.catalog.formats.functions import field_parameter, field_parameters, field_schema
from gretel.catalog.formats.row import Row, row_tool
from gretel.catalog.identity import operation_name
from gretel.catalog.openapi.operation import described_parameter, joined_text
from gretel.catalog.openapi.parameters import (
    IGNORED_HEADERS,
    distinct_names,
    path_template,
    refuse_many,
)
from gretel.catalog.references import UnusableError
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import HttpBinding, Location, Parameter, Tool


def http_tool(row: Row) -> Tool:
    """The operation of a row with method, path, servers, parameters and request body.

    Raises:
        UnusableError: a required parameter has no name or no place, or there are more than
            `OPERATION_PARAMETERS`.
    """
    meta = row.metadata
    method, path = as_text(meta["method"]).upper(), as_text(meta["path"])
    body = as_object(meta.get("request_body"))
    types = [as_text(name) for name in as_list(body.get("content_types"))]
    parameters = [*_wire(row), *_body(body)]
    return row_tool(
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


def _wire(row: Row) -> list[Parameter]:
    parameters: dict[tuple[str, str, int], Parameter] = {}
    declared = as_list(row.metadata.get("parameters"))
    refuse_many(declared)
    for number, raw in enumerate(declared):
        entry = as_object(raw)
        name, place = as_text(entry.get("name")), entry.get("in")
        needed = entry.get("required") is True
        if place == "header" and name.lower() in IGNORED_HEADERS:
            continue
        if name and place in ("path", "query", "header", "cookie"):
            location = cast(Location, place)
            # Of a path's equal ones an operation's own stands behind its path's, as in OpenAPI.
            key = (location, name, 0 if location == "path" else number)
            parameters.pop(key, None)
            parameters[key] = field_parameter(name, entry, required=needed, location=location)
        elif needed:
            raise UnusableError(
                f"required parameter {name!r} has no name or no place", "Give it `name` and `in`"
            )
        else:
            row.notes.append(f"parameter {name!r} has no name or no place and was left out")
    return list(parameters.values())


def _body(body: JsonObject) -> list[Parameter]:
    fields = as_object(body.get("properties"))
    if fields:
        needed = [name for name, entry in fields.items() if as_object(entry).get("required")]
        return field_parameters(fields, required=needed, location="body")
    if not body:
        return []
    schema = field_schema({"type": body.get("type")})
    required = body.get("required") is True
    return [described_parameter("body", schema, location="content", required=required)]
