"""Credentials: found per origin when a request is sent, and never kept.

The environment is read as `GRETEL_CREDENTIAL_<HOST>___<SCHEME>`, else `GRETEL_CREDENTIAL_<HOST>`:
upper case, a dot or a colon before the port becomes `_`, a hyphen `__`; the scheme's name follows
after `___`. So `api.x-y.com`, scheme `key`: `GRETEL_CREDENTIAL_API_X__Y_COM___KEY`. Two hosts never
share a variable: a host whose name is no ordinary one, such as `api_x.com`, has none. Values: the
key, the token (http bearer, oauth2, openIdConnect), `user:password` (http basic), and for oauth2
client credentials `id:secret`, or `id:secret@URL` where the tokens are issued at another origin
than the API's own: that one alone is shown them. A value with a word of its own, as in `Token abc`,
is what the header Authorization holds; where the server refuses a bare token, `forms.py` tries
another word.

Where a document says nothing of security, the host's variable is sent all the same: as a bearer
token; as it stands with a word of its own; in a header of its own where it names one
(`X-API-Key: abc`). A required header that is named as a key of the service counts as declared
(`Tool.security`). What a document declares to be open gets none.
"""

import asyncio
import base64
import inspect
import os
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from gretel.contracts.errors import SandboxUnavailable
from gretel.contracts.tool import SecurityScheme, Tool
from gretel.contracts.trial import Failure
from gretel.sandbox.network.addresses import is_loopback_host, parse_address
from gretel.sandbox.network.origin import Origin
from gretel.sandbox.network.wire_request import HEADER_NAME, WireRequest, is_own_header
from gretel.sandbox.secrets.oauth import ClientCredentials, Token, TokenIssuers

_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
_LIKE_ADDRESS = re.compile(r"[0-9a-f]{4}(?:\.[0-9a-f]{4}){7}")
_NO_HEADERS = frozenset({"host", "connection", "content-length", "transfer-encoding"})
"""What the host's variable never sets."""
_KEYED = frozenset({"authorization", "cookie", "user-agent"})
"""Headers of ours in which a document may ask for a key."""
_AUTHORIZATION = ("header", "authorization")
_SENDABLE = re.compile(r"[\x20-\x7e]+")

UNDECLARED: tuple[tuple[SecurityScheme, ...], ...] = (
    (SecurityScheme(name="bearer", kind="http", scheme="bearer"),),
    (),
)
"""What is taken to be asked for where a document says nothing: a bearer token, if there is one."""

Credential: TypeAlias = str | ClientCredentials | None
"""A secret as the environment would hold it, or a program's credentials; None: there is none."""


CredentialResolver: TypeAlias = Callable[
    [Origin, SecurityScheme], Credential | Awaitable[Credential]
]
"""Finds the secret that a scheme of an origin needs, now or awaited; a function of the caller may
be one. Asked whenever a secret is sent, and kept nowhere."""


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
            if secret and not _of_an_issuer(secret, scheme):
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


def no_credentials(origin: Origin, scheme: SecurityScheme) -> str | None:
    """A resolver that knows none."""
    return None


@dataclass(frozen=True)
class Attached:
    """A request with credentials, and what of it is secret."""

    request: WireRequest
    secrets: tuple[str, ...] = field(default=(), repr=False)
    token: str = field(default="", repr=False)
    """What stands in the header Authorization, without the word before it; '' where no other word
    may stand there."""
    word: str = ""
    """The word before it, in small letters; '' where it stands alone."""

    @property
    def form(self) -> str:
        """How the token is sent, for a person; '' where no other way is open."""
        return f"`{_worded(self.word, '…')}`" if self.token else ""

    def with_word(self, word: str) -> "Attached":
        """The same token behind another word."""
        value = _worded(word, self.token)
        request = _with_header(self.request, "Authorization", value)
        secrets = (*self.secrets, value)
        return replace(self, request=request, secrets=secrets, word=word)


async def in_time(
    finding: Awaitable[Attached | Failure], origin: Origin, seconds: float
) -> Attached | Failure:
    """What `finding` gives within `seconds`, else a failure that says which host it was for.

    Raises:
        SandboxUnavailable: the resolver broke. Its own words may hold a secret, and are dropped.
    """
    try:
        async with asyncio.timeout(seconds):
            return await finding
    except TimeoutError:
        return Failure(
            kind="missing_credential",
            detail=f"{origin.authority}: no credential was found in time.",
            fault="ours",
        )
    except Exception as error:
        broke = type(error).__name__
    raise SandboxUnavailable(f"the source of credentials broke: {broke}")


