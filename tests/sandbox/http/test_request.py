"""Argument values → what goes over the wire."""

import json
from typing import Any

import pytest

from fakes import param, tool
from gretel.contracts.errors import ArgumentsError
from gretel.contracts.tool import HttpBinding, Parameter, Response, Tool
from gretel.sandbox.http.request import build_request
from gretel.sandbox.network.origin import parse_server
from gretel.sandbox.network.wire_request import WireRequest

SERVER = "https://api.example.com/v1/"
BLUE = ["blue", "black"]
RGB = {"R": 100, "G": 200}


def api(*parameters: Parameter, path: str = "/x", media_type: str | None = None) -> Tool:
    binding = HttpBinding(method="get", path=path, servers=(SERVER,), media_type=media_type)
    return tool("a.b", params=parameters, binding=binding)


def build(asked: Tool, server: str = SERVER, **values: Any) -> WireRequest:
    return build_request(asked, values, parse_server(server))


def target(parameter: Parameter, value: Any, path: str = "/x") -> str:
    request = build(api(parameter, path=path), **{parameter.name: value})
    return request.url.raw_path.decode().removeprefix("/v1")


def header(request: WireRequest, name: str) -> str | None:
    return next((value for key, value in request.headers if key == name), None)


@pytest.mark.parametrize(
    ("style", "explode", "value", "expected"),
    [
        (None, None, "blue", "/x?c=blue"),
        (None, None, "a b&c=d/e?é", "/x?c=a%20b%26c%3Dd%2Fe%3F%C3%A9"),
        (None, None, "", "/x?c="),
        (None, None, True, "/x?c=true"),
        (None, None, 5, "/x?c=5"),
        (None, None, 5.0, "/x?c=5"),
        (None, None, 2.5, "/x?c=2.5"),
        (None, None, None, "/x"),
        (None, None, [], "/x"),
        (None, None, BLUE, "/x?c=blue&c=black"),
        (None, None, RGB, "/x?R=100&G=200"),
        ("form", False, BLUE, "/x?c=blue,black"),
        ("form", False, ["a,b", "c"], "/x?c=a%2Cb,c"),
        ("form", False, RGB, "/x?c=R,100,G,200"),
        ("spaceDelimited", False, BLUE, "/x?c=blue%20black"),
        ("pipeDelimited", None, BLUE, "/x?c=blue%7Cblack"),
        ("deepObject", True, RGB, "/x?c%5BR%5D=100&c%5BG%5D=200"),
        ("deepObject", True, {"a": {"b": [1, 2]}}, "/x?c%5Ba%5D%5Bb%5D=1&c%5Ba%5D%5Bb%5D=2"),
    ],
)
def test_query_styles(style: str | None, explode: bool | None, value: Any, expected: str) -> None:
    assert target(param("c", style=style, explode=explode), value) == expected


@pytest.mark.parametrize(
    ("style", "explode", "value", "expected"),
    [
        (None, None, "blue", "/x/blue/y"),
        (None, None, "a/b?c#d%2e", "/x/a%2Fb%3Fc%23d%252e/y"),
        (None, None, BLUE, "/x/blue,black/y"),
        (None, True, RGB, "/x/R=100,G=200/y"),
        (None, None, RGB, "/x/R,100,G,200/y"),
        ("label", None, "blue", "/x/.blue/y"),
        ("label", True, BLUE, "/x/.blue.black/y"),
        ("matrix", None, "blue", "/x/;c=blue/y"),
        ("matrix", None, BLUE, "/x/;c=blue,black/y"),
        ("matrix", True, BLUE, "/x/;c=blue;c=black/y"),
        ("matrix", True, RGB, "/x/;R=100;G=200/y"),
    ],
)
def test_path_styles(style: str | None, explode: bool | None, value: Any, expected: str) -> None:
    place = param("c", location="path", required=True, style=style, explode=explode)
    assert target(place, value, "/x/{c}/y") == expected


@pytest.mark.parametrize(
    "value",
    [
        "",
        ".",
        "..",
        "../admin",
        "a/../../b",
        "..\\b",
        "%2e%2e",
        "%2E%2E%2Fadmin",
        "%252e%252e/",
        "..;/b",
        [],
        None,
    ],
)
def test_a_path_value_cannot_leave_its_segment(value: Any) -> None:
    with pytest.raises(ArgumentsError):
        target(param("c", location="path", required=True), value, "/x/{c}")


def test_a_path_value_cannot_change_the_host() -> None:
    place = param("c", location="path", required=True)
    for value in ("@evil.com", "//evil.com", "http://evil.com", "?x", "#y"):
        request = build(api(place, path="{c}"), c=value)
        assert request.origin.host == "api.example.com"
        assert request.url.query == b"" and not request.url.fragment


@pytest.mark.parametrize(
    "path", ["@evil.com/x", "//evil.com/x", ".evil.com", "\\\\evil.com", ":99/x"]
)
def test_a_path_template_cannot_change_the_host(path: str) -> None:
    assert str(build(api(path=path)).origin) == "https://api.example.com"


def test_the_servers_path_comes_first() -> None:
    assert str(build(api(path="/x/y")).url) == "https://api.example.com/v1/x/y"
    assert str(build(api(path="x")).url) == "https://api.example.com/v1/x"
    assert str(build(api(), server="http://127.0.0.1:9000").url) == "http://127.0.0.1:9000/x"


