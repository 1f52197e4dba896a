"""`WireRequest`: a request as it is sent."""

import re
from dataclasses import dataclass, field
from functools import cached_property

import httpx

from gretel.sandbox.network.origin import Origin, origin_of
from gretel.text.words import word_set

BASE_HEADERS = (
    ("Accept", "application/json, */*;q=0.5"),
    ("Accept-Encoding", "identity"),
    ("User-Agent", "gretel"),
)


HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""What may name a header or a cookie: a token of RFC 9110, 5.6.2."""

_OWN_HEADERS = word_set(
    """
    accept accept-encoding authorization connection content-encoding content-length content-type
    cookie expect forwarded host keep-alive origin proxy-authorization proxy-connection te trailer
    transfer-encoding upgrade user-agent via x-http-method x-http-method-override x-method-override
    x-original-method x-original-url x-override-url x-rewrite-method x-rewrite-url
    cf-connecting-ip client-ip forwarded-for http2-settings max-forwards remote-user true-client-ip
    x-authenticated-user x-client-ip x-cluster-client-ip x-originating-ip x-real-ip x-remote-addr
    x-remote-ip x-remote-user front-end-https x-proxyuser-ip proxy x-forwarded x-host
    fastly-client-ip proxy-client-ip wl-proxy-client-ip x-custom-ip-authorization
    x-original-forwarded-for
    """
)
"""The last lines are those by which a proxy in front of a server says who asks, as by
`X-Forwarded-For`; `Proxy` sends a server's own calls elsewhere."""
_OWN_BEGINNINGS = (
    *(
        "x-forwarded-",
        "x-auth-request-",
        "x-webauth-",
        "x-authentik-",
        "x-goog-authenticated-user-",
    ),
    *("x-azure-", "x-envoy-", "x-appengine-", "x-original-host", "ssl-client-", "x-ssl-client-"),
    *("x-amzn-oidc-", "x-ms-client-principal", "cf-access-authenticated-user-", "tailscale-user-"),
)
"""The same, of proxies that sign people in."""


def is_own_header(name: str) -> bool:
    """Whether a header is ours, or changes what a request means: no document sets it."""
    # Servers that hand headers on as variables read `_` as `-`.
    plain = name.lower().replace("_", "-")
    return plain in _OWN_HEADERS or plain.startswith(_OWN_BEGINNINGS)


@dataclass(frozen=True)
class WireRequest:
    """A request as it is sent. Its repr shows the method alone: the rest may hold credentials."""

    method: str
    url: httpx.URL = field(repr=False)
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    content: bytes | None = field(default=None, repr=False)

    @cached_property
    def origin(self) -> Origin:
        """Where it goes."""
        return origin_of(self.url)
