import json

import pytest
from catalog_documents import answer, document, query

from gretel.catalog import Catalog
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import HttpBinding, NoBinding, VirtualBinding


@pytest.fixture
def load(tmp_path):
    def rows(*contents, raw=""):
        path = tmp_path / "rows.jsonl"
        path.write_text("\n".join([*map(json.dumps, contents), raw]))
        return Catalog.from_jsonl(path)

    return rows


def only(catalog):
    assert catalog.skipped == ()
    (tool,) = catalog
    return tool


def shape(tool):
    return [(p.name, p.location, p.required, p.json_schema) for p in tool.parameters]


def test_records_survive_the_round_trip(tmp_path):
    operation = {**query("q", {"type": "string"}), **answer({"application/json": {"example": [1]}})}
    written = Catalog.from_openapi(document(operation, servers=[{"url": "https://x"}]))
    path = tmp_path / "tools.jsonl"
    path.write_text("".join(tool.model_dump_json() + "\n" for tool in written))
    read = Catalog.from_jsonl(path)
    assert list(read) == list(written)
    assert read.digest == written.digest


def test_an_incomplete_record_is_a_skipped_row(load):
    good = {"tool_id": "a.b", "toolkit": "a", "operation": "b"}
    catalog = load({"tool_id": "x"}, good, {**good, "surprise": 1})
    assert [t.tool_id for t in catalog] == ["a.b"]
    assert [row.place for row in catalog.skipped] == ["rows.jsonl:1", "rows.jsonl:3"]
    assert catalog.skipped[0].reason.startswith("toolkit: ")


def test_a_toolbench_row(load):
    api = {
        "category_name": "Travel",
        "tool_name": "Kayak",
        "api_name": "Search",
        "api_description": "Finds",
        "required_parameters": [{"name": "a", "type": "STRING", "default": "x"}],
        "method": "GET",
        "template_response": {"id": "int"},
    }
    tool = only(load({"_id": "tb1", "title": "t", "text": "x", "metadata": {"api": api}}))
    assert (tool.tool_id, tool.external_id, tool.category) == ("Kayak.Search", "tb1", "Travel")
    assert isinstance(tool.binding, VirtualBinding)
    assert tool.response.example_is_template


def test_a_row_of_named_fields(load):
    api = {
        "api_name": "addBook",
        "api_description": "Adds",
        "field": "Library",
        "parameters": {
            "n": {"type": "int", "description": "how many", "example": 3},
            "kind": {"type": "str", "choices": ["a", "b"], "default": "a"},
        },
        "required": ["n"],
        "responses": {"ok": {"type": "bool", "description": "done"}},
    }
    tool = only(load({"_id": "addBook", "title": "addBook", "text": "", "metadata": {"api": api}}))
    assert (tool.tool_id, tool.toolkit, tool.category) == ("addBook.addBook", "addBook", "Library")
    assert shape(tool) == [
        ("n", "argument", True, {"type": "integer"}),
        ("kind", "argument", False, {"type": "string", "enum": ["a", "b"], "default": "a"}),
    ]
    assert tool.parameters[0].examples == (3,)
    assert tool.response.json_schema == {
        "type": "object",
        "properties": {"ok": {"type": "boolean", "description": "done"}},
    }


def test_a_row_with_json_schema_parameters(load):
    schema = {"type": "object", "properties": {"d": {"type": "string"}}, "required": ["d"]}
    api = {
        "name": "f",
        "description": "does",
        "parameters": schema,
        "returnParameter": {"x": "string"},
    }
    row = {"_id": "air.f", "title": "f", "text": "", "metadata": {"domain": "air", "api": api}}
    tool = only(load(row))
    assert (tool.tool_id, tool.external_id) == ("air.f", "air.f")
    assert shape(tool) == [("d", "argument", True, {"type": "string"})]
    assert tool.response.json_schema == {"type": "object", "properties": {"x": {"type": "string"}}}


