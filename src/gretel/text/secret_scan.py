"""Secret scan: where known secrets occur in a text, in whatever encoding they came back.

A text is read as it is, and then with its escapes resolved, up to three times over. Each reading
knows where its characters stood before, and a secret is found in it by plain search: what a text
costs grows with its length, and with nothing that its author chooses.
"""

import base64
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from html.entities import html5
from typing import NamedTuple

from gretel.text.confusables import ACCENT, aligned_skeleton
from gretel.text.invisible import is_visible
from gretel.text.span import Span

MIN_SECRET = 4
"""Shorter credentials are not searched for: they would blank out half of any text."""

_MIN_CODE = 8
"""Characters of base64 below which a match may be chance."""

_TIMES = 4
"""How often escapes are resolved: an answer is encoded by the tool, by what relays it, and once
more where an error quotes it."""

_NAMED = {
    name.rstrip(";").lower(): char
    for name, char in html5.items()
    if len(char) == 1 and char.isascii() and char.isprintable()
}
"""What HTML calls the characters of a secret."""

_ESCAPE = re.compile(
    r"\\+u\{0{0,8}(?P<point>[0-9a-f]{1,6})\}"
    r"|(?:%|\\+)u(?P<wide>[0-9a-f]{4})|(?:%|\\+x)(?P<byte>[0-9a-f]{2})"
    r"|&\#x0*(?P<hexadecimal>[0-9a-f]{1,6});?|&\#0*(?P<decimal>[0-9]{1,7});?"
    rf"|&(?P<name>{'|'.join(sorted(_NAMED, key=len, reverse=True))});?|\\+"
)
"""Escapes of URLs, of programming languages, of HTML; a backslash before anything else is dropped,
from secrets, too."""
_BACKSLASHES = re.compile(r"\\+")

_HALF = re.compile(
    r"(?:%u?[0-9a-f]{0,6}|\\+(?:u\{?[0-9a-f]{0,6}|x[0-9a-f]?)?|&[#a-z0-9;]*)\Z", re.I
)
_HALF_AT_MOST = 24
"""An escape that a cut may have gone through, and its length."""

_GAP = re.compile(r"\\+[nrt]|[^0-9a-z\\]+|\\+")
"""What may stand within a code: signs that vary, colons, the ends of lines, escaped or not."""

_BETWEEN = re.compile(
    r"[\s" + ACCENT + r"]+"
    r"|(?<!\\)\\++(?:[nrtfv]|(?:u00|x)1b(?:\[[0-?]{0,99}[@-~])?|(?:u00|x)9b[0-?]{0,99}[@-~])"
)
"""What does not count within a long secret: blanks, ends of lines and orders to a terminal, as they
are or escaped, and accents by themselves."""


class SecretForms(NamedTuple):
    """What to search for, for one secret; all in small letters."""

    plain: tuple[str, ...]
    """The secret, and backwards."""
    codes: tuple[str, ...]
    """Letters and digits of its codes: hexadecimal and base64, of the secret and of it backwards,
    and each backwards."""
    joined: tuple[str, ...]
    """`plain` without blanks, of eight characters or more: a shorter one would also be found
    across the words of a sentence."""

    @classmethod
    def of(cls, secret: str) -> "SecretForms":
        """The forms in which an answer may repeat `secret`."""
        # A URL is escaped byte by byte.
        forms = {_folded(secret), _folded(secret.encode(errors="replace").decode("latin-1"))}
        for _ in range(_TIMES):
            forms |= {reading.text for form in forms if (reading := _resolved(form))}
        forms |= {form.replace("\\", "") for form in forms}
        codes = {code for text in (secret, secret[::-1]) for code in _codes(text)}
        plain = {way for form in forms if len(form) >= MIN_SECRET for way in (form, form[::-1])}
        joined = {_BETWEEN.sub("", way) for way in plain}
        return cls(
            tuple(plain),
            tuple({way for code in codes for way in (code, code[::-1])}),
            tuple(way for way in joined if len(way) >= _MIN_CODE),
        )


