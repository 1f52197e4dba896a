"""`WireRequest`: a request as it is sent."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import httpx

from gretel.sandbox.network.origin import Origin, origin_of
from gretel.text.words import word_set

_ACCEPT = "application/json, */*;q=0.5"
_OTHER_HEADERS = (("Accept-Encoding", "identity"), ("User-Agent", "gretel"))
BASE_HEADERS = (("Accept", _ACCEPT), *_OTHER_HEADERS)


def base_headers(media_types: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """`BASE_HEADERS` of a request whose answer is of one of `media_types`, which go first."""
    accepted = ", ".join((*media_types, _ACCEPT))
    return ("Accept", accepted), *_OTHER_HEADERS


HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""What may name a header or a cookie: a token of RFC 9110, 5.6.2."""

_OWN_HEADERS = word_set(
    """
    accept accept-encoding authorization connection content-encoding content-length content-type
    cookie expect forwarded host keep-alive origin proxy-authorization proxy-connection te trailer
    transfer-encoding upgrade user-agent via x-http-method x-override-url
    cf-connecting-ip cf-connecting-ipv6 client-ip forwarded-for http2-settings max-forwards
    x-client-cert x-client-certificate x-originating-ip x-real-ip front-end-https x-proxyuser-ip
    proxy x-forwarded x-forward-for x-host x-custom-ip-authorization
    client-cert client-cert-chain iv-creds iv-groups iv-user sm-user sm-userdn ssl-verify
    x-apigateway-api-userinfo x-client-dn x-client-verify x-credential-identifier
    x-endpoint-api-userinfo x-tls-client-cert x-userinfo
    cf-access-jwt-assertion ssl-cert x-anonymous-consumer x-jwt-assertion x-scheme x-token-subject
    early-data x-accel-mapping x-auth-user x-authenticated x-http-destinationurl x-matched-path
    x-sendfile-type x-wap-profile
    x-url-scheme kubeflow-userid teleport-jwt-assertion x-amzn-lambda-context x-amzn-request-context
    """
)
"""The last lines are those by which a proxy in front of a server says who asks, as by
`X-Forwarded-For`; `Proxy` sends a server's own calls elsewhere, and by some of them the parts of a
server tell each other what was checked, or where a file lies."""
_OWN_BEGINNINGS = (
    *(
        "x-forwarded-",
        "x-auth-request-",
        "x-webauth-",
        "x-authentik-",
        "x-goog-authenticated-user-",
    ),
    *("x-azure-", "x-envoy-", "x-appengine-", "ssl-client-", "x-ssl-", "x-arr-"),
    *("x-amzn-oidc-", "x-ms-client-principal", "cf-access-authenticated-user-", "tailscale-user-"),
    *("remote-", "x-remote-", "x-consumer-", "x-original-"),
    *("x-authenticated-", "x-ms-token-", "x-token-user-"),
    *("$ws", "oam-", "osso-", "proxy-remote-", "shib-", "wl-proxy-", "x-shib-"),
    *("x-invoke-", "x-middleware-", "x-rewrite-"),
    *("impersonate-", "oidc-claim-", "x-amzn-mtls-", "x-goog-iap-", "x-pomerium-", "x-vouch-"),
)
"""The same, of proxies that sign people in, or that hand on what a request was before them."""
_OWN_ENDINGS = (
    *("-client-ip", "-forwarded-for"),
    *("-host-override", "-method-override", "-path-override", "-uri-override", "-url-override"),
)
"""The same, and by which a request means another method or place, whatever stands before."""


def is_own_header(name: str) -> bool:
    """Whether a header is ours, or changes what a request means: no document sets it."""
    # Servers that hand headers on as variables read `_` as `-`.
    plain = name.lower().replace("_", "-")
    known = plain in _OWN_HEADERS or plain.startswith(_OWN_BEGINNINGS)
    return known or plain.endswith(_OWN_ENDINGS)


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
