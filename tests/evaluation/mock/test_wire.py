"""What the sandbox writes on the wire, the mock reads back."""

import json
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gretel.contracts.record import JsonObject
from gretel.contracts.tool import HttpBinding, Parameter, Tool, ToolId
from gretel.evaluation.mock.replies import Reply
from gretel.evaluation.mock.routes import Match, Routes
from gretel.evaluation.mock.wire import Received, Unreadable, read_arguments
from gretel.sandbox.http.request import build_request
from gretel.sandbox.network.wire_request import WireRequest

SERVER = httpx.URL("http://127.0.0.1:9/a")
NUMBERS = {"type": "array", "items": {"type": "integer"}}
PLACE = {
    "type": "object",
    "properties": {"lat": {"type": "number"}, "name": {"type": "string"}},
}


def parameter(name: str, location: Any, schema: JsonObject, **more: Any) -> Parameter:
    return Parameter(
        name=name, wire_name=name, location=location, required=False, json_schema=schema, **more
    )


def tool_of(*parameters: Parameter, path: str = "/x", media_type: str | None = None) -> Tool:
    binding = HttpBinding(method="POST", path=path, media_type=media_type)
    return Tool(
        tool_id=ToolId("a"), toolkit="A", operation="x", parameters=parameters, binding=binding
    )


def received(tool: Tool, request: WireRequest) -> Received:
    path, _, query = request.url.raw_path.decode().partition("?")
    match = Routes([tool]).find(request.method, path)
    assert isinstance(match, Match)
    headers = {name.lower(): value for name, value in request.headers}
    return Received(match.values, query, headers, request.content or b"")


def read_back(tool: Tool, values: JsonObject) -> JsonObject:
    return read_arguments(tool, received(tool, build_request(tool, values, SERVER)))


@pytest.mark.parametrize("location", ["query", "path", "header", "cookie", "body"])
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "São Paulo & 100% of it? a/b=c;d"),
        ({"type": "string"}, "007"),
        ({}, "anything"),
        ({"type": "integer"}, -12),
        ({"type": "number"}, 2.5),
        ({"type": "number"}, 1e20),
        ({"type": ["integer", "null"]}, 3),
        ({"type": "boolean"}, True),
        ({"enum": [1, 2]}, 2),
        ({"enum": ["1", "2"]}, "2"),
        ({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, False),
        (NUMBERS, [1, 2, 3]),
        ({"type": "array", "items": {"type": "boolean"}}, [True]),
    ],
)
def test_single_values_and_lists(location: Any, schema: JsonObject, value: Any) -> None:
    if location == "header" and isinstance(value, str):
        value = value.replace("ã", "a")
    tool = tool_of(parameter("v", location, schema), path="/x/{v}" if location == "path" else "/x")
    assert read_back(tool, {"v": value}) == {"v": value}


@pytest.mark.parametrize(
    ("location", "style", "explode"),
    [
        *(("query", style, flag) for style in ("form", "pipeDelimited") for flag in (True, False)),
        ("query", "spaceDelimited", False),
        *(("path", style, flag) for style in ("simple", "label", "matrix") for flag in (0, 1)),
        *(("header", "simple", flag) for flag in (True, False)),
    ],
)
@pytest.mark.parametrize(
    ("schema", "value"), [(NUMBERS, [4, 5]), (PLACE, {"lat": 2, "name": "Oslo"})]
)
def test_styles(location: Any, style: str, explode: bool, schema: Any, value: Any) -> None:
    one = parameter("v", location, schema, style=style, explode=bool(explode))
    tool = tool_of(one, path="/x/{v}" if location == "path" else "/x")
    assert read_back(tool, {"v": value}) == {"v": value}


def test_deep_objects() -> None:
    schema: JsonObject = {"type": "object", "properties": {"at": PLACE, "ids": NUMBERS}}
    tool = tool_of(parameter("f", "query", schema, style="deepObject"))
    value: JsonObject = {"at": {"lat": 2, "name": "x]y"}, "ids": [1, 2]}
    assert read_back(tool, {"f": value}) == {"f": value}


