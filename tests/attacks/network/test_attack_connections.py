"""Servers that abuse the connection: more than one answer at once, and framing without an end."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

import pytest
from arena import BUDGET, LyingNames

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.trial import Outcome
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.credentials import no_credentials
from lanes import every

Serve = Callable[[int], AsyncIterator[bytes]]
"""The bytes that answer the n-th request of a server, piece by piece."""


def answer(value: object) -> bytes:
    body = json.dumps(value).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


class Seen(NamedTuple):
    """What came of calls, and what the server saw."""

    outcomes: list[Outcome]
    sent: int
    connections: int


async def called(serve: Serve, calls: int, pause_s: float = 0.0) -> Seen:
    """What comes of so many calls, one after the other."""
    asked = sent = connections = 0

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked, sent, connections
        connections += 1
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                asked += 1
                async for part in serve(asked):
                    writer.write(part)
                    await writer.drain()
                    sent += len(part)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    place = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    asked_for = tool("a.b", server=f"http://{place}")
    rules = Policy(frozenset({place}))
    executor = HttpExecutor(
        Catalog.from_tools([asked_for]),
        rules,
        credentials=no_credentials,
        resolver=LyingNames({}),
    )
    made = []
    for _ in range(calls):
        made.append(await executor.execute(plan("a.b"), budget=BUDGET))
        await asyncio.sleep(pause_s)
    await executor.aclose()
    server.close()
    return Seen(made, sent, connections)


BEHIND = {
    "answer": answer({"smuggled": True}),
    "half-answer": answer({"smuggled": True})[:40],
    "informational": b"HTTP/1.1 103 Early Hints\r\n\r\n",
    "junk": b"junk junk",
    "line-break": b"\r\n",
}
"""What a server sends behind its answer."""


@pytest.mark.parametrize("pause_s", [0.0, 0.1])
@pytest.mark.parametrize("name", every(3, BEHIND))
async def test_what_stands_behind_an_answer_answers_nothing(name: str, pause_s: float) -> None:
    async def serve(number: int) -> AsyncIterator[bytes]:
        yield answer({"city": f"own {number}"}) + BEHIND[name]

    seen = await called(serve, 3, pause_s)

    assert [outcome.excerpt for outcome in seen.outcomes] == [
        json.dumps({"city": f"own {number}"}, separators=(",", ":")) for number in (1, 2, 3)
    ]


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
FRAMING = {
    "chunk-extensions": (CHUNKED, b"1;x=" + b"y" * 60_000 + b"\r\na\r\n"),
    "tiny-chunks": (CHUNKED, b"1\r\na\r\n" * 1_000),
    "informational": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 1_000),
}
"""What begins an answer, and what is repeated without an end."""


@pytest.mark.parametrize("name", every(3, FRAMING))
async def test_framing_counts_on_the_wire(name: str) -> None:
    head, more = FRAMING[name]

    async def serve(number: int) -> AsyncIterator[bytes]:
        yield head
        while True:
            yield more

    seen = await called(serve, 1)

    failure = seen.outcomes[0].failure
    assert failure is not None and failure.kind == "protocol"
    assert "on the wire" in failure.detail or "chunks" in failure.detail
    assert seen.sent < 100 * BUDGET.bytes_wire


async def test_answers_that_only_announce_others_come_to_an_end() -> None:
    async def serve(number: int) -> AsyncIterator[bytes]:
        yield b"HTTP/1.1 100 Continue\r\n\r\n" * 6_000 + answer({"city": "Oslo"})

    outcome = (await called(serve, 1)).outcomes[0]

    assert outcome.failure is not None and outcome.failure.kind == "protocol"
    assert "does not begin" in outcome.failure.detail


async def test_an_honest_connection_is_kept() -> None:
    async def serve(number: int) -> AsyncIterator[bytes]:
        yield answer({"city": "Oslo"})

    seen = await called(serve, 3)

    assert [outcome.status for outcome in seen.outcomes] == ["succeeded"] * 3
    assert seen.connections == 1
