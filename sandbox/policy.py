"""What may be sent, and where: the user's word, nothing by default.

A bare host allows every port of it, `host:port` that port alone. An address that is not public is
reached only where the user listed that very address (or `localhost`), so that an allowed name which
resolves inside is refused. What a tool says of itself never widens anything.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import quote

import httpx

from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import HttpBinding, NoBinding, Tool, ToolId
from gretel.contracts.trial import Failure
from gretel.sandbox.addresses import IPAddress, parse_address, scope
from gretel.sandbox.origin import Origin, allowed_entry, host_port, origin_of, parse_server

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing (RFC 9110, 9.2.1), TRACE left out."""

_TOOL_ID = "{tool_id}"


@dataclass(frozen=True)
class Policy:
    """What trials may call.

    Raises:
        ConfigurationError: an entry of `allow_hosts`, or `base_url`, is unusable.
    """

    allow_hosts: frozenset[str] = frozenset()
    """`host` or `host:port`, exact; international names in either form."""
    base_url: str | None = None
    """Server that stands in for every tool's own (a mock, a MirrorAPI); allowed as such. In its
    path `{tool_id}` stands for the tool's id, so that tools of one path can be told apart."""
    safe_tools: frozenset[ToolId] = frozenset()
    """Tools that the user marks safe whatever their method."""
    unsafe_tools: frozenset[ToolId] = frozenset()
    """Tools that are never called; beats `safe_tools`."""
    _base: httpx.URL | None = field(init=False, repr=False, compare=False)
    """`base_url`, parsed."""

    def __post_init__(self) -> None:
        entries = frozenset(allowed_entry(entry) for entry in self.allow_hosts)
        object.__setattr__(self, "allow_hosts", entries)
        base = parse_server(self.base_url) if self.base_url is not None else None
        object.__setattr__(self, "_base", base)

    def decide(self, tool: Tool) -> Failure | None:
        """Why `tool` may not be called, or None where it may.

        The failures are ours: `no_binding`, `unsafe_method`, `host_not_allowed`.
        """
        unbound = self._unbound(tool)
        if unbound:
            return Failure(kind="no_binding", detail=unbound, fault="ours")
        if not self.method_allowed(tool):
            return _unsafe(tool)
        try:
            origin = origin_of(self.server(tool))
        except ConfigurationError as error:
            return Failure(kind="host_not_allowed", detail=str(error), fault="ours")
        return None if self.host_allowed(origin) else _not_allowed(origin)

    def server(self, tool: Tool) -> httpx.URL:
        """The base URL that calls of `tool` go to.

        Raises:
            ConfigurationError: the tool names no server, or an unusable one.
        """
        if self.base_url is not None and _TOOL_ID in self.base_url:
            return parse_server(self.base_url.replace(_TOOL_ID, quote(tool.tool_id, safe="")))
        if self._base is not None:
            return self._base
        servers = tool.binding.servers if isinstance(tool.binding, HttpBinding) else ()
        return parse_server(servers[0] if servers else "")

    def method_allowed(self, tool: Tool) -> bool:
        """Whether a trial may call `tool`, its method and the user's word considered."""
        if tool.tool_id in self.unsafe_tools or isinstance(tool.binding, NoBinding):
            return False
        return tool.tool_id in self.safe_tools or tool.binding.method.upper() in SAFE_METHODS

    def host_allowed(self, origin: Origin) -> bool:
        """Whether calls may go to `origin`."""
        stands_in = self._base is not None and origin_of(self._base) == origin
        return stands_in or self._listed(origin.host, origin.port)

    def address_allowed(self, address: IPAddress, host: str, port: int) -> bool:
        """Whether a connection to `host` may go to `address`, which the name resolved to."""
        reach = scope(address)
        if reach != "local":
            return reach == "public"
        if self._listed(str(address), port) or self._names_stand_in(host, port):
            return True
        return host == "localhost" and address.is_loopback and self._listed(host, port)

    def _listed(self, host: str, port: int) -> bool:
        return host in self.allow_hosts or host_port(host, port) in self.allow_hosts

    def _names_stand_in(self, host: str, port: int) -> bool:
        """The stand-in's name may resolve inside: no document can choose it."""
        return self._base is not None and origin_of(self._base)[1:] == (host, port)

    def _unbound(self, tool: Tool) -> str | None:
        """Why there is no server to call, or None."""
        if isinstance(tool.binding, NoBinding):
            return "The document does not say how this tool is called."
        if self._base is not None:
            return None
        if not isinstance(tool.binding, HttpBinding):
            return "This tool needs a StableToolBench server: name one as base URL."
        if not tool.binding.servers:
            return "The document names no server: give a base URL."
        if tool.binding.servers[0].startswith("/"):
            return "The document names its server by path alone: give a base URL."
        return None


def declared_hosts(tools: Iterable[Tool]) -> frozenset[str]:
    """`host:port` of every public server that the documents name, for use as `allow_hosts`.

    Addresses that are not public and `localhost` are left out: only the user opens those.
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
    inside = origin.host == "localhost" or (address is not None and scope(address) != "public")
    return None if inside else origin


def _unsafe(tool: Tool) -> Failure:
    """The failure for a method that may change something."""
    method = "" if isinstance(tool.binding, NoBinding) else tool.binding.method.upper()
    return Failure(
        kind="unsafe_method",
        detail=f"{method} may change something and was not sent: the user has not marked it safe.",
        fault="ours",
    )


def _not_allowed(origin: Origin) -> Failure:
    """The failure for a host that the user has not listed."""
    address = parse_address(origin.host)
    if address is not None and scope(address) == "forbidden":
        detail = f"{origin.host} is a link-local, reserved or otherwise special address."
        return Failure(kind="host_not_allowed", detail=detail, fault="ours")
    return Failure(
        kind="host_not_allowed",
        detail=f"{origin.authority} is not an allowed host; nothing was sent.",
        fault="ours",
        host=origin.authority,
    )
