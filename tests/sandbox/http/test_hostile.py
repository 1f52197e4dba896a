"""The executor against servers, names and networks that misbehave."""

import asyncio
import errno
import socket

import pytest
from sandbox_runs import MakeExecutor

from fakes import plan, tool
from gretel.contracts.budget import Budget
from gretel.contracts.tool import HttpBinding, Response, Tool
from gretel.contracts.trial import Outcome
from gretel.sandbox.network.connect import Resolver
from gretel.sandbox.permission.policy import Policy
from hostile_server import HostileServer
from lanes import every

SHORT = Budget(call_s=1.5, bytes_wire=300_000, bytes_decoded=300_000)

LONG = SHORT.model_copy(update={"call_s": 5})
"""For behaviours that end by themselves: a slow machine must not turn them into timeouts."""

ENDS = {
    "endless": "timeout",
    "slow-body": "timeout",
    "informational": "protocol",
    "flood": "protocol",
    "endless-chunks": "protocol",
    "gzip-bomb": "protocol",
    "deflate-bomb": "protocol",
    "broken-gzip": "protocol",
    "brotli": "protocol",
    "twice-gzip": "protocol",
    "short-body": "protocol",
    "two-lengths": "protocol",
    "big-header": "protocol",
    "many-headers": "protocol",
    "not-http": "protocol",
    "html": "protocol",
    "deep-json": "protocol",
    "rather-deep-json": "protocol",
    "surrogate-error": "rejected_arguments",
    "redirect": "protocol",
    "moved": "drift",
    "tcp_cut": "connection",
    "close": "connection",
    "gzip": "succeeded",
    "long-body": "succeeded",
    "bad-utf8": "succeeded",
    "surrogate": "succeeded",
    "almost-deep-json": "succeeded",
    "huge-number": "protocol",
    "nan": "succeeded",
    "odd-charset": "succeeded",
}


def behaving(api: HostileServer, name: str, host: str | None = None) -> Tool:
    base = f"http://{host}:{api.port}" if host else api.url()
    binding = HttpBinding(method="GET", path=f"/{name}", servers=(base,))
    return tool("a.b", binding=binding, response=Response(json_schema={"type": "object"}))


def resolving(**names: list[str]) -> Resolver:
    """A resolver that knows `names`, dots written as underscores."""

    async def resolve(host: str, port: int) -> list[str]:
        if host.replace(".", "_") not in names:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return names[host.replace(".", "_")]

    return resolve


@pytest.mark.parametrize("behaviour", every(3, ENDS))
async def test_a_hostile_server_ends_in_an_outcome(
    behaviour: str, api: HostileServer, executor: MakeExecutor
) -> None:
    runner = executor(behaving(api, behaviour), allow=(api.host,))
    budget = SHORT if ENDS[behaviour] == "timeout" else LONG
    outcome = await runner.execute(plan("a.b"), budget=budget)
    assert ENDS[behaviour] in {outcome.status, outcome.failure.kind if outcome.failure else ""}
    assert outcome.source == "executed"
    assert outcome.failure is None or outcome.failure.fault != "ours"
    assert outcome.latency_ms is not None
    assert len(api.requests) == 1
    Outcome.model_validate_json(outcome.model_dump_json())
    assert len(outcome.excerpt.encode()) <= 2048


async def test_wire_and_decoded_bytes_are_counted_apart(
    api: HostileServer, executor: MakeExecutor
) -> None:
    runner = executor(behaving(api, "gzip"), allow=(api.host,))
    outcome = await runner.execute(plan("a.b"), budget=LONG)
    assert outcome.bytes_decoded == 24 != outcome.bytes_wire


async def test_the_wire_is_capped_where_the_decoded_size_is_not(
    api: HostileServer, executor: MakeExecutor
) -> None:
    budget = LONG.model_copy(update={"bytes_wire": 10})
    runner = executor(behaving(api, "ok"), allow=(api.host,))
    outcome = await runner.execute(plan("a.b"), budget=budget)
    assert outcome.failure is not None and "wire" in outcome.failure.detail
    assert outcome.http_status == 200


