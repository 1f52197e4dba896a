import pytest
from catalog_documents import document, only_tool, parameter, query, swagger

from gretel.catalog import Catalog


def entry(name, place="query", **more):
    return {"name": name, "in": place, "schema": {"type": "string"}, **more}


def test_each_place_is_kept():
    entries = [entry(place, place) for place in ("path", "query", "header", "cookie")]
    tool = only_tool(document({"parameters": entries}, path="/a/{path}"))
    assert [(p.name, p.location, p.required) for p in tool.parameters] == [
        ("path", "path", True),
        ("query", "query", False),
        ("header", "header", False),
        ("cookie", "cookie", False),
    ]


def test_an_operation_overrides_its_path():
    item = {
        "parameters": [entry("a", description="path's"), entry("b")],
        "get": {"operationId": "x", "parameters": [entry("a", required=True)]},
    }
    tool = only_tool(document({}, paths={"/x": item}))
    assert [(p.name, p.required, p.description) for p in tool.parameters] == [
        ("a", True, ""),
        ("b", False, ""),
    ]


def test_a_name_in_two_places_is_two_parameters():
    entries = [entry("id", "path"), entry("id", "query"), entry("id", "header")]
    tool = only_tool(document({"parameters": entries}, path="/{id}"))
    assert [(p.name, p.wire_name, p.location) for p in tool.parameters] == [
        ("id", "id", "path"),
        ("id_query", "id", "query"),
        ("id_header", "id", "header"),
    ]


def test_headers_that_openapi_says_elsewhere_are_left():
    entries = [entry(n, "header") for n in ("Authorization", "accept", "Content-Type", "X-Mine")]
    assert [p.name for p in only_tool(document({"parameters": entries})).parameters] == ["X-Mine"]


def test_style_and_explode_are_kept():
    schema = {"type": "array", "items": {"type": "string"}}
    operation = query("q", schema, style="pipeDelimited", explode=False)
    (found,) = only_tool(document(operation)).parameters
    assert (found.style, found.explode) == ("pipeDelimited", False)


def test_an_undeclared_placeholder_becomes_a_string():
    catalog = Catalog.from_openapi(document({}, path="/a/{id}"))
    (tool,) = catalog
    assert [(p.name, p.location, p.required) for p in tool.parameters] == [("id", "path", True)]
    assert "not declared" in catalog.notes[0].detail


def test_a_path_parameter_spelled_otherwise_is_matched():
    catalog = Catalog.from_openapi(
        document({"parameters": [entry("userId", "path", description="who")]}, path="/{user_id}")
    )
    (tool,) = catalog
    assert [(p.name, p.wire_name, p.description) for p in tool.parameters] == [
        ("user_id", "user_id", "who")
    ]
    assert len(catalog.notes) == 1


def test_a_path_parameter_that_is_not_in_the_path_is_left_out():
    catalog = Catalog.from_openapi(document({"parameters": [entry("ghost", "path")]}))
    (tool,) = catalog
    assert tool.parameters == ()
    assert "'ghost'" in catalog.notes[0].detail


def test_reserved_expansion_is_a_plain_placeholder():
    tool = only_tool(document({"parameters": [entry("name", "path")]}, path="/v1/{+name}"))
    assert tool.binding.path == "/v1/{name}"
    assert [p.name for p in tool.parameters] == ["name"]


def test_a_parameter_with_content_is_text_in_that_media_type():
    content = {"application/json": {"schema": {"type": "object"}, "example": {"a": 1}}}
    operation = {"parameters": [{"name": "q", "in": "query", "content": content}]}
    (found,) = only_tool(document(operation)).parameters
    assert found.json_schema == {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": {"type": "object"},
    }
    assert found.examples == ('{"a": 1}',)


@pytest.mark.parametrize("place", ["query", "header", "cookie", "path"])
def test_a_parameter_without_a_schema_is_a_string_and_reported(place):
    operation = {"parameters": [{"name": "q", "in": place, "required": True, "description": "x"}]}
    path = "/things/{q}" if place == "path" else "/things"
    catalog = Catalog.from_openapi(document(operation, path=path))
    found = parameter(next(iter(catalog)), "q")
    assert (found.json_schema, found.location) == ({"type": "string"}, place)
    assert found.required and found.description == "x"
    assert "parameter 'q' has no usable schema" in catalog.notes[0].detail


ELSEWHERE = {"$ref": "https://example.com/parameters.yaml#/components/parameters/thing"}


