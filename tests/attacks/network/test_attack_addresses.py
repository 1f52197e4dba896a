"""An allowed name whose owner lets it stand for something else: every address of it is checked."""

import asyncio
import errno
import re
import socket
import threading
from typing import Any

import pytest
from arena import BUDGET, HASTY, HOST, PUBLIC, Arena, LyingNames

import special_addresses
from fakes import plan, tool
from gretel.contracts.errors import ConfigurationError
from gretel.sandbox.network.connect import Resolver, system_resolver
from gretel.sandbox.permission.policy import Policy
from lanes import every

INNER = special_addresses.LOCAL + special_addresses.FORBIDDEN
ZONED = ["fe80::1%eth0", "2a00:1450:4001::1%eth0", "127.0.0.1%lo"]

GARBAGE = {
    "text": "not an address",
    "empty": "",
    "decimal": "2130706433",
    "octal": "0177.0.0.1",
    "short": "127.1",
    "hex": "0x7f000001",
    "port": "93.184.216.34:80",
    "brackets": "[::1]",
    "blank": " 93.184.216.34",
    "newline": "93.184.216.34\n",
    "null": "93.184.216.34\0127.0.0.1",
    "name": "localhost",
    "socket": "/var/run/docker.sock",
}

MIXED = {
    "first": ["127.0.0.1", PUBLIC],
    "last": [PUBLIC, "127.0.0.1"],
    "middle": [PUBLIC, "169.254.169.254", PUBLIC],
    "other-version": [PUBLIC, "::1"],
    "behind-many": [*["93.184.216.34"] * 300, "10.0.0.1"],
    "mapped": [PUBLIC, f"::ffff:{PUBLIC}"],
    "garbage": [PUBLIC, "x"],
    "all-inner": ["10.0.0.1", "10.0.0.2"],
}


async def resolved(arena: Arena, *addresses: str, port: int | None = None) -> None:
    server = f"http://{HOST}:{port}/" if port else f"http://{HOST}/"
    outcome = await arena.call(server, names={HOST: [list(addresses)]})
    arena.assert_kept_in(outcome)
    assert outcome.failure is not None and outcome.failure.host is None


@pytest.mark.parametrize("address", every(3, [*INNER.split(), *ZONED]))
async def test_a_name_that_stands_for_an_inner_address(address: str, arena: Arena) -> None:
    await resolved(arena, address)


@pytest.mark.parametrize("address", special_addresses.PUBLIC.split())
async def test_its_neighbours_are_public(address: str, arena: Arena) -> None:
    await arena.call(f"http://{HOST}/", names={HOST: [[address]]})
    assert arena.dialled == [(address, 80)]


@pytest.mark.parametrize("name", GARBAGE)
async def test_an_answer_that_is_no_address(name: str, arena: Arena) -> None:
    await resolved(arena, GARBAGE[name])


@pytest.mark.parametrize("name", MIXED)
async def test_one_bad_address_refuses_all(name: str, arena: Arena) -> None:
    await resolved(arena, *MIXED[name])


@pytest.mark.parametrize(
    ("prefix", "address", "reached"),
    [
        ("64:ff9b::/96", "64:ff9b::808:808", True),
        ("64:ff9b::/96", "64:ff9b::7f00:1", False),
        ("64:ff9b::/96", "64:ff9b::a9fe:a9fe", False),
        ("64:ff9b::/96", "64:ff9b::a00:1", False),
        ("64:ff9b::/96", "64:ff9b:1::808:808", False),
        ("64:ff9b::/96", "::ffff:8.8.8.8", False),
        ("64:ff9b::/96", "2002:808:808::1", False),
        ("64:ff9b:1::/48", "64:ff9b:1:808:8:800::", True),
        ("64:ff9b:1::/48", "64:ff9b:1:a9fe:a9:fe00:808:808", False),
        ("2a00:1450:64::/96", "2a00:1450:64::a9fe:a9fe", False),
        ("2a00:1450::/32", "2a00:1450:808:808::", True),
        ("2a00:1450::/32", "2a00:1450:7f00:1::", False),
        ("2a00:1450:a00::/40", "2a00:1450:a0a:0:1::", False),
        ("2a00:1450:0:100::/56", "2a00:1450:0:17f:0:1::", False),
        ("2a00:1450:0:1::/64", "2a00:1450:0:1:7f:0:100:0", False),
    ],
)
async def test_a_nat64_network_shows_public_addresses_only(
    prefix: str, address: str, reached: bool, arena: Arena
) -> None:
    outcome = await arena.call(f"http://{HOST}/", names={HOST: [[address]]}, nat64=prefix)
    if reached:
        assert arena.dialled == [(address, 80)]
    else:
        arena.assert_kept_in(outcome)


@pytest.mark.parametrize("prefix", ["", "64:ff9b::", "64:ff9b::/95", "64:ff9b::1/96", "10.0.0.0/8"])
def test_an_unusable_nat64_prefix_is_refused(prefix: str) -> None:
    with pytest.raises(ConfigurationError, match="nat64"):
        Policy(nat64=prefix)


async def test_a_name_that_is_rebound_between_check_and_connection(arena: Arena) -> None:
    names = LyingNames({HOST: [[PUBLIC], ["127.0.0.1"]]})
    asked = tool("a.b", server=f"http://{HOST}/")
    runner = arena.executor(asked, Policy(frozenset({HOST})), names)
    await runner.execute(plan("a.b"), budget=BUDGET)
    assert (names.asked, arena.dialled) == ([HOST], [(PUBLIC, 80)])
    again = await runner.execute(plan("a.b"), budget=BUDGET)
    assert arena.dialled == [(PUBLIC, 80)]
    assert again.failure is not None and again.failure.kind == "host_not_allowed"


