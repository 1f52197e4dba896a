"""The word before a token: learned from what a server refuses and takes, tried once."""

from collections.abc import Callable

import httpx
import pytest
from sandbox_runs import MakeExecutor

from fakes import plan, tool
from gretel.contracts.budget import Budget
from gretel.contracts.tool import HttpBinding, SecurityScheme, Tool
from gretel.contracts.trial import Outcome
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.environment import EnvironmentCredentials
from gretel.sandbox.secrets.forms import challenged

BUDGET = Budget(call_s=5)
API = "https://api.example.com"
HOST = "GRETEL_CREDENTIAL_API_EXAMPLE_COM"
CANARY = "canary-5f2a91"
KEY = SecurityScheme(name="key", kind="apiKey", location="header", parameter="Authorization")
LOGIN = SecurityScheme(name="login", kind="http", scheme="basic")


class Server:
    """Takes one value of the header Authorization, and refuses all others."""

    def __init__(self, takes: str, status: int = 401, challenge: str = "") -> None:
        self.takes, self.status, self.challenge = takes, status, challenge
        self.seen: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request.headers.get("Authorization", ""))
        if self.seen[-1] == self.takes:
            return httpx.Response(200, json={"echoed": self.takes, "rows": [1]})
        headers = {"WWW-Authenticate": self.challenge} if self.challenge else {}
        return httpx.Response(self.status, json={"detail": f"no: {self.seen[-1]}"}, headers=headers)


Asking = Callable[..., HttpExecutor]


@pytest.fixture
def asking(executor: MakeExecutor) -> Asking:
    def make(
        server: Server,
        *security: tuple[SecurityScheme, ...],
        value: str = CANARY,
        method: str = "GET",
    ) -> HttpExecutor:
        return executor(
            asked(*security, method=method),
            allow=("api.example.com",),
            credentials=EnvironmentCredentials({HOST: value}),
            transport=httpx.MockTransport(server),
        )

    return make


def asked(*security: tuple[SecurityScheme, ...], method: str = "GET") -> Tool:
    binding = HttpBinding(method=method, path="/x", servers=(API,), security=security)
    return tool("a.b", binding=binding)


async def called(runner: HttpExecutor) -> Outcome:
    outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    assert CANARY not in outcome.model_dump_json()
    return outcome


@pytest.mark.parametrize("status", [401, 403])
async def test_a_bare_key_that_is_refused_is_tried_as_a_bearer_token(
    status: int, asking: Asking
) -> None:
    server = Server(f"Bearer {CANARY}", status)
    runner = asking(server, (KEY,))
    assert (await called(runner)).status == "succeeded"
    assert server.seen == [CANARY, f"Bearer {CANARY}"]
    assert (await called(runner)).status == "succeeded"
    assert server.seen[2:] == [f"Bearer {CANARY}"]


@pytest.mark.parametrize("security", [(), ((KEY,),), ((KEY,), ())])
async def test_the_server_says_which_word_it_wants(
    security: tuple[tuple[SecurityScheme, ...], ...], asking: Asking
) -> None:
    server = Server(f"Token {CANARY}", challenge='Digest realm="a, Basic b", Token')
    assert (await called(asking(server, *security))).status == "succeeded"
    assert len(server.seen) == 2


async def test_a_name_and_a_password_may_be_what_is_wanted(asking: Asking) -> None:
    server = Server(f"Basic {'YW5uOmNhbmFyeS01ZjJhOTE='}", challenge='Basic realm="x"')
    outcome = await called(asking(server, value=f"ann:{CANARY}"))
    assert outcome.status == "succeeded" and "YW5u" not in outcome.excerpt


