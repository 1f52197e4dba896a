"""HTTP statuses: the kind of failure that each is, and where a body repeats its own.

A relay may answer 200 whatever the API behind it answered. What the API's body or page says of its
status is then all that is left of it.
"""

import re
from http import HTTPStatus

from gretel.contracts.record import JsonValue
from gretel.contracts.trial import FailureKind
from gretel.sandbox.answers.words.keys import CONTAINER_KEYS, ERROR_KEYS, STATUS_KEYS, plain_key

_STATUSES: dict[FailureKind, tuple[int, ...]] = {
    "auth": (401, 407, 419, 440, 498, 499, 511),
    "drift": (301, 308, 404, 405, 410, 415, 501),
    "permission": (402, 403, 418, 451),
    "protocol": (406, 411, 421, 426, 431, 505),
    "rate_limit": (429, 509, 529),
    "server_error": (425,),
    "timeout": (408, 504, 522, 524, 598, 599),
}
_KINDS = {status: kind for kind, statuses in _STATUSES.items() for status in statuses}
"""Kinds of single statuses; the others go by their hundred."""

_HUNDRED_KINDS: dict[int, FailureKind] = {
    1: "protocol",
    3: "protocol",
    4: "rejected_arguments",
    5: "server_error",
}

_ERRORS = [status for status in HTTPStatus if status >= 400]
REASONS: dict[str, int] = {
    **{status.phrase.lower(): status.value for status in _ERRORS if " " in status.phrase},
    "unauthorized": 401,
    "forbidden": 403,
    "page not found": 404,
    "service temporarily unavailable": 503,
    "gateway time-out": 504,
}
"""Reason phrases of failures; of the single words only those that are nothing else."""

_REASONS = tuple(REASONS)
_LINE = 1_000
"""Characters in which a status is looked for, with its reason."""
_STATUS_LINE = re.compile(r"(?:(?:http(?:/[\d.]+)?|status|error|code)[\s:]*)*([45]\d\d)\b", re.I)
_SPOKEN = re.compile(r"\b(?:http|status|error|code)[\s:]+(?:code[\s:]+)?([45]\d\d)\b", re.I)
_REFUSED = re.compile(r"(4\d\d): \S", re.A)
_TITLE = re.compile(r"<(?:title|h1)[^>]*>\s*([^<]{1,200})", re.I)
_AROUND = " \t\r\n.!:-–|\"'"
_DEPTH = 4


def kind_of_status(status: int) -> FailureKind:
    """The kind of failure that an HTTP status other than a success is."""
    return _KINDS.get(status, _HUNDRED_KINDS.get(status // 100, "protocol"))


def error_code(item: JsonValue) -> int | None:
    """`item` as an HTTP status of failure, which may be a number or a text; else None."""
    text = str(item) if isinstance(item, str | int) and not isinstance(item, bool) else ""
    return int(text) if re.fullmatch(r"[45]\d\d", text, re.A) else None


def stated_in_object(value: JsonValue, depth: int = 0) -> int | None:
    """The status that the body of an error gives as a number, the outermost first; else None."""
    if depth > _DEPTH:
        return None
    if isinstance(value, list):
        found = (stated_in_object(item, depth + 1) for item in value[:3])
        return next((status for status in found if status), None)
    if not isinstance(value, dict):
        return None
    keyed = {plain_key(key): item for key, item in value.items()}
    if len(keyed) == 1 and (status := error_code(next(iter(keyed)))):
        return status  # {"404": "Not Found"}
    if {"loc", "msg"} <= keyed.keys():
        return 422  # FastAPI's error for one argument; it comes with no other status
    codes = (error_code(keyed[key]) for key in sorted(STATUS_KEYS & keyed.keys()))
    if status := next((status for status in codes if status), None):
        return status
    inside = ERROR_KEYS | CONTAINER_KEYS | {"detail", "status", "meta", "header"}
    inner = (stated_in_object(keyed[key], depth + 1) for key in sorted(inside & keyed.keys()))
    return next((status for status in inner if status), None)


def status_line(text: str) -> int | None:
    """The status that a text is nothing but: `Not Found`, `404 page not found`; else None.

    The number counts beside its reason or the word HTTP: "500 people" and "500" state no status.
    """
    text = text[:_LINE].strip(_AROUND).lower()
    if text in REASONS:
        return REASONS[text]
    line = _STATUS_LINE.match(text)
    if line is None:
        return None
    rest = text[line.end() :].strip(_AROUND)
    return int(line[1]) if rest.startswith(_REASONS) or text.startswith("http") else None


def stated_in_words(text: str) -> int | None:
    """The status that the words of an error give: `Request failed with status code 503`."""
    spoken = _SPOKEN.search(text)
    return status_line(text) or (int(spoken[1]) if spoken else None)


def refused_within(text: str) -> int | None:
    """The refusal that a server's own failure passes on: `404: Site not found`, at its beginning.

    Frameworks write an error so that was raised within, and caught as any other.
    """
    found = _REFUSED.match(text)
    return int(found[1]) if found else None


def page_title(text: str) -> str:
    """The title of a web page, or its first heading; '' where it has neither."""
    found = _TITLE.search(text[:5_000])
    return " ".join(found[1].split()) if found else ""


def stated_in_title(title: str) -> int | None:
    """The status that the title of an error page names; else None."""
    numbered = re.search(r"\b[45]\d\d\b", title, re.A)
    return int(numbered[0]) if numbered else stated_in_words(title)