async def test_a_refused_connection_is_the_tools(executor: MakeExecutor) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and not listening
        port = taken.getsockname()[1]
        asked = tool("a.b", server=f"http://127.0.0.1:{port}")
        outcome = await executor(asked, allow=("127.0.0.1",)).execute(plan("a.b"), budget=LONG)
    assert outcome.status == "failed"
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.fault) == ("connection", "tool")
    assert outcome.latency_ms is None


async def hanging(host: str, port: int) -> list[str]:
    await asyncio.sleep(60)
    return []


async def unreachable(host: str, port: int) -> list[str]:
    raise OSError(errno.ENETUNREACH, "no route")


async def nothing(host: str, port: int) -> list[str]:
    return []


@pytest.mark.parametrize("resolver", [resolving(), hanging, unreachable, nothing])
async def test_a_dead_network_is_ours(resolver: Resolver, executor: MakeExecutor) -> None:
    asked = tool("a.b", server="https://api.example.com")
    runner = executor(asked, allow=("api.example.com",), resolver=resolver)
    outcome = await runner.execute(plan("a.b"), budget=SHORT)
    assert (outcome.status, outcome.source) == ("unavailable", "none")
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.fault) == ("connection", "ours")


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["93.184.216.34", "127.0.0.1"],
        ["10.0.0.1"],
        ["169.254.169.254"],
        ["::1"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::a9fe:a9fe"],
        ["2002:7f00:1::1"],
        ["fe80::1%eth0"],
        ["not an address"],
    ],
)
async def test_a_name_that_stands_for_an_inner_address_is_refused(
    addresses: list[str], api: HostileServer, executor: MakeExecutor
) -> None:
    runner = executor(
        behaving(api, "ok", "api.example.com"),
        allow=("api.example.com",),
        resolver=resolving(api_example_com=addresses),
    )
    outcome = await runner.execute(plan("a.b"), budget=LONG)
    assert outcome.status == "unavailable"
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.host) == ("host_not_allowed", None)
    assert api.requests == []


async def test_the_checked_address_is_connected_to_with_the_original_host(
    api: HostileServer, executor: MakeExecutor
) -> None:
    asked: list[str] = []

    async def rebinding(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

    runner = executor(
        behaving(api, "ok", "api.example.com"),
        allow=("api.example.com", api.host),
        resolver=rebinding,
    )
    outcome = await runner.execute(plan("a.b"), budget=LONG)
    assert outcome.status == "succeeded"
    assert asked == ["api.example.com"]
    assert api.requests[0].headers["host"] == f"api.example.com:{api.port}"
    again = await runner.execute(plan("a.b"), budget=LONG)
    assert again.status == "unavailable"


async def test_tls_names_the_original_host(executor: MakeExecutor) -> None:
    hello: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hello.append(await reader.read(4096))
        writer.close()

    async with await asyncio.start_server(listen, "127.0.0.1", 0) as listener:
        host = f"127.0.0.1:{listener.sockets[0].getsockname()[1]}"
        asked = tool("a.b", server=f"https://api.example.com:{host.rpartition(':')[2]}")
        runner = executor(
            asked,
            allow=("api.example.com", host),
            resolver=resolving(api_example_com=["127.0.0.1"]),
        )
        outcome = await runner.execute(plan("a.b"), budget=LONG)
    assert b"api.example.com" in hello[0]
    assert outcome.failure is not None and outcome.failure.kind == "connection"


async def test_a_second_address_is_tried(api: HostileServer, executor: MakeExecutor) -> None:
    runner = executor(
        behaving(api, "ok", "localhost"),
        policy=Policy(frozenset({f"localhost:{api.port}"})),
        resolver=resolving(localhost=["::1", "127.0.0.1"]),
    )
    assert (await runner.execute(plan("a.b"), budget=LONG)).status == "succeeded"


@pytest.mark.parametrize(
    "literal", ["169.254.169.254", "0.0.0.0", "[::ffff:127.0.0.1]", "10.0.0.1"]
)
async def test_an_address_written_out_is_checked_too(literal: str, executor: MakeExecutor) -> None:
    asked = tool("a.b", server=f"http://{literal}/")
    allowed = () if literal == "10.0.0.1" else (literal,)
    outcome = await executor(asked, allow=allowed).execute(plan("a.b"), budget=LONG)
    assert outcome.failure is not None and outcome.failure.kind == "host_not_allowed"
