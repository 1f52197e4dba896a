"""Answers that a StableToolBench server relays: it says 200, the kind is read off the body."""

import json
from typing import Any, NamedTuple

import pytest

from fakes import param, tool
from gretel.contracts.tool import Response, VirtualBinding
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.classify import classify
from gretel.sandbox.answers.verdict import Verdict
from gretel.sandbox.answers.words.statuses import stated_in_words, status_line
from gretel.sandbox.http.stabletoolbench import read_relayed
from gretel.sandbox.network.body import Body, body_text

SEARCH = tool(
    "air.search_flights",
    params=(param("origin"), param("date"), param("carrier_code"), param("to")),
    binding=VirtualBinding(category="Travel", tool_name="air", api_name="search_flights"),
)
PROMISING = SEARCH.model_copy(update={"response": Response(json_schema={"type": "object"})})
MESSAGE_ERROR = "Message error..."


class Case(NamedTuple):
    """A response and what it means; texts as they are, anything else as JSON."""

    id: str
    response: Any
    expected: str
    fields: tuple[str, ...] = ()


REJECTED = [
    Case(
        "fastapi",
        {"detail": [{"loc": ["query", "date"], "msg": "Field required", "type": "missing"}]},
        "rejected_arguments",
        ("date",),
    ),
    Case(
        "fastapi, words of its own",
        {
            "detail": [{"loc": ["query", "date"], "msg": "no Sundays", "type": "x"}],
            "body": {"a": 1},
        },
        "rejected_arguments",
        ("date",),
    ),
    Case(
        "spring",
        {
            "timestamp": "2026-01-01T00:00:00Z",
            "status": 400,
            "error": "Bad Request",
            "message": "Required request parameter 'to' for method parameter type String is not "
            "present",
            "path": "/flights",
        },
        "rejected_arguments",
        ("to",),
    ),
    Case(
        "rfc 9457",
        {
            "type": "https://tools.ietf.org/html/rfc7231#section-6.5.1",
            "title": "One or more validation errors occurred.",
            "status": 400,
            "errors": {"date": ["The value 'soon' is not valid."]},
        },
        "rejected_arguments",
        ("date",),
    ),
    Case(
        "laravel",
        {"message": "The given data was invalid.", "errors": {"to": ["The to field is required."]}},
        "rejected_arguments",
        ("to",),
    ),
    Case("django", {"date": ["This field is required."]}, "rejected_arguments", ("date",)),
    Case(
        "nest",
        {"statusCode": 400, "message": ["carrier_code must be a string"], "error": "Bad Request"},
        "rejected_arguments",
        ("carrier_code",),
    ),
    Case(
        "json:api",
        {
            "errors": [
                {"status": "422", "source": {"parameter": "date"}, "detail": "is in the past"}
            ]
        },
        "rejected_arguments",
        ("date",),
    ),
    Case(
        "google",
        {
            "error": {
                "code": 400,
                "message": "Request contains an invalid argument.",
                "details": [{"fieldViolations": [{"field": "to", "description": "unknown"}]}],
            }
        },
        "rejected_arguments",
        ("to",),
    ),
    Case("a sentence", {"error": "Missing required parameter: to"}, "rejected_arguments", ("to",)),
    Case("text", "Error: Missing parameter date", "rejected_arguments", ("date",)),
]
PASSING = [
    Case("rate, worded", {"message": "API rate limit exceeded"}, "rate_limit"),
    Case("rate, coded", {"error": {"code": 429, "message": "Slow down"}}, "rate_limit"),
    Case("rate, in a 400", {"status": 400, "message": "Daily limit reached"}, "rate_limit"),
    Case("credits", {"success": False, "message": "You are out of credits"}, "rate_limit"),
    Case("unavailable", {"error": "Service temporarily unavailable"}, "server_error"),
    Case(
        "unavailable, page", "<html><title>503 Service Unavailable</title></html>", "server_error"
    ),
    Case("gateway, heading", "<html><body><h1>502 Bad Gateway</h1></body></html>", "server_error"),
    Case("gateway, late", "<html><title>504 Gateway Time-out</title></html>", "timeout"),
    Case("overloaded", {"message": "The server is currently overloaded"}, "server_error"),
    Case("later", {"error": True, "message": "Oops, please try again later."}, "server_error"),
    Case("status line", "503 Service Unavailable", "server_error"),
    Case("axios", {"message": "Request failed with status code 502"}, "server_error"),
    Case("coded in a text", {"statusCode": "500", "message": "x"}, "server_error"),
    Case("trace", 'Traceback (most recent call last):\n  File "a.py"', "server_error"),
    Case("late", {"error": "upstream request timed out"}, "timeout"),
    Case("a web page in a JSON text", '"<html><title>503 Busy</title></html>"', "server_error"),
]
BROKEN = [
    Case("key", {"message": "Invalid API key. Get one in your account."}, "auth"),
    Case("coded", {"error": {"code": 401, "message": "no"}}, "auth"),
    Case("token", {"error": "token has expired"}, "auth"),
    Case("plan", {"message": "You are not subscribed to this API."}, "permission"),
    Case("page", "<html><title>Forbidden</title><h1>Forbidden</h1></html>", "permission"),
    Case("fastapi's router", {"detail": "Not Found"}, "drift"),
    Case("express's router", "Cannot GET /flights", "drift"),
    Case("go's router", "404 page not found", "drift"),
    Case(
        "spring's router",
        {"timestamp": 1, "status": 404, "error": "Not Found", "path": "/flights"},
        "drift",
    ),
    Case("page not found", "<html><title>404 Not Found</title></html>", "drift"),
    Case("retired", {"error": "This version of the API was retired."}, "drift"),
    Case("who knows", {"error": "kaputt"}, "error_in_body"),
    Case("who knows, page", "<html><title>Error</title></html>", "protocol"),
    Case("another site", "<html><title>Recipes</title></html>", "protocol"),
]
EMPTY = [
    Case("a resource", {"message": "Not Found"}, "empty"),
    Case("django's resource", {"detail": "Not found."}, "empty"),
    Case("a city", {"cod": "404", "message": "city not found"}, "empty", ("origin",)),
    Case(
        "a city, coded as an error",
        {"error": {"code": 400, "message": "No results."}},
        "empty",
        ("origin",),
    ),
]
GOOD = [
    Case("a count", "500 people attended", "succeeded"),
    Case("a number", "503", "succeeded"),
    Case("an id", {"code": 404, "city": "Oslo"}, "succeeded"),
    Case("reviews", {"reviews": ["must be seen", "is required reading"], "n": 2}, "succeeded"),
    Case("details", {"detail": [{"text": "a nice hotel"}]}, "succeeded"),
    Case("JSON in a text", json.dumps(json.dumps({"a": 1})), "succeeded"),
]
ALL = [*REJECTED, *PASSING, *BROKEN, *EMPTY, *GOOD]


