"""Secret scan: where known secrets occur in a text, in whatever encoding they came back.

A text is read as it is, and then with its escapes resolved, up to three times over. Each reading
knows where its characters stood before, and a secret is found in it by plain search: what a text
costs grows with its length, and with nothing that its author chooses.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import Literal, NamedTuple

from gretel.text.confusables import ACCENT
from gretel.text.invisible import visible
from gretel.text.known.codes import GAP, MIN_CODE, codes_of, ends_of, letters_of
from gretel.text.known.readings import (
    BACKSLASHES,
    ESCAPE,
    HALF,
    HALF_AT_MOST,
    ORDERS,
    QUOTED,
    Reading,
    folded,
    resolved,
    rewritten,
)
from gretel.text.span import Span

MIN_SECRET = 4
"""Shorter credentials are not searched for: they would blank out half of any text."""

_TIMES = 4
"""How often escapes are resolved: an answer is encoded by the tool, by what relays it, and once
more where an error quotes it."""

_BETWEEN = re.compile(
    r"[\s" + ACCENT + r"]+"
    r"|(?<!\\)\\++(?:[nrtfv]|(?:u00|x)1b(?:\[[0-?]{0,99}[@-~])?|(?:u00|x)9b[0-?]{0,99}[@-~])"
    r"|<[a-z/!?][^<>]{0,99}>"
)
"""What does not count within a long secret: blanks, ends of lines and orders to a terminal, as they
are or escaped, accents by themselves, and tags of markup."""


_VALUES = re.compile(
    r'"(?:[\s,{}\[\]]|"[^"\\]{0,99}"\s{0,9}:|-?\d[\d.e+-]*+|true|false|null){0,200}+"(?!\s{0,9}:)'
)
"""What stands in JSON between a text and the next: a server may write a secret piece by piece."""
_FRONT = re.compile(rf"(?:0*+[^0]){{0,{HALF_AT_MOST * _TIMES}}}+0*+")
"""What may be left, at a text's start, of escapes that a cut went through: of one in each layer."""


class Cuts(NamedTuple):
    """Where a text may have been cut within a secret."""

    start: bool
    end: bool


class SecretForms(NamedTuple):
    """What to search for, for one secret; all in small letters."""

    plain: tuple[str, ...]
    """The secret, and backwards."""
    codes: tuple[str, ...]
    """Letters and digits of its codes, and of itself where it mixes both."""
    joined: tuple[str, ...]
    """`plain` without blanks, of eight characters or more: a shorter one would also be found
    across the words of a sentence."""
    ends: tuple[str, ...]
    """Its first and last letters and digits, which tell it where both stand in a text."""

    @classmethod
    def of(cls, secret: str) -> "SecretForms":
        """The forms in which an answer may repeat `secret`."""
        forms: set[str] = set()
        for written in _writings(secret):
            # A URL is escaped byte by byte; of these, as of all escapes, only what is seen counts.
            bytewise = visible(written.encode(errors="replace").decode("latin-1"))
            forms |= {folded(written), folded(bytewise)}
        for _ in range(_TIMES):
            forms |= {reading.text for form in forms if (reading := resolved(form))}
        forms |= {form.replace("\\", "") for form in forms}
        plain = {way for form in forms if len(form) >= MIN_SECRET for way in (form, form[::-1])}
        joined = {_BETWEEN.sub("", way) for way in plain}
        return cls(
            tuple(plain),
            (*codes_of(secret), *letters_of(folded(secret))),
            tuple(way for way in joined if len(way) >= MIN_CODE),
            ends_of(folded(secret)),
        )


def _writings(secret: str) -> set[str]:
    """`secret` in the other case, where that has other letters (`ß` is `SS`), and with its accents
    and syllables put together or taken apart.
    """
    if secret.isascii():
        return {secret}
    cased = {secret, secret.upper(), secret.casefold()}
    forms: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
    return cased | {unicodedata.normalize(form, each) for form in forms for each in cased}


def find_secrets(
    text: str, known: Collection[SecretForms], *, was_cut: bool, starts_cut: bool = False
) -> list[Span]:
    """Where one of `known` stands in `text`, unordered; where it is cut, a beginning at its end,
    or an end at its beginning.

    Args:
        text: without invisible characters.
        known: of every secret.
        was_cut: whether the text may end within a secret.
        starts_cut: whether it may begin within one; what stands before its end is one with it.
    """
    needles = SecretForms(
        plain=_distinct(form for forms in known for form in forms.plain),
        codes=_distinct([code for forms in known for code in forms.codes] + _halves(text, known)),
        joined=_distinct(form for forms in known for form in forms.joined),
        ends=(),
    )
    found = _found(text, needles, Cuts(starts_cut, was_cut))
    half = HALF.search(text[-HALF_AT_MOST:]) if was_cut else None
    if half:
        end = len(text) - len(half[0])
        last = _found(text[:end], needles, Cuts(start=False, end=True))
        found += [(start, len(text)) for start, stop in last if stop == end]
    return found


