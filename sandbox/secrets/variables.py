"""Names of the environment variables that hold credentials: the rule is in `credentials.py`."""

import re

from gretel.contracts.tool import SecurityScheme
from gretel.sandbox.network.addresses import parse_address
from gretel.sandbox.network.origin import Origin

_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
_LIKE_ADDRESS = re.compile(r"[0-9a-f]{4}(?:\.[0-9a-f]{4}){7}")


def variable(origin: Origin, scheme: SecurityScheme) -> str | None:
    """The environment variable of one scheme of `origin`; None where the host has none."""
    host = host_variable(origin)
    # A fourth underscore would make a hyphen of the host's name of it.
    name = re.sub(r"[^A-Z0-9]", "_", scheme.name.upper()).lstrip("_")
    return host and f"{host}___{name}"


def host_variable(origin: Origin) -> str | None:
    """The environment variable of every scheme of `origin`.

    None for a host with an underscore, a dot at its end, or the looks of an IPv6 address: its
    variable would be that of another.
    """
    address = parse_address(origin.host)
    host = address.exploded if address else origin.host
    if not address and (not _HOST.fullmatch(host) or _LIKE_ADDRESS.fullmatch(host)):
        return None
    port = origin.authority.removeprefix(f"[{origin.host}]").removeprefix(origin.host)
    name = (host + port).upper().replace("-", "__")
    return f"GRETEL_CREDENTIAL_{re.sub(r'[^A-Z0-9_]', '_', name)}"
