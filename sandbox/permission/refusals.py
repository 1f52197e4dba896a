"""Failures of calls that policy does not let out."""

from collections.abc import Iterable

from gretel.contracts.trial import Failure
from gretel.sandbox.network.addresses import describe, parse_address, scope
from gretel.sandbox.network.origin import Origin


def unsafe(why: str) -> Failure:
    """The failure for a call that may change something."""
    return Failure(kind="unsafe_method", detail=f"{why}; nothing was sent.", fault="ours")


def untold(origin: Origin, names: Iterable[str]) -> Failure:
    """The failure for facts, of the caller or of earlier answers, not meant for a host."""
    return Failure(
        kind="host_not_allowed",
        detail=f"{', '.join(names)} would tell {origin.authority} a value of your context or of an "
        "earlier answer, and only a document names that host; nothing was sent. To allow it, list "
        "the host in `allow_hosts`, or say the value in the request.",
        fault="ours",
        host=origin.authority,
    )


def not_allowed(origin: Origin) -> Failure:
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
