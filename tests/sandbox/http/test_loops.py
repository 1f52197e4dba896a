"""Event loops that come and go, as in a program that runs one for each request."""

import asyncio

import httpx

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy

SERVER = "http://127.0.0.1:8000"


def test_the_connections_of_a_loop_that_ended_are_let_go() -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def answer(_: httpx.Request) -> httpx.Response:
        loops.append(asyncio.get_running_loop())  # as an open connection does
        return httpx.Response(200, json=[42])

    executor = HttpExecutor(
        Catalog.from_tools([tool("A.look", server=SERVER)]),
        Policy(base_urls=frozenset({SERVER})),
        transport=httpx.MockTransport(answer),
    )
    for _ in range(3):
        outcome = asyncio.run(executor.execute(plan("A.look"), budget=Budget()))
        assert outcome.status == "succeeded"

    assert len(loops) == 3
    assert [*executor._sessions] == loops[-1:]
