"""Issuers of tokens that answer without an end: what is read of them is as short as a token."""

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.tool import HttpBinding, SecurityScheme
from gretel.contracts.trial import Failure, Outcome
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.network.origin import Origin
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.oauth import ClientCredentials, TokenIssuers
from hostile_server import CHUNKED, METADATA, HostileServer, answer
from lanes import every

SECRET = "s3cret-canary"
BUDGET = Budget(call_s=3.0)
MOST = 8_000_000
"""What the sockets of both sides hold, and what is read, with room."""


class Issuer(HostileServer):
    """`written` counts the bytes that clients took, or that lie on their way."""

    written = 0

    async def _pour(self, writer: asyncio.StreamWriter, head: bytes, drop: bytes) -> None:
        writer.write(head)
        while True:
            writer.write(drop)
            self.written += len(drop)
            await writer.drain()
            await asyncio.sleep(0)

    async def on_framing(self, writer: asyncio.StreamWriter) -> None:
        """Chunks of a byte, each with an extension of 4 KB that no body shows."""
        await self._pour(writer, CHUNKED, b"1;" + b"x" * 4096 + b"\r\n{\r\n")

    async def on_one_byte_chunks(self, writer: asyncio.StreamWriter) -> None:
        await self._pour(writer, CHUNKED, b"1\r\n \r\n" * 10_000)

    async def on_trailers(self, writer: asyncio.StreamWriter) -> None:
        await self._pour(writer, CHUNKED + b"2\r\n{}\r\n0\r\n", b"X: a\r\n" * 1_000)

    async def on_chunk_size(self, writer: asyncio.StreamWriter) -> None:
        await self._pour(writer, CHUNKED, b"0" * 65_536)

    async def on_hints(self, writer: asyncio.StreamWriter) -> None:
        await self._pour(writer, b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 1_000)

    async def on_body(self, writer: asyncio.StreamWriter) -> None:
        await self._pour(writer, b"HTTP/1.1 200 OK\r\n\r\n", b" " * 65_536)

    async def on_deep(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b'{"access_token": ' + b"[" * 20_000))

    async def on_elsewhere(self, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b"", f"Location: {METADATA}", status="307 Temporary Redirect"))

    async def on_long_number(self, writer: asyncio.StreamWriter) -> None:
        body = b'{"access_token": "t0k3n", "expires_in": ' + b"9" * 20_000 + b"}"
        writer.write(answer(body))


@pytest.fixture
async def issuer() -> AsyncIterator[Issuer]:
    async with Issuer() as server:
        yield server


async def asked(issuer: Issuer, behaviour: str) -> Outcome:
    """What comes of a call whose token is to come from there."""
    own = ClientCredentials("id", SECRET, issuer.url(behaviour))
    scheme = SecurityScheme(name="o", kind="oauth2", token_url=own.token_url, scopes=())
    servers = ("https://api.example.com",)
    binding = HttpBinding(method="GET", path="/x", servers=servers, security=((scheme,),))
    rules = Policy(frozenset({"api.example.com", issuer.host}))
    catalog = Catalog.from_tools([tool("a.b", binding=binding)])
    runner = HttpExecutor(catalog, rules, credentials=lambda origin, scheme: own)
    try:
        async with asyncio.timeout(BUDGET.credential_s + 1):
            return await runner.execute(plan("a.b"), budget=BUDGET)
    finally:
        await runner.aclose()


@pytest.mark.parametrize(
    "behaviour",
    every(
        2,
        [
            *("framing", "one_byte_chunks", "trailers", "chunk_size", "hints", "body"),
            *("gzip_bomb", "deflate_bomb", "endless_empty_gzip", "endless_head", "big_header"),
            *("deep", "long_number", "elsewhere", "brotli", "tcp_cut", "close"),
        ],
    ),
)
async def test_an_answer_without_an_end_gives_no_token(issuer: Issuer, behaviour: str) -> None:
    outcome = await asked(issuer, behaviour)

    assert issuer.written < MOST
    assert outcome.status == "unavailable" and outcome.failure is not None
    assert outcome.failure.kind == "missing_credential"
    assert SECRET not in json.dumps(outcome.model_dump(mode="json"))
    assert len(issuer.requests) == 1


