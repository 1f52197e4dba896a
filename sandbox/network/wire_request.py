"""`WireRequest`: a request as it is sent."""

import re
from dataclasses import dataclass, field

import httpx

from gretel.sandbox.network.origin import Origin, origin_of

BASE_HEADERS = (
    ("Accept", "application/json, */*;q=0.5"),
    ("Accept-Encoding", "identity"),
    ("User-Agent", "gretel"),
)


HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""What may name a header or a cookie: a token of RFC 9110, 5.6.2."""


@dataclass(frozen=True)
class WireRequest:
    """A request as it is sent. Its repr shows the method alone: the rest may hold credentials."""

    method: str
    url: httpx.URL = field(repr=False)
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    content: bytes | None = field(default=None, repr=False)

    @property
    def origin(self) -> Origin:
        """Where it goes."""
        return origin_of(self.url)
