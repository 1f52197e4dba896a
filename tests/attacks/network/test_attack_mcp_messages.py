"""Messages of MCP servers with very many entries, or that are none: nothing waits for them."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile_mcp import RESULTS, TOOL, HostileMcp
from test_attack_mcp import LOOK, called, command, servers_of

from fakes import plan
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ServiceUnreachable
from gretel.contracts.trial import CallResult
from gretel.integrations.mcp import McpServers
from gretel.sandbox.permission.policy import Policy
from hostile_server import answer

BLOCKS = {"content": [{"type": "text", "text": "x"}] * 500}
TOOLS = {"tools": [TOOL] + [TOOL | {"name": f"t{number}"} for number in range(500)]}
MANY = {"tools/call": BLOCKS, "tools/list": TOOLS}
PATIENT = Budget(call_s=20.0)
"""On a busy machine, too, a failure comes before its deadline."""


async def patiently(servers: McpServers) -> CallResult:
    """The result of a call."""
    return await servers.call(plan(LOOK), budget=PATIENT)


class Many(HostileMcp):
    """Answers as it should, at length, in one body or as an event."""

    events = False

    def reply(self, message: dict[str, Any], result: dict[str, Any] | None = None) -> bytes:
        whole = super().reply(message, result or MANY.get(message.get("method", "")))
        if not self.events or "id" not in message:
            return whole
        body = b"data: " + whole.partition(b"\r\n\r\n")[2] + b"\n\n"
        return answer(body, "Mcp-Session-Id: s1", kind="text/event-stream")


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many entries the client was given to check, result by result."""
    from mcp_types import methods

    counts: list[int] = []
    check = methods.validate_server_result

    def noted(method: str, version: str, raw: dict[str, Any], **rest: Any) -> Any:
        counts.append(sum(len(value) for value in raw.values() if isinstance(value, list)))
        return check(method, version, raw, **rest)

    monkeypatch.setattr("mcp.client.session._methods.validate_server_result", noted)
    yield counts


@pytest.mark.parametrize("events", [False, True])
async def test_entries_are_not_checked_on_the_event_loop(events: bool, checked: list[int]) -> None:
    async with Many() as server:
        server.events = events
        servers = servers_of(server, "none/such")
        catalog = await servers.catalog()
        result = await patiently(servers)
        await servers.aclose()

    assert len(catalog) == 501
    assert result.body == "\n".join("x" * 500)
    assert checked and max(checked) < 10


async def test_entries_of_a_command_are_not_checked_on_the_event_loop(
    tmp_path: Path, checked: list[int]
) -> None:
    many = "RESULTS['tools/call'] = {'content': [{'type': 'text', 'text': 'x'}] * 500}"
    servers = command(tmp_path, many)
    await servers.catalog()
    result = await patiently(servers)
    await servers.aclose()

    assert result.body == "\n".join("x" * 500)
    assert checked and max(checked) < 10


async def test_a_page_of_too_many_parts_is_an_error_that_says_how_many() -> None:
    page = {"tools": [TOOL | {"name": f"t{number}"} for number in range(13_000)]}
    async with HostileMcp() as server:
        server.reply = lambda message, result=None: HostileMcp.reply(  # type: ignore[method-assign]
            server, message, page if message.get("method") == "tools/list" else result
        )
        servers = servers_of(server, "none/such")
        with pytest.raises(ServiceUnreachable, match=r"more than .*25,000 in one message"):
            await servers.catalog()
        await servers.aclose()


SEEN = {"result": RESULTS["tools/call"]}
BODIES: dict[str, Any] = {
    "a notice": {"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x"}},
    "a request": {"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage"},
    "no version": {"id": 3, **SEEN},
    "an error of nobody": {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}},
    "a batch": [{"jsonrpc": "2.0", "id": 3, **SEEN}],
    "a word": "seen",
    "nothing": None,
    "no blocks": {"jsonrpc": "2.0", "id": 3, "result": {"content": "x"}},
}


class Broken(HostileMcp):
    """Answers a call with a body that is no answer to it."""

    body = b""
    stage = "tools/call"

    def reply(self, message: dict[str, Any], result: dict[str, Any] | None = None) -> bytes:
        if message.get("method") == self.stage:
            return answer(self.body)
        return super().reply(message, result)


@pytest.mark.parametrize("body", BODIES)
async def test_a_body_that_is_no_answer_fails_before_its_deadline(body: str) -> None:
    async with Broken() as server:
        server.body = json.dumps(BODIES[body], indent=1).encode()
        servers = servers_of(server, "none/such")
        await servers.catalog()
        failure = (await patiently(servers)).outcome.failure
        await servers.aclose()

    assert failure is not None and failure.kind == "protocol", failure


