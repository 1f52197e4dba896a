"""MCP servers that say too much, too slowly, or never stop: bounded below the client's decoders."""

import asyncio
import contextlib
import json
import logging
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hostile_mcp import COMMANDS, HONEST, STAGES, TOOL, HostileMcp, PatternMcp

from fakes import plan
from gretel.contracts.budget import Budget
from gretel.contracts.errors import ServiceUnreachable
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallResult
from gretel.integrations import mcp, mcp_bounds, mcp_session
from gretel.integrations.mcp import McpServers
from gretel.integrations.mcp_asking import listing_of
from gretel.integrations.mcp_bounds import Reading
from gretel.sandbox.permission.policy import Policy
from hostile_server import answer

LOOK = ToolId("s.look")
BUDGET = Budget(call_s=1.0, bytes_wire=300_000, bytes_decoded=300_000)
PATIENCE_S = 4.0
"""Seconds for what has one: the machine may be busy."""

OF_HTTP = [
    "flood",
    "endless_chunks",
    "gzip_bomb",
    "deflate_bomb",
    "slow_body",
    "informational",
    "slow_head",
    "slow_chunks",
    "endless_head",
    "endless_informational_head",
    "endless_empty_gzip",
    "slow_gzip",
    "endless",
    "tcp_cut",
    "big_header",
    "close",
]
"""Behaviours below the protocol."""

OF_MCP = [
    "notices",
    "progress",
    "empty_events",
    "broken_events",
    "slow_events",
    "one_event",
    "tiny_chunks",
    "sampling",
    "polling",
    "zlib_charset",
    "brotli_events",
    "many_parts",
    "deep",
    "self",
    "metadata",
]
"""Behaviours of a stream of messages, or in one."""
ENDLESS = [*OF_HTTP, *OF_MCP]
LONG = {"endless", "informational", "notices", "progress", "sampling", "polling", "tiny_chunks"}
CASES = [
    pytest.param(each, marks=pytest.mark.slow)
    if each in LONG or "slow" in each or place % 3
    else each
    for place, each in enumerate(ENDLESS)
]
"""Those that last until the deadline are slow."""


@pytest.fixture
async def hostile() -> AsyncIterator[HostileMcp]:
    async with HostileMcp() as server:
        yield server


def servers_of(server: HostileMcp, path: str) -> McpServers:
    rules = Policy(allow_hosts=frozenset({server.host}), safe_tools=frozenset({LOOK}))
    return McpServers({"s": server.url(path)}, rules)


async def called(servers: McpServers, budget: Budget = BUDGET) -> CallResult:
    """The result of a call, in time."""
    async with asyncio.timeout(PATIENCE_S):
        return await servers.call(plan(LOOK), budget=budget)


@pytest.mark.parametrize("behaviour", CASES)
async def test_an_answer_without_an_end_is_a_failure(hostile: HostileMcp, behaviour: str) -> None:
    servers = servers_of(hostile, f"call/{behaviour}")
    await servers.catalog()

    outcome = (await called(servers)).outcome
    async with asyncio.timeout(PATIENCE_S):
        await servers.aclose()

    assert outcome.status == "failed" and outcome.failure is not None, outcome
    assert outcome.source == "executed" and outcome.failure.fault != "ours"
    assert len(outcome.failure.detail) < 1000
    assert hostile.opened <= 300


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["flood", "slow_body", "notices", "slow_events", "endless"])
async def test_a_call_beside_one_that_fails_is_answered(
    hostile: HostileMcp, behaviour: str
) -> None:
    """Both share a session."""
    servers = servers_of(hostile, f"call/{behaviour}")
    await servers.catalog()
    failed = await called(servers)
    hostile.answers["ok"] = b""
    session = await servers._session("s")
    tools = await listing_of(session, Reading.listing())
    await servers.aclose()

    assert failed.outcome.status == "failed"
    assert tools == [TOOL]


@pytest.mark.slow
@pytest.mark.parametrize(
    "behaviour", [*ENDLESS, "cursors", "large_pages", "faulty_tools", "many_tools"]
)
async def test_a_listing_without_an_end_is_an_error(
    hostile: HostileMcp, behaviour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gretel.integrations.mcp.LISTING_S", 1.0)
    servers = servers_of(hostile, f"list/{behaviour}")

    with pytest.raises(ServiceUnreachable) as caught:
        async with asyncio.timeout(PATIENCE_S):
            await servers.catalog()
    async with asyncio.timeout(PATIENCE_S):
        await servers.aclose()

    assert len(str(caught.value)) < 1000


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["flood", "endless", "slow_head", "notices", "gzip_bomb"])
async def test_a_session_that_does_not_open_is_an_error(
    hostile: HostileMcp, behaviour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_session, "OPEN_S", 0.5)
    monkeypatch.setattr(mcp_bounds, "OPEN_S", 0.5)
    servers = servers_of(hostile, f"open/{behaviour}")

    with pytest.raises(ServiceUnreachable):
        async with asyncio.timeout(PATIENCE_S):
            await servers.catalog()


