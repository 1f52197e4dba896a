"""The gate before an origin: concurrency, rate, breaker; and what is sent twice."""

import asyncio
import itertools
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpcore
import httpx
import pytest
from sandbox_runs import MakeExecutor

from fakes import plan, tool
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import HttpBinding, ToolId
from gretel.contracts.trial import Outcome
from gretel.sandbox.http.executor import HttpExecutor
from gretel.sandbox.network.gate import Gate, OriginLimits
from gretel.sandbox.permission.policy import Policy
from hostile_server import FOUND

BUDGET = Budget(call_s=5)
API = "https://api.example.com"
BRITTLE = OriginLimits(failures=3, cooldown_s=60, per_second=None)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_an_origin_that_is_silent_is_left_alone_and_probed() -> None:
    clock = Clock()
    gate = Gate(BRITTLE, now=clock)
    for _ in range(3):
        assert gate.cooldown_s() == 0
        gate.record(answered=False)
    assert gate.cooldown_s() == 60
    clock.time += 61
    assert gate.cooldown_s() == 0  # the probe
    assert gate.cooldown_s() == 60  # the others wait for it
    gate.record(answered=True)
    assert gate.cooldown_s() == 0


def test_any_answer_starts_the_count_again() -> None:
    gate = Gate(BRITTLE, now=Clock())
    for answered in [False, False, True] * 5:
        gate.record(answered=answered)
        assert gate.cooldown_s() == 0


async def test_a_second_s_worth_starts_at_once_and_the_rest_is_spread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(round(seconds, 3))

    monkeypatch.setattr(asyncio, "sleep", sleep)
    gate = Gate(OriginLimits(per_second=10), now=Clock())
    for _ in range(13):
        async with gate.acquire(wait_s=9):
            pass
    assert waits == [0.1, 0.2, 0.3]


@pytest.mark.parametrize(
    "wrong", [{"at_once": 0}, {"per_second": 0}, {"failures": -1}, {"cooldown_s": float("inf")}]
)
def test_limits_are_above_zero(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(wrong))):
        OriginLimits(**wrong)  # type: ignore[arg-type]  # numbers of the wrong kind


def silent(executor: MakeExecutor, policy: Policy, error: Exception) -> tuple[HttpExecutor, list]:
    """An executor whose server never answers, and what reached it."""
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        raise error

    asked = tool("a.b", server=API)
    return executor(asked, policy=policy, transport=httpx.MockTransport(answer)), sent


@pytest.mark.parametrize("error", [httpcore.ConnectError("no"), httpcore.ReadTimeout("no")])
async def test_a_dead_origin_is_not_called_again(error: Exception, executor: MakeExecutor) -> None:
    policy = Policy(frozenset({"api.example.com"}), limits=BRITTLE)
    runner, sent = silent(executor, policy, error)
    outcomes = [await runner.execute(plan("a.b"), budget=BUDGET) for _ in range(5)]
    assert len(sent) == 3
    assert [outcome.status for outcome in outcomes] == ["failed"] * 3 + ["unavailable"] * 2
    last = outcomes[-1].failure
    # The calls before it asked the server: it is out, and not left alone for a whim of ours.
    assert last is not None and (last.kind, last.fault) == ("connection", "tool")
    assert "not called for another" in last.detail


async def test_a_stand_in_is_never_left_alone(executor: MakeExecutor) -> None:
    policy = Policy(base_url=API, limits=BRITTLE)
    runner, sent = silent(executor, policy, httpcore.ConnectError("no"))
    for _ in range(5):
        await runner.execute(plan("a.b"), budget=BUDGET)
    assert len(sent) == 5


async def test_the_limit_of_calls_at_once_is_the_users(executor: MakeExecutor) -> None:
    running: list[int] = []
    peak = 0

    async def answer(request: httpx.Request) -> httpx.Response:
        nonlocal peak
        running.append(1)
        peak = max(peak, len(running))
        await asyncio.sleep(0.01)
        running.pop()
        return httpx.Response(200, json={"a": 1})

    policy = Policy(frozenset({"api.example.com"}), limits=OriginLimits(at_once=2))
    runner = executor(tool("a.b", server=API), policy=policy, transport=httpx.MockTransport(answer))
    await asyncio.gather(*(runner.execute(plan("a.b"), budget=BUDGET) for _ in range(6)))
    assert peak == 2


