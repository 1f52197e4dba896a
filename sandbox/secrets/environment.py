"""Credentials in the environment, and which variable holds which.

It is read as `GRETEL_CREDENTIAL_<HOST>___<SCHEME>`, else `GRETEL_CREDENTIAL_<HOST>`:
upper case, a dot or a colon before the port becomes `_`, a hyphen `__`; the scheme's name follows
after `___`. So `api.x-y.com`, scheme `key`: `GRETEL_CREDENTIAL_API_X__Y_COM___KEY`. Two hosts never
share a variable: a host whose name is no ordinary one, such as `api_x.com`, has none. Values: the
key, the token (http bearer, oauth2, openIdConnect), `user:password` (http basic), and for oauth2
client credentials `id:secret`, or `id:secret@URL` where the tokens are issued at another origin
than the API's own: that one alone is shown them. A value with a word of its own, as in `Token abc`,
is what the header Authorization holds; where the server refuses a value, `forms.py` tries
another word, or the next alternative of the document.

Where a document says nothing of security, the host's variable is sent all the same: as a bearer
token; as it stands with a word of its own; in a header of its own where it names one
(`X-API-Key: abc`). A required header that is named as a key of the service counts as declared
(`Tool.security`). What a document declares to be open gets none.
"""

import os
import re
from collections.abc import Iterable, Mapping

from gretel.contracts.tool import SecurityScheme
from gretel.sandbox.network.addresses import parse_address
from gretel.sandbox.network.origin import Origin
from gretel.sandbox.secrets.oauth import names_issuer

_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
_CHOICES = 3
"""Alternatives that are named: a person needs one."""
_LIKE_ADDRESS = re.compile(r"[0-9a-f]{4}(?:\.[0-9a-f]{4}){7}")


class EnvironmentCredentials:
    """Reads secrets from environment variables when they are needed."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        """Read `environment`, by default the process's own."""
        self._environment = os.environ if environment is None else environment

    def __call__(self, origin: Origin, scheme: SecurityScheme) -> str | None:
        """The value of the scheme's variable, else of the host's; surrounding blanks dropped."""
        name = self.name_of(origin, scheme)
        return self._environment[name].strip() if name else None

    def name_of(self, origin: Origin, scheme: SecurityScheme) -> str | None:
        """The variable that holds the secret; None where there is none."""
        for name in (variable(origin, scheme), host_variable(origin)):
            secret = self._environment.get(name, "").strip() if name else ""
            if secret and not of_an_issuer(secret, scheme):
                return name
        return None


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


def settings(origin: Origin, schemes: Iterable[SecurityScheme]) -> str:
    """The variables of `schemes`, each with what it holds; '' where they have none."""
    named = [(name, scheme) for scheme in schemes if (name := variable(origin, scheme))]
    return " and ".join(f"{name} ({_value_of(scheme)})" for name, scheme in named)


def choices(
    origin: Origin,
    alternatives: Iterable[tuple[SecurityScheme, ...]],
    held: EnvironmentCredentials | None = None,
) -> str:
    """The variables of each of `alternatives`, the first few; '' where they have none.

    Of an alternative that has some of its variables in `held`, the others.
    """
    named: dict[str, None] = {}
    for schemes in alternatives:
        unset = tuple(each for each in schemes if not (held and held.name_of(origin, each)))
        named[settings(origin, unset or schemes)] = None
    named.pop("", None)
    return ", or ".join(list(named)[:_CHOICES])


def _value_of(scheme: SecurityScheme) -> str:
    """What the variable of a scheme holds."""
    if scheme.scheme == "basic":
        return "user:password"
    if scheme.kind == "apiKey":
        return "the key"
    return "the token"


def of_an_issuer(secret: str, scheme: SecurityScheme) -> bool:
    """Whether `secret` is one that only the issuer it names is shown, and `scheme` asks for a key.

    A document chooses what its operations ask for: it shall not have `id:secret@URL` sent as one,
    nor one that is written wrongly.
    """
    return scheme.kind != "oauth2" and names_issuer(secret)
