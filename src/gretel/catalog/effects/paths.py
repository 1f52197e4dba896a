"""The segments of a path, as a server reads them."""

import re
from collections.abc import Mapping
from urllib.parse import unquote

from gretel.text.confusables import skeleton
from gretel.text.words import word_set

DECODED = 4
"""Rounds of percent-decoding of a value or a path; nothing honest needs more."""
TEMPLATE = re.compile(r"\{([^{}]*)\}")
_ENDING = re.compile(
    r"\.(?:a[sx]mx|action|as[hp]x?|cf[cm]|cgi|dll|do|jsonp?|jspx?|[ps]?html?|php\d?|p[ly]|rb|svc"
    r"|txt|xml|ya?ml)$",
    re.I,
)
_CALLED = re.compile(r"^(?:\w[\w.-]*\.)?(\w+)\([^()]*\)$")
"""A function of a namespace, as OData writes it: `Default.Hide()`."""
_KEYED = re.compile(r"\([^()]+\)(?=/)")
"""A key, as OData writes it: `/Users(7)/…` is `/Users/7/…` elsewhere."""
_PLACE = "{}"
"""Stands where a value stands that is not looked at."""
_VERSION = re.compile(r"v\d[\d.]*|\d+(?:\.\d+)+", re.I)
_UNSAID = word_set("csv default html index json jsonp txt xml yaml yml")
"""Formats, and what a server takes for a folder: `/hide/index.php`."""
_CHOICES = word_set("ext extension fmt format version")
"""Names of places that choose how an answer looks, at the end of a path: `/hide/{format}`."""


def segments_of(path: str) -> list[str]:
    """The segments of a path, without endings of files; empty where nothing stands."""
    for _ in range(DECODED):
        path = unquote(path)
    keyed = _KEYED.sub("/", skeleton(path))
    return [_CALLED.sub(r"\1", _ENDING.sub("", part)) for part in keyed.split("/")]


def segments_to_end(path: str) -> list[str]:
    """The segments of a path up to the last one that says what is asked for.

    A slash, a version or a format behind it leave the place the same at most servers:
    `/posts/7/hide/`, `/posts/7/hide/v2`, `/posts/7/hide/json`.
    """
    segments = segments_of(path)
    while len(segments) > 1 and _says_nothing(segments[-1]):
        segments.pop()
    return [part.replace(_PLACE, "") for part in segments]


def _says_nothing(segment: str) -> bool:
    if _PLACE in segment:
        return False
    said = any(map(str.isalnum, segment)) and segment.lower() not in _UNSAID
    return not said or _VERSION.fullmatch(segment) is not None


def with_places(template: str, values: Mapping[str, str] | None = None) -> str:
    """A template with these values, and with what `segments_to_end` knows for the other places."""
    given = values or {}

    def fill(place: re.Match[str]) -> str:
        kept = "" if place[1].lower() in _CHOICES else _PLACE
        return given.get(place[1], kept)

    return TEMPLATE.sub(fill, template)