async def test_a_rebound_name_of_a_listed_local_server(arena: Arena) -> None:
    """The first answer is the one that was listed, the second the metadata service."""
    names = LyingNames({HOST: [["127.0.0.1"], ["169.254.169.254"]]})
    asked = tool("a.b", server=f"http://{HOST}:{arena.api.port}/")
    runner = arena.executor(asked, Policy(frozenset({HOST, arena.api.host})), names)
    first = await runner.execute(plan("a.b"), budget=BUDGET)
    assert first.status == "succeeded"
    assert arena.api.requests[0].headers["host"] == f"{HOST}:{arena.api.port}"
    again = await runner.execute(plan("a.b"), budget=BUDGET)
    assert again.failure is not None and again.failure.kind == "host_not_allowed"
    assert arena.dialled == [("127.0.0.1", arena.api.port)]


async def sleeping(host: str, port: int) -> list[str]:
    await asyncio.sleep(60)
    return []


async def empty(host: str, port: int) -> list[str]:
    return []


async def unknown(host: str, port: int) -> list[str]:
    raise socket.gaierror(socket.EAI_NONAME, "no such name")


async def unreachable(host: str, port: int) -> list[str]:
    raise OSError(errno.ENETUNREACH, "no route")


async def unencodable(host: str, port: int) -> list[str]:
    raise UnicodeEncodeError("idna", host, 0, 1, "label too long")


@pytest.mark.parametrize("names", [sleeping, empty, unknown, unreachable, unencodable])
async def test_a_name_server_that_fails_is_our_network(names: Resolver, arena: Arena) -> None:
    asked = tool("a.b", server=f"https://{HOST}/")
    runner = arena.executor(asked, Policy(frozenset({HOST})), names)
    arena.assert_kept_in(await runner.execute(plan("a.b"), budget=HASTY), "connection")


OWN = {
    "bare-loopback": ("127.0.0.1", ("127.0.0.1",)),
    "bare-localhost": ("localhost", ("localhost",)),
    "another-loopback": ("127.0.0.9", ("127.0.0.9",)),
    "ipv6-loopback": ("[::1]", ("::1",)),
    "name-of-loopback": ("here.test", ("here.test", "127.0.0.1")),
    "name-with-port": ("here.test", ("here.test:{port}", "127.0.0.1")),
}


@pytest.mark.parametrize("name", OWN)
async def test_a_port_of_our_own_process(name: str, arena: Arena) -> None:
    """Loopback is listed, and a trial would call back into GRETEL's process."""
    host, listed = OWN[name]
    port = arena.api.port
    allow = [entry.format(port=port) for entry in listed]
    names = {"localhost": [["127.0.0.1"]], "here.test": [["127.0.0.1"]]}
    outcome = await arena.call(f"http://{host}:{port}/", allow=allow, names=names)
    arena.assert_kept_in(outcome)
    assert outcome.failure is not None and "our own process" in outcome.failure.detail

    remedy = re.search(r"list (\S+) with its port", outcome.failure.detail)
    assert remedy is not None
    outcome = await arena.call(f"http://{host}:{port}/", allow=[*allow, remedy[1]], names=names)
    assert outcome.failure is None or "our own process" not in outcome.failure.detail


@pytest.mark.parametrize("listed", ["127.0.0.1:{port}", "localhost:{port}"])
async def test_a_port_of_our_own_that_is_listed(listed: str, arena: Arena) -> None:
    entry = listed.format(port=arena.api.port)
    names = {"localhost": [["127.0.0.1"]]}
    outcome = await arena.call(f"http://{entry}/", allow=[entry], names=names)
    assert outcome.status == "succeeded"


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"])
async def test_a_proxy_of_the_environment_is_not_used(
    variable: str, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "http://127.0.0.1:1")
    await arena.call(f"http://{HOST}/", names={HOST: [[PUBLIC]]})
    assert arena.dialled == [(PUBLIC, 80)]


async def test_credentials_of_netrc_are_not_used(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    netrc = f"{tmp_path}/netrc"
    with open(netrc, "w") as file:
        file.write("machine 127.0.0.1 login spy password canary\n")
    monkeypatch.setenv("NETRC", netrc)
    await arena.answer_of("ok")
    assert "authorization" not in arena.api.requests[0].headers


async def test_names_that_hang_do_not_keep_others_from_being_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A document may name as many servers as it likes, and answer for none of their names."""
    over = threading.Event()

    def look_up(host: str, port: int, **rest: Any) -> list[Any]:
        if host.startswith("hangs"):
            over.wait(30)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (PUBLIC, port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    hanging = [asyncio.create_task(system_resolver(f"hangs{n}.example", 443)) for n in range(40)]
    try:
        await asyncio.sleep(0.05)
        async with asyncio.timeout(10):
            assert await system_resolver(HOST, 443) == [PUBLIC]
        assert not any(task.done() for task in hanging)
    finally:
        over.set()
        await asyncio.gather(*hanging)


async def test_our_own_ports_are_listed_once_for_a_name(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each open file of the process is looked at for it, on the event loop."""
    listed: list[int] = []
    ports = "gretel.sandbox.network.connect.own_ports"
    monkeypatch.setattr(ports, lambda: listed.append(1) or frozenset())
    many = [f"93.184.216.{number}" for number in range(60)]

    await arena.call(f"https://{HOST}", names={HOST: [[*many, "127.0.0.1"]]})

    assert listed == [1]
