"""Tokens that an issuer chose so that other secrets end as they do; and tokens that a machine drew,
which another server repeats.
"""

import json

import httpx
import pytest

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.record import JsonObject
from gretel.contracts.tool import HttpBinding, SecurityScheme
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.network.wire_request import WireRequest
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.attached import with_secrets
from gretel.sandbox.secrets.oauth import ClientCredentials, Token
from gretel.text.foreign import excerpt, foreign
from gretel.text.redact import Redactor
from gretel.text.secrecy.values import is_drawn

OAUTH = SecurityScheme(name="o", kind="oauth2")
KEY = SecurityScheme(name="k", kind="apiKey", location="header", parameter="X-K")
REQUEST = WireRequest("GET", httpx.URL("https://api.example/list"), ())
SECRET, API_KEY, BASIC = "Zx9KqvTrW8mLpB4n", "kEy77QvZ31mnbT4n", "aWQ6Wng5S3F2VHJXOG1McEI0bg=="


@pytest.mark.parametrize("token", ["n", "4n", "=", "abcdefgh-12345"])
def test_secrets_that_end_as_a_token_are_the_users_own(token: str) -> None:
    issued = Token(token, (token, SECRET, BASIC), until=1e9)
    attached = with_secrets(REQUEST, {OAUTH: issued, KEY: API_KEY})

    assert {SECRET, API_KEY, BASIC} <= {*attached.chosen}
    assert {*attached.issued} == {token, f"Bearer {token}"}
    assert {*attached.with_word("token").issued} >= {token, f"Token {token}"}


DRAWN = {
    "base62": "Zx9KqvTr8Lm5Pd2Qw7Bn4YhJ",
    "base36": "k3j9x0q2m7f1v8z5w4b6",
    "hexadecimal": "9f86d081884c7d659a2feaa0c55ad015",
    "UUID": "0b8f3c1e-7a52-4d8e-9c64-2f1b7e9a3d05",
    "base64url": "q_LcP7vX-2mRtY9wZk3NfA8sHdJ4",
    "a vendor's": "acme_live_4fQ9zT2xW7kB3mN8",
    "JWT": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
}
WORDS = ["flights", "abcdefgh-12345", "search_flights_by_date_2", "2026-11-29-2026-12-03"]
WORDS += ["application/vnd.api+json", "SearchFlightsByDate2", "iso-8859-1_utf-8_utf-16"]
API, OTHER, ISSUER = "https://api.example", "https://other.example", "https://auth.example/token"


@pytest.mark.parametrize("kind", DRAWN)
def test_what_a_machine_drew_is_told_from_words(kind: str) -> None:
    assert is_drawn(DRAWN[kind])
    assert not any(map(is_drawn, WORDS))


class Repeating(httpx.AsyncBaseTransport):
    """An issuer of one token, an API, and a server that repeats that token in every answer."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        said: JsonObject = {"note": "none"}
        if request.method == "POST":
            said = {"access_token": self._token}
        if request.url.host == "other.example":
            said = {"note": f"somebody sent {self._token} here", "id": 7}
        return httpx.Response(200, content=json.dumps(said).encode())


async def repeated(token: str) -> str:
    """What is kept of the answer of a server to which the token was never sent."""
    oauth = SecurityScheme(name="o", kind="oauth2", token_url=ISSUER)
    binding = HttpBinding(method="GET", path="/x", servers=(API,), security=((oauth,),))
    other = HttpBinding(method="GET", path="/x", servers=(OTHER,))
    tools = [tool("a.b", binding=binding), tool("c.d", binding=other)]
    runner = HttpExecutor(
        Catalog.from_tools(tools),
        Policy(allow_hosts=frozenset({"api.example", "other.example", "auth.example"})),
        credentials=lambda origin, scheme: ClientCredentials("id", "s3cret-canary", ISSUER),
        transport=Repeating(token),
    )
    budget = Budget(call_s=5)
    assert (await runner.execute(plan("a.b"), budget=budget)).status == "succeeded"
    outcome = await runner.execute(plan("c.d"), budget=budget)
    assert outcome.status == "succeeded"
    return outcome.excerpt


@pytest.mark.parametrize("kind", DRAWN)
async def test_another_server_repeats_a_token_that_a_machine_drew(kind: str) -> None:
    assert DRAWN[kind] not in await repeated(DRAWN[kind])


@pytest.mark.parametrize("word", WORDS)
async def test_a_token_that_others_say_is_not_masked_there(word: str) -> None:
    assert word in await repeated(word)


@pytest.mark.parametrize("sent", ["{}", "Bearer {}", "id:{}", "sid={}; theme=dark"])
def test_who_calls_otherwise_knows_it_too(sent: str) -> None:
    """An MCP server, a function, a model: each has a redactor of its own."""
    token = DRAWN["base62"]
    calls = Redactor()
    with calls.during([sent.format(token)]), Redactor().during([]):
        assert token not in excerpt(f"somebody sent {token} here")
        assert token not in foreign(f"somebody sent {token[::-1]} or {token.encode().hex()}", 500)
    with Redactor().during([]):
        assert token not in excerpt(f"somebody sent {token} here"), "it was sent last"


def test_nobody_has_others_forgotten_by_giving_out_many() -> None:
    token, calls, greedy = DRAWN["base36"], Redactor(), Redactor()
    with calls.during([token]):
        pass
    for number in range(200):
        with greedy.during([f"k{number}j9x0q2m7f1v8z5w4b6"]):
            pass
    with Redactor().during([]):
        assert token not in excerpt(f"somebody sent {token} here")
