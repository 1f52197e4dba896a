"""A name that its author chose makes no success of an error, or of an answer that holds nothing."""

import json

import pytest

from fakes import param, tool
from gretel.contracts.record import JsonValue
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.classify import classify


def status(name: str, body: JsonValue) -> str:
    answer = read_answer("GET", 200, "application/json", json.dumps(body))
    return classify(answer, tool(name, params=[param("city")]), {"city": "Oslo"}).status


@pytest.mark.parametrize(
    "body",
    [
        {"error": "internal failure"},
        {"error": {"code": 500, "message": "internal failure"}},
        {"message": "Error: the service is down"},
        {"error": "quota exceeded", "timestamp": 1},
        {"errors": []} | {"error": "no such thing as this"},
    ],
)
def test_an_error_is_one_whatever_the_tool_is_called(body: JsonValue) -> None:
    assert status("Weather.weather-errors", body) != "succeeded"


@pytest.mark.parametrize(
    "body",
    [
        {"errors": ["disk full"]},
        [{"error": "disk full"}],
        {"error": {"id": 7, "message": "disk full"}},
        {"data": {"errors": ["disk full"], "host": "a"}},
    ],
)
def test_errors_that_were_asked_for_are_an_answer(body: JsonValue) -> None:
    assert status("Logs.list_errors", body) == "succeeded"


@pytest.mark.parametrize(
    "body", [{"results": [], "page": 1}, {"items": [], "took": 4}, {"results": [], "code": 200}]
)
def test_a_page_of_nothing_is_no_count(body: JsonValue) -> None:
    assert status("Weather.countWeather", body) == "empty"


@pytest.mark.parametrize("body", [{"count": 0}, {"total": "0"}, {"data": {"total": 0}}, 0])
def test_none_is_a_count(body: JsonValue) -> None:
    assert status("Shop.count_orders", body) == "succeeded"
