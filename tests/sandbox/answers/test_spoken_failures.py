"""Answers of a blind list that were read wrongly: flags, numbers and words of failure, counts."""

import json
from typing import Any

import pytest

from fakes import param, tool
from gretel.catalog import Catalog
from gretel.contracts.tool import HttpBinding, Response, Tool
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.classify import classify
from gretel.sandbox.answers.judge import judge

WEATHER = tool(
    "svc.weather",
    "Weather of a city",
    params=(param("city", required=True),),
    binding=HttpBinding(method="GET", path="/weather"),
)
ONLINE = WEATHER.model_copy(
    update={"operation": "online", "parameters": (), "description": "Number of users online"}
)
PARKED = "<!DOCTYPE html><html><head><title>Buy this domain</title></head><body>For sale</body>"


def read(body: Any, asked: Tool = WEATHER, kind: str = "application/json") -> str:
    """The status, and of a failure its kind."""
    answer = read_answer("GET", 200, kind, body if isinstance(body, str) else json.dumps(body))
    found = classify(answer, asked, {"city": "Lyon"} if asked is WEATHER else {})
    return found.failure.kind if found.status == "failed" and found.failure else found.status


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"returnCode": -1, "returnMsg": "no permission"}, "permission"),
        ({"isError": True, "content": [{"type": "text", "text": "boom"}]}, "error_in_body"),
        (
            {"fault": {"faultstring": "Invalid ApiKey", "detail": {"errorcode": "oauth.v2.x"}}},
            "auth",
        ),
        ({"__type": "ThrottlingException", "message": "Rate exceeded"}, "rate_limit"),
        ({"isError": False, "content": [{"type": "text", "text": "21 degrees"}]}, "succeeded"),
        ({"returnCode": 0, "returnMsg": "ok", "temp": 3}, "succeeded"),
    ],
)
def test_flags_numbers_and_words(body: Any, expected: str) -> None:
    assert read(body) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Error: quota exceeded. " + "Please contact our support team. " * 20, "rate_limit"),
        ("Error 7:" + " " * 400 + "access denied", "permission"),
        ("Errors: a history. " + "Rate limits came late. " * 20, "succeeded"),
        ("An error is a value. " + "Quota exceeded is one. " * 20, "succeeded"),
    ],
)
def test_no_length_makes_an_answer_of_an_error(text: str, expected: str) -> None:
    assert read(text, kind="text/plain") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No forecast available for this city.", "empty"),
        ("No city 'Lyon'", "empty"),
        ("No city with id 7", "empty"),
        ("No problem with the sky today", "succeeded"),
        ("No man is an island", "succeeded"),
    ],
)
def test_no_such_thing(text: str, expected: str) -> None:
    assert read(text, kind="text/plain") == expected


def test_a_parked_domain_is_no_answer() -> None:
    assert read(PARKED, kind="text/html") not in ("succeeded", "empty")


def test_zero_is_the_answer_of_what_counts() -> None:
    assert read({"count": 0}, ONLINE) == "succeeded"
    assert read({"count": 0}) == "empty"


@pytest.mark.parametrize("body", [{"results": []}, {"total": 0, "page": 1, "items": []}])
def test_an_empty_list_is_about_nothing_else(body: Any) -> None:
    """Its envelope is no subject, whatever the document promises."""
    promised = Response(example={"flights": [{"carrier": "LH", "departure": "now"}]})
    asked = tool("air.flights", "Flights of today", response=promised)
    answer = read_answer("GET", 200, "application/json", json.dumps(body))
    verdict = judge(answer, asked, {}, Catalog.from_tools([asked]).vocabulary)
    assert verdict.status == "succeeded"
    assert verdict.says_none


LOGIN = (
    "<!doctype html><html><head><title>Welcome</title></head><body><form><input name=user>"
    '<input class="x" type="password"><button>Continue</button></form>{}</body></html>'
)


def test_a_page_that_asks_for_a_password_is_no_answer() -> None:
    assert read(LOGIN.format(""), kind="text/html") == "auth"
    assert read(LOGIN.format("21 degrees in Lyon. " * 20), kind="text/html") == "succeeded"


def test_links_beside_an_error_make_no_answer_of_it() -> None:
    failed = {"error": "Invalid API key", "data": [], "links": ["https://a.com/docs"]}
    assert read(failed) == "auth"
    assert read({**failed, "rows": [{"temp": 3}]}) == "succeeded"
