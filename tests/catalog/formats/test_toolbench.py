import json

import pytest

from gretel.catalog import Catalog
from gretel.contracts.errors import CatalogError
from gretel.contracts.tool import VirtualBinding

SEARCH = {
    "name": "Search flights",
    "description": "Finds flights",
    "method": "post",
    "required_parameters": [
        {"name": "from", "type": "STRING", "description": "Airport", "default": "SFO"}
    ],
    "optional_parameters": [{"name": "limit", "type": "NUMBER", "default": "10"}],
}
TOOL = {"tool_name": "Kayak", "tool_description": "All flights.", "api_list": [SEARCH]}


def load(tmp_path, content, name="tool.json"):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return Catalog.from_toolbench(path)


def with_parameter(tmp_path, **entry):
    api = {"name": "x", "required_parameters": [{"name": "p", **entry}]}
    (tool,) = load(tmp_path, {**TOOL, "api_list": [api]})
    return tool.parameters[0]


def test_an_api_becomes_a_tool(tmp_path):
    (tool,) = load(tmp_path, TOOL)
    assert tool.tool_id == "Kayak.Search_flights"
    assert (tool.toolkit, tool.operation) == ("Kayak", "Search flights")
    assert (tool.description, tool.toolkit_description) == ("Finds flights", "All flights.")
    assert tool.binding == VirtualBinding(
        category="", tool_name="Kayak", api_name="Search flights", method="POST"
    )
    assert tool.source == "tool.json#/api_list/0"
    assert [(p.name, p.location, p.required) for p in tool.parameters] == [
        ("from", "argument", True),
        ("limit", "argument", False),
    ]


def test_a_default_is_only_a_sample(tmp_path):
    (tool,) = load(tmp_path, TOOL)
    assert [p.examples for p in tool.parameters] == [("SFO",), (10,)]
    assert all("default" not in p.json_schema for p in tool.parameters)


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        ("STRING", {"type": "string"}),
        ("NUMBER", {"type": "number"}),
        ("BOOLEAN", {"type": "boolean"}),
        ("ARRAY", {"type": "array"}),
        ("OBJECT", {"type": "object"}),
        ("ENUM", {"type": "string"}),
        ("BINARY", {"type": "string", "format": "binary"}),
        ("DATE (YYYY-MM-DD)", {"type": "string", "format": "date"}),
        ("TIME (24-hour HH:MM)", {"type": "string", "format": "time"}),
        ("MYSTERY", {}),
        (None, {}),
    ],
)
def test_types_are_mapped(tmp_path, kind, schema):
    assert with_parameter(tmp_path, type=kind).json_schema == schema


def test_the_hint_of_a_type_is_kept(tmp_path):
    found = with_parameter(tmp_path, type="DATE (YYYY-MM-DD)", description="When")
    assert found.description == "When (YYYY-MM-DD)"


@pytest.mark.parametrize(
    ("kind", "default", "samples"),
    [
        ("NUMBER", "2.5", (2.5,)),
        ("NUMBER", "many", ()),
        ("NUMBER", "NaN", ()),
        ("NUMBER", 7, (7,)),
        ("STRING", 7, ("7",)),
        ("STRING", "", ()),
        ("BOOLEAN", "True", (True,)),
        ("BOOLEAN", "0", (False,)),
        ("BOOLEAN", "perhaps", ()),
        ("BOOLEAN", False, (False,)),
        ("ARRAY", '["a"]', (["a"],)),
        ("ARRAY", "2", ()),
        ("OBJECT", "cities", ()),
        ("OBJECT", '{"a": 1}', ({"a": 1},)),
        ("STRING", None, ()),
        ("MYSTERY", [1], ([1],)),
    ],
)
def test_a_sample_has_the_type_of_its_parameter(tmp_path, kind, default, samples):
    found = with_parameter(tmp_path, type=kind, default=default)
    assert found.examples == samples
    assert [type(value) for value in found.examples] == [type(value) for value in samples]


def test_a_name_that_comes_twice_is_one_parameter_with_both_samples(tmp_path):
    twice = [{"name": "a", "type": "STRING", "default": d} for d in ("1", "2")]
    api = {"name": "x", "required_parameters": twice[:1], "optional_parameters": twice}
    (tool,) = load(tmp_path, {**TOOL, "api_list": [api]})
    (found,) = tool.parameters
    assert (found.required, found.examples) == (True, ("1", "2"))


def test_a_response_template_is_marked_as_one(tmp_path):
    template = {"id": "int", "tags": ["str"]}
    (tool,) = load(tmp_path, {**TOOL, "api_list": [{**SEARCH, "template_response": template}]})
    assert (tool.response.example, tool.response.example_is_template) == (template, True)


def test_a_recorded_body_is_an_example(tmp_path):
    extra = {"schema": {"type": "object"}, "body": {"id": 1}}
    (tool,) = load(tmp_path, {**TOOL, "api_list": [{**SEARCH, **extra}]})
    assert (tool.response.example, tool.response.example_is_template) == ({"id": 1}, False)
    assert tool.response.json_schema == {"type": "object"}


@pytest.mark.parametrize(
    "api", [None, "text", {}, {"name": "x", "required_parameters": [{"type": "STRING"}]}]
)
def test_a_malformed_api_is_a_skipped_row(tmp_path, api):
    catalog = load(tmp_path, {**TOOL, "api_list": [api, SEARCH]})
    assert len(catalog) == 1
    assert [row.place for row in catalog.skipped] == ["tool.json#/api_list/0"]


def test_a_folder_gives_categories_and_tells_equal_names_apart(tmp_path):
    for category in ("Travel", "Media"):
        load(tmp_path, TOOL, f"{category}/kayak.json")
    (tmp_path / "Media" / "broken.json").write_text("{")
    (tmp_path / "Media" / "other.json").write_text("[]")
    catalog = Catalog.from_toolbench(tmp_path)
    assert [(t.tool_id, t.category) for t in catalog] == [
        ("Kayak.Search_flights@Media", "Media"),
        ("Kayak.Search_flights@Travel", "Travel"),
    ]
    assert [row.place for row in catalog.skipped] == ["Media/broken.json", "Media/other.json"]
    assert all(row.place not in row.reason for row in catalog.skipped)
    assert all(row.remedy not in row.reason for row in catalog.skipped)


@pytest.mark.parametrize("content", [{}, [], {"api_list": 5}])
def test_what_is_no_tool_file_is_one_clear_error(tmp_path, content):
    with pytest.raises(CatalogError, match="api_list"):
        load(tmp_path, content)


def test_a_folder_without_tools_is_one_clear_error(tmp_path):
    with pytest.raises(CatalogError, match="no document that describes tools"):
        Catalog.from_toolbench(tmp_path)


def test_a_corpus_of_tools_is_read_too(tmp_path):
    api = {"tool_name": "Kayak", "api_name": "Search"}
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"_id": "tb1", "metadata": {"api": api}}))
    for path in (tmp_path, tmp_path / "corpus.jsonl"):
        assert [tool.external_id for tool in Catalog.from_toolbench(path)] == ["tb1"]
