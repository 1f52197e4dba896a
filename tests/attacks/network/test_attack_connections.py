"""Servers that abuse the connection: more than one answer at once, and framing without an end."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

import pytest
from arena import BUDGET, LyingNames

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.tool import HttpBinding, SecurityScheme
from gretel.contracts.trial import Outcome
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.permission.policy import Policy
from gretel.sandbox.secrets.credentials import no_credentials
from lanes import every

BEARER = ((SecurityScheme(name="k", kind="http", scheme="bearer"),),)
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
    asked: int


async def called(serve: Serve, calls: int, pause_s: float = 0.0, *, key: bool = False) -> Seen:
    """What comes of so many calls, one after the other, with a key where the server asks for it."""
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
    asked_for = tool("a.b", binding=binding(f"http://{place}", BEARER if key else ()))
    rules = Policy(frozenset({place}))
    executor = HttpExecutor(
        Catalog.from_tools([asked_for]),
        rules,
        credentials=(lambda origin, scheme: "t0k3n-canary") if key else no_credentials,
        resolver=LyingNames({}),
    )
    made = []
    for _ in range(calls):
        made.append(await executor.execute(plan("a.b"), budget=BUDGET))
        await asyncio.sleep(pause_s)
    await executor.aclose()
    server.close()
    return Seen(made, sent, connections, asked)


def binding(server: str, security: tuple[tuple[SecurityScheme, ...], ...]) -> HttpBinding:
    return HttpBinding(method="GET", path="/b", servers=(server,), security=security)


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


OTHER_WORD = answer({}).replace(b"200 OK", b"401 Unauthorized\r\nWWW-Authenticate: Token")
DEATH = b""
"""Of a connection, without a word."""
BEGUN = (b"XYZ\r\n\r\n", b"HTTP/1.1 200 OK\r\nX-A: b", b"HTTP/1.1 102 Processing\r\n\r\n", b"H")


def in_turn(*answers: bytes) -> Serve:
    """The first request is answered, the next ones as given, and those behind them again."""

    async def serve(number: int) -> AsyncIterator[bytes]:
        said = dict(enumerate(answers, 2)).get(number, answer({"city": "Oslo"}))
        yield said
        if said in (*BEGUN, DEATH):
            raise ConnectionResetError

    return serve


@pytest.mark.parametrize("begun", BEGUN, ids=repr)
async def test_a_call_whose_answer_had_begun_is_not_sent_again(begun: bytes) -> None:
    seen = await called(in_turn(begun), 2)

    assert seen.asked == 2 and seen.outcomes[1].status == "failed"


async def test_a_call_that_nothing_answered_is_sent_again() -> None:
    seen = await called(in_turn(DEATH), 2)

    assert seen.asked == 3 and seen.outcomes[1].status == "succeeded"


@pytest.mark.parametrize(
    "answers", [(DEATH, OTHER_WORD), (OTHER_WORD, DEATH)], ids=["dies", "asks"]
)
async def test_no_call_is_sent_three_times(answers: tuple[bytes, ...]) -> None:
    """Not where its connection dies, and its server asks for another word too."""
    seen = await called(in_turn(*answers), 2, key=True)

    assert seen.asked == 3 and seen.outcomes[1].http_status == 401


async def test_another_word_is_tried_once() -> None:
    seen = await called(in_turn(OTHER_WORD), 2, key=True)

    assert seen.asked == 3 and seen.outcomes[1].status == "succeeded"


HELLOS = {
    "in records": bytes.fromhex("160303000400000000") * 7_000,
    "in one record": b"\x16\x03\x03" + (16_000).to_bytes(2, "big") + bytes(16_000),
}


@pytest.mark.parametrize("name", HELLOS)
async def test_a_greeting_of_tls_comes_to_an_end(name: str) -> None:
    """A server may ask for a greeting as often as it likes, before it shows who it is."""
    sent = 0

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        with contextlib.suppress(ConnectionError):
            while not reader.at_eof():
                writer.write(HELLOS[name])
                await writer.drain()
                sent += len(HELLOS[name])
                await asyncio.sleep(0)
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    place = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    executor = HttpExecutor(
        Catalog.from_tools([tool("a.b", server=f"https://{place}")]),
        Policy(frozenset({place})),
        credentials=no_credentials,
        resolver=LyingNames({}),
    )
    outcome = await executor.execute(plan("a.b"), budget=BUDGET)
    await executor.aclose()
    server.close()

    assert outcome.failure is not None and "greeting" in outcome.failure.detail
    assert sent < 8_000_000  # what the sockets of both sides hold
