"""Tokens of client credentials: fetched where the user said, cached, dropped when refused."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs

import httpx
import pytest

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.errors import SandboxUnavailable
from gretel.contracts.tool import HttpBinding, SecurityScheme, Tool
from gretel.contracts.trial import Outcome
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.network.origin import Origin
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.credentials import Credential, CredentialResolver
from gretel.sandbox.secrets.oauth import ClientCredentials, Token, TokenIssuers

API = "https://api.example.com"
ISSUER = "https://auth.example.com/token"
SECRET = "s3cret-canary"
OWN = ClientCredentials("id", SECRET, ISSUER)
HOSTS = frozenset({"api.example.com", "auth.example.com"})


class Network(httpx.AsyncBaseTransport):
    """An API and an issuer of tokens; `tokens` are its answers, the last for good."""

    def __init__(self, *tokens: Any, status: int = 200, api_status: int = 200) -> None:
        self.tokens = list(tokens or [{"access_token": "t0k3n-1", "expires_in": 3600}])
        self.status, self.api_status = status, api_status
        self.seen: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        await asyncio.sleep(0)
        if request.method == "POST":
            answer = self.tokens.pop(0) if len(self.tokens) > 1 else self.tokens[0]
            if isinstance(answer, Exception):
                raise answer
            return httpx.Response(self.status, stream=Body(json.dumps(answer).encode()))
        body = json.dumps({"you_sent": request.headers.get("authorization")}).encode()
        return httpx.Response(self.api_status, stream=Body(body))

    def asked(self, method: str) -> list[httpx.Request]:
        return [request for request in self.seen if request.method == method]


class Body(httpx.AsyncByteStream):
    def __init__(self, content: bytes) -> None:
        self._content = content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._content


def secured(token_url: str | None = ISSUER) -> Tool:
    scheme = SecurityScheme(
        name="o", kind="oauth2", token_url=token_url, scopes=("read", "flights:list")
    )
    binding = HttpBinding(method="GET", path="/x", servers=(API,), security=((scheme,),))
    return tool("a.b", binding=binding)


def giving(found: Credential) -> CredentialResolver:
    return lambda origin, scheme: found


def executor(
    network: Network, resolver: CredentialResolver, asked: Tool | None = None, **policy: Any
) -> HttpExecutor:
    rules = Policy(**{"allow_hosts": HOSTS, **policy})
    found = asked or secured()
    return HttpExecutor(Catalog.from_tools([found]), rules, credentials=resolver, transport=network)


async def called(runner: HttpExecutor, call_s: float = 5) -> Outcome:
    return await runner.execute(plan("a.b"), budget=Budget(call_s=call_s))


async def test_a_token_is_fetched_and_used() -> None:
    network = Network()
    outcome = await called(executor(network, giving(OWN)))
    (asked,) = network.asked("POST")
    assert str(asked.url) == ISSUER
    assert asked.headers["authorization"] == f"Basic {OWN.basic}"
    form = parse_qs(asked.content.decode())
    assert form == {"grant_type": ["client_credentials"], "scope": ["read flights:list"]}
    assert network.asked("GET")[0].headers["authorization"] == "Bearer t0k3n-1"
    assert outcome.status == "succeeded" and "t0k3n-1" not in outcome.excerpt


async def test_concurrent_calls_share_one_token() -> None:
    network = Network()
    runner = executor(network, giving(OWN))
    await asyncio.gather(*(called(runner) for _ in range(20)))
    assert len(network.asked("POST")) == 1 and len(network.asked("GET")) == 20


async def test_the_environments_form() -> None:
    for text in (f"id:{SECRET}@{ISSUER}", OWN):
        network = Network()
        await called(executor(network, giving(text)))
        assert network.asked("POST")[0].headers["authorization"] == f"Basic {OWN.basic}"
    assert ClientCredentials.read("a-plain-token.of_any~kind=") is None


async def test_an_expired_token_is_fetched_anew() -> None:
    network, now = Network(), [0.0]
    issuers = TokenIssuers(
        Policy(allow_hosts=HOSTS), network.handle_async_request, now=lambda: now[0]
    )
    origin = Origin("https", "api.example.com", 443)
    for moment, fetched in ((0, 1), (3500, 1), (3571, 2)):
        now[0] = moment
        await issuers.token(OWN, origin, None, ())
        assert len(network.asked("POST")) == fetched


async def test_a_refused_token_is_not_used_again() -> None:
    network = Network({"access_token": "old-token"}, {"access_token": "new-token"}, api_status=401)
    runner = executor(network, giving(OWN))
    for _ in range(2):
        await called(runner)
    sent = [request.headers["authorization"] for request in network.asked("GET")]
    assert sent == ["Bearer old-token", "Bearer new-token"]


async def test_a_document_does_not_choose_who_sees_the_secret() -> None:
    network = Network()
    unnamed = ClientCredentials("id", SECRET)
    outcome = await called(executor(network, giving(unnamed), secured("https://evil.com/token")))
    assert outcome.failure and outcome.failure.kind == "missing_credential"
    assert "evil.com" in outcome.failure.detail and not network.seen


async def test_the_apis_own_origin_needs_no_naming() -> None:
    for url in (f"{API}/oauth/token", "/oauth/token"):
        network = Network()
        await called(executor(network, giving(ClientCredentials("id", SECRET)), secured(url)))
        assert str(network.asked("POST")[0].url) == f"{API}/oauth/token"


@pytest.mark.parametrize(
    "url",
    ["http://auth.example.com/token", "https://169.254.169.254/token", "https://10.0.0.1/token",
     "https://elsewhere.example/token", "file:///etc/passwd", "https://u:p@auth.example.com/token",
     "https://auth.example.com:22/token"],
)  # fmt: skip
async def test_the_issuer_passes_the_same_policy(url: str) -> None:
    network = Network()
    outcome = await called(executor(network, giving(ClientCredentials("id", SECRET, url))))
    assert outcome.status == "unavailable" and not network.seen
    assert outcome.failure and SECRET not in outcome.failure.detail


@pytest.mark.parametrize(
    ("answer", "status"),
    [({"access_token": ""}, 200), ({"access_token": "a\r\nb"}, 200), ({"access_token": 7}, 200),
     ([], 200), ("text", 200), ({"error": "invalid_client", "said": SECRET}, 401), ({}, 302),
     ({"access_token": "t", "token_type": "mac"}, 200), (httpx.ConnectError("no " + SECRET), 200),
     ({"error": SECRET}, 400), ({"x": "y" * 100_000}, 200)],
)  # fmt: skip
async def test_an_issuer_without_a_token(answer: Any, status: int) -> None:
    network = Network(answer, status=status)
    outcome = await called(executor(network, giving(OWN)))
    assert outcome.status == "unavailable" and not network.asked("GET")
    assert outcome.failure and outcome.failure.kind == "missing_credential"
    assert "auth.example.com" in outcome.failure.detail and SECRET not in outcome.failure.detail


@pytest.mark.parametrize(
    ("told", "renewed"),
    [("1" + "0" * 400, 86_400), ("-1" + "0" * 400, 0), ("1" + "0" * 4000, 86_400), ("1e999", 60),
     ("NaN", 60), ('"3600"', 60), ("null", 60), ("-5", 0), ("0.5", 1), ("86401", 86_400)],
)  # fmt: skip
async def test_any_life_that_an_issuer_tells(told: str, renewed: int) -> None:
    """In seconds, at most a day; what is no number is a minute."""
    body = f'{{"access_token": "t0k3n-1", "expires_in": {told}}}'.encode()
    asked, now = [0], [0.0]

    async def send(request: httpx.Request) -> httpx.Response:
        asked[0] += 1
        return httpx.Response(200, stream=Body(body))

    issuers = TokenIssuers(Policy(allow_hosts=HOSTS), send, now=lambda: now[0])
    origin = Origin("https", "api.example.com", 443)
    for moment, fetched in ((0, 1), (renewed / 2 - 1, 1), (renewed, 2)):
        now[0] = max(0.0, moment)
        if moment >= 0:
            assert isinstance(await issuers.token(OWN, origin, None, ()), Token)
            assert asked[0] == fetched


@pytest.mark.parametrize(("length", "taken"), [(8192, True), (8193, False), (16_000, False)])
async def test_a_token_is_no_longer_than_a_header(length: int, taken: bool) -> None:
    network = Network({"access_token": "a" * length})
    outcome = await called(executor(network, giving(OWN)))
    assert bool(network.asked("GET")) == taken
    if not taken:
        assert outcome.failure and outcome.failure.kind == "missing_credential"
        said = "auth.example.com gave a token of more than 8,192 characters."
        assert outcome.failure.detail == said


async def test_a_stand_in_gets_no_tokens_of_others() -> None:
    network = Network()
    await called(executor(network, giving(OWN), base_url="http://127.0.0.1:9000"))
    assert not network.asked("POST") and "authorization" not in network.asked("GET")[0].headers


async def test_a_resolver_may_be_asynchronous() -> None:
    async def vault(origin: Origin, scheme: SecurityScheme) -> str:
        await asyncio.sleep(0)
        return f"{origin.host}-token"

    network = Network()
    await called(executor(network, vault))
    assert network.asked("GET")[0].headers["authorization"] == "Bearer api.example.com-token"


async def test_a_slow_resolver_is_not_waited_for() -> None:
    async def slow(origin: Origin, scheme: SecurityScheme) -> str:
        await asyncio.sleep(60)
        return "late"

    outcome = await called(executor(Network(), slow), call_s=0.1)
    assert outcome.failure and "in time" in outcome.failure.detail


async def test_a_broken_resolver_says_nothing_of_its_secrets() -> None:
    def broken(origin: Origin, scheme: SecurityScheme) -> str:
        raise ValueError(f"cannot decrypt {SECRET}")

    with pytest.raises(SandboxUnavailable) as caught:
        await called(executor(Network(), broken))
    error = caught.value
    assert SECRET not in str(error) and error.__cause__ is None and error.__context__ is None


def test_no_repr_shows_a_secret() -> None:
    assert SECRET not in repr(OWN)
