import jsonschema_rs
import pytest
from catalog_documents import document, json_body, only_tool, parameter, query, read_schema

from gretel.catalog import Catalog
from gretel.catalog.schema import NODES


def components(**schemas):
    return {"components": {"schemas": schemas}}


def count(value):
    if isinstance(value, dict):
        return 1 + sum(map(count, value.values()))
    return sum(map(count, value)) if isinstance(value, list) else 0


def test_references_are_inlined():
    shared = components(Price={"type": "number", "minimum": 0})
    schema = {"type": "object", "properties": {"p": {"$ref": "#/components/schemas/Price"}}}
    assert read_schema(schema, **shared) == {
        "type": "object",
        "properties": {"p": {"type": "number", "minimum": 0}},
    }


def test_a_cycle_is_cut_with_an_empty_schema():
    node = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}
    schema = read_schema({"$ref": "#/components/schemas/Node"}, **components(Node=node))
    assert schema == {"type": "object", "properties": {"next": {}}}


def test_a_schema_used_twice_is_no_cycle():
    leaf = {"$ref": "#/components/schemas/Leaf"}
    schema = {"type": "object", "properties": {"a": leaf, "b": leaf}}
    read = read_schema(schema, **components(Leaf={"type": "string"}))
    assert read["properties"] == {"a": {"type": "string"}, "b": {"type": "string"}}


def test_a_reference_to_itself_is_anything():
    loop = {"$ref": "#/components/schemas/A"}
    assert read_schema(loop, **components(A={"$ref": "#/components/schemas/A"})) == {}


@pytest.mark.parametrize("pointer", ["a%2Fb", "a~1b", "%61~1b"])
def test_pointers_are_unescaped(pointer):
    schema = read_schema(
        {"$ref": f"#/components/schemas/{pointer}"}, **components(**{"a/b": {"type": "integer"}})
    )
    assert schema == {"type": "integer"}


def test_a_reference_may_point_into_an_array():
    shared = components(A={"oneOf": [{"type": "string"}, {"type": "integer"}]})
    assert read_schema({"$ref": "#/components/schemas/A/oneOf/1"}, **shared) == {"type": "integer"}


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("#/components/schemas/Nope", "broken reference"),
        ("other.yaml#/A", "external reference"),
        ("http://127.0.0.1:9/A", "external reference"),
        ("file:///etc/passwd", "external reference"),
        ("#anchor", "not a JSON pointer"),
        ("", "external reference"),
    ],
)
def test_a_needed_reference_that_leads_nowhere_skips_the_operation(reference, reason):
    catalog = Catalog.from_openapi(document(query("q", {"$ref": reference}, required=True)))
    (row,) = catalog.skipped
    assert len(catalog) == 0
    assert row.place == "document#/paths/~1things/get"
    assert reason in row.reason and "'q'" in row.reason
    assert row.remedy


def test_a_reference_within_a_sample_is_data():
    schema = {"type": "object", "default": {"$ref": "http://x/"}, "enum": [{"$ref": "#/no"}]}
    assert read_schema(schema)["default"] == {"$ref": "http://x/"}


def test_a_property_may_be_called_ref():
    schema = {"type": "object", "properties": {"$ref": {"type": "string"}}}
    assert read_schema(schema)["properties"] == {"$ref": {"type": "string"}}


def test_beside_a_reference_3_0_keeps_only_what_describes():
    schema = {"$ref": "#/components/schemas/A", "description": "mine", "maxLength": 3}
    shared = components(A={"type": "string", "title": "A"})
    (found,) = only_tool(document(query("q", schema), **shared)).parameters
    assert found.description == "mine"
    assert found.json_schema == {"type": "string", "title": "A"}


