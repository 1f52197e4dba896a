"""Credentials are found per origin and attached at send time only."""

import asyncio
import base64

import httpx
import pytest

from fakes import param, tool
from gretel.contracts.tool import HttpBinding, SecurityScheme, Tool
from gretel.contracts.trial import Failure
from gretel.sandbox.http.request import build_request
from gretel.sandbox.network.origin import Origin, origin_of, parse_server
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.attached import Attached
from gretel.sandbox.secrets.credentials import attach, no_credentials
from gretel.sandbox.secrets.environment import EnvironmentCredentials, host_variable, variable
from gretel.sandbox.secrets.oauth import TokenIssuers
from gretel.text.secret_parts import parts_of

SERVER = "https://api.example.com"
HEADER = SecurityScheme(name="key", kind="apiKey", location="header", parameter="X-Key")
QUERY = SecurityScheme(name="key", kind="apiKey", location="query", parameter="appid")
COOKIE = SecurityScheme(name="key", kind="apiKey", location="cookie", parameter="sid")
BEARER = SecurityScheme(name="token", kind="http", scheme="bearer")
BASIC = SecurityScheme(name="login", kind="http", scheme="basic")
IN_AUTHORIZATION = HEADER.model_copy(update={"parameter": "Authorization"})
OAUTH = SecurityScheme(name="oauth", kind="oauth2", token_url="https://a.com/token")
MUTUAL = SecurityScheme(name="tls", kind="mutualTLS")
CANARY = "canary-5f2a91"


async def no_tokens(request: httpx.Request) -> httpx.Response:
    raise AssertionError("no token is fetched here")


def asked(*alternatives: tuple[SecurityScheme, ...], server: str = SERVER) -> Tool:
    binding = HttpBinding(method="GET", path="/x", servers=(server,), security=alternatives)
    return tool("a.b", binding=binding)


def send(
    wanted: Tool, environment: dict[str, str], server: str = SERVER, *, stand_in: bool = False
) -> Attached | Failure:
    request = build_request(wanted, {}, parse_server(server))
    issuers = None if stand_in else TokenIssuers(Policy(), no_tokens)
    resolver = EnvironmentCredentials(environment)
    return asyncio.run(attach(request, wanted, resolver, issuers))


def sent(*alternatives: tuple[SecurityScheme, ...], **environment: str) -> Attached:
    found = send(asked(*alternatives), environment)
    assert isinstance(found, Attached)
    return found


def headers(attached: Attached) -> dict[str, str]:
    return dict(attached.request.headers)


def origin(text: str) -> Origin:
    return origin_of(parse_server(text))


HOST = "GRETEL_CREDENTIAL_API_EXAMPLE_COM"


def test_variables_are_named_after_host_and_scheme() -> None:
    assert variable(origin(SERVER), HEADER) == f"{HOST}___KEY"
    assert host_variable(origin("https://x-y.com:8443")) == "GRETEL_CREDENTIAL_X__Y_COM_8443"
    assert host_variable(origin("http://127.0.0.1:80")) == "GRETEL_CREDENTIAL_127_0_0_1"


def test_two_hosts_never_share_a_variable() -> None:
    hosts = ["a-b.com", "a.b.com", "a--b.com", "ab.com", "a.b.com:8443", "a.b.com.au"]
    hosts += ["[2001:db8::cafe]", "[2001:db8::cafe]:8443", "127.0.0.1", "127.0.0.1:8443"]
    assert len({host_variable(origin(f"https://{host}")) for host in hosts} - {None}) == len(hosts)
    scheme = HEADER.model_copy(update={"name": "com"})
    assert variable(origin("https://a.b"), scheme) != host_variable(origin("https://a.b.com"))


@pytest.mark.parametrize(
    ("host", "other"),
    [
        ("api_example.com", "api.example.com"),
        ("a__b.com", "a-b.com"),
        ("a._b.com", "a-b.com"),
        ("a.com_8443", "a.com:8443"),
        ("a.b___key", "a.b"),
        ("api.example.com.", "api.example.com"),
        ("2001.0db8.0000.0000.0000.0000.0000.cafe", "[2001:db8::cafe]"),
    ],
)
def test_a_host_of_an_odd_name_gets_nobodys_credential(host: str, other: str) -> None:
    server, theirs = f"https://{host}", origin(f"https://{other}")
    assert host_variable(origin(server)) is None and variable(origin(server), HEADER) is None
    environment = {
        name: CANARY for name in (host_variable(theirs), variable(theirs, HEADER)) if name
    }
    failure = send(asked((HEADER,), server=server), environment, server)
    assert isinstance(failure, Failure) and failure.kind == "missing_credential"
    assert f"{host} needs a credential: this host has no variable." == failure.detail


