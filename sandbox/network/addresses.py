"""Which IP addresses a call may reach: an allow-list made from the IANA special-purpose registries.

`ipaddress.is_global` is no check: it passes NAT64, 6to4 and IPv4-compatible forms of private
addresses. Here an IPv6 address is public only inside 2000::/3 and outside every special block, and
each form that embeds an IPv4 address is denied. The one exception is a NAT64 prefix that the user
names (`Policy.nat64`): behind it the IPv4 address decides.
"""

import ipaddress
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

IPAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Scope: TypeAlias = Literal["public", "local", "forbidden"]
"""`local` (loopback, private, shared) is reached only where the user listed that very address;
`forbidden` (link-local, metadata services, multicast, reserved, embedded) never."""

NAT64_LENGTHS = frozenset({32, 40, 48, 56, 64, 96})
"""Lengths that the prefix of a NAT64 network may have (RFC 6052, 2.2)."""


class _Block(NamedTuple):
    """A block of addresses that is not simply public."""

    network: ipaddress.IPv4Network | ipaddress.IPv6Network
    what: str
    scope: Scope


def _blocks(scope: Scope, table: dict[str, str]) -> tuple[_Block, ...]:
    return tuple(
        _Block(ipaddress.ip_network(block), what, scope)
        for what, blocks in table.items()
        for block in blocks.split()
    )


_METADATA = (
    # Inside shared, private or public blocks, and never a tool: they hand out credentials.
    "100.100.100.200/32 168.63.129.16/32 192.0.0.192/32 169.254.169.254/32 169.254.170.2/32 "
    "169.254.170.23/32 fd00:ec2::254/128 fd00:ec2::23/128 fd20:ce::254/128 fd00:42::42/128 "
    "fd00:c1::a9fe:a9fe/128 fe80::a9fe:a9fe/128"
)
_BLOCKS = (
    *_blocks("forbidden", {"a cloud's metadata service": _METADATA}),
    *_blocks(
        "local",
        {
            "a loopback address": "127.0.0.0/8 ::1/128",
            "a private address": "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7",
            "a shared address": "100.64.0.0/10",
        },
    ),
    *_blocks(
        "forbidden",
        {
            "an address of this network": "0.0.0.0/8 ::/128",
            "a link-local address": "169.254.0.0/16 fe80::/10",
            "a multicast address": "224.0.0.0/4 ff00::/8",
            "a site-local address": "fec0::/10",
            "an address for documentation": "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 "
            "2001:db8::/32 3fff::/20",
            "an address for benchmarks": "198.18.0.0/15",
            "an address for protocols": "192.0.0.0/24 192.31.196.0/24 192.52.193.0/24 "
            "192.88.99.0/24 192.175.48.0/24 2001::/23 2620:4f:8000::/48",
            "a 6to4 address": "2002::/16",
            "a reserved address": "240.0.0.0/4",
        },
    ),
)
_GLOBAL_UNICAST_V6 = ipaddress.ip_network("2000::/3")


class Embedded(NamedTuple):
    """An IPv4 address that stands inside an IPv6 address."""

    form: str
    address: ipaddress.IPv4Address


_SUFFIXED = {
    ipaddress.IPv6Network("::ffff:0:0/96"): "IPv4-mapped",
    ipaddress.IPv6Network("::ffff:0:0:0/96"): "IPv4-translated",
    ipaddress.IPv6Network("::/96"): "IPv4-compatible",
}
_NAT64 = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))
_6TO4 = ipaddress.IPv6Network("2002::/16")
_TEREDO = ipaddress.IPv6Network("2001::/32")
_ISATAP = frozenset({b"\0\0\x5e\xfe", b"\2\0\x5e\xfe"})
"""Upper half of an interface id that carries an IPv4 address (RFC 5214)."""


def parse_address(host: str) -> IPAddress | None:
    """The address that `host` writes out in its canonical form, or None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


@lru_cache(maxsize=4096)
def scope(address: IPAddress, nat64: ipaddress.IPv6Network | None = None) -> Scope:
    """How far `address` may be reached; one with a zone may not.

    `nat64` is the prefix under which this network shows IPv4 addresses; of those the public ones
    are public, all others forbidden.
    """
    if address.version == 6:
        if address.scope_id:
            return "forbidden"
        if nat64 is not None and address in nat64:
            return "public" if scope(nat64_address(address, nat64)) == "public" else "forbidden"
    block = _block(address)
    if block is not None:
        return block.scope
    if address.version == 6 and (address not in _GLOBAL_UNICAST_V6 or embedded(address)):
        return "forbidden"
    return "public"


def describe(address: IPAddress) -> str:
    """What kind of address `address` is, in words; for refusals."""
    if address.version == 6:
        if address.scope_id:
            return "an address with a zone"
        inside = embedded(address)
        if inside is not None:
            return f"the {inside.form} form of {inside.address}"
    block = _block(address)
    if block is not None:
        return block.what
    return "a public address" if scope(address) == "public" else "a reserved address"


def embedded(address: ipaddress.IPv6Address) -> Embedded | None:
    """The IPv4 address inside `address`, or None where no form of embedding fits."""
    packed = address.packed
    for network, form in _SUFFIXED.items():
        if address in network and int(address) > 1:
            return Embedded(form, ipaddress.IPv4Address(packed[12:]))
    for network in _NAT64:
        if address in network:
            return Embedded("NAT64", nat64_address(address, network))
    if address in _6TO4:
        return Embedded("6to4", ipaddress.IPv4Address(packed[2:6]))
    if address in _TEREDO:
        return Embedded("Teredo", ipaddress.IPv4Address(bytes(255 - byte for byte in packed[12:])))
    if packed[8:12] in _ISATAP:
        return Embedded("ISATAP", ipaddress.IPv4Address(packed[12:]))
    return None


def nat64_address(
    address: ipaddress.IPv6Address, prefix: ipaddress.IPv6Network
) -> ipaddress.IPv4Address:
    """The IPv4 address that `address` stands for under a NAT64 prefix (RFC 6052, 2.2)."""
    # The bits behind the prefix, octet 8 left out.
    octets = [index for index in range(prefix.prefixlen // 8, 16) if index != 8][:4]
    return ipaddress.IPv4Address(bytes(address.packed[index] for index in octets))


def is_loopback_host(host: str) -> bool:
    """Whether `host` is `localhost` or a loopback address written out."""
    address = parse_address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _block(address: IPAddress) -> _Block | None:
    """The first block that holds `address`."""
    return next((block for block in _BLOCKS if address in block.network), None)
