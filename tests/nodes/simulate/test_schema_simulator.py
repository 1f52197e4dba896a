"""The schema simulator: bounded, seeded answers that fit the documented response."""

import json

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import failure, plan, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import UnknownToolError
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Response
from gretel.contracts.trial import Outcome
from gretel.nodes.simulate.instances import MAX_ITEMS, Supply, from_schema
from gretel.nodes.simulate.schema import SchemaSimulator, fitted
from gretel.nodes.simulate.templates import from_template
from gretel.text.foreign import EXCERPT_BYTES

FAILURE = failure("timeout")
ORDER: JsonObject = {
    "type": "object",
    "required": ["id", "state", "lines"],
    "properties": {
        "id": {"type": "string", "format": "uuid"},
        "state": {"enum": ["paid", "shipped"]},
        "placed": {"type": "string", "format": "date"},
        "customer_name": {"type": "string", "maxLength": 12},
        "lines": {
            "type": "array",
            "minItems": 1,
            "maxItems": 3,
            "items": {
                "type": "object",
                "required": ["quantity"],
                "properties": {
                    "quantity": {"type": "integer", "minimum": 1, "maximum": 9},
                    "price": {"type": "number", "exclusiveMinimum": 0},
                },
            },
        },
    },
}


async def simulate(response: Response, seed: int = 7, **values: JsonValue) -> Outcome:
    simulator = SchemaSimulator(Catalog.from_tools([tool("Shop.get", response=response)]))
    return await simulator.simulate(plan("Shop.get", **values), FAILURE, seed=seed)


async def test_the_outcome_is_labelled_and_fits_the_schema() -> None:
    outcome = await simulate(Response(json_schema=ORDER))
    assert (outcome.status, outcome.source, outcome.failure) == ("succeeded", "simulated", None)
    assert outcome.http_status is None and outcome.latency_ms is None
    validator = jsonschema_rs.validator_for(ORDER, validate_formats=True)
    assert validator.is_valid(json.loads(outcome.excerpt))


async def test_seed_and_arguments_decide_the_answer() -> None:
    response = Response(json_schema=ORDER)
    first = await simulate(response, seed=1, q="a")
    assert await simulate(response, seed=1, q="a") == first
    assert (await simulate(response, seed=2, q="a")).excerpt != first.excerpt
    assert (await simulate(response, seed=1, q="b")).excerpt != first.excerpt


async def test_arguments_are_echoed_where_the_schema_allows() -> None:
    answer = json.loads(
        (
            await simulate(
                Response(json_schema=ORDER),
                customerName="Ada",
                placed="2026-11-24",
                state="lost",
                quantity=40,
            )
        ).excerpt
    )
    assert answer["customer_name"] == "Ada"
    assert answer["placed"] == "2026-11-24"
    assert answer["state"] in ("paid", "shipped")
    assert all(1 <= line["quantity"] <= 9 for line in answer["lines"])


async def test_a_documented_example_is_the_answer() -> None:
    example: JsonValue = {"city": "Oslo", "temperature": 4}
    outcome = await simulate(Response(example=example, json_schema={"type": "object"}))
    assert json.loads(outcome.excerpt) == example
    echoed = await simulate(Response(example=example), city="Rome", temperature="warm")
    assert json.loads(echoed.excerpt) == {"city": "Rome", "temperature": 4}


async def test_a_toolbench_template_is_filled() -> None:
    template: JsonValue = {
        "id": "int",
        "email": "str",
        "rate": "float",
        "active": "bool",
        "gone": "NoneType",
        "names": ["list of str with length 413"],
        "none": ["empty list"],
        "rows": [{"symbol": "str", "_list_length": 3}],
        "many": [{"n": "int", "_list_length": 250}],
    }
    outcome = await simulate(Response(example=template, example_is_template=True), email="a@b.c")
    answer = json.loads(outcome.excerpt)
    assert isinstance(answer["id"], int) and isinstance(answer["rate"], float)
    assert answer["email"] == "a@b.c"
    assert isinstance(answer["active"], bool) and answer["gone"] is None
    assert len(answer["names"]) == MAX_ITEMS and answer["none"] == []
    assert [set(row) for row in answer["rows"]] == [{"symbol"}] * 3
    assert len(answer["many"]) == MAX_ITEMS


async def test_without_response_information_the_answer_is_empty() -> None:
    assert (await simulate(Response(description="OK"), q="a")).excerpt == "{}"


async def test_an_unusable_schema_still_gives_an_answer() -> None:
    schema: JsonObject = {"type": "object", "properties": {"q": {"type": "text"}}}
    assert json.loads((await simulate(Response(json_schema=schema), q="a")).excerpt) == {"q": "a"}