def test_a_template_may_hold_a_query_and_a_fragment() -> None:
    asked = api(param("q"), path="/x?Action=List#Name")
    assert str(build(asked, q="a").url).endswith("/x?Action=List&q=a")


def test_wire_names_are_sent() -> None:
    asked = api(param("id_query").model_copy(update={"wire_name": "id[]"}))
    assert build(asked, id_query="a").url.raw_path == b"/v1/x?id%5B%5D=a"


def test_headers_and_cookies() -> None:
    asked = api(
        param("X-Trip", location="header"),
        param("X-List", location="header"),
        param("lang", location="cookie"),
        param("theme", location="cookie"),
    )
    request = build(asked, **{"X-Trip": "a b", "X-List": [1, 2], "lang": "de; a=b", "theme": "x"})
    assert header(request, "X-Trip") == "a b"
    assert header(request, "X-List") == "1,2"
    assert header(request, "Cookie") == "lang=de%3B%20a%3Db; theme=x"
    assert request.method == "GET"


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\x00b", "\x7f"])
def test_a_header_cannot_be_broken_apart(value: str) -> None:
    with pytest.raises(ArgumentsError):
        build(api(param("X-Trip", location="header")), **{"X-Trip": value})


@pytest.mark.parametrize("location", ["header", "cookie"])
def test_a_header_name_cannot_be_broken_apart(location: Any) -> None:
    with pytest.raises(ArgumentsError):
        build(api(param("X\r\nEvil", location=location)), **{"X\r\nEvil": "a"})


@pytest.mark.parametrize(
    "name",
    ["Authorization", "host", "Cookie", "Content-Length", "X-HTTP-Method-Override", "accept"],
)
def test_headers_of_ours_are_not_set_by_arguments(name: str) -> None:
    request = build(api(param(name, location="header")), **{name: "evil"})
    assert "evil" not in dict(request.headers).values()


def body(media_type: str | None, *, location: Any = "body", **values: Any) -> WireRequest:
    parameters = [param(name, "object", location=location) for name in values]
    return build(api(*parameters, media_type=media_type), **values)


def test_json_bodies() -> None:
    request = body("application/json", origin="SFO", n=1)
    assert json.loads(request.content or b"") == {"origin": "SFO", "n": 1}
    assert header(request, "Content-Type") == "application/json"
    assert json.loads(body(None, location="content", all=[1, {"a": None}]).content or b"") == [
        1,
        {"a": None},
    ]
    assert (
        header(body("application/vnd.api+json", a=1), "Content-Type") == "application/vnd.api+json"
    )
    assert build(api(media_type="application/json")).content is None


def test_form_and_multipart_bodies() -> None:
    form = body("application/x-www-form-urlencoded", a="x y&z", b=["1", "2"])
    assert form.content == b"a=x%20y%26z&b=1&b=2"
    parts = body("multipart/form-data", a="x\r\n--y", b=2)
    boundary = (header(parts, "Content-Type") or "").partition("boundary=")[2]
    assert (parts.content or b"").count(boundary.encode()) == 3
    assert b'name="a"\r\n\r\nx\r\n--y\r\n' in (parts.content or b"")
    assert parts == body("multipart/form-data", a="x\r\n--y", b=2)


def test_text_bodies() -> None:
    request = body("text/plain", location="content", text="héllo")
    assert (request.content, header(request, "Content-Type")) == ("héllo".encode(), "text/plain")
    with pytest.raises(ArgumentsError):
        body("application/xml", a=1)
    with pytest.raises(ArgumentsError):
        body("application/xml", location="content", a={"b": 1})


UNSENDABLE = {
    "half a character": "half \ud800",
    "not a number": float("nan"),
    "infinite": float("inf"),
    "huge": 10**5000,
    "long": "a" * 20_000,
    "half a character inside": ["\udfff"],
}


@pytest.mark.parametrize("value", UNSENDABLE.values(), ids=UNSENDABLE)
@pytest.mark.parametrize("location", ["query", "path"])
def test_unsendable_values_are_refused_by_name(value: Any, location: Any) -> None:
    with pytest.raises(ArgumentsError):
        target(param("c", location=location), value, "/x/{c}" if location == "path" else "/x")


def test_errors_name_the_field_and_never_the_value() -> None:
    with pytest.raises(ArgumentsError) as caught:
        target(param("c", location="header"), "secret\n")
    assert caught.value.field == "c"
    assert "secret" not in str(caught.value)


def test_unknown_and_missing_arguments() -> None:
    with pytest.raises(ArgumentsError, match="no such parameter"):
        build(api(), extra=1)
    with pytest.raises(ArgumentsError, match="goes into the path"):
        build(api(path="/x/{id}"))


def test_the_documented_media_types_are_asked_for_first():
    asked = api()
    assert header(build(asked), "Accept") == "application/json, */*;q=0.5"
    picture = asked.model_copy(update={"response": Response(media_types=("image/png", "a/b"))})
    accepted = header(build(picture), "Accept")
    assert accepted == "image/png, a/b, application/json, */*;q=0.5"
