"""Tokens of OAuth 2 client credentials (RFC 6749, 4.4): fetched through the same egress, cached."""

import asyncio
import base64
import re
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from urllib.parse import quote_plus, urlencode

import httpcore
import httpx

from gretel.catalog.effects.urls import verb_of_target
from gretel.contracts.budget import Budget
from gretel.contracts.errors import CallRefused, ConfigurationError
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import FORM
from gretel.contracts.trial import Failure
from gretel.sandbox.network.addresses import is_loopback_host
from gretel.sandbox.network.body import BodyRefused, parse_json, read_body
from gretel.sandbox.network.egress import ALLOWANCE
from gretel.sandbox.network.origin import Origin, origin_of
from gretel.sandbox.network.wire import Allowance
from gretel.sandbox.network.wire_request import BASE_HEADERS
from gretel.sandbox.permission.policy import Policy

Send = Callable[[httpx.Request], Awaitable[httpx.Response]]
"""Sends one request through the sandbox's own transport."""

_EARLY_S = 30.0
"""Seconds before its end from which a token is not used any more; at most half of its life."""
_UNTOLD_S = 60.0
"""Life of a token whose issuer does not tell it."""
_MAX_S = 86_400.0
_LIMITS = Budget(bytes_wire=65_536, bytes_decoded=65_536)
MAX_TOKEN = 8_192
"""Characters of a token that is used; hardly any server takes longer headers."""
_MAX_SCOPES = 20_000
"""Characters of the scopes that a document asks for: they are encoded on the event loop."""
_ISSUER = re.compile(r"@\s*https?://", re.I)
_ISSUED = re.compile(r"([^:]*[^:\s])\s*:\s*(\S(?:.*?\S)??)\s*@\s*(https?://\S+)", re.I | re.S)
_PAIR = re.compile(r"([^:\s]+):(\S+)")
_TOKEN = re.compile(r"[\x21-\x7e]+")
_BROKEN = (OSError, httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException)
_ERRORS = ("invalid_request", "invalid_client", "unauthorized_client", "invalid_scope")
"""Error codes (RFC 6749, 5.2): the only words of an issuer that are passed on."""


@dataclass(frozen=True)
class ClientCredentials:
    """What a program identifies itself with to the issuer of tokens."""

    client_id: str
    client_secret: str = field(repr=False)
    token_url: str | None = None
    """Where tokens are issued; None: at the API's own origin, as its document says. Another origin
    must be named here, by the user: a document does not choose who is shown the secret."""

    @classmethod
    def read(cls, text: str) -> "ClientCredentials | None":
        """The credentials in `id:secret`, or `id:secret@https://host/token`, which may hold blanks.

        None in a token, and in what names an issuer in another way.
        """
        found = (_ISSUED if names_issuer(text) else _PAIR).fullmatch(text.strip())
        return cls(*found.groups()) if found else None

    @property
    def basic(self) -> str:
        """Both, as HTTP Basic authentication carries them (RFC 6749, 2.3.1)."""
        pair = f"{quote_plus(self.client_id)}:{quote_plus(self.client_secret)}"
        return base64.b64encode(pair.encode()).decode()


def names_issuer(text: str) -> bool:
    """Whether a secret says where tokens are issued for it, however it is written otherwise."""
    return bool(_ISSUER.search(text))


@dataclass(frozen=True)
class Token:
    """An access token, and what of the way to it is secret."""

    value: str = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)
    until: float
    """Second of its issuers' clock from which it is not used any more."""


