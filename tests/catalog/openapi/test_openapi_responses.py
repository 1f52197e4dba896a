import hashlib
import json

import pytest
from catalog_documents import answer, document, only_tool, swagger

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest

LIST = {"type": "array", "items": {"type": "string"}}


def test_the_schema_and_the_example_of_the_answer():
    content = {"application/json": {"schema": {**LIST, "example": ["b"]}, "example": ["a"]}}
    response = only_tool(document(answer(content))).response
    assert response.json_schema == LIST
    assert response.example == ["a"]
    assert response.description == "fine"
    assert response.example_is_template is False


def test_the_schema_may_carry_the_example():
    content = {"application/json": {"schema": {**LIST, "example": ["b"]}}}
    assert only_tool(document(answer(content))).response.example == ["b"]


@pytest.mark.parametrize(
    ("codes", "chosen"),
    [
        (["404", "200", "201"], "200"),
        (["500", "204", "201"], "201"),
        (["2XX", "400"], "2XX"),
        (["default", "404"], "default"),
        (["404"], ""),
    ],
)
def test_the_first_success_is_the_answer(codes, chosen):
    responses = {code: {"description": code} for code in codes}
    assert only_tool(document({"responses": responses})).response.description == chosen


@pytest.mark.parametrize(
    ("codes", "more", "expected"),
    [
        (["200", "404"], {}, ()),
        (["204", "401"], {}, (204,)),
        (["302", "422"], {}, (302,)),
        (["200", "303"], {}, (303,)),
        (["401"], {}, (401,)),
        (["404", "500"], {}, ()),
        (["401", "default"], {}, ()),
        (["200", "401"], {"operationId": "get_flights"}, ()),
        (["200", "401"], {"operationId": "basic_auth_check"}, (401,)),
        (["200", "401"], {"operationId": "whoami", "security": [{"key": []}]}, ()),
    ],
)
def test_statuses_that_are_answers_of_the_operation(codes, more, expected):
    responses = {code: {"description": code} for code in codes}
    assert only_tool(document({"responses": responses, **more})).response.statuses == expected


def test_a_tool_without_such_statuses_keeps_its_digest():
    """Indexes hold digests that were made before there were any."""
    plain, special = (
        only_tool(document({"responses": {code: {"description": "x"}}})) for code in ("200", "302")
    )
    assert "statuses" in special.response.model_dump()
    later = {"statuses", "media_types"}
    content = plain.model_dump(mode="json", exclude={"source": True, "response": later})
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert tool_digest(plain) == hashlib.sha256(text.encode()).hexdigest()
    unsaid = special.response.model_copy(update={"statuses": ()})
    assert tool_digest(special) != tool_digest(special.model_copy(update={"response": unsaid}))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["application/json", "text/csv"], ()),
        (["application/json; charset=utf-8"], ()),
        (["*/*"], ()),
        (["text/csv; charset=utf-8", "Application/HAL+json"], ("application/hal+json", "text/csv")),
        (["image/*", "text/x\r\nX-Evil: 1", "text/a,b/c", "plain"], ("image/*",)),
        ([f"text/{n}" for n in range(20)], tuple(f"text/{n}" for n in range(10))),
    ],
)
def test_the_media_types_of_the_answer(given, expected):
    content = {name: {} for name in given}
    assert only_tool(document(answer(content))).response.media_types == expected
    operation = {"responses": {"200": {"description": "fine"}}}
    assert only_tool(swagger({**operation, "produces": given})).response.media_types == expected


def test_an_answer_that_is_no_json_has_no_schema():
    response = only_tool(document(answer({"text/csv": {"schema": LIST}}))).response
    assert response.json_schema is None


def test_a_broken_reference_in_the_answer_leaves_a_note():
    catalog = Catalog.from_openapi(
        document(answer({"application/json": {"schema": {"$ref": "other.yaml#/X"}}}))
    )
    (tool,) = catalog
    assert tool.response.json_schema is None
    assert catalog.skipped == ()
    assert "external reference" in catalog.notes[0].detail


def test_a_broken_response_object_leaves_a_note():
    catalog = Catalog.from_openapi(document({"responses": {"200": {"$ref": "#/nope"}}}))
    assert len(catalog) == 1 and "broken" in catalog.notes[0].detail


def test_write_only_properties_are_not_answered():
    schema = {"properties": {"a": {}, "secret": {"writeOnly": True}}}
    response = only_tool(document(answer({"application/json": {"schema": schema}}))).response
    assert response.json_schema == {"properties": {"a": {}}}


@pytest.mark.parametrize(
    ("more", "others"),
    [({}, True), ({"oneOf": [{"$ref": "#/components/schemas/Cat"}]}, None)],
)
def test_a_base_whose_subtypes_are_not_listed_leaves_their_names_open(more, others):
    pet = {"properties": {"kind": {}}, "discriminator": {"propertyName": "kind"}, **more}
    schemas = {"Pet": pet, "Cat": {"properties": {"lives": {}}}}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}
    whole = document(answer(content), components={"schemas": schemas})
    response = only_tool(whole).response
    assert response.json_schema["properties"] == {"kind": {}}
    assert response.json_schema.get("additionalProperties") is others


def test_a_swagger_answer_is_read_alike():
    ok = {
        "description": "fine",
        "schema": LIST,
        "examples": {"text/plain": 1, "application/json": ["a"]},
    }
    response = only_tool(swagger({"responses": {"200": ok}})).response
    assert (response.json_schema, response.example) == (LIST, ["a"])
    response = only_tool(swagger({"responses": {200: {"description": "x"}}})).response
    assert (response.json_schema, response.example, response.description) == (None, None, "x")
