"""What may be sent, and where: what the user allows, nothing by default.

A bare host allows the ports of it on which web servers listen (`sandbox/network/ports.py`),
`host:port` that port alone, whatever it is. An address that is not public is reached only where the
user listed that very address (or `localhost`), so that an allowed name which resolves inside is
refused. What a tool's document says never allows anything.
"""

import dataclasses
import ipaddress
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

import httpx

from gretel.catalog import Catalog
from gretel.catalog.digest import tool_digest
from gretel.catalog.effects.changes import may_change, method_of
from gretel.catalog.ownership import server_of
from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import HttpBinding, NoBinding, Tool, ToolId
from gretel.contracts.trial import CallPlan, Failure
from gretel.sandbox.network.addresses import (
    NAT64_LENGTHS,
    IPAddress,
    describe,
    is_loopback_host,
    parse_address,
    scope,
)
from gretel.sandbox.network.gate import OriginLimits
from gretel.sandbox.network.origin import (
    Origin,
    allowed_entry,
    host_port,
    origin_of,
    parse_named,
    parse_server,
)
from gretel.sandbox.network.ports import WEB_PORTS, may_serve_web
from gretel.sandbox.permission.approved import is_approved
from gretel.sandbox.permission.marks import check_fits, covers, held

_TOOL_ID = "{tool_id}"
_CLIMBING = frozenset({".", ".."})
_MARKS = ("safe_tools", "callable_tools")
_INSIDE = ("localhost", "local", "internal", "arpa", "intranet", "lan", "corp", "home")
"""Last labels of names that mean something inside a network only (RFC 6761, 6762, 8375)."""


