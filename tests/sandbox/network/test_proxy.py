"""Calls through a proxy that the user named."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sandbox_runs import MakeExecutor

from fakes import plan, tool
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.trial import Outcome
from gretel.sandbox.permission.policy import Policy
from hostile_server import ANSWERS

BUDGET = Budget(call_s=10)
HOST = "api.example.com"
GRANTED = b"HTTP/1.1 200 Connection established\r\n\r\n"


async def public(host: str, port: int) -> list[str]:
    return ["93.184.216.34"]


async def inner(host: str, port: int) -> list[str]:
    return ["10.0.0.1"]


@asynccontextmanager
async def proxy(reply: bytes) -> AsyncIterator[tuple[str, list[bytes]]]:
    """A proxy that replies so, and then is the server as well; what it was sent."""
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(reply)
        if reply == GRANTED:
            heads.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(ANSWERS["ok"])
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", heads


async def through(url: str, executor: MakeExecutor, resolver: object = public) -> Outcome:
    policy = Policy(frozenset({HOST}), proxy=url)
    runner = executor(tool("a.b", server=f"http://{HOST}"), policy=policy, resolver=resolver)
    return await runner.execute(plan("a.b"), budget=BUDGET)


async def test_a_call_goes_to_the_checked_address(executor: MakeExecutor) -> None:
    async with proxy(GRANTED) as (url, heads):
        outcome = await through(url, executor)
    assert outcome.status == "succeeded"
    assert heads[0].startswith(b"CONNECT 93.184.216.34:80 HTTP/1.1\r\n")
    assert b"Host: api.example.com\r\n" in heads[1]


async def test_an_inner_address_does_not_even_reach_the_proxy(executor: MakeExecutor) -> None:
    async with proxy(GRANTED) as (url, heads):
        outcome = await through(url, executor, inner)
    assert outcome.failure is not None and outcome.failure.kind == "host_not_allowed"
    assert heads == []


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (b"HTTP/1.1 403 Forbidden\r\n\r\n", "host_not_allowed"),
        (b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "connection"),
        (b"HTTP/1.1 407 No\r\nX-Smokescreen-Error: denied\r\n\r\n", "host_not_allowed"),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n", "connection"),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n", "connection"),
        (b"nonsense\r\n\r\n", "connection"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"a" * 20_000, "connection"),
        (b"", "connection"),
    ],
)
async def test_a_proxy_that_gives_no_tunnel_is_ours(
    reply: bytes, kind: str, executor: MakeExecutor
) -> None:
    async with proxy(reply) as (url, heads):
        outcome = await through(url, executor)
    assert (outcome.status, len(heads)) == ("unavailable", 1)
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.fault) == (kind, "ours")


@pytest.mark.parametrize("url", ["https://proxy.test", "socks5://proxy.test", "proxy.test:80"])
def test_an_unusable_proxy_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError):
        Policy(proxy=url)
