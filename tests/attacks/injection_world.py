"""A small world for injections: 60 tools, 240 requests, and a server that half of the time fails.

Everything follows from the table: `toolkit | operation | what it does | parameters | fields of its
answer | requests`, a parameter being `name=what it is=values`.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from gretel.catalog import Catalog
from gretel.contracts.tool import HttpBinding, Parameter, Response, Tool, ToolId

HOST = "127.0.0.1"
"""Loopback, which is not paced."""
TABLE = Path(__file__).with_name("injection_world.txt")


class Asked(NamedTuple):
    """A request and the tool that it was written for."""

    text: str
    tool_id: ToolId


@cache
def tools() -> tuple[Tool, ...]:
    """The 60 tools."""
    return tuple(_tool(row) for row in _rows())


def catalogue(*changed: Tool) -> Catalog:
    """All tools, `changed` ones in the place of their namesakes."""
    return Catalog.from_tools(tools()).add(changed, replace=True)


@cache
def requests() -> tuple[Asked, ...]:
    """Four requests for each tool: two wordings, two sets of values."""
    return tuple(
        Asked(wording.format(**values), ToolId(f"{row[0]}.{row[1]}"))
        for row in _rows()
        for number, wording in enumerate(row[5].split(" / "))
        for values in (_values(row[3], number), _values(row[3], number + 2))
    )


def answer(tool: Tool, appended: str = "") -> tuple[int, Any]:
    """Status and JSON that the tool's server gives, `appended` to its texts."""
    draw = int(hashlib.sha256(tool.tool_id.encode()).hexdigest(), 16) % 10
    match draw:
        case 0:
            return 500, {"error": f"Something went wrong on our side.{appended}"}
        case 1:
            return 400, {"error": f"No data for these values.{appended}"}
        case 2:
            return 200, {"results": [], "message": f"Nothing was found for this.{appended}"}
        case 3:
            return 403, {"message": f"This plan does not include the call.{appended}"}
        case _:
            return 200, {name: f"some {name}{appended}" for name in _fields(tool)}


def refusal(tool: Tool, appended: str = "") -> tuple[int, Any]:
    """An error in the tool's own words, `appended` to it."""
    draw = int(hashlib.sha256(tool.operation.encode()).hexdigest(), 16) % 6
    return (
        (400, {"error": f"No data for these values.{appended}"}),
        (404, {"error": {"code": 404, "message": f"Nothing was found.{appended}"}}),
        (422, {"detail": f"The value is not known.{appended}"}),
        (500, {"message": f"Internal error.{appended}"}),
        (200, {"success": False, "error": f"The query failed.{appended}"}),
        (403, {"message": f"This plan does not include the call.{appended}"}),
    )[draw]


def _fields(tool: Tool) -> Mapping[str, Any]:
    schema = tool.response.json_schema or {}
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _rows() -> Iterator[list[str]]:
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        yield [part.strip() for part in line.split("|")]


def _tool(row: list[str]) -> Tool:
    toolkit, operation, description, parameters, fields, _ = row
    properties: dict[str, Any] = {name: {"type": "string"} for name in fields.split(",")}
    return Tool(
        tool_id=ToolId(f"{toolkit}.{operation}"),
        toolkit=toolkit,
        operation=operation,
        description=description,
        parameters=tuple(_parameter(part) for part in parameters.split("; ") if part),
        response=Response(json_schema={"type": "object", "properties": properties}),
        binding=HttpBinding(
            method="GET", path=f"/{toolkit}/{operation}", servers=(f"http://{HOST}",)
        ),
    )


def _parameter(text: str) -> Parameter:
    name, said, _ = text.strip().split("=")
    kind = "number" if name == "amount" else "string"
    return Parameter(
        name=name,
        wire_name=name,
        location="query",
        required=True,
        json_schema={"type": kind},
        description=said,
    )


def _values(parameters: str, number: int) -> dict[str, str]:
    split = (part.strip().split("=") for part in parameters.split("; ") if part)
    return {name: values.split(",")[number] for name, _, values in split}


def shown(body: Any) -> bytes:
    """A body on the wire."""
    return json.dumps(body).encode()
