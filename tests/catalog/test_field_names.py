"""Names of fields, of answers and of documents."""

import json
from typing import Any

import pytest

from gretel.catalog.field_names import (
    NAMES_LIMIT,
    FieldNames,
    answer_names,
    name_words,
    promised_names,
    promises_little,
    shows_error,
)
from gretel.contracts.tool import Response

FLIGHT: Any = {"flights": [{"flightNo": "LH1", "price": 3, "stops": {"first": "FRA"}}]}


def test_names_outermost_first() -> None:
    assert answer_names(FLIGHT).fields == ("flights", "flightNo", "price", "stops", "first")


def test_json_in_a_text_is_read_and_what_follows_it_is_not() -> None:
    text = json.dumps(FLIGHT)
    assert answer_names(text) == answer_names(FLIGHT)
    assert answer_names(text + ' {"other": 1}') == answer_names(FLIGHT)
    assert answer_names(text[:-5]).fields == answer_names(FLIGHT).fields
    assert answer_names("flights: {}") == FieldNames()


def test_the_schema_says_which_object_is_a_map() -> None:
    """As a workbook's cells by sheet: `{"matches": {"October": {"A2": "Amir"}}}`."""
    cells = {"type": "object", "additionalProperties": {"type": "string"}}
    sheets = {"type": "object", "additionalProperties": cells}
    schema = {"type": "object", "properties": {"matches": sheets, "truncated": {"type": "boolean"}}}
    answer = {"matches": {"October": {"A2": "Amir"}}, "truncated": False}
    assert answer_names(answer, schema) == (("matches", "truncated"), ("October", "A2"))
    assert answer_names([answer], {"items": schema}).keys == ("October", "A2")
    loose = {"type": "object", "properties": {"matches": {"additionalProperties": True}}}
    assert answer_names(answer, loose).keys == ()


def test_keys_of_maps_are_kept_apart() -> None:
    rates = {"base": "EUR", "rates": {"USD": 1.1, "GBP": 0.9, "JPY": 160}}
    assert answer_names(rates) == FieldNames(("base", "rates"), ("USD", "GBP", "JPY"))
    groups: Any = {"general": [{"id": 1}], "radio": [], "hijack": []}
    assert answer_names(groups) == FieldNames(("id",), ("general", "radio", "hijack"))


@pytest.mark.parametrize("value", [None, 3, "text", [], {}, {"1": 2, "$x": 3}, ["a"]])
def test_answers_without_names(value: Any) -> None:
    assert answer_names(value) == FieldNames()


def test_large_and_deep_answers_are_cut() -> None:
    wide = [{f"name_{n}_{m}": "x" for m in range(50)} for n in range(50)]
    assert len(answer_names(wide).fields) == NAMES_LIMIT
    deep: Any = {}
    for _ in range(500):
        deep = {"inner": deep, "leaf": 1}
    assert set(answer_names(deep).fields) == {"inner", "leaf"}


def test_a_schema_promises_its_properties() -> None:
    schema: Any = {
        "allOf": [{"properties": {"a": {"items": {"properties": {"b": {}}}}}}],
        "oneOf": "broken",
        "properties": {"c": {"additionalProperties": {"properties": {"d": {}}}}},
    }
    assert set(promised_names(Response(json_schema=schema)).fields) == {"a", "b", "c", "d"}


@pytest.mark.parametrize(
    ("example", "is_error"),
    [
        ({"error": "str", "code": "int"}, True),
        ([{"error": {"code": 1}}], True),
        ({"data": {"errorMessage": "str"}}, True),
        ({"error": None, "temperature": 3}, False),
        ({"error": "", "id": 1}, False),
        ({"error": "str", "flights": [{"id": 1}]}, False),
        ({"message": "str"}, False),
        ([], False),
        ("str", False),
    ],
)
def test_an_error_promises_nothing(example: Any, is_error: bool) -> None:
    assert shows_error(example) is is_error
    if is_error:
        assert promised_names(Response(example=example)).fields == ()


def _items(**said: Any) -> Any:
    """A list of objects with two fields, of which the schema says something more."""
    item = {"properties": {"draught": {}, "berth": {}}, **said}
    return {"properties": {"data": {"type": "array", "items": item}}}


@pytest.mark.parametrize(
    ("response", "little"),
    [
        (Response(), True),
        (Response(example={"results": []}), True),
        (Response(json_schema={"properties": {"devices": {"type": "array"}}}), True),
        (Response(json_schema={"properties": {"humidity": {"type": "number"}}}), False),
        (Response(example={"url": "str"}), False),
        (Response(example=FLIGHT), False),
        (Response(json_schema=_items(additionalProperties={})), True),
        (Response(json_schema=_items(additionalProperties=True)), True),
        (Response(json_schema=_items(additionalProperties=False)), False),
        (Response(json_schema=_items()), False),
    ],
)
def test_a_lone_wrapper_promises_little(response: Response, little: bool) -> None:
    assert promises_little(response) is little


def test_words() -> None:
    assert name_words("flightCities") == ("flight", "city")
    assert name_words("status_class") == ("status", "class")
