"""Small documents, built where a test needs them."""

from collections.abc import Mapping
from typing import Any

from gretel.catalog import Catalog
from gretel.contracts.tool import Parameter, Tool


def document(operation: Mapping[str, Any], *, path: str = "/things", **root: Any) -> dict[str, Any]:
    """An OpenAPI 3.0 document with one GET, or with what `root` says instead."""
    base = {"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}}
    return {**base, "paths": {path: {"get": {"operationId": "find", **operation}}}, **root}


def swagger(operation: Mapping[str, Any], *, path: str = "/things", **root: Any) -> dict[str, Any]:
    """A Swagger 2.0 document with one POST."""
    base = {"swagger": "2.0", "info": {"title": "Shop", "version": "1"}}
    return {**base, "paths": {path: {"post": {"operationId": "find", **operation}}}, **root}


def query(name: str, schema: Any, **more: Any) -> dict[str, Any]:
    """An operation with one query parameter."""
    return {"parameters": [{"name": name, "in": "query", "schema": schema, **more}]}


def json_body(schema: Any, **more: Any) -> dict[str, Any]:
    """An operation with a JSON body."""
    return {"requestBody": {"content": {"application/json": {"schema": schema}}, **more}}


def answer(content: Any, status: str = "200") -> dict[str, Any]:
    """An operation that answers."""
    return {"responses": {status: {"description": "fine", "content": content}}}


def only_tool(source: Mapping[str, Any]) -> Tool:
    """The one tool of a document that loads without a skipped row."""
    catalog = Catalog.from_openapi(source)
    assert catalog.skipped == ()
    (tool,) = catalog
    return tool


def parameter(tool: Tool, name: str) -> Parameter:
    """A tool's parameter by name."""
    return next(parameter for parameter in tool.parameters if parameter.name == name)


def read_schema(schema: Any, **root: Any) -> Any:
    """What a query parameter's schema becomes."""
    (found,) = only_tool(document(query("q", schema), **root)).parameters
    return found.json_schema