async def attach(
    request: WireRequest,
    tool: Tool,
    resolver: CredentialResolver,
    issuers: TokenIssuers | None,
) -> Attached | Failure:
    """`request` with the credentials of one alternative of `tool`, or what is missing.

    Args:
        request: as built, without credentials.
        tool: whose binding says what is needed.
        resolver: where secrets come from; asked for the origin the request goes to.
        issuers: where tokens are fetched; None where the request goes to a server that stands in
            for the tool's own: that one may do without credentials, and gets no tokens of others.
    """
    alternatives = tool.security
    if tool.implied_keys:
        left = tuple(scheme for scheme in alternatives[0] if not _is_given(request, scheme))
        alternatives = (left,)
        if not left:
            return Attached(request)
    if not tool.declares_security and isinstance(resolver, EnvironmentCredentials):
        undeclared = await _undeclared(request, resolver, asked=bool(alternatives))
        if undeclared is not None:
            return undeclared
    failures: list[Failure] = []
    for schemes in sorted(alternatives, key=len, reverse=True):
        secrets: dict[SecurityScheme, str | Token] = {}
        for scheme in schemes:
            found = await _secret(request.origin, scheme, resolver, issuers)
            if isinstance(found, Failure):
                failures.append(found)
            elif found is not None:
                secrets[scheme] = found
        if len(secrets) == len(schemes) and not _clash(secrets):
            return _with_secrets(request, secrets)
    if issuers is None or not alternatives:
        return Attached(request)
    return failures[0] if failures else _missing(request.origin, alternatives[0])


async def _undeclared(
    request: WireRequest, resolver: EnvironmentCredentials, *, asked: bool
) -> Attached | None:
    """`request` with what the user set for its host, though its document declares nothing.

    Where a key is `asked` for all the same, only what names its own header; else None.
    """
    secret = await _secret(request.origin, UNDECLARED[0][0], resolver, None)
    name, value = undeclared_header(secret) if isinstance(secret, str) else ("", "")
    if asked and name in ("", "Authorization"):
        return None
    if not isinstance(secret, str):
        return Attached(request)
    if name.lower() in _NO_HEADERS:
        return Attached(request)
    token, word = ("", "") if " " in secret else (secret, "bearer")
    secrets = (secret, value)
    return Attached(_with_header(request, name, value), secrets, token, word)


def undeclared_header(secret: str) -> tuple[str, str]:
    """The header, and its value, that a secret is sent in where nothing is declared."""
    name, named, value = secret.partition(": ")
    if named and HEADER_NAME.fullmatch(name):
        return name, value.strip()
    return "Authorization", secret if " " in secret else _worded("bearer", secret)


def in_clear(origin: Origin) -> bool:
    """Whether what is sent to `origin` can be read on its way; no credential goes there."""
    return origin.scheme != "https" and not is_loopback_host(origin.host)


async def _secret(
    origin: Origin,
    scheme: SecurityScheme,
    resolver: CredentialResolver,
    issuers: TokenIssuers | None,
) -> str | Token | Failure | None:
    """The secret for `scheme`, where it can be had, sent in clear to nobody, and written."""
    if scheme.kind == "mutualTLS" or (scheme.scheme or "").lower() == "digest":
        return None
    if in_clear(origin):
        return None
    if not _has_place(scheme):
        return None
    secret = await resolved(origin, scheme, resolver)
    if isinstance(secret, str) and _of_an_issuer(secret, scheme):
        return None
    if scheme.kind == "oauth2" and isinstance(secret, str):
        secret = ClientCredentials.read(secret) or secret
    if isinstance(secret, ClientCredentials):
        if issuers is None or scheme.kind != "oauth2":
            return None
        return await issuers.token(secret, origin, scheme.token_url, scheme.scopes)
    return secret if secret and _SENDABLE.fullmatch(secret) else None


def _of_an_issuer(secret: str, scheme: SecurityScheme) -> bool:
    """Whether `secret` is one that only the issuer it names is shown, and `scheme` asks for a key.

    A document chooses what its operations ask for: it shall not have `id:secret@URL` sent as one.
    """
    read = ClientCredentials.read(secret) if scheme.kind != "oauth2" else None
    return read is not None and read.token_url is not None


async def resolved(
    origin: Origin, scheme: SecurityScheme, resolver: CredentialResolver
) -> Credential:
    """What the resolver gives, awaited where it is asynchronous."""
    found = resolver(origin, scheme)
    return await found if inspect.isawaitable(found) else found


def _with_secrets(request: WireRequest, secrets: dict[SecurityScheme, str | Token]) -> Attached:
    """`request` with each secret in its place."""
    found = Attached(request)
    for scheme, secret in secrets.items():
        if isinstance(secret, Token):
            found = replace(found, secrets=(*found.secrets, *secret.secrets))
            secret = secret.value
        found = _with_secret(found, scheme, secret)
    return found


