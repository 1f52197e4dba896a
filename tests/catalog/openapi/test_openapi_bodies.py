import pytest
from catalog_documents import document, json_body, only_tool, parameter, swagger

from gretel.catalog import Catalog

OBJECT = {
    "type": "object",
    "required": ["a"],
    "properties": {"a": {"type": "string", "description": "first"}, "b": {"type": "integer"}},
}


def shape(tool):
    return [(p.name, p.location, p.required) for p in tool.parameters]


def test_the_properties_of_an_object_are_parameters():
    tool = only_tool(document(json_body(OBJECT, required=True)))
    assert shape(tool) == [("a", "body", True), ("b", "body", False)]
    assert tool.binding.media_type == "application/json"
    assert parameter(tool, "a").description == "first"


@pytest.mark.parametrize(("more", "required"), [({}, True), ({"required": False}, False)])
def test_a_body_said_to_be_optional_has_no_required_property(more, required):
    tool = only_tool(document(json_body(OBJECT, **more)))
    assert parameter(tool, "a").required is required


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"type": "string"}},
        {"type": "string"},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"oneOf": [OBJECT, {"type": "string"}]},
        {"type": "object", "properties": {"a": {}}, "anyOf": [{"properties": {"b": {}}}, {}]},
        {},
    ],
)
def test_any_other_body_is_one_parameter(schema):
    tool = only_tool(document(json_body(schema, required=True)))
    assert shape(tool) == [("body", "content", True)]


def test_compositions_of_objects_are_merged():
    schema = {
        "allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"b": {"type": "string"}}}],
        "required": ["b"],
    }
    tool = only_tool(document(json_body(schema), components={"schemas": {"Base": OBJECT}}))
    assert shape(tool) == [("a", "body", True), ("b", "body", True)]
    both = [{"type": "integer"}, {"type": "string"}]
    assert parameter(tool, "b").json_schema == {"allOf": both}


def test_alternatives_that_only_require_leave_an_object():
    schema = {**OBJECT, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert len(only_tool(document(json_body(schema))).parameters) == 2


@pytest.mark.parametrize(
    ("types", "chosen", "location"),
    [
        (["application/xml", "application/json"], "application/json", "body"),
        (["text/plain", "application/vnd.api+json"], "application/vnd.api+json", "body"),
        (
            ["multipart/form-data", "application/x-www-form-urlencoded"],
            "application/x-www-form-urlencoded",
            "body",
        ),
        (["multipart/form-data"], "multipart/form-data", "body"),
        (["application/xml"], "application/xml", "content"),
        (["*/*"], "application/json", "body"),
        (["application/json; charset=utf-8"], "application/json; charset=utf-8", "body"),
    ],
)
def test_the_media_type_that_can_be_built_best_is_chosen(types, chosen, location):
    body = {"requestBody": {"content": {name: {"schema": OBJECT} for name in types}}}
    tool = only_tool(document(body))
    assert tool.binding.media_type == chosen
    assert {p.location for p in tool.parameters} == {location}


def test_samples_of_a_body_are_handed_to_its_properties():
    body = json_body(OBJECT)
    media = body["requestBody"]["content"]["application/json"]
    media["examples"] = {"one": {"value": {"a": "x", "b": 2}}}
    media["schema"] = {**OBJECT, "example": {"a": "y"}}
    tool = only_tool(document(body))
    assert parameter(tool, "a").examples == ("x", "y")
    assert parameter(tool, "b").examples == (2,)


def test_a_body_may_be_a_reference():
    shared = {"requestBodies": {"B": json_body(OBJECT)["requestBody"]}}
    operation = {"requestBody": {"$ref": "#/components/requestBodies/B"}}
    assert len(only_tool(document(operation, components=shared)).parameters) == 2


@pytest.mark.parametrize("content", [{}, None, {"application/json": {"schema": 7}}])
def test_a_body_without_a_usable_schema_skips_the_operation(content):
    (row,) = Catalog.from_openapi(document({"requestBody": {"content": content}})).skipped
    assert "request body: no usable schema" in row.reason


def test_a_media_type_without_a_schema_takes_anything():
    tool = only_tool(document({"requestBody": {"content": {"application/json": {}}}}))
    assert tool.parameters[0].json_schema == {}


def test_a_broken_reference_deep_in_a_body_that_needs_it_skips_the_operation():
    properties = {"a": {"items": {"$ref": "#/nope"}}}
    schema = {"type": "object", "required": ["a"], "properties": properties}
    (row,) = Catalog.from_openapi(document(json_body(schema))).skipped
    assert row.reason == "request body: broken reference '#/nope'"


def test_a_swagger_body_is_read_alike():
    raw = {"name": "thing", "in": "body", "schema": {"$ref": "#/definitions/Thing"}}
    source = swagger({"parameters": [raw]}, definitions={"Thing": OBJECT}, consumes=["text/json"])
    tool = only_tool(source)
    assert shape(tool) == [("a", "body", True), ("b", "body", False)]
    assert tool.binding.media_type == "text/json"


@pytest.mark.parametrize(
    ("kind", "consumes", "media_type"),
    [
        ("string", [], "application/x-www-form-urlencoded"),
        ("string", ["multipart/form-data"], "multipart/form-data"),
        ("file", [], "multipart/form-data"),
        ("string", ["application/json"], "application/x-www-form-urlencoded"),
    ],
)
def test_swagger_forms_are_bodies(kind, consumes, media_type):
    raw = {"name": "f", "in": "formData", "type": kind, "required": True, "description": "it"}
    tool = only_tool(swagger({"parameters": [raw], "consumes": consumes}))
    assert shape(tool) == [("f", "body", True)]
    assert tool.binding.media_type == media_type
    assert tool.parameters[0].description == "it"


def test_without_a_body_there_is_no_media_type():
    assert only_tool(document({})).binding.media_type is None
    assert only_tool(swagger({"consumes": ["application/json"]})).binding.media_type is None


ELSEWHERE = {"$ref": "https://example.com/schemas.yaml#/Thing"}


def test_a_property_that_stands_elsewhere_is_left_out_and_reported():
    schema = {"type": "object", "required": ["a"], "properties": {"a": {}, "b": ELSEWHERE}}
    catalog = Catalog.from_openapi(document(json_body(schema)))
    ((found,),) = (tool.parameters for tool in catalog)
    assert found.name == "a" and catalog.skipped == ()
    assert "request body: left out 1 ('b'): external reference" in catalog.notes[0].detail


@pytest.mark.parametrize(("needed", "tools"), [(False, 1), (True, 0)])
def test_only_a_body_that_may_be_missing_is_left_out(needed, tools):
    catalog = Catalog.from_openapi(document(json_body(ELSEWHERE, required=needed)))
    assert (len(catalog), len(catalog.skipped)) == (tools, 1 - tools)
    assert [tool.parameters for tool in catalog] == [()] * tools


@pytest.mark.parametrize(("needed", "tools"), [(False, 1), (True, 0)])
def test_a_swagger_form_field_that_stands_elsewhere(needed, tools):
    field = {"name": "a", "in": "formData", "type": "array", "items": ELSEWHERE}
    catalog = Catalog.from_openapi(swagger({"parameters": [{**field, "required": needed}]}))
    assert (len(catalog), len(catalog.skipped)) == (tools, 1 - tools)


def test_a_swagger_body_that_may_be_missing_is_left_out():
    raw = {"name": "thing", "in": "body", "required": False, "schema": ELSEWHERE}
    (tool,) = Catalog.from_openapi(swagger({"parameters": [raw]}))
    assert tool.parameters == ()
