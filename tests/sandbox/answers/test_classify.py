"""One row per answer: what a status and a body mean."""

import json
from typing import Any, NamedTuple

import pytest

from fakes import param, tool
from gretel.contracts.tool import HttpBinding, Response
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.classify import classify
from gretel.sandbox.answers.verdict import Verdict
from gretel.sandbox.http.stabletoolbench import read_relayed

SEARCH = tool(
    "air.search_flights",
    params=(param("origin"), param("date"), param("carrier_code"), param("to")),
    binding=HttpBinding(method="GET", path="/flights", servers=("http://127.0.0.1:9",)),
    response=Response(json_schema={"type": "object"}),
)
LOOKUP = SEARCH.model_copy(
    update={"parameters": (param("id", location="path", required=True),), "operation": "get_user"}
)
ARGUMENTS = {"origin": "SFO", "date": "2026-11-24", "id": "42"}


class Case(NamedTuple):
    """An answer and what it means: `succeeded`, `empty`, or the kind of failure."""

    id: str
    body: Any
    """Text as it is; anything else as JSON."""
    expected: str
    status: int = 200
    kind: str = "application/json"
    lookup: bool = False


GOOD = [
    Case("object", {"flights": [{"id": 1}]}, "succeeded"),
    Case("list", [{"id": 1}], "succeeded"),
    Case("number", 0, "succeeded"),
    Case("false", False, "succeeded"),
    Case("word", '"sunny"', "succeeded"),
    Case("some nulls", {"name": "San Jose", "iata": None, "runways": []}, "succeeded"),
    Case("zero content", {"delay_minutes": 0, "gates": []}, "succeeded"),
    Case("the word error in a value", {"items": ["Error handling in Go", "x"]}, "succeeded"),
    Case("message alone", {"message": "pong"}, "succeeded"),
    Case("health check", {"status": "ok"}, "succeeded"),
    Case("success true", {"success": True, "data": {"id": 1}}, "succeeded"),
    Case("no error", {"error": None, "result": {"id": 1}}, "succeeded"),
    Case("error false", {"error": False, "joke": "ha"}, "succeeded"),
    Case("error zero", {"error": 0, "value": 3}, "succeeded"),
    Case("error words say none", {"error": "none", "id": 3}, "succeeded"),
    Case("measurement error", {"mean": 4.2, "error": 0.1}, "succeeded"),
    Case("partial graphql", {"data": {"a": {"b": 1}}, "errors": [{"message": "x"}]}, "succeeded"),
    Case("a code that is no status", {"code": 450, "name": "blue"}, "succeeded"),
    Case("an order that failed", {"status": "failed", "order": 5, "item": "x"}, "succeeded"),
    Case(
        "a job that ended with an error",
        {"job": 42, "state": "failed", "error": "full", "progress": 3, "owner": "y", "steps": 7},
        "succeeded",
    ),
    Case("a word of failures in prose", "About forbidden love", "succeeded", 200, "text/plain"),
    Case("envelope code 200", {"meta": {"code": 200}, "data": [{"n": 1}]}, "succeeded"),
    Case("count with content", {"total": 2, "flights": [1, 2]}, "succeeded"),
    Case("a number like an argument", {"flights": [], "stops": 42}, "succeeded"),
    Case("boolean answer", {"available": False}, "succeeded"),
    Case("a result that is false", {"result": "false"}, "succeeded"),
    Case("created", {"id": 1}, "succeeded", 201),
    Case("text that nobody promised", "a,b\n1,2", "succeeded", 200, "text/csv", True),
    Case("csv where json is documented", "a;b\n1;2", "succeeded", 200, "text/x-csv"),
    Case("text where json is documented", "a nice day in spring", "succeeded", 200, "text/plain"),
    Case("an image where json is documented", "\ufffdPNG\r\n", "succeeded", 200, "image/png"),
    Case("svg where json is documented", "<svg><g/></svg>", "succeeded", 200, "image/svg+xml"),
    Case("a stream of json", '{"a": 1}\n{"a": 2}', "succeeded"),
    Case("an advice", '"You must be the change."', "succeeded"),
    Case("first and last", {"first": "Ada", "last": "L.", "age": None}, "succeeded"),
    Case("a download link", {"link": "https://a.example/f", "thumbnail": None}, "succeeded"),
    Case("a page without text", {"id": 5, "title": "Soup", "content": []}, "succeeded"),
    Case("done", {"status": "success", "message": "Please check your inbox."}, "succeeded"),
    Case(
        "a launch", {"no": 9, "site": "x", "rocket": "y", "utc": 1, "success": False}, "succeeded"
    ),
    Case("landing page", {"links": [{"href": "/a"}], "title": "Maps"}, "succeeded"),
    Case("counts of zero", {"running": 0, "failed": 0, "total": 0}, "succeeded"),
    Case("one part failed", [{"success": True}, {"success": False, "error": "x"}], "succeeded"),
    Case(
        "launches", [{"name": "a", "success": False}, {"name": "b", "success": True}], "succeeded"
    ),
    Case("code of success", {"code": 200001, "message": "Weather"}, "succeeded"),
    Case("good news", {"code": 1, "message": "Logged out"}, "succeeded"),
]
EMPTY = [
    Case("null", None, "empty"),
    Case("no text", "", "empty"),
    Case("no content", "", "empty", 204),
    Case("blank", " \n", "empty"),
    Case("empty list", [], "empty"),
    Case("empty object", {}, "empty"),
    Case("list of empties", [{}, None, []], "empty"),
    Case("data null", {"status": "ok", "data": None}, "empty"),
    Case("results empty", {"results": [], "page": 1, "per_page": 20}, "empty"),
    Case("total zero", {"total": 0}, "empty"),
    Case("total zero, rows empty", {"total": 0, "rows": []}, "empty"),
    Case("nested", {"data": {"flights": [], "count": 0}}, "empty"),
    Case("geojson", {"type": "FeatureCollection", "features": []}, "empty"),
    Case("elastic", {"took": 3, "_shards": {"n": 1}, "hits": {"total": 0, "hits": []}}, "empty"),
    Case("echo of the request", {"origin": "SFO", "flights": []}, "empty"),
    Case("echo under query", {"query": {"origin": "SFO"}, "flights": []}, "empty"),
    Case("all fields null", {"name": None, "price": None}, "empty"),
    Case("message", {"message": "No flights found for this date"}, "empty"),
    Case("message and success", {"success": False, "message": "Tracking not found"}, "empty"),
    Case("text", "No results", "empty", 200, "text/plain"),
    Case("json text", '"nothing found"', "empty"),
    Case("omdb", {"Response": "False", "Error": "Movie not found!"}, "empty"),
    Case("google", {"results": [], "status": "ZERO_RESULTS"}, "empty"),
    Case("weather", {"cod": "404", "message": "city not found"}, "empty"),
    Case("django rest", {"count": 0, "next": None, "previous": None, "results": []}, "empty"),
    Case("a count of its own name", {"totalArticles": 0, "articles": []}, "empty"),
    Case("links beside it", {"jobs": [], "links": [{"href": "/jobs"}]}, "empty"),
    Case("ogc", {"type": "x", "features": [], "numberMatched": 0, "links": [{"a": 1}]}, "empty"),
    Case("a table", {"columns": ["a", "b"], "rows": []}, "empty"),
    Case(
        "solr", {"responseHeader": {"QTime": 1}, "response": {"numFound": 0, "docs": []}}, "empty"
    ),
    Case(
        "spring",
        {"content": [], "pageable": {"page": 1}, "totalElements": 0, "last": True, "size": 20},
        "empty",
    ),
    Case("hal", {"_links": {"self": 1}, "page": {"size": 20, "totalElements": 0}}, "empty"),
    Case("odata", {"@odata.context": "https://a/$metadata", "value": []}, "empty"),
    Case("github", {"total_count": 0, "incomplete_results": False, "items": []}, "empty"),
    Case("prometheus", {"status": "success", "data": {"resultType": "v", "result": []}}, "empty"),
    Case("nothing, written out", '"null"', "empty"),
    Case("nobody of that name", {"message": "No player with this name"}, "empty"),
    Case("not exist", {"message": "User not exist"}, "empty"),
    Case("none, written out", "None", "empty", 200, "text/plain"),
    Case(
        "a zero beside its list", {"get": "x", "errors": [], "results": 0, "response": []}, "empty"
    ),
    Case("status message of nothing", {"status": 0, "status_message": "No city found"}, "empty"),
    Case("wrapped words", {"content": "No matches found"}, "empty"),
    Case("identified", {"type": "record_not_found", "message": "Cannot find it"}, "empty"),
    Case("404 of a search", {"cod": "404", "message": "city not found"}, "empty", 404),
    Case("404 of a user", {"message": "Not Found", "docs": "x"}, "empty", 404, lookup=True),
    Case("404 by django", {"detail": "No User matches the given query."}, "empty", 404),
    Case("404 does not exist", {"error": "User 42 does not exist"}, "empty", 404, lookup=True),
]
IN_BODY = [
    Case("error text", {"error": "Invalid date"}, "rejected_arguments"),
    Case("error object", {"error": {"code": 12, "message": "bad"}}, "error_in_body"),
    Case(
        "errors list", {"errors": [{"detail": "date must be in the future"}]}, "rejected_arguments"
    ),
    Case("error true", {"error": True, "message": "x"}, "error_in_body"),
    Case("success false", {"success": False, "data": {"a": 1}}, "error_in_body"),
    Case("status error", {"status": "error", "message": "x"}, "error_in_body"),
    Case("status 404 in a 200", {"status": 404, "message": "route unknown"}, "drift"),
    Case(
        "problem details",
        {"type": "https://a", "title": "Bad Request", "status": 400},
        "rejected_arguments",
    ),
    Case("jsend", {"status": "fail", "data": {"date": "is required"}}, "error_in_body"),
    Case("not subscribed", {"message": "You are not subscribed to this API."}, "permission"),
    Case("quota", {"message": "You have exceeded the MONTHLY quota"}, "rate_limit"),
    Case("endpoint", {"message": "Endpoint '/search' does not exist"}, "drift"),
    Case("validation", {"message": "genre must be an integer: Thriller"}, "rejected_arguments"),
    Case("graphql", {"data": None, "errors": [{"message": "x"}]}, "error_in_body"),
    Case("nested error", {"response": {"error": "no such route"}}, "drift"),
    Case("meta code", {"meta": {"code": 403, "message": "no"}, "data": None}, "permission"),
    Case("alpha vantage", {"Error Message": "Invalid API call."}, "rejected_arguments"),
    Case("error with echo", {"error": "Unknown carrier", "id": 7}, "rejected_arguments"),
    Case("error text alone", '"Error: upstream failed"', "error_in_body"),
    Case("list with an error", [{"error": "bad thing"}], "error_in_body"),
    Case("plain error", "Internal Server Error", "server_error", 200, "text/plain"),
    Case("xml error", "<?xml version='1.0'?><Error>x</Error>", "error_in_body", 200, "text/xml"),
    Case("a status as key", {"404": "Page Not Found"}, "drift"),
    Case("a status as key, with an object", {"500": {"message": "boom"}}, "server_error"),
    Case("mesg", {"mesg": "Authorization header required"}, "auth"),
    Case("status message", {"status": 0, "status_message": "Invalid token."}, "auth"),
    Case("no token", "No token provided", "auth", 200, "text/plain"),
    Case("status false", {"status": False, "message": "Weather is off"}, "error_in_body"),
    Case("success zero", {"success": 0, "msg": "Weather is off"}, "error_in_body"),
    Case("a code and null", {"code": 4, "message": "Oranges", "data": None}, "error_in_body"),
    Case("an identifier", {"id": "4", "type": "InvalidState", "message": "x"}, "error_in_body"),
    Case("parts that failed", [{"p": 1, "success": False, "error": "x"}] * 2, "error_in_body"),
    Case(
        "results that failed",
        {"results": [{"path": "/a", "success": False, "error": "Access denied"}] * 2},
        "permission",
    ),
    Case("a wrapped error", {"result": "Error: upstream failed"}, "error_in_body"),
    Case("an error behind a name", "/srv/a: Error - no disk", "error_in_body", 200, "text/plain"),
    Case(
        "traceback", "Traceback (most recent call last):\n" + "x" * 900, "server_error", 200, "t/p"
    ),
    Case("a flag", {"hasError": True, "message": "x"}, "error_in_body"),
    Case(
        "a code in its own words", {"responseCode": "500", "responseMessage": "x"}, "server_error"
    ),
    Case("a code of its own", {"ret": -1, "msg": "Oranges"}, "error_in_body"),
    Case("a thrown error", {"name": "TypeError", "message": "x", "stack": "y"}, "error_in_body"),
    Case("a state", {"state": "error", "message": "x"}, "error_in_body"),
    Case("what is to do", {"message": "Please sign up at https://a.example"}, "error_in_body"),
    Case("several messages", {"message": ["q must be a string"]}, "rejected_arguments"),
    Case("a status line", {"status": "503 Service Unavailable"}, "server_error"),
    Case("one word", {"message": "failed"}, "error_in_body"),
    Case(
        "wordpress",
        {"code": "rest_no_route", "message": "No route was found", "data": {"status": 404}},
        "drift",
    ),
    Case("a packed body", {"statusCode": 200, "body": '{"error": "boom"}'}, "error_in_body"),
    Case(
        "behind a courtesy",
        {"message": "Thank you for using us! Our call frequency is 5 calls per minute. Bye."},
        "rate_limit",
    ),
    Case("php", "<br />\n<b>Fatal error</b>:  Uncaught", "server_error", 200, "text/html"),
    Case("xml inside", "<r><error>no</error></r>", "error_in_body", 200, "text/xml"),
    Case("xml that says so", "<r><status>error</status></r>", "error_in_body", 200, "text/xml"),
    Case("a page is not found", "The page cannot be found", "drift", 200, "text/plain"),
    Case("python", "KeyError: 'x'", "error_in_body", 200, "text/plain"),
    Case("permission", "Permission denied", "permission", 200, "text/plain"),
    Case("forbidden", {"message": "Forbidden resource"}, "permission"),
    Case("forbidden to some", "HTTP 403: forbidden for you", "permission", 200, "text/plain"),
    Case("host is gone", {"message": "getaddrinfo ENOTFOUND api.example"}, "connection"),
    Case("does not respond", "The backend is not responding", "server_error", 200, "text/plain"),
]
PROTOCOL = [
    Case("web page", "<!DOCTYPE html><html>Hi</html>", "protocol", 200, "text/html"),
    Case("broken json", '{"a": ', "protocol"),
    Case("text that calls itself json", "it is a nice day in spring", "protocol"),
    Case("redirect", "", "protocol", 302),
    Case("not modified", "", "protocol", 304),
]
STATUS = [
    Case("400", {"message": "x"}, "rejected_arguments", 400),
    Case("400 about the key", {"error": "API key not valid."}, "auth", 400),
    Case("401", "", "auth", 401),
    Case("402", "", "permission", 402),
    Case("403", {"message": "Forbidden"}, "permission", 403),
    Case("403 about the rate", {"message": "API rate limit exceeded"}, "rate_limit", 403),
    Case("403 of a gateway", {"message": "Missing Authentication Token"}, "drift", 403),
    Case("404 of a page", "<html>Not Found</html>", "drift", 404, "text/html"),
    Case("404 bare", "", "drift", 404, lookup=True),
    Case("404 by fastapi", {"detail": "Not Found"}, "drift", 404, lookup=True),
    Case("404 by express", "Cannot GET /users/42", "drift", 404, "text/html", True),
    Case(
        "404 by spring",
        {"timestamp": 1, "error": "Not Found", "path": "/x"},
        "drift",
        404,
        lookup=True,
    ),
    Case("404 by rapidapi", {"message": "API doesn't exists"}, "drift", 404, lookup=True),
    Case("404 by kong", {"message": "no Route matched with those values"}, "drift", 404),
    Case("404 of a search, bare", {"message": "Not Found"}, "drift", 404),
    Case("405", "", "drift", 405),
    Case("408", "", "timeout", 408),
    Case("410", "", "drift", 410),
    Case("422", {"detail": "x"}, "rejected_arguments", 422),
    Case("429", {"message": "Too many"}, "rate_limit", 429),
    Case("301", "", "drift", 301),
    Case("500", "oops", "server_error", 500, "text/plain"),
    Case("501", "", "drift", 501),
    Case("502", "<html>Bad Gateway</html>", "server_error", 502, "text/html"),
    Case("503 that says json", {"message": "No results"}, "server_error", 503),
    Case("504", "", "timeout", 504),
    Case("an unknown 4xx", "", "rejected_arguments", 477),
    Case("an unknown 5xx", "", "server_error", 555),
    Case("an unknown class", "", "protocol", 799),
]
ALL = [*GOOD, *EMPTY, *IN_BODY, *PROTOCOL, *STATUS]