@dataclass(frozen=True)
class Policy:
    """What trials may call.

    Raises:
        ConfigurationError: an entry of `allow_hosts`, `base_url`, `base_urls`, `nat64` or `proxy`
            is unusable.
    """

    allow_hosts: frozenset[str] = frozenset()
    """`host` or `host:port`, exact; international names in either form."""
    base_url: str | None = None
    """Server that replaces every tool's own (a mock, a MirrorAPI); allowed as such. In its
    path `{tool_id}` stands for the tool's id, so that tools of one path can be told apart."""
    base_urls: frozenset[str] = frozenset()
    """Servers that the user named for single sources (`Catalog.base_urls`): each opens its own
    origin, that is its scheme, host and port, wherever the host's name leads, and no other. One
    that a catalogue was given for a source is open to the tools of that source alone."""
    safe_tools: frozenset[str] = frozenset()
    """Tools that the user marks safe whatever their method: they are tried. Ids, or patterns as
    in `*.search*` for the tools of one owner (`marks.py`)."""
    callable_tools: frozenset[str] = frozenset()
    """Tools that are never tried, and that may be called once they are selected, although a call
    may change something; written as `safe_tools`."""
    trusted_servers: frozenset[str] = frozenset()
    """MCP servers, by the names that the user gave them, whose word on their own tools is
    believed: those are tried of which a hint, or else the name, says that they only read. A line
    of a list that says to be of one is not."""
    unsafe_tools: frozenset[str] = frozenset()
    """Tools that are never called; beats the others. Written as these, of any origin."""
    declared: frozenset[str] = frozenset()
    """Hosts that are called because documents name them (`declared_hosts`), written alike. No fact
    of the caller's context goes there: a document does not choose who is told."""
    nat64: str | None = None
    """The switch for networks that reach IPv4 by NAT64 alone: their prefix, as in `64:ff9b::/96`.
    An address under it counts as the IPv4 address that it stands for, if that one is public."""
    proxy: str | None = None
    """Proxy that every call goes through, as in `http://127.0.0.1:4750`; the environment's never
    count. It is given the address that was checked, and may refuse it with 403."""
    limits: OriginLimits = OriginLimits()
    """How hard one server may be worked: `gretel.OriginLimits(at_once=2, per_second=5)`."""
    _nat64: ipaddress.IPv6Network | None = field(init=False, repr=False, compare=False)
    """`nat64`, parsed."""
    _base: httpx.URL | None = field(init=False, repr=False, compare=False)
    """`base_url`, parsed."""
    _named: frozenset[Origin] = field(init=False, repr=False, compare=False)
    """The origins of `base_url` and `base_urls`."""
    _held: Mapping[str, Mapping[ToolId, str]] | None = field(
        init=False, repr=False, compare=False, default=None
    )
    """Digests of the tools that the marks of each field mean; None before `bound`, where only a
    whole id means a tool."""

    _unsafe: frozenset[ToolId] = field(init=False, repr=False, compare=False, default=frozenset())
    """The tools that `unsafe_tools` meant when it met its catalogue."""
    _given: frozenset[Origin] = field(init=False, repr=False, compare=False, default=frozenset())
    """Origins of base URLs that the catalogue was given for single sources."""
    _moved: Mapping[ToolId, str] = field(
        init=False, repr=False, compare=False, default_factory=dict[ToolId, str]
    )
    """Digests of the tools of these sources."""

    def __post_init__(self) -> None:
        for name in ("allow_hosts", "declared"):
            entries = frozenset(map(allowed_entry, getattr(self, name)))
            object.__setattr__(self, name, entries)
        base = parse_named(self.base_url) if self.base_url is not None else None
        object.__setattr__(self, "_base", base)
        object.__setattr__(self, "base_urls", frozenset(self.base_urls))
        servers = [*map(parse_named, self.base_urls), *([] if base is None else [base])]
        object.__setattr__(self, "_named", frozenset(map(origin_of, servers)))
        if self.proxy is not None and parse_named(self.proxy).scheme != "http":
            remedy = "Give an http URL; TLS goes through it unbroken."
            raise ConfigurationError("the proxy is no http URL", field="proxy", remedy=remedy)
        prefix = _nat64_prefix(self.nat64) if self.nat64 is not None else None
        object.__setattr__(self, "_nat64", prefix)

    def bound(self, tools: Iterable[Tool], *, others: bool = False) -> "Policy":
        """This policy, its marks held to what `tools` say now: one that changes loses them.

        A tool that comes later is not marked, and one that was marked unsafe stays so, whatever it
        says. With `others`, marks may mean tools of other catalogues too; of no tools at all
        nothing is marked.

        Raises:
            ConfigurationError: a mark fits no tool, as an id two, or as a pattern those of several
                owners; no tool is of a trusted server.
        """
        known = list(tools)
        policy = dataclasses.replace(self)
        others = others or not known
        for mark in () if others else sorted(self.unsafe_tools):
            check_fits("unsafe_tools", mark, known)
        if not others:
            self._check_servers(known)
        marks = {name: held(name, getattr(self, name), known, others=others) for name in _MARKS}
        object.__setattr__(policy, "_held", marks)
        unsafe = frozenset(tool.tool_id for tool in known if self.forbidden(tool))
        object.__setattr__(policy, "_unsafe", unsafe)
        if isinstance(tools, Catalog):
            given = frozenset(origin_of(parse_server(url)) for url in tools.base_urls)
            moved = {tool_id: tool_digest(tools[tool_id]) for tool_id in tools.moved}
            object.__setattr__(policy, "_given", given)
            object.__setattr__(policy, "_moved", moved)
        return policy

    def _check_servers(self, tools: Iterable[Tool]) -> None:
        """Raise where no tool is of a server that the user trusts: its name was misspelt."""
        known = {server for each in tools if (server := server_of(each)) is not None}
        for name in sorted(self.trusted_servers - known):
            raise ConfigurationError(
                f"{name!r} is no MCP server of the catalogue",
                field="trusted_servers",
                remedy=f"Known are: {', '.join(sorted(known)) or 'none'}.",
            )

    def decide(self, tool: Tool, plan: CallPlan | None = None) -> Failure | None:
        """Why `tool` may not be called as `plan` says, or None where it may.

        The failures are ours: `no_binding`, `unsafe_method`, `host_not_allowed`.
        """
        unbound = self._unbound(tool)
        if unbound:
            return Failure(kind="no_binding", detail=unbound, fault="ours")
        unsafe = self.unsafe_call(tool, plan)
        if unsafe:
            return unsafe
        try:
            origin = origin_of(self.server(tool))
        except ConfigurationError as error:
            return Failure(kind="host_not_allowed", detail=str(error), fault="ours")
        if not self.host_allowed(origin) or self._of_others(origin, tool):
            return _not_allowed(origin)
        untold = plan.facts if plan and not self._told(origin) else ()
        return _untold(origin, untold) if untold else None

    def server(self, tool: Tool) -> httpx.URL:
        """The base URL that calls of `tool` go to.

        Raises:
            ConfigurationError: the tool names no server, or an unusable one.
        """
        if self.base_url is not None and _TOOL_ID in self.base_url:
            text = self.base_url.replace(_TOOL_ID, quote(tool.tool_id, safe=""))
            if not _CLIMBING.isdisjoint(text.split("/")):  # a record of a list may be called `..`
                raise ConfigurationError(
                    "the tool's id would leave its place in the base URL",
                    field="base_url",
                    remedy="Leave the tool out of the catalogue.",
                )
            return parse_server(text)
        if self._base is not None:
            return self._base
        return parse_server(next(iter(_servers(tool)), ""))

    def origin(self, tool: Tool) -> str | None:
        """The origin that calls of `tool` go to; None where it names no server.

        Nor where `base_url` stands for many servers: one that is silent says nothing of the others.
        """
        if self.base_url is not None and _TOOL_ID in self.base_url:
            return None
        try:
            return str(origin_of(self.server(tool)))
        except ConfigurationError:
            return None

    def unsafe_call(self, tool: Tool, plan: CallPlan | None = None) -> Failure | None:
        """Why a call may change something and is not made, or None.

        What the user says counts before the tool's document: `unsafe_tools`, then `safe_tools`,
        then approval, then method, hint, name and arguments (`effects.may_change`).
        """
        if self.forbidden(tool):
            return _unsafe("The user marked this tool unsafe")
        if self._marked("safe_tools", tool) or is_approved(tool):
            return None
        values, said = (plan.values(), plan.said) if plan else (None, ())
        change = may_change(tool, values, said, trusted=self._trusts(tool))
        mark = f"where it only reads: --safe-tool {shlex.quote(tool.tool_id)}, or Policy.safe_tools"
        if server_of(tool) is not None and not self._trusts(tool):
            mark += "; Policy.trusted_servers for all that its server says only reads"
        why = f"{change}, and the user has not marked it safe ({mark})"
        return _unsafe(why) if change else None

    def _trusts(self, tool: Tool) -> bool:
        """Whether `tool` is of an MCP server that the user trusts."""
        return server_of(tool) in self.trusted_servers

    def forbidden(self, tool: Tool) -> bool:
        """Whether the user marked `tool` unsafe, by its id or by a pattern."""
        marked = any(covers(mark, tool) for mark in self.unsafe_tools)
        return marked or tool.tool_id in self._unsafe

    def callable_unasked(self, tool: Tool) -> bool:
        """Whether the user marked `tool` as one to be called once it is selected."""
        return self._marked("callable_tools", tool) and not self.forbidden(tool)

    def _marked(self, name: str, tool: Tool) -> bool:
        if self._held is None:
            return tool.tool_id in getattr(self, name)
        digest = self._held[name].get(tool.tool_id)
        return digest is not None and digest == tool_digest(tool)

    def names(self, origin: Origin) -> bool:
        """Whether `origin` is a server that the user named as a base URL."""
        return origin in self._named

    @property
    def proxy_url(self) -> httpx.URL | None:
        """`proxy`, parsed."""
        return parse_server(self.proxy) if self.proxy is not None else None

    def host_allowed(self, origin: Origin) -> bool:
        """Whether calls may go to `origin`; an address written out must be one that is reached."""
        if not (self._told(origin) or host_port(origin.host, origin.port) in self.declared):
            return False
        address = parse_address(origin.host)
        return address is None or self.address_allowed(address, origin.host, origin.port)

    def _of_others(self, origin: Origin, tool: Tool) -> bool:
        """Whether `origin` is open only as the base URL of sources that `tool` is not of."""
        authority = host_port(origin.host, origin.port)
        if origin not in self._given or self.is_base_url(origin) or authority in self.declared:
            return False
        return not self._is_moved(tool) and not self._listed(origin.host, origin.port)

    def _is_moved(self, tool: Tool) -> bool:
        """Whether `tool` is of a source that was given a base URL of its own."""
        return self._moved.get(tool.tool_id) == tool_digest(tool)

    def keeps_apart(self, tool: Tool) -> bool:
        """Whether calls of `tool` go by `apart`, over connections of their own."""
        return self._base is None and bool(self._given) and not self._is_moved(tool)

    def apart(self) -> "Policy":
        """This policy for connections of documents that were given no base URL of their own.

        The host of one may stand for an inner address, but not where another document names it.
        """
        urls = (url for url in self.base_urls if origin_of(parse_server(url)) not in self._given)
        return dataclasses.replace(self, base_urls=frozenset(urls))

    def _told(self, origin: Origin) -> bool:
        """Whether the user named the server at `origin`, so that it is told facts."""
        return self.names(origin) or self._listed(origin.host, origin.port)

    def is_base_url(self, origin: Origin) -> bool:
        """Whether `origin` is that of `base_url`."""
        return self._base is not None and origin_of(self._base) == origin

    def address_allowed(self, address: IPAddress, host: str, port: int) -> bool:
        """Whether a connection to `host` may go to `address`, which the name resolved to.

        What is called loopback is trusted to be: a credential goes there in clear.
        """
        if is_loopback_host(host) and not address.is_loopback:
            return False
        if address.is_loopback and self.proxy_url and not is_loopback_host(self.proxy_url.host):
            return False  # the proxy's own machine, behind a network that reads along
        reach = scope(address, self._nat64)
        if reach != "local":
            return reach == "public"
        if self._listed(str(address), port) or self._is_named_host(host, port):
            return True
        return host == "localhost" and address.is_loopback and self._listed(host, port)

    def names_listener(self, address: IPAddress, host: str, port: int) -> bool:
        """Whether the user named this very address (or `localhost`) with this very port.

        Only then may a call go to a port on which our own process listens.
        """
        named = host_port(str(address), port) in self.allow_hosts
        by_name = host == "localhost" and host_port(host, port) in self.allow_hosts
        return named or by_name or self._is_named_host(host, port)

    def _listed(self, host: str, port: int) -> bool:
        if host_port(host, port) in self.allow_hosts:
            return True
        return host in self.allow_hosts and may_serve_web(port)

    def _is_named_host(self, host: str, port: int) -> bool:
        """Whether this is the host of a base URL: it may resolve to an inner address, because no
        document can choose it.
        """
        return any(origin[1:] == (host, port) for origin in self._named)

    def _unbound(self, tool: Tool) -> str | None:
        """Why there is no server to call, or None."""
        if isinstance(tool.binding, NoBinding):
            return "The document does not say how this tool is called."
        if method_of(tool) is None:
            return "This tool is not called over HTTP."
        if self._base is not None:
            return None
        if tool.binding.relay is not None:
            return f"This tool needs {tool.binding.relay}: name one as base URL."
        servers = _servers(tool)
        if not servers:
            return "The document names no server: give a base URL."
        if servers[0].startswith("/"):
            return "The document names its server by path alone: give a base URL."
        return None