def test_a_parameter_that_stands_elsewhere_is_left_out_and_reported():
    """Whether it is required stands elsewhere, too; the path itself says what it needs."""
    operation = {"parameters": [ELSEWHERE, {"name": "q", "in": "query", "schema": {}}]}
    catalog = Catalog.from_openapi(document(operation, path="/things/{thing}"))
    (tool,) = catalog
    assert [(p.name, p.location, p.required) for p in tool.parameters] == [
        ("thing", "path", True),
        ("q", "query", False),
    ]
    assert parameter(tool, "thing").json_schema == {"type": "string"}
    details = [note.detail for note in catalog.notes]
    assert "a parameter was left out: external reference" in details[0]
    assert details[1] == "path parameter 'thing' is not declared; taken as a string"


def test_an_optional_parameter_whose_schema_stands_elsewhere_is_left_out_and_reported():
    catalog = Catalog.from_openapi(document(query("q", {"items": ELSEWHERE})))
    (tool,) = catalog
    assert tool.parameters == () and catalog.skipped == ()
    assert catalog.notes[0].detail.startswith("parameter 'q': external reference")
    assert catalog.notes[0].detail.endswith("; left out")


def test_a_path_parameter_whose_schema_stands_elsewhere_is_a_string():
    entry = {"name": "id", "in": "path", "required": True, "schema": ELSEWHERE, "example": "a1"}
    catalog = Catalog.from_openapi(document({"parameters": [entry]}, path="/things/{id}"))
    ((found,),) = (tool.parameters for tool in catalog)
    assert (found.json_schema, found.examples) == ({"type": "string"}, ("a1",))
    assert catalog.notes[0].detail.endswith("; taken as a string")


def test_a_required_query_parameter_whose_schema_stands_elsewhere_skips_the_operation():
    (row,) = Catalog.from_openapi(document(query("q", ELSEWHERE, required=True))).skipped
    assert "parameter 'q': external reference" in row.reason


def test_a_flood_of_parameters_that_stand_elsewhere_is_still_refused():
    (row,) = Catalog.from_openapi(document({"parameters": [ELSEWHERE] * 1_001})).skipped
    assert "parameters are more than" in row.reason


@pytest.mark.parametrize(("required", "tools"), [(True, 0), (False, 1)])
def test_only_a_required_parameter_needs_a_place(required, tools):
    operation = {"parameters": [{"name": "q", "required": required, "schema": {}}]}
    catalog = Catalog.from_openapi(document(operation))
    assert (len(catalog), len(catalog.skipped), len(catalog.notes)) == (tools, 1 - tools, tools)


def test_swagger_types_stand_in_the_parameter_itself():
    raw = {
        "name": "n",
        "in": "query",
        "type": "integer",
        "maximum": 9,
        "default": 3,
        "required": True,
        "description": "how many",
        "x-example": 4,
    }
    (found,) = only_tool(swagger({"parameters": [raw]})).parameters
    assert found.json_schema == {"type": "integer", "maximum": 9, "default": 3}
    assert (found.required, found.description, found.examples) == (True, "how many", (4,))


@pytest.mark.parametrize(
    ("collection", "style", "explode"),
    [
        (None, "form", False),
        ("csv", "form", False),
        ("multi", "form", True),
        ("ssv", "spaceDelimited", False),
        ("pipes", "pipeDelimited", False),
    ],
)
def test_swagger_collections_become_styles(collection, style, explode):
    raw = {"name": "n", "in": "query", "type": "array", "items": {"type": "string"}}
    if collection:
        raw["collectionFormat"] = collection
    (found,) = only_tool(swagger({"parameters": [raw]})).parameters
    assert (found.style, found.explode) == (style, explode)


def test_samples_are_distinct_and_few():
    operation = query(
        "q", {"type": "integer"}, examples={str(n): {"value": n % 8} for n in range(30)}
    )
    (found,) = only_tool(document(operation)).parameters
    assert found.examples == (0, 1, 2, 3, 4)


def test_a_sample_that_cannot_be_found_does_no_harm():
    examples = {"a": {"$ref": "#/nope"}, "b": {"externalValue": "http://x/"}, "c": {"value": 1}}
    (found,) = only_tool(document(query("q", {}, examples=examples))).parameters
    assert found.examples == (1,)


def test_true_and_1_are_different_samples():
    operation = query("q", {}, examples={"a": {"value": 1}, "b": {"value": True}})
    (found,) = only_tool(document(operation)).parameters
    assert [type(value) for value in found.examples] == [int, bool]


def test_a_parameter_named_body_stands_beside_a_body():
    operation = {
        **query("body", {"type": "string"}),
        "requestBody": {"content": {"text/plain": {"schema": {"type": "string"}}}},
    }
    tool = only_tool(document(operation))
    assert [(p.name, p.location) for p in tool.parameters] == [
        ("body", "query"),
        ("body_content", "content"),
    ]
    assert parameter(tool, "body_content").wire_name == "body"
