"""Credentials: found per origin when a request is sent, and never kept.

Where they come from without a resolver of the caller's says `environment.py`, where they stand in a
request `attached.py`.
"""

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from gretel.contracts.errors import SandboxUnavailable
from gretel.contracts.tool import SecurityScheme, Tool
from gretel.contracts.trial import Failure
from gretel.sandbox.network.addresses import is_loopback_host
from gretel.sandbox.network.origin import Origin
from gretel.sandbox.network.wire_request import HEADER_NAME, WireRequest
from gretel.sandbox.secrets.attached import (
    Attached,
    clash,
    has_place,
    with_header,
    with_secrets,
    worded,
)
from gretel.sandbox.secrets.environment import EnvironmentCredentials, of_an_issuer, settings
from gretel.sandbox.secrets.oauth import ClientCredentials, Token, TokenIssuers, names_issuer

_NO_HEADERS = frozenset({"host", "connection", "content-length", "transfer-encoding"})
"""What the host's variable never sets."""
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


def no_credentials(origin: Origin, scheme: SecurityScheme) -> str | None:
    """A resolver that knows none."""
    return None


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

    The resolver is asked for the origin that the request goes to. `issuers` is None where it goes
    to a server that stands in for the tool's own: that one may do without credentials, and gets no
    tokens of others.
    """
    alternatives = tool.security
    if tool.implied_keys:
        headers = {name.lower() for name, _ in request.headers}
        queried = {name.lower() for name in request.url.params}
        left = tuple(
            scheme
            for scheme in alternatives[0]
            if (scheme.parameter or "").lower()
            not in (headers if scheme.location == "header" else queried)
        )
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
        if len(secrets) == len(schemes) and not clash(secrets):
            return with_secrets(request, secrets)
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
    return Attached(with_header(request, name, value), secrets, token, word)


def undeclared_header(secret: str) -> tuple[str, str]:
    """The header, and its value, that a secret is sent in where nothing is declared."""
    name, named, value = secret.partition(": ")
    if named and HEADER_NAME.fullmatch(name):
        return name, value.strip()
    return "Authorization", secret if " " in secret else worded("bearer", secret)


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
    if not has_place(scheme):
        return None
    secret = await resolved(origin, scheme, resolver)
    if isinstance(secret, str) and of_an_issuer(secret, scheme):
        return None
    if scheme.kind == "oauth2" and isinstance(secret, str):
        secret = ClientCredentials.read(secret) or secret
        if isinstance(secret, str) and names_issuer(secret):
            return _unreadable(origin)
    if isinstance(secret, ClientCredentials):
        if issuers is None or scheme.kind != "oauth2":
            return None
        return await issuers.token(secret, origin, scheme.token_url, scheme.scopes)
    return secret if secret and _SENDABLE.fullmatch(secret) else None


async def resolved(
    origin: Origin, scheme: SecurityScheme, resolver: CredentialResolver
) -> Credential:
    """What the resolver gives, awaited where it is asynchronous."""
    found = resolver(origin, scheme)
    return await found if inspect.isawaitable(found) else found


def _unreadable(origin: Origin) -> Failure:
    """The failure of a credential that names an issuer and is not written as one."""
    detail = (
        f"The credential of {origin.authority} names an issuer of tokens, and is not written as "
        "id:secret@https://host/token."
    )
    return Failure(kind="missing_credential", detail=detail, fault="ours")


def _missing(origin: Origin, schemes: tuple[SecurityScheme, ...]) -> Failure:
    """The failure that names what to set."""
    unsupported = [s for s in schemes if s.kind == "mutualTLS" or s.scheme == "digest"]
    nowhere = [s for s in schemes if not has_place(s)]
    if nowhere:
        detail = f"{origin.authority} asks for a key in a place where none can be sent."
    elif unsupported:
        detail = f"{origin.authority} asks for {unsupported[0].kind}, which is not supported."
    elif in_clear(origin):
        detail = f"{origin} has no TLS: credentials are not sent there."
    else:
        remedy = settings(origin, schemes)
        remedy = f"set {remedy}" if remedy else "this host has no variable"
        detail = f"{origin.authority} needs a credential: {remedy}."
    return Failure(kind="missing_credential", detail=detail, fault="ours")
