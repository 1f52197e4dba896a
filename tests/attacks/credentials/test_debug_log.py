"""What a server says on a broken line of its answer is in no log of the libraries below us."""

import logging

import pytest

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.tool import HttpBinding
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.credentials import no_credentials
from hostile_server import CHUNKED, HostileServer

CANARY = "canary-5f2a91"
BROKEN = {
    "a chunk's size": CHUNKED + f"{CANARY}\r\n".encode(),
    "a chunk's end": CHUNKED + f"1\r\na{CANARY}\r\n".encode(),
    "a header": f"HTTP/1.1 200 OK\r\n{CANARY} no colon\r\n\r\n".encode(),
    "a status": f"{CANARY}\r\n\r\n".encode(),
}


@pytest.mark.parametrize("place", BROKEN)
async def test_a_broken_answer_is_in_no_debug_log(
    place: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    class Broken(HostileServer):
        async def on_odd(self, writer: object) -> None:
            writer.write(BROKEN[place])  # type: ignore[attr-defined]

    async with Broken() as server:
        binding = HttpBinding(method="GET", path="/odd", servers=(server.url().rstrip("/"),))
        catalog = Catalog.from_tools([tool("a.b", binding=binding)])
        rules = Policy(frozenset({server.host}))
        runner = HttpExecutor(catalog, rules, credentials=no_credentials)
        outcome = await runner.execute(plan("a.b"), budget=Budget())
        await runner.aclose()

    assert outcome.failure and outcome.failure.kind == "protocol"
    assert CANARY not in caplog.text
