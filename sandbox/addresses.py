"""Which IP addresses a call may reach: an allow-list made from the IANA special-purpose registries.

`ipaddress.is_global` is no check: it passes NAT64, 6to4 and IPv4-compatible forms of private
addresses. Here an IPv6 address is public only inside 2000::/3 and outside every special block, so
that each form that embeds an IPv4 address is denied.
"""

import ipaddress
from typing import Literal, TypeAlias

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Scope: TypeAlias = Literal["public", "local", "forbidden"]
"""`local` (loopback, private, shared) is reached only where the user listed that very address;
`forbidden` (link-local with its metadata services, multicast, reserved, embedded) never."""

_LOCAL = tuple(
    ipaddress.ip_network(block)
    for block in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "::1/128",
        "fc00::/7",
    )
)

_SPECIAL = tuple(
    ipaddress.ip_network(block)
    for block in (
        "0.0.0.0/8",
        "168.63.129.16/32",  # public by number, but Azure's metadata and agent service
        "169.254.0.0/16",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "2001::/23",  # protocol assignments: Teredo, benchmarking, ORCHID
        "2001:db8::/32",
        "2002::/16",
        "2620:4f:8000::/48",
        "3fff::/20",
    )
)

_GLOBAL_UNICAST_V6 = ipaddress.ip_network("2000::/3")
_ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE})
"""Upper half of an interface id that carries an IPv4 address (RFC 5214)."""


def parse_address(host: str) -> IPAddress | None:
    """The address that `host` writes out in its canonical form, or None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def scope(address: IPAddress) -> Scope:
    """How far `address` may be reached."""
    if any(address in block for block in _LOCAL):
        return "local"
    if any(address in block for block in _SPECIAL):
        return "forbidden"
    if address.version == 6 and not _plain_global_v6(address):
        return "forbidden"
    return "public"


def _plain_global_v6(address: IPAddress) -> bool:
    """Whether an IPv6 address is global unicast and hides no IPv4 address."""
    interface = int(address) & 0xFFFF_FFFF_FFFF_FFFF
    return address in _GLOBAL_UNICAST_V6 and (interface >> 32) not in _ISATAP


def is_loopback_host(host: str) -> bool:
    """Whether `host` is `localhost` or a loopback address written out."""
    address = parse_address(host)
    return host == "localhost" or (address is not None and address.is_loopback)