@pytest.mark.parametrize("behaviour", ["close", "tcp_cut", "big_header", "not_http"])
async def test_a_session_that_broke_is_opened_anew(hostile: HostileMcp, behaviour: str) -> None:
    servers = servers_of(hostile, f"call/{behaviour}")
    await servers.catalog()
    await called(servers)

    async with asyncio.timeout(PATIENCE_S):
        assert len(await servers.catalog()) == 1
        await servers.aclose()


async def test_nothing_that_nobody_asked_for_is_listened_to(hostile: HostileMcp) -> None:
    servers = servers_of(hostile, "call/none_such")
    await servers.catalog()
    await asyncio.sleep(0.1)
    await servers.aclose()

    assert hostile.opened == 0


async def test_a_session_id_adds_no_header(hostile: HostileMcp) -> None:
    servers = servers_of(hostile, "open/folded_session")
    await servers.catalog()
    await servers.aclose()

    assert all("x-injected" not in request.headers for request in hostile.requests)


SECRET = "Zx9KqvTr8Lm5Pd2Qw7Bn4YhJ6t"
EVENT = b"Content-Type: text/event-stream\r\nConnection: close\r\n\r\n"
ECHOES = {
    "nothing": None,
    "a session": answer(b"{}", f"Mcp-Session-Id: {SECRET}"),
    "no JSON": answer(f"{{{SECRET}".encode()),
    "a media type": answer(b"{}", kind=f"text/{SECRET}"),
    "a status": answer(b"{}", status=f"500 {SECRET}"),
    "a challenge": answer(b"{}", f"WWW-Authenticate: Bearer realm={SECRET}", status="401 no"),
    "events": b"HTTP/1.1 200 OK\r\n" + EVENT + f"data: {SECRET}\n\n".encode(),
    "a notice": b"HTTP/1.1 200 OK\r\n"
    + EVENT
    + json.dumps({"jsonrpc": "2.0", "method": f"x/{SECRET}"}).join(["data: ", "\n\n"]).encode(),
}
"""Where a server says what it was told, in the answer to a message."""


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("place", ECHOES)
async def test_the_key_of_a_url_is_in_no_log_and_no_error(
    place: str, stage: str, caplog: pytest.LogCaptureFixture
) -> None:
    class Echo(HostileMcp):
        def reply(self, message: dict[str, Any], result: dict[str, Any] | None = None) -> bytes:
            said = ECHOES[place] if message.get("method") == stage else None
            return said or super().reply(message, result)

    caplog.set_level(logging.DEBUG)
    async with Echo() as server:
        servers = servers_of(server, f"honest/?key={SECRET}")
        told = ""
        try:
            await servers.catalog()
            told = repr(await called(servers))
        except ServiceUnreachable as error:
            told = "".join(traceback.format_exception(error))
        await servers.aclose()

    assert server.requests and all(SECRET in each.target for each in server.requests)
    assert SECRET not in caplog.text
    assert SECRET not in told


async def test_an_answer_is_not_checked_by_the_servers_own_pattern() -> None:
    async with PatternMcp() as server:
        servers = servers_of(server, "call/slow_pattern")
        await servers.catalog()
        result = await called(servers)
        await servers.aclose()

    assert result.body == {"a": "a" * 40 + "!"}


