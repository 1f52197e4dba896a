"""What many operations share costs once for each of them: notes, scopes, names, words."""

import json
from pathlib import Path
from typing import Any

import pytest

from fakes import tool
from gretel.catalog import Catalog, report
from gretel.catalog.bounds import OPERATION_NOTES, SCOPES_LIMIT
from gretel.catalog.digest import tool_digest
from gretel.catalog.references import UnusableError
from gretel.catalog.schema import SchemaReader
from gretel.contracts.errors import CatalogError
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import HttpBinding, McpBinding, Tool, VirtualBinding
from gretel.nodes.retrieve.semantic.sparse import sparse_text

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def document(paths: dict[str, Any], **parts: Any) -> Catalog:
    head = {"openapi": "3.0.0", "info": {"title": "T"}, "servers": [{"url": "https://a.example"}]}
    return Catalog.from_openapi(json.dumps({**head, "paths": paths, **parts}))


def nameless(paths: int, count: int = 1_000) -> Catalog:
    """Paths that share one of eight operations, with parameters that have no name."""
    item = {"parameters": [{}] * count, **dict.fromkeys(METHODS, {"responses": {}})}
    return document({f"/p{n}": {"$ref": "#/x-item"} for n in range(paths)}, **{"x-item": item})


def test_an_operation_has_few_notes() -> None:
    catalog = nameless(1)
    assert len(catalog.notes) == len(METHODS) * (OPERATION_NOTES + 1)
    assert "980 notes more" in catalog.notes[-1].detail


def test_a_row_has_few_notes(tmp_path: Path) -> None:
    meta = {"method": "GET", "path": "/a", "parameters": [{}] * 1_000}
    (tmp_path / "rows.jsonl").write_text(json.dumps({"title": "t", "metadata": meta}))
    assert len(Catalog.from_jsonl(tmp_path / "rows.jsonl").notes) == OPERATION_NOTES + 1


def test_a_source_has_not_many_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "NOTES_LIMIT", 50)
    notes = nameless(2).notes
    assert len(notes) == 51
    assert "left out" in notes[-1].detail


def test_parameters_that_are_left_out_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "PARAMETERS_LIMIT", 5_000)
    assert len(nameless(1, 100)) == len(METHODS)
    with pytest.raises(CatalogError, match="more than 5,000 parameters"):
        nameless(1)


def test_what_parameters_say_is_counted_wherever_it_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(report, "SAID_LIMIT", 10_000)
    shared = {"name": "a", "in": "query", "description": "x" * 3_000, "schema": {}}
    get = {"get": {"parameters": [{"$ref": "#/components/parameters/a"}], "responses": {}}}
    parts = {"components": {"parameters": {"a": shared}}}
    assert len(document({f"/{n}": get for n in range(3)}, **parts)) == 3
    with pytest.raises(CatalogError, match="characters of what its tools say"):
        document({f"/{n}": get for n in range(4)}, **parts)


SHARED: dict[str, dict[str, Any]] = {
    "servers": {
        "servers": [
            {"url": f"https://{{v}}.example/{at:>0900}", "variables": {"v": {"default": "a"}}}
            for at in range(5)
        ]
    },
    "descriptions": {"x-item": {"get": {"summary": "s" * 2_500, "description": "d" * 2_500}}},
    "answers": {"x-item": {"get": {"responses": {"200": {"description": "d" * 9_000}}}}},
    "examples": {
        "x-item": {
            "get": {
                "responses": {
                    "200": {
                        "description": "",
                        "content": {"application/json": {"example": [1] * 490}},
                    }
                }
            }
        }
    },
}


@pytest.mark.parametrize("name", SHARED)
def test_what_many_operations_share_is_counted_for_each(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "SAID_LIMIT", 10_500)
    parts = {"x-item": {"get": {}}, **SHARED[name]}
    assert len(document({f"/{n}": {"$ref": "#/x-item"} for n in range(2)}, **parts)) == 2
    with pytest.raises(CatalogError, match="characters of what its tools say"):
        document({f"/{n}": {"$ref": "#/x-item"} for n in range(4)}, **parts)


MANY = {f"p{at}": {"type": "string"} for at in range(1_001)}
ROWS: dict[str, dict[str, Any]] = {
    "toolbench": {
        "tool_name": "T",
        "api_name": "a",
        "required_parameters": [{"name": name, "type": "STRING"} for name in MANY],
    },
    "fields": {"api_name": "a", "parameters": MANY},
    "body": {
        "title": "t",
        "metadata": {"method": "POST", "path": "/a", "request_body": {"properties": MANY}},
    },
}