def test_a_schema_that_is_no_object_is_one_optional_parameter(load):
    api = {"name": "f", "parameters": {"type": "array", "items": {"type": "string"}}}
    tool = only(load({"_id": "1", "metadata": {"api": api}}))
    assert shape(tool) == [
        ("input", "argument", False, {"type": "array", "items": {"type": "string"}})
    ]


def test_an_mcp_row(load):
    schema = {
        "$defs": {"Q": {"type": "string", "description": "what"}},
        "properties": {"q": {"$ref": "#/$defs/Q"}, "n": {"type": "number", "default": 5}},
        "required": ["q"],
    }
    meta = {
        "server": "bing",
        "server_description": "Search",
        "category": "Web",
        "inputSchema": schema,
    }
    tool = only(load({"_id": "bing::s", "title": "search", "text": "Finds", "metadata": meta}))
    assert (tool.tool_id, tool.toolkit_description) == ("bing.search", "Search")
    assert tool.binding == NoBinding()
    assert shape(tool) == [
        ("q", "argument", True, {"type": "string"}),
        ("n", "argument", False, {"type": "number", "default": 5}),
    ]
    assert tool.parameters[0].description == "what"


def test_an_mcp_row_with_an_external_reference_is_skipped(load):
    schema = {"properties": {"q": {"$ref": "http://x/"}}}
    rows = [
        {"_id": name, "title": name, "metadata": {"server": "s", "inputSchema": s}}
        for name, s in (("bad", schema), ("good", {}))
    ]
    catalog = load(*rows)
    assert [t.operation for t in catalog] == ["good"]
    assert "external reference" in catalog.skipped[0].reason


def http_row(**meta):
    base = {"api_title": "Shop", "method": "get", "path": "/a/{id}", "servers": ["https://x"]}
    return {"_id": "x::1", "title": "t", "text": "t", "metadata": {**base, **meta}}


def test_a_flattened_operation(load):
    parameters = [
        {"name": "id", "in": "path", "required": True, "type": "integer", "format": "int64"},
        {"name": "tags", "in": "query", "type": "array", "items": "string", "enum": ["a"]},
        {"name": "lost", "in": None, "type": "string"},
    ]
    body = {
        "content_types": ["application/json"],
        "required": True,
        "type": "object",
        "properties": {"id": {"type": "string", "required": True, "default": "x"}},
    }
    meta = {"operationId": "op", "summary": "Do", "description": "it", "tags": ["T"]}
    catalog = load(http_row(**meta, deprecated=True, parameters=parameters, request_body=body))
    tool = only(catalog)
    assert (tool.tool_id, tool.description, tool.category) == ("Shop.op", "Do. it", "T")
    assert (tool.external_id, tool.deprecated) == ("x::1", True)
    assert tool.binding == HttpBinding(
        method="GET", path="/a/{id}", servers=("https://x",), media_type="application/json"
    )
    assert shape(tool) == [
        ("id", "path", True, {"type": "integer", "format": "int64"}),
        ("tags", "query", False, {"type": "array", "items": {"type": "string", "enum": ["a"]}}),
        ("id_body", "body", True, {"type": "string", "default": "x"}),
    ]
    assert "'lost'" in catalog.notes[0].detail


def test_a_flattened_operation_with_another_body(load):
    body = {"content_types": ["text/plain"], "required": True, "type": "string", "properties": {}}
    tool = only(load(http_row(method="POST", request_body=body)))
    assert shape(tool) == [("body", "content", True, {"type": "string"})]
    assert (tool.operation, tool.binding.media_type) == ("post_a_by_id", "text/plain")


def test_a_flattened_operation_needs_the_place_of_a_required_parameter(load):
    bad = http_row(parameters=[{"name": "n", "required": True}])
    catalog = load(bad, http_row())
    assert len(catalog) == 1 and "'n'" in catalog.skipped[0].reason


