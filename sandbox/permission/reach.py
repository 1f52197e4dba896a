"""Which servers and addresses the user opened.

A bare host allows the ports of it on which web servers listen (`sandbox/network/ports.py`),
`host:port` that port alone, whatever it is. An address that is not public is reached only where the
user listed that very address (or `localhost`), so that an allowed name which resolves inside is
refused. What a tool's document says never allows anything.
"""

import ipaddress
from dataclasses import dataclass, field

import httpx

from gretel.contracts.errors import ConfigurationError
from gretel.sandbox.network.addresses import (
    NAT64_LENGTHS,
    IPAddress,
    is_loopback_host,
    parse_address,
    scope,
)
from gretel.sandbox.network.origin import (
    Origin,
    allowed_entry,
    host_port,
    origin_of,
    parse_named,
    parse_server,
)
from gretel.sandbox.network.ports import may_serve_web


@dataclass(frozen=True)
class Reach:
    """Which hosts and ports may be called, for all tools.

    Raises:
        ConfigurationError: an entry of `allow_hosts`, `base_url`, `base_urls`, `nat64` or `proxy`
            is unusable.
    """

    allow_hosts: frozenset[str] = frozenset()
    """Hosts that may be called, as `host` or `host:port`, exact; international names in either
    form."""
    base_url: str | None = None
    """Server that all tools are called at instead of their own (a mock, a MirrorAPI); this also
    allows it. `{tool_id}` in its path becomes the tool's id, so that tools of one path differ."""
    base_urls: frozenset[str] = frozenset()
    """Servers that the user named for single catalogues (`Catalog.base_urls`). Each opens its own
    origin (scheme, host and port), wherever the host's name leads, and no other. One that was
    given for a catalogue is open to the tools of that catalogue alone."""
    declared: frozenset[str] = frozenset()
    """Hosts that are called because documents name them (`declared_hosts`), written alike. They
    never receive values of `context`: a document does not choose who is told."""
    nat64: str | None = None
    """NAT64 prefix, such as `64:ff9b::/96`, for networks that reach IPv4 only by it. An address
    under it counts as the IPv4 address that it stands for, if that one is public."""
    proxy: str | None = None
    """Proxy for every call, such as `http://127.0.0.1:4750`; those of the environment are ignored.
    It receives the address that was checked, and may refuse it with 403."""
    _nat64: ipaddress.IPv6Network | None = field(init=False, repr=False, compare=False)
    """`nat64`, parsed."""
    _base: httpx.URL | None = field(init=False, repr=False, compare=False)
    """`base_url`, parsed."""
    _named: frozenset[Origin] = field(init=False, repr=False, compare=False)
    """The origins of `base_url` and `base_urls`."""

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
            raise ConfigurationError("the proxy is not an http URL", field="proxy", remedy=remedy)
        prefix = _nat64_prefix(self.nat64) if self.nat64 is not None else None
        object.__setattr__(self, "_nat64", prefix)

    def names(self, origin: Origin) -> bool:
        """Whether the user named the server at `origin` as one of theirs.

        As a base URL, or by listing its inner address.
        """
        if origin in self._named:
            return True
        address = parse_address(origin.host)
        local = address is not None and scope(address, self._nat64) == "local"
        return (local or is_loopback_host(origin.host)) and self.listed(origin.host, origin.port)

    @property
    def proxy_url(self) -> httpx.URL | None:
        """`proxy`, parsed."""
        return parse_server(self.proxy) if self.proxy is not None else None

    def host_allowed(self, origin: Origin) -> bool:
        """Whether calls may go to `origin`; an address written out must be one that is reached."""
        if not (self.told(origin) or host_port(origin.host, origin.port) in self.declared):
            return False
        address = parse_address(origin.host)
        return address is None or self.address_allowed(address, origin.host, origin.port)

    def told(self, origin: Origin) -> bool:
        """Whether the user named the server at `origin`, so that it is told facts."""
        return self.names(origin) or self.listed(origin.host, origin.port)

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
        if self.listed(str(address), port) or self._is_named_host(host, port):
            return True
        return host == "localhost" and address.is_loopback and self.listed(host, port)

    def names_listener(self, address: IPAddress, host: str, port: int) -> bool:
        """Whether the user named this very address (or `localhost`) with this very port.

        Only then may a call go to a port on which our own process listens.
        """
        named = host_port(str(address), port) in self.allow_hosts
        by_name = host == "localhost" and host_port(host, port) in self.allow_hosts
        return named or by_name or self._is_named_host(host, port)

    def listed(self, host: str, port: int) -> bool:
        """Whether the user listed `host`, with this port or as a web server."""
        if host_port(host, port) in self.allow_hosts:
            return True
        return host in self.allow_hosts and may_serve_web(port)

    def _is_named_host(self, host: str, port: int) -> bool:
        """Whether this is the host of a base URL: it may resolve to an inner address, because no
        document can choose it.
        """
        return any(origin[1:] == (host, port) for origin in self._named)


def _nat64_prefix(text: str) -> ipaddress.IPv6Network:
    """The prefix that `text` writes out."""
    try:
        prefix = ipaddress.IPv6Network(text)
    except ValueError:
        prefix = None
    if prefix is None or prefix.prefixlen not in NAT64_LENGTHS:
        raise ConfigurationError(
            f"{text!r} is not a NAT64 prefix",
            field="nat64",
            remedy="Give an IPv6 network of 32, 40, 48, 56, 64 or 96 bits, as in 64:ff9b::/96.",
        )
    return prefix
