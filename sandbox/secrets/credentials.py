"""Credentials: found per origin when a request is sent, and never kept.

Where they come from without a resolver of the caller's says `environment.py`, where they stand in a
request `attached.py`.
"""

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from gretel.contracts.errors import SandboxUnavailable
from gretel.contracts.tool import SecurityScheme, Tool
from gretel.contracts.trial import Failure
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
from gretel.sandbox.secrets.environment import EnvironmentCredentials, of_an_issuer
from gretel.sandbox.secrets.lacking import in_clear, missing, unreadable
from gretel.sandbox.secrets.oauth import ClientCredentials, Token, TokenIssuers, names_issuer

_NO_HEADERS = frozenset({"host", "connection", "content-length", "transfer-encoding"})
"""What the host's variable never sets."""
_SENDABLE = re.compile(r"[\x20-\x7e]+")

Alternatives: TypeAlias = tuple[tuple[SecurityScheme, ...], ...]
"""Schemes that an operation may be called with: all of one entry together."""

UNDECLARED: Alternatives = (
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
    likely = _likely(alternatives, request.origin, resolver)
    for place, schemes in enumerate(likely, start=1):
        found = await _with_all(request, schemes, resolver, issuers, failures)
        if found is not None:
            return replace(found, others=await _others(found, likely[place:], request, resolver))
    if issuers is None or not alternatives:
        return Attached(request)
    held = resolver if isinstance(resolver, EnvironmentCredentials) else None
    return failures[0] if failures else missing(request.origin, likely, held)


async def _with_all(
    request: WireRequest,
    schemes: tuple[SecurityScheme, ...],
    resolver: CredentialResolver,
    issuers: TokenIssuers | None,
    failures: list[Failure],
) -> Attached | None:
    """`request` with the secret of each of `schemes`; None where one is lacking.

    What made one unusable is added to `failures`.
    """
    secrets: dict[SecurityScheme, str | Token] = {}
    for scheme in schemes:
        found = await _secret(request.origin, scheme, resolver, issuers)
        if isinstance(found, Failure):
            failures.append(found)
        elif found is not None:
            secrets[scheme] = found
    whole = len(secrets) == len(schemes) and not clash(secrets)
    return with_secrets(request, secrets) if whole else None


def _likely(
    alternatives: Alternatives, origin: Origin, resolver: CredentialResolver
) -> list[tuple[SecurityScheme, ...]]:
    """`alternatives`, the longest first, and among these what a variable's value looks like.

    A cookie is what a browser gets after a login, and a password stands behind a name.
    """

    def unlike(scheme: SecurityScheme) -> bool:
        if not isinstance(resolver, EnvironmentCredentials):
            return False
        basic = (scheme.scheme or "").lower() == "basic"
        return scheme.location == "cookie" or (
            basic and ":" not in (resolver(origin, scheme) or "")
        )

    return sorted(alternatives, key=lambda schemes: (-len(schemes), any(map(unlike, schemes))))


async def _others(
    first: Attached,
    alternatives: Sequence[tuple[SecurityScheme, ...]],
    request: WireRequest,
    resolver: CredentialResolver,
) -> tuple[Attached, ...]:
    """`request` as those of `alternatives` send it that differ from the `first`.

    One variable of the environment may hold what any of them asks for (a key or a token), and
    nothing tells which. A function of the caller was told which scheme it was asked for. No token
    is fetched for what may never be sent.
    """
    if not first.secrets or not isinstance(resolver, EnvironmentCredentials):
        return ()
    found = [await _with_all(request, each, resolver, None, []) for each in alternatives if each]
    return tuple(each for each in found if each is not None and each.request != first.request)


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
            return unreadable(origin)
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