@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_any_kind_has_few_parameters(name: str, tmp_path: Path) -> None:
    rows = [ROWS[name], {"title": "a", "text": "is a tool"}]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    catalog = Catalog.from_jsonl(tmp_path / "rows.jsonl")
    assert len(catalog) == 1
    assert "more than 1,000" in catalog.skipped[0].reason


def test_a_tool_has_few_parameters_whoever_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "TOOL_PARAMETERS", 2)
    with pytest.raises(UnusableError, match="3 parameters are more than 2"):
        report.Loaded().take(tool("A.b", params=("a", "b", "c")))


def test_of_what_a_thousand_parameters_mean_some_is_searched() -> None:
    one = tool("A.b", params=[f"p{n}" for n in range(1_000)])
    said = [each.model_copy(update={"description": "word " * 800}) for each in one.parameters]
    assert len(sparse_text(one.model_copy(update={"parameters": tuple(said)}), "")) <= 20_000


@pytest.mark.parametrize(("ways", "scopes", "kept"), [(50, 200, 4), (5, 2, 5), (1, 200, 1)])
def test_the_scopes_of_an_operation_are_few(ways: int, scopes: int, kept: int) -> None:
    asked = [{"s": [f"{way}:{n}" for n in range(scopes)]} for way in range(ways)]
    catalog = document(
        {"/a": {"get": {"responses": {}}}},
        security=asked,
        components={"securitySchemes": {"s": {"type": "oauth2", "flows": {}}}},
    )
    (one,) = catalog
    assert isinstance(one.binding, HttpBinding)
    assert len(one.binding.security) in (kept, kept + 1)
    assert sum(len(s.scopes) for way in one.binding.security for s in way) <= SCOPES_LIMIT
    assert tool_digest(one)


LONG = "x" * 5_000
LONG_NAMES: dict[str, Tool] = {
    "relayed": tool("A.b", binding=VirtualBinding(category="c", tool_name=LONG, api_name="b")),
    "relayed's own": tool(
        "A.b", binding=VirtualBinding(category="c", tool_name="A", api_name=LONG)
    ),
    "of a server": tool("A.b", binding=McpBinding(server="s", tool=LONG)),
    "a style": tool("A.b", params=["p"]).model_copy(
        update={
            "parameters": (
                tool("A.b", params=["p"]).parameters[0].model_copy(update={"style": LONG}),
            )
        }
    ),
}


@pytest.mark.parametrize("name", LONG_NAMES)
def test_a_name_of_any_kind_that_is_a_book_is_one_skipped_row(name: str, tmp_path: Path) -> None:
    rows = [LONG_NAMES[name], tool("C.d")]
    (tmp_path / "rows.jsonl").write_text("\n".join(each.model_dump_json() for each in rows))
    catalog = Catalog.from_jsonl(tmp_path / "rows.jsonl")
    assert [each.tool_id for each in catalog] == ["C.d"]
    assert "too long" in catalog.skipped[0].reason


def test_a_tool_that_an_mcp_server_calls_by_a_book_is_one_skipped_row() -> None:
    catalog = Catalog.from_mcp({"tools": [{"name": LONG}, {"name": "find"}]}, server="s")
    assert [each.operation for each in catalog] == ["find"]


def test_a_schema_that_is_too_large_is_tried_once_for_all_operations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[int] = []
    read = SchemaReader._keywords

    def counted(self: SchemaReader, *given: Any) -> JsonObject:
        seen[-1] += 1
        return read(self, *given)

    monkeypatch.setattr(SchemaReader, "_keywords", counted)
    leaf = {"type": "object", "properties": {"d": {"type": "string"}}}
    large = {"type": "object", "properties": {f"f{n}": leaf for n in range(1_500)}}
    answer = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/L"}}}}
    found = []
    for count in (1, 2):
        seen.append(0)
        paths = {f"/p{n}": {"get": {"responses": {"200": answer}}} for n in range(count)}
        found.append([*document(paths, components={"schemas": {"L": large}})])
    assert seen[1] - seen[0] < 0.4 * seen[0]
    assert all(each.response == found[0][0].response for each in found[1])