async def test_an_unknown_tool_is_an_error() -> None:
    with pytest.raises(UnknownToolError):
        await SchemaSimulator(Catalog.from_tools([])).simulate(plan("Shop.get"), FAILURE, seed=1)


async def test_a_lone_surrogate_does_not_break_it() -> None:
    outcome = await simulate(Response(example={"q": "x"}), q="\ud800")
    assert json.loads(outcome.excerpt) == {"q": "?"}


def nested(levels: int) -> JsonValue:
    schema: JsonValue = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"inner": {"type": "array", "items": schema}}}
    return schema


@pytest.mark.slow
async def test_depth_and_size_are_bounded() -> None:
    fields: JsonObject = {f"field_{n}": nested(40) for n in range(300)}
    outcome = await simulate(Response(json_schema={"type": "object", "properties": fields}))
    assert len(outcome.excerpt.encode()) <= EXCERPT_BYTES
    assert json.loads(outcome.excerpt)


@pytest.mark.parametrize(
    "schema",
    [
        {"const": 4},
        {"type": ["null", "integer"], "minimum": 5, "maximum": 5},
        {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5},
        {"type": "integer", "multipleOf": 7, "minimum": 15, "maximum": 30},
        {"type": "number", "maximum": -3},
        {"type": "string", "minLength": 30, "maxLength": 31},
        {"type": "string", "maxLength": 0},
        {"type": "array", "maxItems": 0, "items": {"type": "string"}},
        {"type": "array", "uniqueItems": True, "items": {"enum": [1, 2]}},
        {"type": "array", "prefixItems": [{"const": 1}], "items": False},
        {"oneOf": [{"type": "null"}, {"type": "boolean"}]},
        {
            "allOf": [
                {"type": "object", "required": ["a"], "properties": {"a": {"const": 1}}},
                {"required": ["b"], "properties": {"b": {"format": "ipv4", "type": "string"}}},
            ]
        },
        {"type": "object", "additionalProperties": {"type": "integer"}},
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_instances_are_valid(schema: JsonObject, seed: int) -> None:
    value = from_schema(schema, Supply(seed))
    jsonschema_rs.validator_for(schema, validate_formats=True).validate(value)


@pytest.mark.parametrize("form", ["date", "date-time", "email", "uri", "uuid", "ipv4", "ipv6"])
def test_formats_are_honoured(form: str) -> None:
    schema: JsonObject = {"type": "string", "format": form}
    value = from_schema(schema, Supply(3))
    jsonschema_rs.validator_for(schema, validate_formats=True).validate(value)


def test_openapi_30_exclusive_bounds() -> None:
    schema: JsonObject = {"type": "integer", "minimum": 2, "exclusiveMinimum": True, "maximum": 3}
    assert from_schema(schema, Supply(1)) == 3


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.slow
@given(JSON)
def test_any_template_gives_an_answer_that_fits(template: JsonValue) -> None:
    assert len(fitted(from_template(template, Supply(1))).encode()) <= EXCERPT_BYTES


@given(JSON)
def test_any_schema_gives_an_answer_that_fits(schema: JsonValue) -> None:
    assert len(fitted(from_schema(schema, Supply(1))).encode()) <= EXCERPT_BYTES


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(["type", "enum", "items", "properties", "minimum"]), JSON))
def test_malformed_keywords_do_not_break_it(schema: JsonObject) -> None:
    assert len(fitted(from_schema(schema, Supply(1))).encode()) <= EXCERPT_BYTES


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "number", "multipleOf": 1e-320},
        {"type": "number", "multipleOf": 5e-324, "minimum": 1, "maximum": 2},
        {"type": "number", "multipleOf": 1e-300, "minimum": -1.7e308, "maximum": 1.7e308},
        {"type": "number", "multipleOf": 1e308, "minimum": 1e308, "maximum": 1.7e308},
        {"type": "number", "multipleOf": 1e-10, "minimum": 2, "maximum": 3},
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_a_step_that_is_too_small_to_count_is_none(schema: JsonObject, seed: int) -> None:
    low, high = schema.get("minimum", 1), schema.get("maximum", 100)
    assert low <= from_schema(schema, Supply(seed)) <= high * 1.000001  # type: ignore[operator]


@pytest.mark.parametrize("digits", ["9" * 4_400, "9" * 19, "413"])
def test_a_length_of_any_number_of_digits_is_many(digits: str) -> None:
    listed = f"list of int with length {digits}"
    for template in (listed, [listed]):
        found = from_template(template, Supply(1))
        assert isinstance(found, list) and len(found) == MAX_ITEMS