class TokenIssuers:
    """Tokens of all issuers; belongs to one event loop, and keeps them in memory alone."""

    def __init__(
        self, policy: Policy, send: Send, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        """Make an empty cache; a token's URL is called like any other, as `policy` allows.

        `now` gives the seconds of a clock that never goes back.
        """
        self._policy = policy
        self._send = send
        self._now = now
        self._cached: dict[tuple[str, str], Token] = {}
        self._locks: dict[tuple[str, str], asyncio.Lock] = {}

    async def token(
        self,
        credentials: ClientCredentials,
        origin: Origin,
        documented: str | None,
        scopes: Collection[str],
    ) -> Token | Failure:
        """A token for `origin` that is still good, or why there is none.

        Callers that ask for the same token at the same time share one request. `documented` is the
        token URL of the API's document.
        """
        url = self._issuer(credentials, origin, documented)
        if isinstance(url, Failure):
            return url
        if sum(map(len, scopes)) > _MAX_SCOPES:
            return _no_token(f"{origin.authority} asks for more scopes than any issuer reads")
        body = urlencode({"grant_type": "client_credentials", "scope": " ".join(scopes)})
        key = (str(url), f"{credentials.basic} {body}")
        async with self._locks.setdefault(key, asyncio.Lock()):
            cached = self._cached.get(key)
            if cached is not None and self._now() < cached.until:
                return cached
            fetched = await self._fetched(url, credentials, body)
            if isinstance(fetched, Token):
                self._cached[key] = fetched
            return fetched

    def forget(self, secrets: Collection[str]) -> None:
        """Do not use these tokens again: an API has refused them."""
        for key in [key for key, each in self._cached.items() if each.value in secrets]:
            del self._cached[key]

    def _issuer(
        self, credentials: ClientCredentials, origin: Origin, documented: str | None
    ) -> httpx.URL | Failure:
        """The token URL, where the credentials and policy allow it."""
        try:
            url = httpx.URL(str(origin)).join(credentials.token_url or documented or "")
            issuer = origin_of(url)
        except (httpx.InvalidURL, ConfigurationError, UnicodeError, ValueError):
            return _no_token(f"{origin.authority} names no usable token URL")
        if not (credentials.token_url or documented):
            return _no_token(f"{origin.authority} names no token URL")
        if credentials.token_url is None and issuer != origin:
            return _no_token(
                f"{origin.authority} takes tokens of {issuer.authority}: say so in the credential, "
                "as in id:secret@https://host/token"
            )
        if credentials.token_url is None and verb_of_target(url.raw_path.decode()):
            return _no_token(
                f"the token URL of {origin.authority} says that it changes something: if it "
                "does not, name it in the credential, as in id:secret@https://host/token"
            )
        if issuer.scheme != "https" and not is_loopback_host(issuer.host):
            return _no_token(f"{issuer} has no TLS: credentials are not sent there")
        if not self._policy.host_allowed(issuer):
            return _refused(
                f"{issuer.authority} issues the tokens and is not an allowed host.", issuer
            )
        return url

    async def _fetched(
        self, url: httpx.URL, credentials: ClientCredentials, body: str
    ) -> Token | Failure:
        """A new token."""
        issuer = origin_of(url)
        asked = self._now()
        headers = [
            *BASE_HEADERS,
            ("Content-Type", FORM),
            ("Authorization", f"Basic {credentials.basic}"),
        ]
        try:
            response = await self._send(_request(url, headers, body))
            try:
                content = (await read_body(response, _LIMITS)).content
            finally:
                await response.aclose()
        except CallRefused as error:
            return _refused(str(error), issuer)
        except BodyRefused:
            return _no_token(f"{issuer.authority} gave an answer that is not read")
        except (*_BROKEN, httpx.TransportError):
            return _no_token(f"{issuer.authority} could not be asked for a token")
        return self._read(issuer, response.status_code, content, credentials, asked)

    def _read(
        self,
        issuer: Origin,
        status: int,
        content: bytes,
        credentials: ClientCredentials,
        asked: float,
    ) -> Token | Failure:
        """The token in an answer (RFC 6749, 5.1)."""
        answer = parse_json(content.decode(errors="replace")).value
        fields = answer if isinstance(answer, dict) else {}
        value = fields.get("access_token")
        kind = fields.get("token_type", "bearer")
        if status == 200 and isinstance(value, str) and _TOKEN.fullmatch(value):
            if str(kind).lower() != "bearer":
                return _no_token(f"{issuer.authority} gave a token that is not a bearer token")
            if len(value) > MAX_TOKEN:
                return _no_token(
                    f"{issuer.authority} gave a token of more than {MAX_TOKEN:,} characters"
                )
            life = _life_s(fields.get("expires_in"))
            secrets = (value, credentials.client_secret, credentials.basic)
            return Token(value, secrets, asked + life - min(_EARLY_S, life / 2))
        error = fields.get("error")
        said = f", {error}" if isinstance(error, str) and error in _ERRORS else ""
        return _no_token(f"{issuer.authority} gave no token (HTTP {status}{said})")


def _request(url: httpx.URL, headers: list[tuple[str, str]], body: str) -> httpx.Request:
    """The request for a token, whose answer is as short as one with a token is."""
    bounds = {ALLOWANCE: Allowance(_LIMITS.bytes_wire)}
    return httpx.Request("POST", url, headers=headers, content=body, extensions=bounds)


def _life_s(expires_in: JsonValue) -> float:
    """Lifetime of a token in seconds, from its issuer's `expires_in`, which may be anything."""
    if not isinstance(expires_in, int | float):
        return _UNTOLD_S
    # Compared before it is a float: an integer may be larger than any.
    return float(min(_MAX_S, max(0, expires_in)))


def _no_token(why: str) -> Failure:
    return Failure(kind="missing_credential", detail=f"{why}.", fault="ours")


def _refused(detail: str, issuer: Origin) -> Failure:
    return Failure(kind="host_not_allowed", detail=detail, fault="ours", host=issuer.authority)
