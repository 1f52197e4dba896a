"""Readings: a text with its escapes resolved, which knows where each of its characters stood."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from html.entities import html5
from typing import NamedTuple

from gretel.text.confusables import aligned_skeleton
from gretel.text.invisible import is_visible
from gretel.text.span import Span


def _named(name: str, char: str) -> str | None:
    """How escapes write a character of a secret, or one that stands in it unseen; else None."""
    if char.isascii() and char.isprintable():
        return name.rstrip(";").lower()
    return name.lower() if char.isspace() or not is_visible(char) else None


_NAMED = {
    written: char
    for name, char in html5.items()
    if len(char) == 1 and (written := _named(name, char))
}
"""What HTML calls the characters of a secret, and blanks and unseen ones as long as it does."""
_BYTE = r"(?:%|\\+x)"
_NEXT = rf"{_BYTE}[89ab][0-9a-f]"

ESCAPE = re.compile(
    rf"(?P<utf8>{_BYTE}(?:c[2-9a-f]|d[0-9a-f]){_NEXT}|{_BYTE}e[0-9a-f](?:{_NEXT}){{2}}"
    rf"|{_BYTE}f[0-4](?:{_NEXT}){{3}})"
    r"|\\+[ux]\{0{0,8}(?P<point>[0-9a-f]{1,6})\}"
    r"|(?:%|\\+)u(?P<high>d[89ab][0-9a-f]{2})(?:%|\\+)u(?P<low>d[c-f][0-9a-f]{2})"
    r"|\\+u(?P<long>000[01][0-9a-f]{4})"
    r"|(?:%|\\+)u(?P<wide>[0-9a-f]{4})|(?:%|\\+x)(?P<byte>[0-9a-f]{2})"
    r"|\\+0?(?P<octal>[0-3][0-7]{2})"
    r"|&\#x0*(?P<hexadecimal>[0-9a-f]{1,6});?|&\#0*(?P<decimal>[0-9]{1,7});?"
    rf"|&(?P<name>{'|'.join(sorted(_NAMED, key=len, reverse=True))});?"
    r"|\\+(?P<order>e)(?=\[|%5b)|\\+"
)
"""Escapes of URLs, of programming languages, of HTML; a backslash before anything else is dropped,
from secrets, too."""
_STRING = r"(?:\x1b[\]px^_]|[\x90\x98\x9d-\x9f])"
_ORDER = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?"
    rf"|{_STRING}[^\x07\x1b\x90\x98\x9c-\x9f]{{0,4000}}(?:\x07|\x1b\\|\x9c)"
    rf"|{_STRING}(?:[0-9]{{1,4}};)?"
    r"|\x1b[ -/]*+[0-~]"
)
"""An order to a terminal by its grammar (ECMA-48), in small letters, with all that may belong to
it: what stands between the letters of a secret is dropped only to find it."""
ORDERS = (_ORDER, re.compile("[\x1b\x07]"))
"""What escapes may have made an order to a terminal: that, or its first and last sign alone."""
QUOTED = re.compile(r"=(?:(?P<byte>[0-9a-f]{2})|[ \t]*(?:\r?\n|\\+r\\+n|\\+n))")
"""Escapes of mails (quoted-printable), and the ends of lines that it puts anywhere, as they are or
escaped. Apart from all others: what stands behind a name's equals sign may look like one."""
BACKSLASHES = re.compile(r"\\+")
_PREFIX = re.compile(_BYTE)
_ORDER_BEGINS = "\x1b"
_OF_ORDERS = frozenset("\x1b\x07")
_BASES = {"octal": 8, "decimal": 10}

HALF = re.compile(
    r"(?:%u?[0-9a-f]{0,6}|\\+(?:u\{?[0-9a-f]{0,8}|x\{?[0-9a-f]{0,6}|[0-7]{0,3})?|&[#a-z0-9;]*)\Z",
    re.I,
)
HALF_AT_MOST = 24
"""An escape that a cut may have gone through, and its length."""


class Reading(NamedTuple):
    """A text, and where it stood in the one that it was read from."""

    text: str
    ends: list[int]
    """Where each replaced piece ends in the text, after a 0."""
    origins: list[int]
    """Where it ends in the text before."""
    empty: list[bool]
    """Whether nothing is left of it."""

    def before(self, span: Span) -> Span:
        """`span`, in the text before, without what was dropped on either side."""
        first = bisect_right(self.ends, span[0]) - 1
        last = bisect_left(self.ends, span[1])
        if self.ends[last : last + 1] != [span[1]] or self.empty[last]:
            last -= 1
        return (
            self.origins[first] + span[0] - self.ends[first],
            self.origins[last] + span[1] - self.ends[last],
        )


def folded(text: str) -> str:
    """`text` in small letters, of the same length; a plus is a blank, as forms write it.

    Letters that look like others, of full width, with an accent, are these.
    """
    text = aligned_skeleton(text)
    small = text.casefold()
    if len(small) != len(text):
        small = "".join(low if len(low := char.casefold()) == 1 else char for char in text)
    return small.replace("+", " ")


def resolved(text: str, pattern: re.Pattern[str] = ESCAPE) -> Reading | None:
    """`text` with its escapes resolved once; None where it has none."""
    reading = rewritten(text, pattern, _meaning)
    return reading if len(reading.ends) > 1 else None


def rewritten(
    text: str, pattern: re.Pattern[str], meaning: Callable[[re.Match[str]], str | None]
) -> Reading:
    """`text` with what `pattern` finds replaced, where it has a meaning."""
    pieces: list[str] = []
    ends, origins, empty, length = [0], [0], [True], 0
    for found in pattern.finditer(text):
        char = meaning(found)
        if char is None:
            continue
        before = text[origins[-1] : found.start()]
        pieces += (before, char)
        length += len(before) + len(char)
        ends.append(length)
        origins.append(found.end())
        empty.append(not char)
    return Reading("".join([*pieces, text[origins[-1] :]]), ends, origins, empty)


def _meaning(found: re.Match[str]) -> str | None:
    """What an escape stands for, '' where that is not seen; None where it stands for nothing."""
    kind = found.lastgroup
    if kind is None:
        return ""
    if kind == "utf8":
        return _in_bytes(bytes.fromhex(_PREFIX.sub("", found[0])))
    if kind == "order":
        return _ORDER_BEGINS
    if kind == "name":
        return _seen(_NAMED[found[kind]])
    if kind == "low":
        code = 0x10000 + (int(found["high"], 16) - 0xD800) * 0x400 + int(found["low"], 16) - 0xDC00
    else:
        code = int(found[kind], _BASES.get(kind, 16))
    return None if code > 0x10FFFF else _seen(chr(code))


def _seen(char: str) -> str:
    char = folded(char)
    return char if is_visible(char) or char in _OF_ORDERS else ""


def _in_bytes(raw: bytes) -> str:
    """A character, byte by byte as secrets are looked for; nothing where it is not seen."""
    char = raw.decode(errors="replace")
    if len(char) == 1 and (char.isspace() or not is_visible(char)):
        return _seen(char)
    return "".join(map(_seen, raw.decode("latin-1")))
