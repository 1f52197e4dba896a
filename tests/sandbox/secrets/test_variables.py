"""What is said of the variables that hold credentials, and never what they hold."""

import pytest

from fakes import tool
from gretel.contracts.tool import HttpBinding, NoBinding, SecurityScheme, Tool
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.environment import EnvironmentCredentials
from gretel.sandbox.secrets.variables import uses

KEY = SecurityScheme(name="key", kind="apiKey", location="header", parameter="X-Key")
TOKEN = SecurityScheme(name="token", kind="http", scheme="bearer")
LOGIN = SecurityScheme(name="login", kind="http", scheme="basic")
HOST = "GRETEL_CREDENTIAL_127_0_0_1_8000"
HERE = "http://127.0.0.1:8000"
CANARY = "canary-5f2a91"


def at(server: str, *security: tuple[SecurityScheme, ...]) -> Tool:
    binding = HttpBinding(method="GET", path="/x", servers=(server,), security=security)
    return tool("a.b", binding=binding)


def said(*tools: Tool, **environment: str) -> list[tuple[str, str]]:
    found = list(uses(tools, Policy(), EnvironmentCredentials(environment)))
    assert CANARY not in repr(found)
    return [(use.origin.authority, use.detail) for use in found]


@pytest.mark.parametrize(
    ("security", "environment", "detail"),
    [
        ((), {HOST: CANARY}, f"{HOST} is sent as a bearer token: no security scheme is declared"),
        (((KEY,),), {HOST: CANARY}, f"{HOST} is sent as the document declares"),
        (((KEY,),), {f"{HOST}___KEY": CANARY}, f"{HOST}___KEY is sent as the document declares"),
        (((KEY, TOKEN),), {}, f"not set: {HOST}___KEY (the key) and {HOST}___TOKEN (the token)"),
        (((KEY, TOKEN),), {f"{HOST}___KEY": CANARY}, f"not set: {HOST}___TOKEN (the token)"),
        (
            ((KEY, TOKEN),),
            {f"{HOST}___KEY": CANARY, f"{HOST}___TOKEN": CANARY},
            f"{HOST}___KEY and {HOST}___TOKEN are sent as the document declares",
        ),
        (
            ((KEY, TOKEN),),
            {HOST: CANARY},
            f"{HOST} is sent as the document declares, the same value for key and token; each may"
            f" have its own: {HOST}___KEY (the key) and {HOST}___TOKEN (the token)",
        ),
        (((LOGIN,),), {}, f"not set: {HOST}___LOGIN (user:password)"),
        (
            ((KEY,),),
            {"GRETEL_CREDENTIAL_127_0_0_1_8001": CANARY},
            f"not set: {HOST}___KEY (the key)",
        ),
    ],
)
def test_what_is_set_or_asked_for_is_named(
    security: tuple[tuple[SecurityScheme, ...], ...], environment: dict[str, str], detail: str
) -> None:
    assert said(at(HERE, *security), **environment) == [("127.0.0.1:8000", detail)]


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (CANARY, "as a bearer token"),
        (f"Bearer {CANARY}", "as a bearer token"),
        (f"Token {CANARY}", "in the header Authorization, unchanged"),
        (f"X-API-Key: {CANARY}", "in the header X-API-Key, unchanged"),
    ],
)
def test_how_it_is_sent_is_said(value: str, form: str) -> None:
    ((_, detail),) = said(at(HERE), **{HOST: value})
    assert detail == f"{HOST} is sent {form}: no security scheme is declared"


@pytest.mark.parametrize("security", [(), ((),), ((KEY,), ())])
def test_nothing_is_said_where_nothing_is_set_or_needed(
    security: tuple[tuple[SecurityScheme, ...], ...],
) -> None:
    assert said(at(HERE, *security)) == []


def test_what_would_go_out_in_clear_is_said() -> None:
    variable = "GRETEL_CREDENTIAL_PLAIN_EXAMPLE_COM"
    ((_, detail),) = said(at("http://plain.example.com"), **{variable: CANARY})
    assert detail == f"{variable} is set and not sent: http://plain.example.com has no TLS"


def test_each_server_has_one_line() -> None:
    tools = [at(HERE), at(HERE, (KEY,)), at("https://b.example", (TOKEN,)), at("not a url")]
    tools.append(tool("a.none", binding=NoBinding()))
    assert [host for host, _ in said(*tools, **{HOST: CANARY})] == ["127.0.0.1:8000", "b.example"]