def _servers(tool: Tool) -> tuple[str, ...]:
    """Base URLs that the tool's document names."""
    return tool.binding.servers if isinstance(tool.binding, HttpBinding) else ()


def declared_hosts(tools: Iterable[Tool]) -> frozenset[str]:
    """`host:port` of every public server that the documents name, for use as `Policy.declared`.

    Addresses that are not public, names that only an inner network knows and ports other
    than the web's usual four are left out: only the user opens those.
    """
    origins = (_declared_origin(tool) for tool in tools)
    return frozenset(host_port(origin.host, origin.port) for origin in origins if origin)


def _declared_origin(tool: Tool) -> Origin | None:
    """The origin of the tool's own server, where it is one that `declared` allows."""
    try:
        origin = origin_of(Policy().server(tool))
    except ConfigurationError:
        return None
    address = parse_address(origin.host)
    if address is not None:
        inside = scope(address) != "public"
    else:
        inside = origin.host.removesuffix(".").rpartition(".")[2] in _INSIDE
    return None if inside or origin.port not in WEB_PORTS else origin


def _nat64_prefix(text: str) -> ipaddress.IPv6Network:
    """The prefix that `text` writes out."""
    try:
        prefix = ipaddress.IPv6Network(text)
    except ValueError:
        prefix = None
    if prefix is None or prefix.prefixlen not in NAT64_LENGTHS:
        raise ConfigurationError(
            f"{text!r} is no NAT64 prefix",
            field="nat64",
            remedy="Give an IPv6 network of 32, 40, 48, 56, 64 or 96 bits, as in 64:ff9b::/96.",
        )
    return prefix


def _unsafe(why: str) -> Failure:
    """The failure for a call that may change something."""
    return Failure(kind="unsafe_method", detail=f"{why}; nothing was sent.", fault="ours")


def _untold(origin: Origin, names: Iterable[str]) -> Failure:
    """The failure for facts, of the caller or of earlier answers, not meant for a host."""
    return Failure(
        kind="host_not_allowed",
        detail=f"{', '.join(names)} would tell {origin.authority} what your context or an earlier "
        "answer says, and only a document names that host; nothing was sent. List the host in "
        "`allow_hosts` where it may be told, or say the value in the request.",
        fault="ours",
        host=origin.authority,
    )


def _not_allowed(origin: Origin) -> Failure:
    """The failure for a host that the user has not listed."""
    address = parse_address(origin.host)
    if address is not None and scope(address) == "forbidden":
        detail = f"{origin.host} is {describe(address)}, which is never called; nothing was sent."
        return Failure(kind="host_not_allowed", detail=detail, fault="ours")
    return Failure(
        kind="host_not_allowed",
        detail=f"{origin.authority} is not an allowed host; nothing was sent.",
        fault="ours",
        host=origin.authority,
    )
