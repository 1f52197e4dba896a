"""An answer of another kind than the document promises."""

import json
from typing import Any

import pytest

from fakes import tool
from gretel.contracts.tool import Response
from gretel.sandbox.answer import read_answer
from gretel.sandbox.classify import classify
from gretel.sandbox.shape import documented_names, is_foreign

FLIGHTS: Any = {"flights": [{"carrier": "str", "price": "float", "departure": "str"}], "total": 1}
TEMPLATE = Response(example=FLIGHTS, example_is_template=True)
SCHEMA = Response(
    json_schema={
        "type": "object",
        "properties": {
            "flights": {
                "type": "array",
                "items": {
                    "allOf": [
                        {"properties": {"carrier": {}, "price": {"type": "number"}}},
                        {"properties": {"departure": {}}},
                    ]
                },
            }
        },
    }
)
CUT = Response(example=json.dumps(FLIGHTS)[:-30], example_is_template=True)
TIDES = {"station": "Heligoland", "tides": [{"high": "04:12", "level_cm": 318}]}


@pytest.mark.parametrize("response", [TEMPLATE, SCHEMA, CUT], ids=["template", "schema", "cut"])
@pytest.mark.parametrize(
    ("answer", "foreign"),
    [
        (TIDES, True),
        ([TIDES, TIDES], True),
        ({"message": "Hello"}, True),
        ({"flights": [{"carrier": "LH", "price": 1.5, "departure": "now"}]}, False),
        ({"flights": []}, False),
        ([{"carrier": "LH", "price": 2}], False),
        ({"data": {"Flights": [{"Carrier": "LH", "gate": 1, "seat": 2, "row": 3}]}}, False),
        ({"SFO": {"n": 1}, "JFK": {"n": 2}, "OSL": {"n": 3}}, False),
        ({"12": 1, "13": 2}, False),
        (["a", "b"], False),
        ("sunny", False),
        (17, False),
    ],
)
def test_is_foreign(response: Response, answer: Any, foreign: bool) -> None:
    assert is_foreign(answer, response) is foreign


@pytest.mark.parametrize(
    "response",
    [
        Response(),
        Response(json_schema={"type": "object"}),
        Response(example={}),
        Response(example={"message": "str"}, example_is_template=True),
        Response(example={"error": "str", "id": "int", "trace_no": "int"}),
        Response(example={"data": [], "price": 1}),
    ],
)
def test_too_little_is_documented_to_judge(response: Response) -> None:
    assert not is_foreign(TIDES, response)
    assert not is_foreign({"message": "Hello"}, response)


def test_keys_of_maps_are_data_unless_both_have_them() -> None:
    groups = {"general": [], "hijack": [], "radio": []}
    filled = {key: [{"id": 1, "name": "x"}] for key in groups}
    assert not is_foreign(filled, Response(example={"groups": groups, "note_no": 1, "by": "x"}))


def test_names_are_plain_and_without_envelopes() -> None:
    assert documented_names(TEMPLATE) == {"flights", "carrier", "price", "departure"}
    assert documented_names(SCHEMA) == documented_names(TEMPLATE)


def test_a_foreign_answer_is_irrelevant() -> None:
    asked = tool("air.search", response=TEMPLATE)
    answer = read_answer("GET", 200, "application/json", json.dumps(TIDES))
    verdict = classify(answer, asked, {})
    assert verdict.status == "failed"
    assert verdict.failure is not None
    assert (verdict.failure.kind, verdict.failure.fault) == ("irrelevant", "tool")