@pytest.mark.parametrize("name", ["x.example.com", "-x.example.com", "__x.example.com", "--x"])
@pytest.mark.parametrize("host", ["api.dev", "api.dev."])
def test_the_name_of_a_scheme_reaches_no_other_host(host: str, name: str) -> None:
    """A document chooses it."""
    victims = {
        host_variable(origin(f"https://api.dev{tail}")) for tail in ("--x.example.com", "--x")
    }
    evil = HEADER.model_copy(update={"name": name})
    assert variable(origin(f"https://{host}"), evil) not in victims


def test_each_scheme_has_its_place() -> None:
    where = {f"{HOST}": CANARY}
    assert headers(sent((HEADER,), **where))["X-Key"] == CANARY
    assert sent((QUERY,), **where).request.url.params["appid"] == CANARY
    assert headers(sent((COOKIE,), **where))["Cookie"] == f"sid={CANARY}"
    assert headers(sent((BEARER,), **where))["Authorization"] == f"Bearer {CANARY}"
    assert headers(sent((OAUTH,), **where))["Authorization"] == f"Bearer {CANARY}"
    basic = headers(sent((BASIC,), **{HOST: "ann:secret"}))["Authorization"]
    assert base64.b64decode(basic.removeprefix("Basic ")) == b"ann:secret"


def known(found: Attached) -> set[str]:
    """What answers are searched for."""
    return {part for secret in found.secrets for part in parts_of(secret)}


@pytest.mark.parametrize("scheme", [BEARER, OAUTH, BASIC, IN_AUTHORIZATION])
def test_a_value_with_its_own_word_is_sent_as_it_is(scheme: SecurityScheme) -> None:
    for value in ("Token abc", "Bearer abc", "Basic YW5uOngx"):
        found = sent((scheme,), **{HOST: value})
        assert headers(found)["Authorization"] == value and found.token == ""
        assert {value, value.partition(" ")[2]} <= known(found)


def test_a_password_may_hold_a_blank() -> None:
    basic = headers(sent((BASIC,), **{HOST: "ann:my secret"}))["Authorization"]
    assert base64.b64decode(basic.removeprefix("Basic ")) == b"ann:my secret"
    basic = headers(sent((BASIC,), **{HOST: "ann lee:secret"}))["Authorization"]
    assert base64.b64decode(basic.removeprefix("Basic ")) == b"ann lee:secret"


def test_the_schemes_own_variable_beats_the_hosts() -> None:
    found = sent((HEADER,), **{HOST: "general", f"{HOST}___KEY": " special\n"})
    assert headers(found)["X-Key"] == "special"
    assert found.secrets == ("special",)


def test_everything_secret_is_known() -> None:
    found = sent((BASIC,), **{HOST: "ann:secret"})
    assert {"ann:secret", "secret", base64.b64encode(b"ann:secret").decode()} <= known(found)


def test_alternatives() -> None:
    both = sent((HEADER, BEARER), (), **{f"{HOST}___KEY": "k1", f"{HOST}___TOKEN": "t1"})
    assert {"X-Key": "k1", "Authorization": "Bearer t1"}.items() <= headers(both).items()
    second = sent((HEADER,), (BEARER,), **{f"{HOST}___TOKEN": "t1"})
    assert headers(second)["Authorization"] == "Bearer t1"
    anonymous = sent((HEADER,), ())
    assert anonymous.secrets == ()


def test_a_missing_credential_names_the_variable() -> None:
    failure = send(asked((HEADER, BEARER)), {f"{HOST}___KEY": CANARY})
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.fault) == ("missing_credential", "ours")
    assert f"{HOST}___TOKEN" in failure.detail and CANARY not in failure.detail
    assert f"{HOST}___KEY" not in failure.detail, "it is set"


def test_no_credential_goes_out_in_clear() -> None:
    wanted = asked((HEADER,), server="http://api.example.com")
    failure = send(wanted, {HOST: CANARY}, "http://api.example.com")
    assert isinstance(failure, Failure) and "TLS" in failure.detail
    local = asked((HEADER,), server="http://127.0.0.1:80")
    found = send(local, {"GRETEL_CREDENTIAL_127_0_0_1": CANARY}, "http://127.0.0.1:80")
    assert isinstance(found, Attached)


@pytest.mark.parametrize("secret", ["a\r\nX-Evil: 1", "a\x00b", "ключ"])
def test_a_secret_that_breaks_a_header_is_not_sent(secret: str) -> None:
    assert isinstance(send(asked((HEADER,)), {HOST: secret}), Failure)


def test_a_scheme_cannot_choose_a_broken_place() -> None:
    evil = HEADER.model_copy(update={"parameter": "X\r\nHost"})
    assert isinstance(send(asked((evil,)), {HOST: CANARY}), Failure)


def test_what_is_not_supported_says_so() -> None:
    failure = send(asked((MUTUAL,)), {HOST: CANARY})
    assert isinstance(failure, Failure) and "mutualTLS" in failure.detail


