import pytest

import fakes
from gretel.catalog.arguments import ArgumentProblem, argument_problems
from gretel.contracts.tool import Parameter, Tool


def tool(**schemas) -> Tool:
    """A tool whose parameters end in `_` where they are optional."""
    parameters = tuple(
        Parameter(
            name=name.rstrip("_"),
            wire_name=name,
            location="argument",
            required=not name.endswith("_"),
            json_schema=schema,
        )
        for name, schema in schemas.items()
    )
    return Tool(tool_id="x", toolkit="x", operation="x", parameters=parameters)


def kinds(a_tool, arguments):
    return [(p.field, p.kind) for p in argument_problems(a_tool, arguments)]


def test_a_credential_is_no_argument():
    secured = fakes.tool("A.b", params=["api_key", "city"], binding=fakes.keyed("api_key"))
    assert argument_problems(secured, {"city": "Oslo"}) == []
    problem = argument_problems(secured, {"city": "Oslo", "api_key": "k"})[0]
    assert (problem.field, problem.kind) == ("api_key", "unknown")
    assert "credential" in problem.detail


def test_valid_arguments_have_no_problem():
    subject = tool(n={"type": "integer"}, s_={"type": "string"})
    assert argument_problems(subject, {"n": 1}) == []
    assert argument_problems(subject, {"n": 1, "s": "x"}) == []
    assert argument_problems(tool(), {}) == []


def test_each_problem_names_its_field():
    subject = tool(
        n={"type": "integer", "maximum": 9}, need={}, deep_={"items": {"type": "string"}}
    )
    problems = argument_problems(subject, {"n": 10, "extra": 1, "more": 2, "deep": ["a", 5]})
    assert {(p.field, p.kind) for p in problems} == {
        ("n", "invalid_value"),
        ("need", "missing_required"),
        ("extra", "unknown"),
        ("more", "unknown"),
        ("deep", "invalid_value"),
    }
    assert next(p for p in problems if p.field == "deep").detail.startswith("1: ")


def test_nothing_is_coerced():
    assert kinds(tool(n={"type": "integer"}), {"n": "1"}) == [("n", "invalid_value")]
    assert kinds(tool(b={"type": "boolean"}), {"b": 1}) == [("b", "invalid_value")]
    assert kinds(tool(n={"type": "integer"}), {"n": 1.0}) == []


def test_a_missing_property_inside_a_value_is_an_invalid_value():
    subject = tool(o={"type": "object", "required": ["a"]})
    assert kinds(subject, {"o": {}}) == [("o", "invalid_value")]


@pytest.mark.parametrize("pattern", ["^(a+)+$", "(?=a)(a|aa)*$(?!b)x", "(a*)*b\\1"])
def test_a_hostile_pattern_does_not_hang(pattern):
    subject = tool(s={"type": "string", "pattern": pattern})
    assert kinds(subject, {"s": "a" * 60 + "!"}) in ([], [("s", "invalid_value")])
    assert kinds(subject, {"s": 5}) == [("s", "invalid_value")]


@pytest.mark.parametrize("pattern", ["(", "(a{1000}){1000}{1000}", "[z-a]"])
def test_a_pattern_that_is_none_leaves_the_rest_of_the_schema(pattern):
    subject = tool(s={"type": "string", "pattern": pattern}, n={"type": "integer"})
    assert kinds(subject, {"s": "anything", "n": 1}) == []
    assert kinds(subject, {"s": 5, "n": "x"}) == [("n", "invalid_value"), ("s", "invalid_value")]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "zork"},
        {"minimum": "five"},
        {"properties": 5},
        {"$ref": "#/nope"},
        {"$ref": "http://127.0.0.1:9/x"},
        {"$ref": "file:///etc/hostname"},
        {"enum": "a"},
    ],
)
def test_an_invalid_schema_constrains_nothing(schema):
    subject = tool(s=schema, n={"type": "integer"})
    assert kinds(subject, {"s": object.__name__, "n": 1}) == []
    assert kinds(subject, {"n": 1}) == [("s", "missing_required")]


def test_a_pattern_property_called_pattern_is_kept():
    schema = {"properties": {"pattern": {"type": "string"}, "x": {"pattern": "("}}}
    assert kinds(tool(o=schema), {"o": {"pattern": 5}}) == [("o", "invalid_value")]


@pytest.mark.parametrize("value", [object(), "half\ud800", {1: 2}])
def test_a_value_that_json_cannot_say_is_a_problem(value):
    (problem,) = argument_problems(tool(s={}), {"s": value})
    assert problem.kind == "invalid_value" and "\n" not in problem.detail
    assert problem.field == "s"


def test_a_value_nested_without_end_is_a_problem():
    value: list[object] = []
    value.append(value)
    (problem,) = argument_problems(tool(s={}), {"s": value})
    assert isinstance(problem, ArgumentProblem)


HULL = {
    "type": "object",
    "properties": {"length": {"type": "number", "maximum": 500}, "tags": {"type": "array"}},
    "required": ["length"],
}
CARGO = {"properties": {"kind": {"const": "cargo"}, "tonnes": {}}, "required": ["tonnes"]}
SEATED = {"properties": {"kind": {"const": "passenger"}, "seats": {}}, "required": ["seats"]}


@pytest.mark.parametrize(
    ("value", "detail"),
    [
        ({"length": 900}, "length: 900 is greater than the maximum of 500"),
        ({}, '"length" is a required property'),
        ({"kind": "cargo"}, '"tonnes" is a required property'),
        (3, "3 is not valid under any of the schemas listed in the 'anyOf' keyword"),
    ],
)
def test_what_may_be_null_says_what_is_wrong_within(value, detail):
    loads = {"oneOf": [{"type": "object", **each} for each in (CARGO, SEATED)]}
    schema = {"anyOf": [loads if value == {"kind": "cargo"} else HULL, {"type": "null"}]}
    (problem,) = argument_problems(tool(hull=schema), {"hull": value})
    assert problem == ("hull", "invalid_value", detail)