def _halves(text: str, known: Iterable[SecretForms]) -> list[str]:
    """The ends of secrets of which `text` has both: a server cut them in two."""
    told = [forms.ends for forms in known if forms.ends]
    letters = GAP.sub("", folded(text)) if told else ""
    return [end for ends in told if all(end in letters for end in ends) for end in ends]


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _found(text: str, needles: SecretForms, cuts: Cuts) -> list[Span]:
    """Where one of `needles` stands in `text`, in any reading of it."""
    plain = Reading(folded(text), [0], [0], [True])
    found = _found_behind([], plain, needles, cuts)
    quoted = resolved(plain.text, QUOTED)
    return found + (_found_behind([plain], quoted, needles, cuts) if quoted else [])


def _found_behind(
    readings: list[Reading], reading: Reading | None, needles: SecretForms, cuts: Cuts
) -> list[Span]:
    """Where one of `needles` stands in the text before all of `readings`, by `reading` of the last
    of these, or by what is resolved from it.
    """
    found: list[Span] = []
    first = len(readings)
    while reading is not None:
        readings.append(reading)
        found += _found_by(readings, needles, cuts)
        for order in ORDERS if ORDERS[-1].search(reading.text) else ():
            seen = rewritten(reading.text, order, lambda found: "")
            found += _found_by([*readings, seen], needles, cuts)
        pattern = ESCAPE if len(readings) - first <= _TIMES else BACKSLASHES
        reading = resolved(reading.text, pattern)
    return found


def _found_by(readings: list[Reading], needles: SecretForms, cuts: Cuts) -> Iterable[Span]:
    """Where one of `needles` stands in the last of `readings`, in the text before all of them."""
    text = readings[-1].text
    hits: Iterable[Span] = [
        *_hits(text, needles.plain, MIN_SECRET, cuts),
        *_hits_without(GAP, text, needles.codes, cuts),
        *_hits_without(_BETWEEN, text, needles.joined, cuts),
        *_hits_without(_VALUES, text, needles.joined, cuts),
    ]
    for each in reversed(readings):
        hits = map(each.before, hits)
    return hits


def _hits_without(
    gap: re.Pattern[str], text: str, needles: Iterable[str], cuts: Cuts
) -> Iterator[Span]:
    """Where one of `needles` stands in `text` if what `gap` finds were not there."""
    inner = [*_hits(gap.sub("", text), needles, MIN_CODE, cuts)]
    return map(rewritten(text, gap, lambda found: "").before, inner) if inner else iter(())


def _hits(text: str, needles: Iterable[str], least: int, cuts: Cuts) -> Iterator[Span]:
    """Where one of `needles` stands in `text`; `least` characters of it, where a cut goes on."""
    met = {text[at : at + MIN_SECRET] for at in range(len(text))}
    for needle in needles:
        if needle[:MIN_SECRET] in met:
            at = text.find(needle)
            while at >= 0:
                yield at, at + len(needle)
                at = text.find(needle, at + len(needle))
        if cuts.end and (length := _begun(text, needle, least)):
            yield len(text) - length, len(text)
        if cuts.start and needle[-MIN_SECRET:] in met and (length := _ended(text, needle, least)):
            yield 0, length


def _begun(text: str, needle: str, least: int) -> int:
    """How much of the beginning of `needle` stands at the end of `text`; 0: less than `least`."""
    end = text[-least:]
    at = needle.rfind(end) if len(end) == least else -1
    while at >= 0 and not text.endswith(needle[: at + least]):
        at = needle.rfind(end, 0, at + least - 1)
    return at + least if at >= 0 else 0


def _ended(text: str, needle: str, least: int) -> int:
    """Where the end of `needle` ends that `text` begins with; 0: that has less than `least`.

    Half an escape may stand before it, and is no part of the needle.
    """
    found = _FRONT.match(text)
    front = found.end() if found else 0
    end, at = needle[-least:], text.rfind(needle[-least:], 0, front + len(needle))
    while at > front and not needle.endswith(text[front : at + least]):
        at = text.rfind(end, 0, at + least - 1)
    return at + least if at >= 0 else 0
