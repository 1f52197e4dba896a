"""Servers that documents name, for use as `Policy.declared`."""

from collections.abc import Iterable

from gretel.contracts.errors import ConfigurationError
from gretel.contracts.tool import Tool
from gretel.sandbox.network.addresses import parse_address, scope
from gretel.sandbox.network.origin import Origin, host_port, origin_of
from gretel.sandbox.network.ports import WEB_PORTS
from gretel.sandbox.permission.policy import Policy

_INSIDE = ("localhost", "local", "internal", "arpa", "intranet", "lan", "corp", "home")
"""Last labels of names that mean something inside a network only (RFC 6761, 6762, 8375)."""


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