@pytest.mark.slow
async def test_a_call_that_gets_no_turn_is_no_failure_of_its_tool(executor: MakeExecutor) -> None:
    """Waiting counts: a call ends within its time, and is not sent with less than half of it."""
    release, sent = asyncio.Event(), []

    async def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        await (release.wait() if len(sent) == 1 else asyncio.sleep(60))
        return httpx.Response(200, json={"a": 1})

    policy = Policy(frozenset({"api.example.com"}), limits=OriginLimits(at_once=1))
    runner = executor(tool("a.b", server=API), policy=policy, transport=httpx.MockTransport(answer))
    first = asyncio.ensure_future(runner.execute(plan("a.b"), budget=BUDGET))
    await asyncio.sleep(0)
    outcome = await runner.execute(plan("a.b"), budget=Budget(call_s=0.2))
    assert (outcome.status, outcome.source, len(sent)) == ("unavailable", "none", 1)
    assert outcome.failure is not None and "busy for 0.1 s" in outcome.failure.detail

    waiting = asyncio.ensure_future(runner.execute(plan("a.b"), budget=Budget(call_s=1)))
    await asyncio.sleep(0.2)
    release.set()
    await first
    late = await waiting
    assert late.failure is not None and late.failure.kind == "timeout"
    limit = re.search(r"within (0\.\d+) s", late.failure.detail)
    assert limit is not None and 0.5 <= float(limit[1]) < 0.85


@asynccontextmanager
async def hanging_up(*answers: bytes) -> AsyncIterator[tuple[str, list[bytes]]]:
    """A server that gives one of `answers` to each request, and hangs up at an empty one."""
    heads: list[bytes] = []
    numbers = itertools.count()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.read(4096):
            heads.append(head)
            sent = answers[min(next(numbers), len(answers) - 1)]
            if not sent:
                break
            writer.write(sent)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", heads


KEPT = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(FOUND), FOUND)


async def second_of_two(
    host: str, method: str, executor: MakeExecutor, path: str = "/x"
) -> Outcome:
    binding = HttpBinding(method=method, path=path, servers=(f"http://{host}",))
    policy = Policy(frozenset({host}), safe_tools=frozenset({ToolId("a.b")}))
    runner = executor(tool("a.b", binding=binding), policy=policy)
    assert (await runner.execute(plan("a.b"), budget=BUDGET)).status == "succeeded"
    return await runner.execute(plan("a.b"), budget=BUDGET)


async def test_a_safe_call_on_a_dead_idle_connection_is_sent_again(executor: MakeExecutor) -> None:
    async with hanging_up(KEPT, b"", KEPT) as (host, heads):
        outcome = await second_of_two(host, "GET", executor)
    assert (outcome.status, len(heads)) == ("succeeded", 3)


async def test_it_is_sent_again_only_once(executor: MakeExecutor) -> None:
    async with hanging_up(KEPT, b"", b"", KEPT) as (host, heads):
        outcome = await second_of_two(host, "GET", executor)
    assert (outcome.status, len(heads)) == ("failed", 3)


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/x"), ("PUT", "/x"), ("PATCH", "/x"), ("DELETE", "/x"), ("GET", "/users/delete")],
)
async def test_no_other_call_is_sent_twice(method: str, path: str, executor: MakeExecutor) -> None:
    async with hanging_up(KEPT, b"", KEPT) as (host, heads):
        outcome = await second_of_two(host, method, executor, path)
    assert (outcome.status, len(heads)) == ("failed", 2)
    assert outcome.failure is not None and outcome.failure.kind == "connection"


async def test_a_first_connection_that_dies_is_the_answer(executor: MakeExecutor) -> None:
    async with hanging_up(b"") as (host, heads):
        runner = executor(tool("a.b", server=f"http://{host}"), allow=(host,))
        outcome = await runner.execute(plan("a.b"), budget=BUDGET)
    assert (outcome.status, len(heads)) == ("failed", 1)