@pytest.mark.parametrize(
    ("challenge", "value", "security"),
    [
        ("", CANARY, ()),  # nothing says that another word is wanted
        ("Bearer", CANARY, ()),  # the word is right, the token is not
        ("Basic", CANARY, ()),
        ("Negotiate, DPoP", CANARY, ()),
        ("Token", f"Bearer {CANARY}", ()),  # the user said how it is sent
        ("Token", f"ann:{CANARY}", ((LOGIN,),)),
        ("Token", CANARY, ((),)),
    ],
)
async def test_nothing_else_is_tried(
    challenge: str, value: str, security: tuple[tuple[SecurityScheme, ...], ...], asking: Asking
) -> None:
    server = Server("never", challenge=challenge)
    assert (await called(asking(server, *security, value=value))).http_status == 401
    assert len(server.seen) == 1


async def test_a_call_that_may_change_something_is_sent_once(executor: MakeExecutor) -> None:
    server = Server("never", challenge="Token")
    policy = Policy(allow_hosts=frozenset({"api.example.com"}), safe_tools=frozenset({"a.b"}))
    runner = executor(
        asked((KEY,), method="POST"),
        policy=policy,
        credentials=EnvironmentCredentials({HOST: CANARY}),
        transport=httpx.MockTransport(server),
    )
    assert (await called(runner)).http_status == 401
    assert len(server.seen) == 1


async def test_it_is_given_up_where_no_word_helps(asking: Asking) -> None:
    server = Server("never", 403)
    runner = asking(server, (KEY,))
    for _ in range(5):
        outcome = await called(runner)
    assert outcome.http_status == 403
    assert server.seen.count(f"Bearer {CANARY}") == 3 and server.seen.count(CANARY) == 5


@pytest.mark.parametrize(
    ("challenge", "words"),
    [
        ("", ()),
        ("Token", ("token",)),
        ('Bearer realm="a", error="b"', ("bearer",)),
        ('Basic realm="a \\" Token, x", Bearer', ("basic", "bearer")),
        ("Bearer abc==, Token", ("bearer", "token")),
        ('NTLM, ApiKey realm="x" , charset = "y"', ("apikey",)),
        ("=, ,, \x00", ()),
    ],
)
def test_what_a_challenge_names(challenge: str, words: tuple[str, ...]) -> None:
    assert challenged(challenge) == words


COOKIE = SecurityScheme(name="session", kind="apiKey", location="cookie", parameter="sid")
QUERY = SecurityScheme(name="asked", kind="apiKey", location="query", parameter="api_key")
OAUTH = SecurityScheme(name="password", kind="oauth2", token_url="https://api.example.com/token")


class Placed:
    """Takes a secret in one place, and refuses it in all others."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.seen: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        places = {
            "query": request.url.params.get("api_key", ""),
            "cookie": request.headers.get("Cookie", ""),
            "header": request.headers.get("Authorization", ""),
        }
        self.seen += [place for place, value in places.items() if value]
        if places[self.place]:
            return httpx.Response(200, json={"rows": [1]})
        return httpx.Response(401, headers={"WWW-Authenticate": "Bearer"})


async def test_a_key_is_sent_in_the_place_that_the_document_names_next(asking: Asking) -> None:
    server = Placed("query")
    runner = asking(server, (OAUTH,), (QUERY,), (COOKIE,))
    assert (await called(runner)).status == "succeeded"
    assert server.seen == ["header", "query"]
    assert (await called(runner)).status == "succeeded"
    assert server.seen[2:] == ["query"]


async def test_a_place_that_does_not_help_makes_room_for_the_next(asking: Asking) -> None:
    server = Placed("cookie")
    runner = asking(server, (OAUTH,), (COOKIE,), (QUERY,))
    statuses = [(await called(runner)).status for _ in range(5)]
    assert statuses == ["failed"] * 3 + ["succeeded"] * 2
    assert server.seen == ["header", "query"] * 3 + ["header", "cookie", "cookie"]


@pytest.mark.parametrize("value", [CANARY, f"ann:{CANARY}"])
async def test_a_value_is_first_sent_as_what_it_looks_like(asking: Asking, value: str) -> None:
    server = Placed("header")
    assert (await called(asking(server, (COOKIE,), (LOGIN,), (KEY,), value=value))).http_status
    assert server.seen == ["header"]
