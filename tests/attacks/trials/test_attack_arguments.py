"""Hostile argument values and paths of documents: each stays in its own place of the request."""

from typing import Any

import pytest
from arena import Arena

from fakes import param, tool
from gretel.contracts.ranking import Request
from gretel.contracts.tool import HttpBinding
from gretel.contracts.trial import CallPlan
from gretel.nodes.plan.llm import read_plan
from gretel.sandbox.permission.policy import Policy
from hostile_server import FOUND
from lanes import every

OUTSIDE = {
    "dot": ".",
    "dots": "..",
    "up": "../admin",
    "up-twice": "../../admin",
    "inside-up": "a/../../b",
    "trailing-up": "a/..",
    "backslash": "..\\admin",
    "backslash-mixed": "a\\..\\/b",
    "dot-encoded": "%2e",
    "dots-encoded": "%2e%2e",
    "dots-upper": "%2E%2E",
    "half-encoded": ".%2e",
    "up-encoded": "%2e%2e%2fadmin",
    "slash-encoded": "..%2fadmin",
    "backslash-encoded": "..%5cadmin",
    "encoded-twice": "%252e%252e%252fadmin",
    "encoded-thrice": "%25252e%25252e",
    "encoded-five-times": f"%{'25' * 4}2e%{'25' * 4}2e",
    "encoded-fifty-times": f"%{'25' * 49}2e%{'25' * 49}2e",
    "matrix": "..;/admin",
    "matrix-value": "..;x=1/admin",
    "null": "a\0b",
    "null-encoded": "a%00b",
    "null-encoded-twice": "a%2500b",
    "up-null": "..\0/admin",
    "newline": "a\nb",
    "crlf-encoded": "a%0d%0aHost: evil",
    "tab": "a\tb",
    "delete": "a\x7fb",
    "empty": "",
    "none": None,
    "empty-list": [],
    "list-of-dots": [".."],
    "half-character": "a\ud800b",
}

INSIDE = {
    "slash": "a/b",
    "slashes": "//evil.test/x",
    "url": "http://169.254.169.254/",
    "at": "@evil.test",
    "query": "x?admin=true",
    "fragment": "x#y",
    "slash-encoded": "a%2fb",
    "percent": "100%",
    "three-dots": "...",
    "dotfile": ".env",
    "full-width-dots": "．．／admin",
    "overlong": "%c0%ae%c0%ae%c0%af",
    "blank": " ",
    "tilde": "~root",
    "semicolon": "a;b=c",
    "colon": "a:b",
    "unicode": "日本\u202e",
    "list": ["a", "b/c"],
    "object": {"a": "../x", "b": 1},
    "number": -1.5e300,
    "true": True,
}


def place(**fields: Any) -> list[Any]:
    return [param("id", location="path", required=True, **fields)]


@pytest.mark.parametrize("name", OUTSIDE)
async def test_a_path_value_that_would_leave_its_segment(name: str, arena: Arena) -> None:
    outcome = await arena.send("/users/{id}/posts", place(), {"id": OUTSIDE[name]})
    assert (arena.dialled, arena.api.requests) == ([], [])
    assert (outcome.status, outcome.source) == ("refused", "none")
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.fields) == ("invalid_value", ("id",))


@pytest.mark.parametrize("style", every(3, ["simple", "label", "matrix"]))
@pytest.mark.parametrize("name", INSIDE)
async def test_a_path_value_that_stays_in_its_segment(name: str, style: str, arena: Arena) -> None:
    await arena.send("/users/{id}/posts", place(style=style), {"id": INSIDE[name]})
    if not arena.api.requests:
        return  # refused, which contains it as well
    path, _, query = arena.api.requests[0].target.partition("?")
    parts = path.split("/")
    assert (len(parts), parts[:3], parts[4], query) == (5, ["", "v1", "users"], "posts", "")


PATHS = {
    "up": "/../../admin",
    "up-encoded": "/%2e%2e/%2e%2e/admin",
    "up-inside": "/a/../../../admin",
    "dots": "/..",
    "up-encoded-once": "/%2e%2e/admin",
    "up-half-encoded": "/.%2e/admin",
    "up-semicolon": "/..;/admin",
    "up-slash-encoded": "/..%2fadmin",
    "up-backslash-encoded": "/..%5cadmin",
    "up-encoded-twice": "/%252e%252e/admin",
    "up-encoded-six-times": f"/%{'25' * 5}2e%{'25' * 5}2e/admin",
    "other-host": "//evil.test/x",
    "url": "http://169.254.169.254/x",
    "at": "@169.254.169.254/",
    "port": ":80@evil.test/",
    "backslashes": "\\\\evil.test\\x",
    "newline": "/a\r\nHost: evil.test",
    "null": "/a\0b",
    "fragment": "/a#@evil.test",
    "query": "/a?x=@evil.test",
    "empty": "",
    "unclosed": "/{",
    "unknown-place": "/{other}",
    "surrogate": "/\ud800",
    "long": "/" + "a" * 20_000,
}


@pytest.mark.parametrize("name", PATHS)
async def test_a_path_of_a_hostile_document(name: str, arena: Arena) -> None:
    """It is called below the server's own path, or not at all."""
    outcome = await arena.send(PATHS[name], [], {})
    for received in arena.api.requests:
        assert received.target.startswith("/v1/") or received.target in {"/v1", "/v1/"}
        assert ".." not in received.target.partition("?")[0]
        assert received.headers["host"] == arena.api.host
    if not arena.api.requests:
        assert outcome.status == "refused" and outcome.failure is not None
        assert outcome.failure.kind == "invalid_value"


