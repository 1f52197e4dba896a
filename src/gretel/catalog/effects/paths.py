"""The segments of a path, as a server reads them."""

import re
from urllib.parse import unquote

from gretel.text.confusables import skeleton

DECODED = 4
"""Rounds of percent-decoding of a value or a path; nothing honest needs more."""
_ENDING = re.compile(
    r"\.(?:a[sx]mx|action|as[hp]x?|cf[cm]|cgi|dll|do|jsonp?|jspx?|[ps]?html?|php\d?|p[ly]|rb|svc"
    r"|txt|xml|ya?ml)$",
    re.I,
)


def segments_of(path: str) -> list[str]:
    """The segments of a path, without endings of files; empty where nothing stands."""
    for _ in range(DECODED):
        path = unquote(path)
    return [_ENDING.sub("", part) for part in skeleton(path).split("/")]
