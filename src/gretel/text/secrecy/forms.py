"""Forms of a name with a value in a text: what finds each pair, and masks its value."""

import re
from collections.abc import Callable
from typing import cast

from gretel.text.secret_shapes import MASK

Masked = Callable[[str], str]
"""A text without the secrets of one form."""

PLAIN = r"[^&\s\"'<>;,]"
CODED = r"(?:[^&\s\"'<>;,%]|%(?!2[026]|3[Bb]))"
"""A sign of a value behind a sign of equality, and behind one that is percent-encoded."""
QUOTE = r"(?:\\{0,3}[\"'`]|%22)"
NAME = r"[^\W\d_](?:[\w .:/$@-]|\[(?=[\w-])|(?<=[\w-])\]){0,60}"
IS = r"\s{0,3}(?:=>|:=|=(?!=)|:(?![:/])|\uff1a|%3[AaDd])\s{0,3}"
"""A quote, a name, and what parts it from its value, as they are and escaped."""
LONGEST = 20_000
"""Signs of a value that are masked: more than is read of any text at a time."""
INSIDE = rf"(?P<value>(?:(?!(?P=open))(?:\\.|[^\n\\])){{1,{LONGEST}}})"
"""What stands up to the sign that opened it."""
_JUDGED = 4_000
"""Signs of a value that are judged, where each name in it has the rest of it as its value."""


def form(pattern: str, judge: Callable[[str, str], bool], flags: int = 0) -> Masked:
    """What finds `name` and `value` in a text, and masks the value where `judge` says so.

    A value that is none is read for pairs in turn: JSON holds JSON as a text.
    """
    found = re.compile(pattern, flags)

    def masked(text: str) -> str:
        pieces: list[str] = []
        done, pair = 0, found.search(text)
        while pair:
            start, end = pair.span("value")
            if judge(pair["name"], pair["value"]):
                pieces += (text[done:start], MASK)
                done = end
            else:
                end = max(min(start, pair.end()), pair.end("name"), pair.start() + 1)
            pair = found.search(text, end)
        return "".join([*pieces, text[done:]]) if pieces else text

    return masked


def run(head: str, judge: Callable[[str, str], bool]) -> Masked:
    """As `form`, where a value is all signs of a kind that follow `head`.

    Names within a value have values that end where it does: each end is looked for once.
    """
    found = re.compile(head)
    kinds = (re.compile(f"{PLAIN}*"), re.compile(f"{CODED}*"))

    def masked(text: str) -> str:
        pieces: list[str] = []
        done, ends, pair = 0, [-1, -1], found.search(text)
        while pair:
            start, kind = pair.end(), bool(pair["code"])
            if start >= ends[kind]:
                ends[kind] = cast(re.Match[str], kinds[kind].match(text, start)).end()
            end = ends[kind]
            if judge(pair["name"], text[start : min(end, start + _JUDGED)]):
                pieces += (text[done:start], MASK)
                start = done = end
            pair = found.search(text, start)
        return "".join([*pieces, text[done:]]) if pieces else text

    return masked