async def test_an_error_is_read_beside_the_event_loop(
    hostile: HostileMcp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as any other answer, and searched for as many words."""
    readers: list[str] = []
    read = mcp.raised

    def noted(*args: Any, **kwargs: Any) -> CallResult:
        readers.append(threading.current_thread().name)
        return read(*args, **kwargs)

    monkeypatch.setattr(mcp, "raised", noted)
    servers = servers_of(hostile, "call/error")
    await servers.catalog()
    patient = BUDGET.model_copy(update={"call_s": PATIENCE_S})  # a busy machine takes a second
    result = await called(servers, patient)
    await servers.aclose()

    assert result.outcome.failure is not None and result.outcome.failure.kind == "error_in_body"
    assert len(readers) == 1 and readers[0].startswith("gretel-work")


async def test_an_answer_of_many_values_is_a_failure(
    hostile: HostileMcp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client reads them on the event loop."""
    monkeypatch.setattr(mcp_bounds, "_MAX_VALUES", 100_000)
    servers = servers_of(hostile, "call/many_values")
    await servers.catalog()
    failure = (await called(servers)).outcome.failure
    await servers.aclose()

    assert failure is not None and "too many parts" in failure.detail


def command(tmp_path: Path, misdeed: str, stage: str = "tools/call") -> McpServers:
    """A server that is a command, and misbehaves once it is asked for `stage`."""
    from mcp.client.stdio import StdioServerParameters

    script = tmp_path / "server.py"
    first, rest = f"if reply(line) == {stage!r}:", "\n        ".join(misdeed.split("; "))
    if stage == "tools/call":
        first = f"if json.loads(line).get('method') == {stage!r}:"
        rest += "\n    reply(line)"
    script.write_text(f"{HONEST}\nfor line in sys.stdin:\n    {first}\n        {rest}\n")
    started = StdioServerParameters(command=sys.executable, args=["-I", str(script)])
    return McpServers({"s": started}, Policy(safe_tools=frozenset({LOOK})))


@pytest.mark.slow
@pytest.mark.parametrize("misdeed", sorted(COMMANDS))
async def test_a_command_that_does_not_stop_is_a_failure(
    tmp_path: Path, misdeed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    servers = command(tmp_path, COMMANDS[misdeed])
    await servers.catalog()
    start = time.perf_counter()

    outcome = (await called(servers)).outcome
    async with asyncio.timeout(3 * PATIENCE_S):
        await servers.aclose()

    assert outcome.status == "failed" and outcome.failure is not None
    if misdeed in {"broken_lines", "one_line", "many_parts"}:
        # On a busy machine the deadline may come before the bound.
        assert outcome.failure.kind in {"protocol", "timeout"}
    assert time.perf_counter() - start < 15 * PATIENCE_S
    assert len(capsys.readouterr().err) < 1_000_000


async def test_what_a_command_logs_gives_the_terminal_no_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = "sys.stderr.write('\\x1b[31mred\\x1b]0;t\\x07\\u202e'); sys.stderr.flush()"
    servers = command(tmp_path, order)
    await servers.catalog()
    await called(servers)
    told = ""
    async with asyncio.timeout(PATIENCE_S):
        while "red" not in told:
            await asyncio.sleep(0.02)
            told += capsys.readouterr().err
        await servers.aclose()
    told += capsys.readouterr().err

    assert told.strip() == "red"


@pytest.mark.slow
async def test_a_command_that_died_is_started_again(tmp_path: Path) -> None:
    once = tmp_path / "once"
    servers = command(
        tmp_path, f"fd = os.path.exists({str(once)!r}) or os._exit(not open({str(once)!r}, 'w'))"
    )
    await servers.catalog()

    results = [(await called(servers)).outcome.status for _ in range(2)]
    await servers.aclose()

    assert results == ["failed", "succeeded"]


@pytest.mark.slow
async def test_what_a_command_started_ends_with_it(tmp_path: Path) -> None:
    mark = tmp_path / "child"
    child = f"os.fork() or (open({str(mark)!r}, 'w').write(str(os.getpid())), time.sleep(600))"
    servers = command(tmp_path, child, stage="tools/list")
    await servers.catalog()
    while not (mark.exists() and mark.read_text()):
        await asyncio.sleep(0.05)
    await servers.aclose()
    await asyncio.sleep(0.2)

    assert not runs(int(mark.read_text()))


def runs(pid: int) -> bool:
    """Whether a process is there, and no zombie that nobody has asked after."""
    with contextlib.suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


MEASURED = """
import asyncio, json, resource, sys
sys.path[:0] = json.loads(sys.argv[1])
from test_attack_mcp import BUDGET, called, servers_of
from hostile_mcp import HostileMcp
class There(HostileMcp): pass
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
async def main(port, paths):
    there = There()
    there.port = port
    grown = {}
    honest = servers_of(there, 'call/none_such')
    await honest.catalog(); await honest.aclose()
    for path in paths:
        before = peak()
        servers = servers_of(there, path)
        try:
            await servers.catalog()
            await called(servers)
        except Exception as error:
            pass
        await servers.aclose()
        grown[path] = peak() - before
    print(json.dumps(grown))
asyncio.run(main(int(sys.argv[2]), json.loads(sys.argv[3])))
"""


@pytest.mark.slow
async def test_no_answer_takes_much_memory(hostile: HostileMcp) -> None:
    """The client in a process of its own, whose greatest size is the measure."""
    here = Path(__file__).resolve()
    skipped = {"endless", "slow_head", "slow_body"}
    paths = [f"call/{each}" for each in ENDLESS if each not in skipped]
    paths += [
        "list/large_pages",
        "list/faulty_tools",
        "list/many_tools",
        "list/gzip_bomb",
        "list/flood",
    ]
    places = json.dumps([str(each) for each in here.parents[:3]])
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-c", MEASURED, places, str(hostile.port), json.dumps(paths),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    out, err = await running.communicate()

    assert running.returncode == 0, err[-2000:]
    grown = json.loads(out.splitlines()[-1])
    assert sum(grown.values()) < 200, grown


async def test_a_session_that_is_closed_logs_no_key(caplog: pytest.LogCaptureFixture) -> None:
    """Taking leave is a request too, which the client logs with its URL."""
    caplog.set_level(logging.DEBUG)
    async with HostileMcp() as server:
        policy = Policy(allow_hosts=frozenset({server.host}))
        servers = McpServers({"m": server.url(f"key/{SECRET}")}, policy)
        await servers.catalog()
        await servers.aclose()
        assert server.requests[-1].method == "DELETE"
    assert SECRET not in caplog.text