def _with_secret(found: Attached, scheme: SecurityScheme, secret: str) -> Attached:
    """`found` with one more secret."""
    used = (*found.secrets, secret)
    if scheme.kind == "apiKey" and not _is_authorization(scheme):
        return replace(found, request=_with_key(found.request, scheme, secret), secrets=used)
    word = "" if scheme.kind == "apiKey" else (scheme.scheme or "bearer").lower()
    if _has_own_word(secret, word):
        request = _with_header(found.request, "Authorization", secret)
        return Attached(request, used)
    value = _worded(word, secret)
    request = _with_header(found.request, "Authorization", value)
    token = "" if word == "basic" or " " in secret else secret
    return Attached(request, (*used, value), token, word)


def _is_authorization(scheme: SecurityScheme) -> bool:
    """Whether a key stands in the header in which other schemes have a word before it."""
    return (scheme.location, (scheme.parameter or "").lower()) == _AUTHORIZATION


def _has_place(scheme: SecurityScheme) -> bool:
    """Whether a key can stand where its document says: under a name, in no header of ours; and a
    token behind the word that it says, which is one.

    A key named `Host` would be sent to whoever answers for all hosts, one named `X-Forwarded-For`
    would say who calls.
    """
    if scheme.kind != "apiKey":
        return not scheme.scheme or bool(HEADER_NAME.fullmatch(scheme.scheme))
    name = scheme.parameter or ""
    if not HEADER_NAME.fullmatch(name):
        return False
    return scheme.location != "header" or name.lower() in _KEYED or not is_own_header(name)


def _is_given(request: WireRequest, scheme: SecurityScheme) -> bool:
    """Whether an argument of the call holds a key already."""
    name = (scheme.parameter or "").lower()
    held = (key for key, _ in request.headers)
    return name in {
        key.lower() for key in (held if scheme.location == "header" else request.url.params)
    }


def _clash(secrets: Mapping[SecurityScheme, str | Token]) -> bool:
    """Whether two secrets would stand in one place, where one hides the other."""
    standing: dict[tuple[str | None, str], str] = {}
    for scheme, secret in secrets.items():
        value = secret.value if isinstance(secret, Token) else secret
        keyed = scheme.kind == "apiKey"
        place = (scheme.location, (scheme.parameter or "").lower()) if keyed else _AUTHORIZATION
        if standing.setdefault(place, value) != value:
            return True
    return False


def _has_own_word(secret: str, word: str) -> bool:
    """Whether a value says itself with which word it is sent; `user:pass word` does not."""
    own, blank, rest = secret.partition(" ")
    named = bool(blank) and bool(HEADER_NAME.fullmatch(own))
    return named and not (word == "basic" and ":" in rest)


def _worded(word: str, token: str) -> str:
    """The value of the header Authorization."""
    if word == "basic":
        token = base64.b64encode(token.encode()).decode()
    return f"{word.capitalize()} {token}" if word else token


def _with_key(request: WireRequest, scheme: SecurityScheme, secret: str) -> WireRequest:
    """`request` with an API key in header, query or cookie."""
    name = scheme.parameter or ""
    if scheme.location == "query":
        return replace(request, url=request.url.copy_merge_params({name: secret}))
    if scheme.location == "cookie" or name.lower() == "cookie":
        others = [value for key, value in request.headers if key == "Cookie"]
        own = f"{name}={secret}" if scheme.location == "cookie" else secret
        return _with_header(request, "Cookie", "; ".join([*others, own]))
    return _with_header(request, name, secret)


def _with_header(request: WireRequest, name: str, value: str) -> WireRequest:
    """`request` with one header set, in place of any of that name."""
    kept = tuple(pair for pair in request.headers if pair[0].lower() != name.lower())
    return replace(request, headers=(*kept, (name, value)))


def settings(origin: Origin, schemes: Iterable[SecurityScheme]) -> str:
    """The variables of `schemes`, each with what it holds; '' where they have none."""
    named = [(name, scheme) for scheme in schemes if (name := variable(origin, scheme))]
    return " and ".join(f"{name} ({_value_of(scheme)})" for name, scheme in named)


def _value_of(scheme: SecurityScheme) -> str:
    """What the variable of a scheme holds."""
    if scheme.scheme == "basic":
        return "user:password"
    if scheme.kind == "apiKey":
        return "the key"
    return "the token"


def _missing(origin: Origin, schemes: tuple[SecurityScheme, ...]) -> Failure:
    """The failure that names what to set."""
    unsupported = [s for s in schemes if s.kind == "mutualTLS" or s.scheme == "digest"]
    nowhere = [s for s in schemes if not _has_place(s)]
    if nowhere:
        detail = f"{origin.authority} asks for a key in a place that none is sent in."
    elif unsupported:
        detail = f"{origin.authority} asks for {unsupported[0].kind}, which is not supported."
    elif in_clear(origin):
        detail = f"{origin} has no TLS: credentials are not sent there."
    else:
        remedy = settings(origin, schemes)
        remedy = f"set {remedy}" if remedy else "no variable can be named after it"
        detail = f"{origin.authority} needs a credential: {remedy}."
    return Failure(kind="missing_credential", detail=detail, fault="ours")
