"""Requests with secrets in their places: headers, query, cookies."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote, unquote_plus

import httpx

from gretel.contracts.tool import SecurityScheme
from gretel.sandbox.network.wire_request import HEADER_NAME, WireRequest, is_own_header
from gretel.sandbox.secrets.oauth import Token
from gretel.text.words import word_set

_KEYED = frozenset({"authorization", "cookie", "user-agent"})
"""Headers of ours in which a document may ask for a key."""
_HANDED_ON = word_set(
    "access-control-request-headers access-control-request-method baggage correlation-context date "
    "from if-match if-none-match if-range link pragma prefer range referer referrer sentry-trace "
    "traceparent tracestate warning x-b3-traceid x-correlation-id x-request-id x-trace-id"
)
"""Headers that servers log, or hand on to others: who asks, from where, in which trace."""
_AUTHORIZATION = ("header", "authorization")


@dataclass(frozen=True)
class Attached:
    """A request with credentials, and what of it is secret."""

    request: WireRequest
    secrets: tuple[str, ...] = field(default=(), repr=False)
    token: str = field(default="", repr=False)
    """What stands in the header Authorization, without the word before it; '' where no other word
    may stand there."""
    word: str = field(default="", repr=False)
    """The word before it, in small letters; '' where it stands alone."""
    issued: tuple[str, ...] = field(default=(), repr=False)
    """Tokens among the secrets, and what they are sent as: chosen by who issues them."""
    schemes: tuple[str, ...] = ()
    """Names of the schemes whose secrets these are; none where the document declares nothing."""
    others: tuple["Attached", ...] = field(default=(), repr=False)
    """The request as the document's other alternatives have it whose secrets are there."""

    @property
    def chosen(self) -> tuple[str, ...]:
        """The secrets that are the user's own."""
        return tuple(each for each in self.secrets if each not in self.issued)

    @property
    def form(self) -> str:
        """How the token is sent, for a person; '' where no other way is open."""
        return f"`{worded(self.word, '…')}`" if self.token else ""

    def with_word(self, word: str) -> "Attached":
        """The same token behind another word."""
        value = worded(word, self.token)
        request = with_header(self.request, "Authorization", value)
        return replace(_sending(self, self.token, value), request=request, word=word)


def with_secrets(request: WireRequest, secrets: dict[SecurityScheme, str | Token]) -> Attached:
    """`request` with each secret in its place."""
    names = tuple(scheme.name for scheme in secrets)
    found, keys = Attached(request, schemes=names), dict[str, str]()
    for scheme, secret in secrets.items():
        if isinstance(secret, Token):
            issued = (*found.issued, secret.value)
            found = replace(found, secrets=(*found.secrets, *secret.secrets), issued=issued)
            secret = secret.value
        if scheme.kind == "apiKey" and scheme.location == "query":
            keys[scheme.parameter or ""] = secret
            found = replace(found, secrets=(*found.secrets, secret))
        else:
            found = _with_secret(found, scheme, secret)
    if not keys:
        return found
    url = _with_keys(found.request.url, keys)
    return replace(found, request=replace(found.request, url=url))


def _with_keys(url: httpx.URL, keys: Mapping[str, str]) -> httpx.URL:
    """`url` with keys in its query, in place of what stands there under their names.

    The rest stays as it was judged, sign by sign; and it is read once, however many keys there are.
    """
    pairs = filter(None, url.query.decode("ascii").split("&"))
    kept = [pair for pair in pairs if unquote_plus(pair.partition("=")[0]) not in keys]
    own = [f"{quote(name, safe='')}={quote(key, safe='')}" for name, key in keys.items()]
    return url.copy_with(query="&".join([*kept, *own]).encode())


def _with_secret(found: Attached, scheme: SecurityScheme, secret: str) -> Attached:
    """`found` with one more secret."""
    found = replace(found, secrets=(*found.secrets, secret))
    # Before a key in the header `Authorization` may stand a word, as with other schemes.
    if scheme.kind == "apiKey" and _place(scheme) != _AUTHORIZATION:
        return replace(found, request=_with_key(found.request, scheme, secret))
    word = "" if scheme.kind == "apiKey" else (scheme.scheme or "bearer").lower()
    if _has_own_word(secret, word):
        request = with_header(found.request, "Authorization", secret)
        return replace(found, request=request, token="", word="")
    value = worded(word, secret)
    request = with_header(found.request, "Authorization", value)
    token = "" if word == "basic" or " " in secret else secret
    return replace(_sending(found, secret, value), request=request, token=token, word=word)


def _sending(found: Attached, secret: str, value: str) -> Attached:
    """`found`, one of whose secrets is sent as `value`.

    That is the issuer's choice where the secret is, and no other that only ends alike.
    """
    issued = (*found.issued, value) if secret in found.issued else found.issued
    return replace(found, secrets=(*found.secrets, value), issued=issued)


def _place(scheme: SecurityScheme) -> tuple[str, str]:
    """Where a key stands: in a header where its document does not say.

    Of two headers, servers that hand them on as variables read `X-K` and `X_K` as one.
    """
    location, name = scheme.location or "header", (scheme.parameter or "").lower()
    return location, name.replace("_", "-") if location == "header" else name


def has_place(scheme: SecurityScheme) -> bool:
    """Whether a key can stand where its document says: under a name, in no header of ours; and a
    token behind the word that it says, which is one.

    A key named `Host` would be sent to whoever answers for all hosts, one named `X-Forwarded-For`
    would say who calls, and one named `Referer` or `Baggage` would be written into logs.
    """
    if scheme.kind != "apiKey":
        return not scheme.scheme or bool(HEADER_NAME.fullmatch(scheme.scheme))
    name = scheme.parameter or ""
    if not HEADER_NAME.fullmatch(name):
        return False
    place, plain = _place(scheme)
    if place != "header" or name.lower() in _KEYED:
        return True
    return not is_own_header(name) and plain not in _HANDED_ON


def clash(secrets: Mapping[SecurityScheme, str | Token]) -> bool:
    """Whether two secrets would stand in one place, where one hides the other."""
    standing: dict[tuple[str, str], str] = {}
    for scheme, secret in secrets.items():
        value = secret.value if isinstance(secret, Token) else secret
        place = _place(scheme) if scheme.kind == "apiKey" else _AUTHORIZATION
        if standing.setdefault(place, value) != value:
            return True
    return False


def _has_own_word(secret: str, word: str) -> bool:
    """Whether a value says itself with which word it is sent; `user:pass word` does not."""
    own, blank, rest = secret.partition(" ")
    named = bool(blank) and bool(HEADER_NAME.fullmatch(own))
    return named and not (word == "basic" and ":" in rest)


def worded(word: str, token: str) -> str:
    """The value of the header Authorization."""
    if word == "basic":
        token = base64.b64encode(token.encode()).decode()
    return f"{word.capitalize()} {token}" if word else token


def _with_key(request: WireRequest, scheme: SecurityScheme, secret: str) -> WireRequest:
    """`request` with an API key in header or cookie."""
    name = scheme.parameter or ""
    if scheme.location == "cookie" or name.lower() == "cookie":
        others = [value for key, value in request.headers if key == "Cookie"]
        own = f"{name}={secret}" if scheme.location == "cookie" else secret
        return with_header(request, "Cookie", "; ".join([*others, own]))
    return with_header(request, name, secret)


def with_header(request: WireRequest, name: str, value: str) -> WireRequest:
    """`request` with one header set, in place of any of that name."""
    kept = tuple(pair for pair in request.headers if pair[0].lower() != name.lower())
    return replace(request, headers=(*kept, (name, value)))
