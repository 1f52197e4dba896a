"""The example of an egress proxy: its rules, held by a proxy on loopback, keep calls in."""

import asyncio
import ipaddress
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes import FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.trial import Outcome
from gretel.graph.selector import Selector
from gretel.graph.settings import make_policy, read_settings
from gretel.sandbox.http.executor import HttpExecutor
from hostile_server import HostileServer

ALLOWED, OTHER, INSIDE = "93.184.216.34", "8.8.8.8", "10.0.0.1"


class Squid:
    """Does what `squid.conf` says, as far as the example goes; all servers are `upstream`."""

    def __init__(self, rules: str, upstream: HostileServer) -> None:
        self._acls = {
            name: (kind, values.split())
            for name, kind, values in re.findall(r"^acl (\w+) (\w+) (.+)$", rules, re.M)
        }
        self._access = re.findall(r"^http_access (allow|deny) (!?\w+)$", rules, re.M)
        self._upstream = upstream
        self.asked: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        method, target, _ = head.split(" ", 2)
        self.asked.append(target)
        host, _, port = target.rpartition(":")
        if not self._allows({"method": method, "src": "127.0.0.1", "dst": host, "port": port}):
            writer.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")
            writer.close()
            return
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        there, back = await asyncio.open_connection("127.0.0.1", self._upstream.port)
        await asyncio.gather(relay(reader, back), relay(there, writer))

    def _allows(self, call: dict[str, str]) -> bool:
        """The first rule that fits decides (squid.conf, `http_access`)."""
        for verdict, name in self._access:
            if name == "all" or self._fits(name.removeprefix("!"), call) != name.startswith("!"):
                return verdict == "allow"
        return False

    def _fits(self, name: str, call: dict[str, str]) -> bool:
        kind, values = self._acls[name]
        if kind not in ("src", "dst"):
            return call[kind] in values
        address = ipaddress.ip_address(call[kind])
        return any(address in ipaddress.ip_network(value) for value in values)


async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
    writer.close()


@pytest.fixture
async def squid(
    api: HostileServer, root: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Squid]:
    """The proxy of the example, named as a user names it."""
    made = Squid((root / "examples/egress/squid.conf").read_text("utf-8"), api)
    async with await asyncio.start_server(made.serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        monkeypatch.setenv("GRETEL_PROXY", f"http://127.0.0.1:{port}")
        yield made


async def tried(address: str, server: str = "http://api.example.com") -> Outcome:
    """What a trial of a selection gives, where the server's name stands for `address`."""

    async def resolver(host: str, port: int) -> list[str]:
        return [address]

    catalog = Catalog.from_tools([tool("a.b", "Flights", server=server)])
    hosts = ["api.example.com", "api.example.com:8443"]
    policy = make_policy(catalog, hosts, None, read_settings())
    sandbox = HttpExecutor(catalog, policy, resolver=resolver)
    retriever = FakeRetriever([*catalog], needs_tool=1.0)
    selector = Selector(catalog, policy=policy, retriever=retriever, executor=sandbox)
    try:
        return (await selector.aselect("Which flights are there?")).trials[0].executed
    finally:
        await selector.aclose()
        await sandbox.aclose()


async def test_a_listed_address_is_reached(squid: Squid, api: HostileServer) -> None:
    outcome = await tried(ALLOWED)
    assert outcome.status == "succeeded"
    assert squid.asked == [f"{ALLOWED}:80"]
    assert api.requests[0].headers["host"] == "api.example.com"


@pytest.mark.parametrize(
    ("address", "server", "asked"),
    [
        (OTHER, "http://api.example.com", [f"{OTHER}:80"]),
        (ALLOWED, "http://api.example.com:8443", [f"{ALLOWED}:8443"]),
        (INSIDE, "http://api.example.com", []),
        ("169.254.169.254", "http://api.example.com", []),
    ],
)
async def test_nothing_else_is_reached(
    squid: Squid, api: HostileServer, address: str, server: str, asked: list[str]
) -> None:
    outcome = await tried(address, server)
    assert (squid.asked, api.requests) == (asked, [])
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.fault) == ("host_not_allowed", "ours")