@pytest.mark.parametrize(
    "media_type",
    [None, "application/json", "application/x-www-form-urlencoded", "multipart/form-data"],
)
def test_fields_of_a_body(media_type: str | None) -> None:
    tool = tool_of(
        parameter("q", "body", {"type": "string"}),
        parameter("n", "body", {"type": "integer"}),
        parameter("ids", "body", NUMBERS),
        media_type=media_type,
    )
    values: JsonObject = {"q": "a+b & 100%\r\nnext", "n": 5, "ids": [1, 2]}
    assert read_back(tool, values) == values


@pytest.mark.parametrize(("media_type", "value"), [("application/json", [1]), ("text/plain", "a")])
def test_a_whole_body(media_type: str, value: Any) -> None:
    tool = tool_of(parameter("all", "content", {}), media_type=media_type)
    assert read_back(tool, {"all": value}) == {"all": value}


def test_null_in_a_json_body_is_a_value_and_absence_is_none() -> None:
    tool = tool_of(parameter("a", "body", {"type": ["string", "null"]}), parameter("b", "body", {}))
    assert read_back(tool, {"a": None}) == {"a": None}


def test_unknown_parameters_are_dropped() -> None:
    tool = tool_of(parameter("q", "query", {"type": "string"}))
    assert read_arguments(tool, Received({}, "q=1&utm=2", {}, b"")) == {"q": "1"}


def test_a_value_of_another_type_stays_text() -> None:
    tool = tool_of(parameter("n", "query", {"type": "integer"}))
    assert read_arguments(tool, Received({}, "n=many", {}, b"")) == {"n": "many"}


def test_a_body_that_is_no_json_cannot_be_read() -> None:
    tool = tool_of(parameter("n", "body", {"type": "integer"}))
    with pytest.raises(Unreadable):
        read_arguments(tool, Received({}, "", {"content-type": "application/json"}, b"{"))


@given(st.text(max_size=40).filter(lambda text: text.strip(" .")))
def test_any_text_survives(text: str) -> None:
    tool = tool_of(parameter("q", "query", {"type": "string"}), parameter("b", "body", {}))
    assert read_back(tool, {"q": text, "b": text}) == {"q": text, "b": text}


@given(st.binary(max_size=200), st.sampled_from(["multipart/form-data; boundary=x", "a/b", ""]))
def test_no_body_breaks_the_reader(body: bytes, content_type: str) -> None:
    tool = tool_of(parameter("n", "body", NUMBERS), parameter("all", "content", {}))
    read_arguments(tool, Received({}, "", {"content-type": content_type}, body))


def other(tool_id: str, path: str, method: str = "GET") -> Tool:
    binding = HttpBinding(method=method, path=path)
    return Tool(tool_id=ToolId(tool_id), toolkit="A", operation="x", binding=binding)


def test_routes() -> None:
    routes = Routes(
        [other("A.users", "/users"), other("B.users", "/users"), other("A.me", "/users/me"),
         other("A.user", "/users/{id}"), other("C/ü.x", "/x?format=json")]
    )  # fmt: skip

    def found(method: str, path: str) -> Any:
        match = routes.find(method, path)
        return match.tool.tool_id if isinstance(match, Match) else match.status

    assert found("GET", "/B.users/users") == "B.users"
    assert found("GET", "/C%2F%C3%BC.x/x") == "C/ü.x"
    assert found("GET", "/x") == "C/ü.x"
    assert found("GET", "/users/me") == "A.me"
    assert found("GET", "/users/7") == "A.user"
    assert found("POST", "/A.users/users") == 405
    assert found("GET", "/A.users/nowhere") == 404
    assert found("GET", "/nowhere") == 404
    shared = routes.find("GET", "/users")
    assert isinstance(shared, Reply)
    assert shared.status == 300
    assert json.loads(shared.text)["tools"] == ["A.users", "B.users"]