def test_beside_a_reference_3_1_keeps_constraints_too():
    schema = {"$ref": "#/components/schemas/A", "maxLength": 3}
    shared = components(A={"type": "string"})
    assert read_schema(schema, openapi="3.1.0", **shared) == {"type": "string", "maxLength": 3}
    both = read_schema({**schema, "type": ["string", "null"]}, openapi="3.1.0", **shared)
    assert both == {"allOf": [{"type": "string"}, {"type": ["string", "null"], "maxLength": 3}]}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        (
            {"type": "string", "nullable": True, "enum": ["a"]},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        (
            {"allOf": [{"type": "string"}], "nullable": True},
            {"anyOf": [{"allOf": [{"type": "string"}]}, {"type": "null"}]},
        ),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}),
        (
            {"type": "array", "items": [{"type": "string"}]},
            {"type": "array", "prefixItems": [{"type": "string"}]},
        ),
        ({"type": "file"}, {"type": "string", "format": "binary"}),
        ({"type": "any"}, {}),
        ({"type": "int"}, {"type": "integer"}),
        ({"type": "String"}, {"type": "string"}),
        ({"required": True, "pattern": 5, "minLength": -1, "enum": []}, {}),
        ({"discriminator": {"propertyName": "k"}, "xml": {}, "x-mine": 1}, {}),
        ({"not": {"type": "string"}}, {"not": {"type": "string"}}),
    ],
)
def test_a_schema_becomes_json_schema_2020_12(given, read):
    assert read_schema(given) == read
    jsonschema_rs.Draft202012Validator(read)


def test_true_and_false_are_schemas():
    schema = {"type": "object", "properties": {"a": True, "b": False}}
    assert read_schema(schema, openapi="3.1.0")["properties"] == {"a": {}, "b": {"not": {}}}


def test_a_default_stays_and_examples_are_lifted():
    schema = {"type": "integer", "default": 5, "example": 7}
    operation = query("q", schema, example=6, examples={"x": {"value": 8}, "y": {"value": 6}})
    (found,) = only_tool(document(operation)).parameters
    assert found.json_schema == {"type": "integer", "default": 5}
    assert found.examples == (6, 8, 7)


def test_read_only_properties_do_not_travel():
    schema = {
        "type": "object",
        "required": ["id", "name"],
        "properties": {
            "id": {"type": "string", "readOnly": True},
            "name": {"type": "string"},
            "inner": {"type": "object", "properties": {"made": {"readOnly": True}, "on": {}}},
        },
    }
    tool = only_tool(document(json_body(schema)))
    assert [(p.name, p.required) for p in tool.parameters] == [("name", True), ("inner", False)]
    assert parameter(tool, "inner").json_schema["properties"] == {"on": {}}


def test_a_fan_out_is_cut_evenly_and_reported():
    schemas = {
        f"L{level}": {
            "type": "object",
            "properties": {s: {"$ref": f"#/components/schemas/L{level + 1}"} for s in ("a", "b")},
        }
        for level in range(60)
    }
    schemas["L60"] = {"type": "string"}
    source = document(query("q", {"$ref": "#/components/schemas/L0"}), **components(**schemas))
    catalog = Catalog.from_openapi(source)
    (tool,) = catalog
    schema = tool.parameters[0].json_schema
    assert 100 < count(schema) < 3 * NODES
    assert count(schema["properties"]["a"]) == count(schema["properties"]["b"])
    assert "cut" in catalog.notes[0].detail


@pytest.mark.slow
def test_a_chain_of_ten_thousand_levels_is_cut():
    schemas = {
        f"L{level}": {"properties": {"next": {"$ref": f"#/components/schemas/L{level + 1}"}}}
        for level in range(10_000)
    }
    source = document(json_body({"$ref": "#/components/schemas/L0"}), **components(**schemas))
    catalog = Catalog.from_openapi(source)
    assert len(catalog) == 1 and "cut" in catalog.notes[0].detail


def test_a_chain_of_ten_thousand_references_is_a_skipped_row():
    schemas = {f"L{n}": {"$ref": f"#/components/schemas/L{n + 1}"} for n in range(10_000)}
    source = document(query("q", {"$ref": "#/components/schemas/L0"}), **components(**schemas))
    (row,) = Catalog.from_openapi(source).skipped
    assert "in a row" in row.reason


def test_many_wide_parameters_share_one_bound():
    wide = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(3_000)}}
    entries = [
        {"name": f"q{n}", "in": "query", "schema": {"$ref": "#/components/schemas/Wide"}}
        for n in range(200)
    ]
    tool = only_tool(document({"parameters": entries}, **components(Wide=wide)))
    assert len(tool.parameters) == 200
    assert sum(count(p.json_schema) for p in tool.parameters) < 300_000


@pytest.mark.parametrize("schema", [5, "string", None, ["string"]])
def test_no_usable_schema_is_a_string_and_reported(schema):
    catalog = Catalog.from_openapi(document(query("q", schema)))
    ((found,),) = (tool.parameters for tool in catalog)
    assert found.json_schema == {"type": "string"} and catalog.skipped == ()
    assert [note.detail for note in catalog.notes] == [
        "parameter 'q' has no usable schema; taken as a string"
    ]