def judge(case: Case) -> Verdict:
    text = case.body if isinstance(case.body, str) else json.dumps(case.body)
    asked = LOOKUP if case.lookup else SEARCH
    if case.kind == "text/csv":
        asked = asked.model_copy(update={"response": Response()})
    return classify(read_answer("GET", case.status, case.kind, text), asked, ARGUMENTS)


@pytest.mark.parametrize("case", ALL, ids=[f"{case.expected}: {case.id}" for case in ALL])
def test_an_answer_means(case: Case) -> None:
    verdict = judge(case)
    if case.expected == "succeeded":
        assert verdict == Verdict("succeeded")
    elif case.expected == "empty":
        assert verdict.status == "empty"
        assert verdict.failure is not None and verdict.failure.kind == "empty"
    else:
        assert verdict.status == "failed"
        assert verdict.failure is not None and verdict.failure.kind == case.expected


def test_the_table_is_large() -> None:
    assert len(ALL) == len({case.id for case in ALL}) >= 100


def fields(body: Any, status: int = 400) -> tuple[str, ...]:
    verdict = judge(Case("", body, "", status))
    assert verdict.failure is not None
    assert verdict.failure.fault == "request"
    return verdict.failure.fields


def test_fields_of_a_validation_error_are_named() -> None:
    assert fields({"detail": [{"loc": ["query", "date"], "msg": "field required"}]}, 422) == (
        "date",
    )
    assert fields({"errors": {"carrier_code": ["is required"]}}) == ("carrier_code",)
    assert fields({"message": "Parameter 'to' is missing"}) == ("to",)
    assert fields({"message": "missing parameter: date"}) == ("date",)
    assert fields({"message": "carrier_code must be two letters"}, 200) == ("carrier_code",)