@pytest.mark.parametrize("name", ["Accept", "Content-Type", "authorization"])
def test_a_flattened_operation_without_the_headers_that_http_itself_needs(load, name):
    said = {"name": name, "in": "header", "required": True, "type": "string"}
    own = {"name": "X-Shop", "in": "header", "type": "string"}
    query = {"name": name, "in": "query", "type": "string"}
    tool = only(load(http_row(parameters=[said, own, query])))
    assert [(p.name, p.location) for p in tool.parameters] == [
        ("X-Shop", "header"),
        (name, "query"),
    ]


TOOLLENS = (
    "category_name:Food, tool_name:Recipes, api_name:Suggest, api_description:Finds, quickly, "
    'required_params: [{"name": "q", "type": "STRING", "description": "what, exactly"}], '
    'optional_params: [], return_schema: {"ok": "bool"}'
)


def test_a_row_that_says_all_in_its_text(load):
    tool = only(load({"_id": "7", "title": "", "text": TOOLLENS, "metadata": {}}))
    assert (tool.tool_id, tool.external_id) == ("Recipes.Suggest", "7")
    assert (tool.category, tool.description) == ("Food", "Finds, quickly")
    assert shape(tool) == [("q", "argument", True, {"type": "string"})]
    assert (tool.response.example, tool.response.example_is_template) == ({"ok": "bool"}, True)


@pytest.mark.parametrize("text", [TOOLLENS[:-30], TOOLLENS.replace('"what', "what")])
def test_such_a_text_that_is_cut_is_a_skipped_row(load, text):
    catalog = load({"_id": "1", "text": text}, {"_id": "2", "text": TOOLLENS})
    assert [row.place for row in catalog.skipped] == ["rows.jsonl:1"]


def test_a_plain_row(load):
    tool = only(load({"_id": "timeport", "title": "timeport", "text": "Travels", "metadata": {}}))
    assert (tool.tool_id, tool.description) == ("timeport.timeport", "Travels")
    assert (tool.external_id, tool.parameters) == ("timeport", ())


@pytest.mark.parametrize(
    "row",
    [
        {
            "name": "f",
            "description": "does",
            "parameters": {"type": "object", "properties": {"a": {}}},
        },
        {
            "type": "function",
            "function": {
                "name": "f",
                "description": "does",
                "parameters": {"type": "object", "properties": {"a": {}}},
            },
        },
        {
            "name": "f",
            "description": "does",
            "inputSchema": {"type": "object", "properties": {"a": {}}},
        },
    ],
)
def test_a_bare_function_or_mcp_tool(load, row):
    tool = only(load(row))
    assert (tool.tool_id, tool.description, tool.external_id) == ("f.f", "does", None)
    assert [p.name for p in tool.parameters] == ["a"]


def test_bad_lines_are_skipped_rows(load):
    good = {"_id": "a", "text": "A"}
    catalog = load(good, 5, {"unknown": 1}, {"text": ""}, raw='{"_id": \n\n[[[')
    assert len(catalog) == 1
    assert [row.place for row in catalog.skipped] == [f"rows.jsonl:{n}" for n in (2, 3, 4, 5, 7)]


def test_a_line_separator_inside_text_ends_no_line(load):
    tool = only(load(raw='{"_id": "a", "text": "one\u2028two\u0085three"}'))
    assert tool.external_id == "a"


def test_a_file_without_a_single_tool_is_one_clear_error(load):
    with pytest.raises(CatalogError, match="none of 2 lines is a tool"):
        load(raw="hello\nworld")


def test_an_empty_file_is_an_empty_catalogue(load):
    assert len(load()) == 0


def test_equal_names_are_told_apart_by_their_ids(load):
    rows = [{"_id": n, "title": "same", "text": n} for n in ("1", "2")]
    assert [t.tool_id for t in load(*rows)] == ["same.same@1", "same.same@2"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_lines_may_be_of_any_encoding_of_unicode(encoding, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes('{"_id": "å", "text": "A"}\r\n{"_id": "b", "text": "B"}\n'.encode(encoding))
    assert {tool.external_id for tool in Catalog.from_jsonl(path)} == {"å", "b"}