def test_a_stand_in_gets_its_own_credentials_or_none() -> None:
    base = "http://127.0.0.1:9000"
    bare = send(asked((HEADER,)), {HOST: CANARY}, base, stand_in=True)
    assert isinstance(bare, Attached) and bare.secrets == ()
    own = send(asked((HEADER,)), {"GRETEL_CREDENTIAL_127_0_0_1_9000": "k"}, base, stand_in=True)
    assert isinstance(own, Attached) and headers(own)["X-Key"] == "k"


def test_a_resolver_that_knows_none() -> None:
    assert no_credentials(origin(SERVER), HEADER) is None


def test_a_host_of_which_the_document_says_nothing_gets_a_bearer_token() -> None:
    found = sent(**{HOST: CANARY})
    assert headers(found)["Authorization"] == f"Bearer {CANARY}"
    assert CANARY in found.secrets
    assert headers(sent(**{f"{HOST}___BEARER": "own", HOST: "x"}))["Authorization"] == "Bearer own"


@pytest.mark.parametrize(
    ("value", "name", "sent_as"),
    [
        ("Token abc", "Authorization", "Token abc"),
        ("Basic YW5uOngx", "Authorization", "Basic YW5uOngx"),
        ("X-API-Key: abc", "X-API-Key", "abc"),
        ("ann:word", "Authorization", "Bearer ann:word"),
    ],
)
def test_the_value_may_say_how_it_is_sent(value: str, name: str, sent_as: str) -> None:
    found = sent(**{HOST: value})
    assert headers(found)[name] == sent_as
    assert {sent_as, sent_as.split(" ")[-1]} <= known(found)


@pytest.mark.parametrize("name", ["Host", "content-length", "Transfer-Encoding", "Connection"])
def test_it_never_sets_what_frames_the_request(name: str) -> None:
    found = sent(**{HOST: f"{name}: evil"})
    assert found.secrets == () and "evil" not in headers(found).values()


@pytest.mark.parametrize("value", ["abc", "X-API-Key: abc"])
def test_a_required_header_that_is_named_as_a_key_carries_it(value: str) -> None:
    """Also where its variable names the header, as it may for a host that asks for nothing."""
    key = param("X-API-Key", required=True, location="header")
    binding = HttpBinding(method="GET", path="/x", servers=(SERVER,))
    found = send(tool("a.b", params=[key], binding=binding), {HOST: value})
    assert isinstance(found, Attached)
    assert headers(found)["X-API-Key"] == "abc"
    assert "Authorization" not in headers(found)


def test_a_key_that_the_caller_gives_stays() -> None:
    key = param("X-API-Key", required=True, location="header")
    binding = HttpBinding(method="GET", path="/x", servers=(SERVER,))
    wanted = tool("a.b", params=[key], binding=binding)
    request = build_request(wanted, {"X-API-Key": "mine"}, parse_server(SERVER))
    resolver = EnvironmentCredentials({HOST: CANARY})
    found = asyncio.run(attach(request, wanted, resolver, TokenIssuers(Policy(), no_tokens)))
    assert isinstance(found, Attached)
    assert headers(found)["X-API-Key"] == "mine"
    assert found.secrets == ()


def test_what_is_declared_open_gets_none() -> None:
    assert sent((), **{HOST: CANARY}).secrets == ()


def test_an_undeclared_credential_goes_to_its_own_origin_alone() -> None:
    here = {"GRETEL_CREDENTIAL_127_0_0_1_8000": CANARY}

    def secrets(server: str) -> tuple[str, ...]:
        found = send(asked(server=server), here, server)
        assert isinstance(found, Attached)
        return found.secrets

    assert CANARY in secrets("http://127.0.0.1:8000/v1")
    for other in ("8001", "80", "18000"):
        assert secrets(f"http://127.0.0.1:{other}") == ()
    for server in ("http://localhost:8000", "https://127.0.0.1.example.com:8000"):
        assert secrets(server) == ()


def test_an_undeclared_credential_does_not_go_out_in_clear() -> None:
    found = send(asked(server="http://api.example.com"), {HOST: CANARY}, "http://api.example.com")
    assert isinstance(found, Attached) and found.secrets == ()


@pytest.mark.parametrize("secret", ["a\r\nX-Evil: 1", "X-Key: \x00", "ключ"])
def test_an_undeclared_credential_that_breaks_a_header_is_not_sent(secret: str) -> None:
    assert sent(**{HOST: secret}).secrets == ()


def test_a_function_of_the_caller_is_asked_for_what_is_declared_alone() -> None:
    def known(origin: Origin, scheme: SecurityScheme) -> str:
        raise AssertionError("nothing is declared")

    request = build_request(asked(), {}, parse_server(SERVER))
    found = asyncio.run(attach(request, asked(), known, TokenIssuers(Policy(), no_tokens)))
    assert isinstance(found, Attached) and found.secrets == ()
