"""`tools/list` of MCP servers as tools."""

import json
from typing import Any

import pytest

from gretel.catalog import Catalog
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import McpBinding


def entry(name: str = "search", **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    return {"name": name, "description": "Search.", "inputSchema": schema, **more}


@pytest.mark.parametrize(
    "listing",
    [
        {"tools": [entry()]},
        [entry()],
        json.dumps({"tools": [entry()]}),
        json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": [entry()]}}).encode(),
    ],
    ids=["result", "list", "text", "reply"],
)
def test_a_listing_is_read_in_each_of_its_forms(listing: Any) -> None:
    (tool,) = Catalog.from_mcp(listing, server="docs")

    assert tool.tool_id == "docs.search"
    assert tool.binding == McpBinding(server="docs", tool="search")
    assert [(p.name, p.required) for p in tool.parameters] == [("q", True)]


def test_the_output_schema_is_the_response() -> None:
    output = {"type": "object", "properties": {"hits": {"type": "array"}}}

    (tool,) = Catalog.from_mcp([entry(outputSchema=output)], server="docs")

    assert tool.response.json_schema is not None
    assert "hits" in str(tool.response.json_schema)


@pytest.mark.parametrize(
    ("annotations", "read_only"),
    [
        ({}, None),
        ({"destructiveHint": False}, None),
        ({"destructiveHint": True}, False),
        ({"readOnlyHint": True}, True),
        ({"readOnlyHint": False}, False),
        ({"readOnlyHint": "yes"}, False),
        ({"readOnlyHint": True, "destructiveHint": True}, False),
    ],
)
def test_only_a_plain_hint_counts(annotations: dict[str, Any], read_only: bool | None) -> None:
    catalog = Catalog.from_mcp([entry(annotations=annotations)], server="docs")

    binding = catalog["docs.search"].binding
    assert binding == McpBinding(server="docs", tool="search", read_only=read_only)


@pytest.mark.parametrize(
    ("changes", "read_only"),
    [
        ({"title": "Delete a thing"}, False),
        ({"annotations": {"title": "Delete a thing"}}, False),
        ({"title": "Find a thing"}, None),
        ({"title": "Delete a thing", "annotations": {"readOnlyHint": True}}, True),
    ],
)
def test_a_title_that_tells_of_a_change_is_a_hint(
    changes: dict[str, Any], read_only: bool | None
) -> None:
    binding = Catalog.from_mcp([entry(**changes)], server="docs")["docs.search"].binding
    assert binding == McpBinding(server="docs", tool="search", read_only=read_only)


def test_a_bad_entry_is_skipped_and_a_page_is_noted() -> None:
    broken = entry("bad", inputSchema={"$ref": "http://169.254.169.254/schema"})

    catalog = Catalog.from_mcp(
        {"tools": [entry(), broken, {}, 7], "nextCursor": "2"}, server="docs"
    )

    assert [tool.operation for tool in catalog] == ["search"]
    assert [row.place for row in catalog.skipped] == [f"docs#/tools/{n}" for n in (1, 2, 3)]
    assert "page" in catalog.notes[0].detail


@pytest.mark.parametrize("listing", [{}, {"tools": {}}, b"[", "7", {"result": None}])
def test_what_is_no_listing_is_bad_input(listing: Any) -> None:
    with pytest.raises(CatalogError):
        Catalog.from_mcp(listing, server="docs")