async def test_an_answer_is_its_requests_whatever_its_id() -> None:
    """Over HTTP: it is all that stands in the response."""
    async with Broken() as server:
        server.body = json.dumps({"jsonrpc": "2.0", "id": 77, **SEEN}, indent=1).encode()
        servers = servers_of(server, "none/such")
        await servers.catalog()
        result = await patiently(servers)
        await servers.aclose()

    assert result.body == "seen"


WRITTEN = {
    "no message": "print('{\"seen\": 1}', flush=True)",
    "half a message": 'print(\'{"jsonrpc": "2.0", "id": 3, \', flush=True)',
    "a batch": "print('[]', flush=True)",
    "words": "print('seen', flush=True)",
    "another id": "print(json.dumps({'jsonrpc': '2.0', 'id': 99, 'result': {}}), flush=True)",
    "no id": 'print(\'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}\')',
    "an end": "sys.stdout.write('{\"jsonrpc\":'); sys.stdout.flush(); os._exit(0)",
}


@pytest.mark.slow
@pytest.mark.parametrize("written", WRITTEN)
async def test_a_command_that_writes_no_answer_fails_before_its_deadline(
    tmp_path: Path, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gretel.integrations.mcp_stdio._NOISE_S", 0.1)
    servers = command(tmp_path, f"{WRITTEN[written]}; sys.stdout.flush(); time.sleep(60)")
    await servers.catalog()
    failure = (await patiently(servers)).outcome.failure
    async with asyncio.timeout(20):
        await servers.aclose()

    assert failure is not None and failure.kind == "protocol", failure


async def test_what_a_command_prints_besides_its_answers_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gretel.integrations.mcp_stdio._NOISE_S", 30.0)
    servers = command(tmp_path, "print('looking', flush=True); print('still looking', flush=True)")
    await servers.catalog()
    results = [(await patiently(servers)).body for _ in range(2)]
    await servers.aclose()

    assert results == ["seen", "seen"]


async def test_a_command_that_asks_without_an_end_is_heard_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of its requests is answered, and an answer of ours gives it no more to say."""
    monkeypatch.setattr("gretel.integrations.mcp_bounds._MAX_LINES", 200)
    ping = '{"jsonrpc":"2.0","id":"p","method":"ping"}'
    asks = f"[(print({ping!r}, flush=True), sys.stdin.readline()) for _ in range(400)]"
    servers = command(tmp_path, asks)
    await servers.catalog()
    result = await patiently(servers)
    await servers.aclose()

    assert result.outcome.failure is not None and "lines" in result.outcome.failure.detail


@pytest.mark.slow
async def test_a_late_answer_is_no_fault(tmp_path: Path) -> None:
    once = f"fd = os.path.exists({str(tmp_path / 'once')!r})"
    slow = f"fd or (open({str(tmp_path / 'once')!r}, 'w'), time.sleep(1.5))"
    servers = command(tmp_path, f"{once}; {slow}")
    await servers.catalog()
    statuses = [(await called(servers)).outcome.status]
    await asyncio.sleep(1)
    statuses += [(await called(servers)).outcome.status]
    await servers.aclose()

    assert statuses == ["failed", "succeeded"]


async def test_two_servers_whose_names_make_one_id_are_both_called() -> None:
    """Neither has the id `s.a.look`; what is listed anew is found under the name all the same."""
    async with HostileMcp() as one, HostileMcp() as two:
        listed = {"tools": [TOOL | {"name": "a.look"}]}
        one.reply = lambda message, result=None: HostileMcp.reply(  # type: ignore[method-assign]
            one, message, listed if message.get("method") == "tools/list" else result
        )
        urls = {"s": one.url("none/such"), "s.a": two.url("none/such")}
        hosts = frozenset({one.host, two.host})
        asked = McpServers(urls, Policy(allow_hosts=hosts))
        ids = {tool.tool_id for tool in await asked.catalog()}
        await asked.aclose()
        servers = McpServers(urls, Policy(allow_hosts=hosts, safe_tools=frozenset(ids)))
        await servers.catalog()
        results = [await servers.call(plan(each), budget=PATIENT) for each in ids]
        await servers.aclose()

    assert len(ids) == 2 and "s.a.look" not in ids
    assert [result.body for result in results] == ["seen", "seen"]