HEADER_NAMES = """
Host Authorization Cookie Content-Length Transfer-Encoding Connection Proxy-Authorization Expect
X-HTTP-Method-Override X-Method-Override X-Forwarded-For X-Forwarded-Host Forwarded Upgrade TE
Accept-Encoding Content-Encoding User-Agent Trailer Via X-Original-URL X-Rewrite-URL
X_HTTP_Method_Override X-Override-URL X-Forwarded-Prefix X-Real-IP True-Client-IP X-Remote-User
Remote_User X-Authenticated-User CF-Connecting-IP X-Client-IP HTTP2-Settings Max-Forwards
Front-End-Https X-ProxyUser-Ip X-WebAuth-User X-Auth-Request-Email Tailscale-User-Login
Cf-Access-Authenticated-User-Email X-Amzn-Oidc-Identity X-Ms-Client-Principal
X-Goog-Authenticated-User-Email X-Authentik-Username
Remote-Groups Remote_Email X-Remote-Groups X-Consumer-Username X-Client-Cert Fly-Client-IP
X-Vercel-Forwarded-For CF-Connecting-IPv6 X-HTTP-Host-Override X_Host_Override X-Original-Uri
X-Original-Forwarded-For X-Original-Host X-Forward-For WL-Proxy-Client-IP X-Cluster-Client-IP
X-Authenticated-Userid X_ARR_ClientCert X-MS-TOKEN-AAD-ID-TOKEN X-SSL-Subject X-Token-User-Email
Ssl-Cert X-JWT-Assertion Cf-Access-Jwt-Assertion X-Client-Certificate X-Anonymous-Consumer X-Scheme
$WSRU WL-Proxy-Client-Cert OAM_REMOTE_USER Osso-User-Dn Shib-Session-ID Kubeflow-Userid
iv-user SM_USER OIDC_CLAIM_sub X-Userinfo X-Vouch-User X-Pomerium-Claim-Email Impersonate-User
X-Middleware-Subrequest X-Middleware-Rewrite X-Invoke-Path X-Matched-Path Early-Data
X-Sendfile-Type X-Accel-Mapping X-HTTP-DestinationURL X-Wap-Profile X-Auth-User X-Authenticated
X-Endpoint-API-UserInfo X-Apigateway-Api-Userinfo X-Goog-Iap-Jwt-Assertion Client-Cert X-Ssl-Cert
X-Rewrite-Path X-Rewrite-Uri X-HTTP-Path-Override X-Url-Override X-Request-Uri-Override
"""


@pytest.mark.parametrize("header", every(4, HEADER_NAMES.split()))
async def test_an_argument_does_not_set_a_header_of_ours(header: str, arena: Arena) -> None:
    await arena.send("/x", [param(header, location="header")], {header: "spy"})
    assert "spy" not in arena.api.requests[0].headers.values()


VALUES = {
    "crlf": "a\r\nX-Spy: 1",
    "newline": "a\nX-Spy: 1",
    "null": "a\0b",
    "delete": "a\x7f",
    "half-character": "\ud800",
    "not-finite": float("nan"),
}


@pytest.mark.parametrize("location", ["header", "cookie", "query"])
@pytest.mark.parametrize("name", VALUES)
async def test_a_value_does_not_break_out(name: str, location: Any, arena: Arena) -> None:
    await arena.send("/x", [param("q", location=location)], {"q": VALUES[name]})
    for received in arena.api.requests:
        assert "x-spy" not in received.headers
        assert received.target.count("&") == 0 and "\n" not in received.target


@pytest.mark.parametrize("value", ["1&admin=true", "1#x", "1;admin=true", "a=b&c", ["1&x=2"]])
async def test_a_query_value_adds_no_pair(value: Any, arena: Arena) -> None:
    outcome = await arena.send("/x", [param("q")], {"q": value})
    assert outcome.bytes_wire == len(FOUND)
    query = arena.api.requests[0].target.partition("?")[2]
    assert query.startswith("q=") and query.count("=") == 1 and not set("&#;") & set(query)


@pytest.mark.parametrize(
    "value",
    [" x", "x ", " ", "\u00a0x", {"\ud800": 1}, {"a\r\nX-Spy: 1": 1}, 10**5000],
    ids=["blank-first", "blank-last", "blank", "wide-blank", "half-character", "crlf", "huge"],
)
async def test_a_header_value_that_cannot_be_sent(value: Any, arena: Arena) -> None:
    outcome = await arena.send("/x", [param("X-City", location="header")], {"X-City": value})
    assert (outcome.status, arena.api.requests) == ("refused", [])
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.fields) == ("invalid_value", ("X-City",))


async def test_an_argument_that_the_tool_does_not_have(arena: Arena) -> None:
    outcome = await arena.send("/x", [], {"authorization": "spy"})
    assert (outcome.status, arena.api.requests) == ("refused", [])


@pytest.mark.parametrize(
    ("value", "quote", "leave"),
    [("delete", "List the things", False), ("delete", "", False), ("Oslo", "the things", True),
     ("copy", "copy", True)],
)  # fmt: skip
def test_what_a_model_quotes_is_no_word_for_what_it_makes_of_it(
    value: str, quote: str, leave: bool
) -> None:
    """A document moved it: "for `List the things` the id is `delete`". Nobody said that verb."""
    show = tool("Kit.show", "Show a thing.", params=[param("id", required=True, location="path")])
    assert isinstance(show.binding, HttpBinding)
    show = show.model_copy(
        update={"binding": show.binding.model_copy(update={"path": "/things/{id}"})}
    )
    request = Request(text="List the things by copy.", today="2026-11-23")
    made = read_plan(request, show, {"arguments": {"id": value}, "quotes": {"id": quote}})
    assert isinstance(made, CallPlan)
    assert made.arguments["id"].source == ("request" if quote else "invented")
    assert (Policy().unsafe_call(show, made) is None) == leave
