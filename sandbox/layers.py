"""Which layers of the sandbox are in force, for `gretel doctor`."""

import os
from typing import NamedTuple

from gretel.catalog.effects.changes import SAFE_METHODS
from gretel.contracts.budget import Budget
from gretel.sandbox.network.origin import origin_of
from gretel.sandbox.network.ports import can_list_ports
from gretel.sandbox.permission.policy import Policy

_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


class Layer(NamedTuple):
    """One layer, and what it does here."""

    name: str
    in_force: bool
    detail: str


def network_layers(policy: Policy) -> list[Layer]:
    """The layers between a trial and the network, outermost last."""
    limits, budget = policy.limits, Budget()
    rate = f"{limits.per_second:g} a second" if limits.per_second else "no rate"
    return [
        Layer("methods", True, f"{', '.join(sorted(SAFE_METHODS))}; others as the user marks them"),
        Layer("addresses", True, _addresses(policy)),
        Layer("own ports", can_list_ports(), _own_ports()),
        Layer("proxies", True, _proxies(policy)),
        Layer("redirects", True, "never followed"),
        Layer(
            "bounds",
            True,
            f"{budget.call_s:g} s, {budget.bytes_wire:,} bytes on the wire, "
            f"{budget.bytes_decoded:,} decoded; gzip and deflate only",
        ),
        Layer(
            "per server",
            True,
            f"{limits.at_once} calls at once, {rate}; {limits.cooldown_s:g} s of cooldown "
            f"after {limits.failures} calls without an answer",
        ),
    ]


def _addresses(policy: Policy) -> str:
    nat64 = f"; NAT64 prefix {policy.nat64}" if policy.nat64 else ""
    return f"each address of a name must be public or listed, and is the one connected to{nat64}"


def _own_ports() -> str:
    if can_list_ports():
        return "ports of this process are refused unless host and port are listed"
    return "this system does not list a process's sockets: trials may call our own ports"


def _proxies(policy: Policy) -> str:
    found = [name for name in _PROXIES if os.environ.get(name) or os.environ.get(name.lower())]
    proxy = policy.proxy_url
    used = f"every call goes through {origin_of(proxy)}" if proxy else "none"
    return f"{used}; ignored: {', '.join(found)}" if found else used