def test_plain_words_are_no_fields() -> None:
    assert fields({"message": "Please try to send a date of another origination"}) == ()


def test_a_counting_tool_may_answer_zero() -> None:
    counting = SEARCH.model_copy(update={"operation": "count_flights"})
    answer = read_answer("GET", 200, "application/json", '{"total": 0}')
    assert classify(answer, counting, {}) == Verdict("succeeded")


def test_a_head_request_has_no_body() -> None:
    assert classify(read_answer("HEAD", 200, "", ""), SEARCH, {}) == Verdict("succeeded")


def test_a_web_page_is_an_answer_where_no_json_was_promised() -> None:
    free = SEARCH.model_copy(update={"response": Response()})
    page = read_answer("GET", 200, "text/html", "<html><title>Recipes</title></html>")
    login = read_answer("GET", 200, "text/html", "<html><title>Sign in</title></html>")
    assert classify(page, free, {}) == Verdict("succeeded")
    assert classify(login, free, {}).status == "failed"


def test_long_words_of_a_server_are_cut() -> None:
    verdict = judge(Case("", {"error": "bad " * 1000}, ""))
    assert verdict.failure is not None and len(verdict.failure.detail) < 200


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ({"error": "", "response": '{"a": 1}'}, "succeeded"),
        ({"error": "", "response": "{'a': None, 'b': [True]}"}, "succeeded"),
        ({"error": "", "response": {"a": 1}}, "succeeded"),
        ({"error": "", "response": "The weather is fine."}, "succeeded"),
        ({"error": "", "response": "{'a': 'cut off he"}, "succeeded"),
        ({"error": "", "response": "{'error': 'cut off he"}, "failed"),
        ({"error": "", "response": "{'error': None, 'a': 'cut off he"}, "succeeded"),
        ({"error": "", "response": ""}, "empty"),
        ({"error": "", "response": "{'flights': [], 'total': 0, 'gate': ''}"}, "empty"),
        ({"error": "", "response": "{'message': 'unrecognized genre: 20'}"}, "rejected_arguments"),
        ({"error": "Message error...", "response": "{'titles': [{'a': 'b'}]}"}, "succeeded"),
        ({"error": "Message error...", "response": ""}, "error_in_body"),
        ({"error": "Timeout error...HTTPConnectionPool", "response": ""}, "timeout"),
        ({"error": "Unauthorized error...", "response": ""}, "auth"),
        ({"error": "Unsubscribed error...", "response": ""}, "permission"),
        ({"error": "Rate limit per minute error...", "response": ""}, "rate_limit"),
        ({"error": "API not working error...", "response": ""}, "server_error"),
        ({"error": "Tool input parse error...", "response": ""}, "rejected_arguments"),
    ],
)
def test_a_stabletoolbench_reply_means(reply: dict[str, Any], expected: str) -> None:
    answer = read_relayed("POST", 200, "application/json", json.dumps(reply))
    verdict = classify(answer, SEARCH, {"origin": "SFO"})
    assert expected in {verdict.status, verdict.failure.kind if verdict.failure else ""}


@pytest.mark.parametrize(
    ("status", "body", "transient"),
    [
        (503, {"error": "no"}, True),
        (500, {"error": "Under maintenance, try again later"}, True),
        (500, {"error": "Internal Server Error"}, False),
        (502, "<html>Bad Gateway</html>", False),
        (401, {"error": "Try again with a key"}, False),
    ],
)
def test_a_server_error_says_whether_it_is_transient(
    status: int, body: Any, transient: bool
) -> None:
    text = body if isinstance(body, str) else json.dumps(body)
    verdict = classify(read_answer("GET", status, "application/json", text), tool("a.b"), {})
    assert verdict.failure is not None and verdict.failure.transient is transient