def find_secrets(text: str, known: Collection[SecretForms], *, was_cut: bool) -> list[Span]:
    """Where one of `known` stands in `text`, unordered; where it is cut, a beginning at its end.

    Args:
        text: without unseen characters.
        known: of every secret.
        was_cut: whether the text may end within a secret.
    """
    needles = SecretForms(
        plain=_distinct(form for forms in known for form in forms.plain),
        codes=_distinct(code for forms in known for code in forms.codes),
        joined=_distinct(form for forms in known for form in forms.joined),
    )
    found = _found(text, needles, was_cut=was_cut)
    half = _HALF.search(text[-_HALF_AT_MOST:]) if was_cut else None
    if half:
        end = len(text) - len(half[0])
        last = _found(text[:end], needles, was_cut=True)
        found += [(start, len(text)) for start, stop in last if stop == end]
    return found


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _found(text: str, needles: SecretForms, *, was_cut: bool) -> list[Span]:
    """Where one of `needles` stands in `text`, in any reading of it."""
    found: list[Span] = []
    readings: list[_Reading] = []
    reading: _Reading | None = _Reading(_folded(text), [0], [0], [True])
    while reading is not None:
        readings.append(reading)
        hits = [*_hits(reading.text, needles.plain, MIN_SECRET if was_cut else None)]
        hits += _hits_without(_GAP, reading.text, needles.codes, was_cut=was_cut)
        hits += _hits_without(_BETWEEN, reading.text, needles.joined, was_cut=was_cut)
        for each in reversed(readings):
            hits = [*map(each.before, hits)]
        found += hits
        pattern = _ESCAPE if len(readings) <= _TIMES else _BACKSLASHES
        reading = _resolved(reading.text, pattern)
    return found


def _hits_without(
    gap: re.Pattern[str], text: str, needles: Iterable[str], *, was_cut: bool
) -> Iterator[Span]:
    """Where one of `needles` stands in `text` if what `gap` finds were not there."""
    inner = [*_hits(gap.sub("", text), needles, _MIN_CODE if was_cut else None)]
    return map(_rewritten(text, gap, lambda found: "").before, inner) if inner else iter(())


class _Reading(NamedTuple):
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


def _folded(text: str) -> str:
    """`text` in small letters, of the same length; a plus is a blank, as forms write it.

    Letters that look like others, of full width, with an accent, are these.
    """
    text = aligned_skeleton(text)
    small = text.casefold()
    if len(small) != len(text):
        small = "".join(low if len(low := char.casefold()) == 1 else char for char in text)
    return small.replace("+", " ")


def _resolved(text: str, pattern: re.Pattern[str] = _ESCAPE) -> _Reading | None:
    """`text` with its escapes resolved once; None where it has none."""
    reading = _rewritten(text, pattern, _meaning)
    return reading if len(reading.ends) > 1 else None


def _rewritten(
    text: str, pattern: re.Pattern[str], meaning: Callable[[re.Match[str]], str | None]
) -> _Reading:
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
    return _Reading("".join([*pieces, text[origins[-1] :]]), ends, origins, empty)


def _meaning(found: re.Match[str]) -> str | None:
    """What an escape stands for, '' where that is not seen; None where it stands for nothing."""
    kind = found.lastgroup
    if kind is None:
        return ""
    if kind == "name":
        return _folded(_NAMED[found[kind]])
    code = int(found[kind], 10 if kind == "decimal" else 16)
    if code > 0x10FFFF:
        return None
    char = _folded(chr(code))
    return char if is_visible(char) else ""


def _codes(text: str) -> Iterator[str]:
    """Letters and digits of `text` in hexadecimal, and in base64 wherever it starts in that."""
    raw = text.encode(errors="replace")
    yield raw.hex()
    for shift in range(3):
        code = base64.b64encode(bytes(shift) + raw).decode().rstrip("=")
        # The characters at either end depend on what stands next to the secret.
        core = code[-(-shift * 8 // 6) : len(code) - ((len(raw) + shift) % 3 > 0)]
        letters = _GAP.sub("", core.lower())
        if len(letters) >= _MIN_CODE:
            yield letters


def _hits(text: str, needles: Iterable[str], least: int | None) -> Iterator[Span]:
    """Where one of `needles` stands in `text`, or begins at its end with `least` characters."""
    begins = {text[at : at + MIN_SECRET] for at in range(len(text))}
    for needle in needles:
        if needle[:MIN_SECRET] in begins:
            at = text.find(needle)
            while at >= 0:
                yield at, at + len(needle)
                at = text.find(needle, at + len(needle))
        if least is not None and (length := _begun(text, needle, least)):
            yield len(text) - length, len(text)


def _begun(text: str, needle: str, least: int) -> int:
    """How much of the beginning of `needle` stands at the end of `text`; 0: less than `least`."""
    end = text[-least:]
    at = needle.rfind(end) if len(end) == least else -1
    while at >= 0 and not text.endswith(needle[: at + least]):
        at = needle.rfind(end, 0, at + least - 1)
    return at + least if at >= 0 else 0