def judge(response: Any, error: str = "", asked: Any = SEARCH) -> Verdict:
    text = response if isinstance(response, str) else json.dumps(response)
    outer = json.dumps({"error": error, "response": text})
    answer = read_relayed("POST", 200, "application/json", outer)
    return classify(answer, asked, {"origin": "SFO"})


@pytest.mark.parametrize("error", ["", MESSAGE_ERROR])
@pytest.mark.parametrize("case", ALL, ids=[f"{case.expected}: {case.id}" for case in ALL])
def test_a_relayed_answer_means(case: Case, error: str) -> None:
    verdict = judge(case.response, error)
    failure = verdict.failure
    if case.expected == "succeeded":
        assert failure is None
        return
    assert failure is not None
    assert failure.kind == case.expected
    assert failure.fields == case.fields
    assert verdict.status == ("empty" if case.expected == "empty" else "failed")
    if case.fields:
        assert failure.fault == "request"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ("Function executing error: ('Connection broken: IncompleteRead')", "connection"),
        ("HTTPConnectionPool(host='x', port=1): Max retries exceeded", "connection"),
        ("Exceeded 30 redirects.", "drift"),
        ("Function executing error: f() missing 1 required argument: 'to'", "rejected_arguments"),
        ("Function executing error", "error_in_body"),
    ],
)
def test_an_error_of_the_server_itself_means(error: str, expected: str) -> None:
    failure = judge("", error).failure
    assert failure is not None
    assert failure.kind == expected
    assert failure.fields == (("to",) if expected == "rejected_arguments" else ())


def test_not_found_without_arguments_is_no_missing_resource() -> None:
    outer = json.dumps({"error": "", "response": {"message": "Not Found"}})
    failure = classify(read_relayed("POST", 200, "", outer), SEARCH, {}).failure
    assert failure is not None and failure.kind == "drift"


def test_a_page_without_a_status_breaks_the_promise_of_data() -> None:
    page = "<html><title>Error</title></html>"
    failure = judge(page, asked=PROMISING).failure
    assert failure is not None and failure.kind == "protocol"


@pytest.mark.parametrize("name", ["account_history", "list_countries", "discounts"])
def test_only_counting_tools_may_answer_zero(name: str) -> None:
    zero = {"total": 0, "items": []}
    assert judge(zero, asked=SEARCH.model_copy(update={"operation": name})).status == "empty"
    counting = SEARCH.model_copy(update={"operation": "EmailCount"})
    assert judge(zero, asked=counting).status == "succeeded"
    assert judge("null", asked=counting).status == "empty"


def test_errors_are_what_a_tool_about_errors_answers() -> None:
    asked = SEARCH.model_copy(update={"operation": "get_error_codes"})
    codes = {"errors": [{"error": "E42", "meaning": "The door is open."}]}
    assert judge(codes, asked=asked).status == "succeeded"
    assert judge({"error": "E42"}, asked=asked).status == "failed"
    other = SEARCH.model_copy(update={"operation": "get_mirrors"})
    assert judge(codes, asked=other).status == "failed"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("Not Found", 404, 404),
        ("HTTP/1.1 502 Bad Gateway", 502, 502),
        ("HTTP Error 503. The service is unavailable.", 503, 503),
        ("Status code 404", None, 404),
        ("404", None, None),
        ("Gone", None, None),
        ("429 miles", None, None),
    ],
)
def test_the_status_that_a_text_states(text: str, line: int | None, words: int | None) -> None:
    assert status_line(text) == line
    assert stated_in_words(text) == words


def test_half_a_character_in_a_relayed_literal_is_replaced() -> None:
    reply = {"error": "", "response": "{'a': '\\ud800'}"}
    relayed = read_relayed("POST", 200, "application/json", json.dumps(reply))

    assert relayed.value == {"a": "\ufffd"}


def test_half_a_character_of_json_is_replaced() -> None:
    text = body_text(Body(b'{"a": "\\ud800"}', 15), "application/json")

    assert read_answer("GET", 200, "application/json", text).value == {"a": "\ufffd"}