async def test_chunks_of_a_byte_leave_other_tasks_their_turn(issuer: Issuer) -> None:
    """What lies ready is parsed without a pause; a time limit would wait for its end."""
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += issuer.written > 0
            await asyncio.sleep(0)

    beside = asyncio.create_task(other())
    await asked(issuer, "one_byte_chunks")
    beside.cancel()

    assert turns > 100


@pytest.mark.slow
@pytest.mark.parametrize(
    "behaviour", ["slow_body", "slow_head", "slow_chunks", "slow_gzip", "endless"]
)
async def test_an_answer_that_drips_gives_no_token(issuer: Issuer, behaviour: str) -> None:
    outcome = await asked(issuer, behaviour)

    assert outcome.failure is not None and outcome.failure.kind == "missing_credential"


@pytest.mark.parametrize(
    "path",
    [
        *("/users/7/delete", "/transfer-funds", "/x?action=delete", "/x?_method=DELETE"),
        *("/users/7/%64elete", "/deleteUser?x=1", "/x?operationName=purgeAll", "/account/logout"),
        *("/posts/5/hide", "/posts/5/hide/", "/payments/5/authorize", "/x?operationName=HidePost"),
    ],
)
async def test_a_document_chooses_no_change_as_its_token_url(path: str) -> None:
    """Tokens are asked for by POST, with the credentials of the user's program."""
    origin = Origin("https", "api.example.com", 443)
    sent: list[str] = []

    async def send(request: httpx.Request) -> httpx.Response:
        sent.append(str(request.url))
        return httpx.Response(404, stream=httpx.ByteStream(b""))

    issuers = TokenIssuers(Policy(frozenset({"api.example.com"})), send)
    refused = await issuers.token(ClientCredentials("id", SECRET), origin, path, ())
    assert sent == [] and isinstance(refused, Failure) and "changes something" in refused.detail
    for own, documented in (
        (ClientCredentials("id", SECRET, f"https://api.example.com{path}"), path),
        (ClientCredentials("id", SECRET), "/oauth2/v2.0/token?p=sign_in"),
    ):
        await issuers.token(own, origin, documented, ())
    assert len(sent) == 2


async def test_scopes_without_an_end_are_not_asked_for() -> None:
    """They are written into the body of a request on the event loop, sign by sign."""
    sent: list[httpx.Request] = []

    async def send(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(404, stream=httpx.ByteStream(b""))

    issuers = TokenIssuers(Policy(frozenset({"api.example.com"})), send)
    origin, own = Origin("https", "api.example.com", 443), ClientCredentials("id", SECRET)
    refused = await issuers.token(own, origin, "/token", ["ж" * 500] * 19_000)
    assert sent == [] and isinstance(refused, Failure) and "scopes" in refused.detail
    await issuers.token(own, origin, "/token", ["https://www.example.com/auth/read"] * 200)
    assert len(sent) == 1


@pytest.mark.parametrize(
    "path",
    [
        *("/oauth2/authorize", "/oauth/token/", "/token/exchange/", "/connect/token/v2"),
        *("/api/v1/auth/token", "/auth/login", "/token/issue", "/oauth/access_token", "/api/token"),
        *("/realms/a/protocol/openid-connect/token", "/oauth/grant", "/identity/token/generate"),
    ],
)
async def test_an_issuer_of_tokens_is_asked(path: str) -> None:
    sent: list[str] = []

    async def send(request: httpx.Request) -> httpx.Response:
        sent.append(str(request.url))
        return httpx.Response(404, stream=httpx.ByteStream(b""))

    issuers = TokenIssuers(Policy(frozenset({"api.example.com"})), send)
    origin = Origin("https", "api.example.com", 443)
    await issuers.token(ClientCredentials("id", SECRET), origin, path, ())
    assert sent == [f"https://api.example.com{path}"]
