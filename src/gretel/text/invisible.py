"""Characters that a reader does not see, and a machine does: good for hiding text in text."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Unicode categories without a visible form: control, format (bidi, zero width, tags), surrogates,
private use, unassigned."""
FILLERS = frozenset(
    map(
        chr,
        (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)
        + (0x13441, 0x13442, 0x16FE4, 0x1D159)
        + (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)),
    )
)
"""Letters, marks and signs by category that show nothing: fillers, blanks of scripts, joiners,
variation selectors."""

_WORD_BEHIND = r"(?![A-Za-z_])"
_MOVES = (
    r"[<=>?]?;?[0-9][0-9;:]*+(?:[@-JL-MPSTXZ`a-ilmnqrstu~]|K| q|\$[p-~])"
    rf"|[HJKm]|[A-DFGLMPSTXZcgnrsu]{_WORD_BEHIND}|!p{_WORD_BEHIND}"
)
"""Behind `ESC [`: colours, movements, modes. A letter alone is one where no word may begin with it,
but for those that stand before words: erase, home, plain."""
_SINGLE = (
    rf"[()*+](?:[B0]|[0-9A-Z]{_WORD_BEHIND})|#[3-68]|%[@G8]|[6-9]"
    rf"|[DEHMNOZ]{_WORD_BEHIND}|c(?![a-z_])|[=>](?=[\x1b\x90\x98\x9b\x9d-\x9f\s]|\Z)"
)
"""Behind `ESC`: sets of signs, resets, the keypad."""
_STRING = r"(?:\x1b(?:[\]^_]|[PX](?![a-z]))|[\x90\x98\x9d-\x9f])"
"""What begins a title, a link, a clipboard."""
_SAID = r"[^\x07\x1b\x90\x98\x9b-\x9f\"'\r\n]{0,4000}"
_ORDER = re.compile(
    rf"(?:\x1b\[|\x9b)(?:{_MOVES}|[0-9][0-9;]*+|)"
    rf"|{_STRING}{_SAID}(?:\x07|\x1b\\|\x9c)"
    rf"|{_STRING}(?:[0-9]{{1,4}};)?"
    rf"|\x1b(?:{_SINGLE})"
)
"""Orders to a terminal (ECMA-48) that are in use: colours, movements; titles, links and clipboards,
sets of signs, resets. Of one that is no whole order its beginning alone counts, with its numbers:
the quote, the comma or the name behind it says what is a secret. None is read over the beginning of
the next: a row of beginnings costs no more than its length."""
_BEGUN = re.compile(rf"(?:(?:\x1b\[|\x9b)[0-?]*+[ -/]*+|{_STRING}{_SAID}|\x1b[ -/]*+)\Z")
"""An order that a cut went through: it begins where one of `_STARTS` stands last."""
_STARTS = "\x1b\x90\x98\x9b\x9d\x9e\x9f"
_NEXT = re.compile(r"\x1b(?!\\)|[\x90\x98\x9b\x9d-\x9f]")
"""Where an order begins, and so no other goes on."""
_STRUCK = re.compile(r"\w\x08(?=\x08*+\w)")
"""A letter, a backspace and what a terminal writes over it. A sign stays, and so does a letter that
nothing is written over: without a quote or its last letter a name is none."""
_LINE_BREAK = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")
_PIECE = 65_536
"""Characters that are turned in one call, which stops everybody else."""


@lru_cache(maxsize=4096)
def is_visible(char: str) -> bool:
    """Whether a character shows; line feeds and tabs do not."""
    return char not in FILLERS and unicodedata.category(char) not in INVISIBLE


def visible(text: str) -> str:
    """`text` without invisible characters, line feeds and tabs aside."""
    if text.isascii() and text.isprintable():
        return text
    hidden = [c for c in set(text) if not (c in "\n\t" or is_visible(c))]
    if not hidden:
        return text
    gone = dict.fromkeys(map(ord, hidden))
    pieces = (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))
    return "".join(piece.translate(gone) for piece in pieces)


def beginning(text: str, size: int) -> str:
    """The first `size` characters of `text`, without an order to a terminal that goes on behind."""
    if len(text) <= size:
        return text
    start = text[:size]
    last = sorted(place for place in map(start.rfind, _STARTS) if place >= 0)
    return start[: next((place for place in last if _BEGUN.match(start, place)), size)]


def clean(text: str) -> str:
    """Only what can be seen, with line feeds for all line breaks; tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    shown = "".join(_ORDER.sub("", part) for part in _by_orders(text))
    return visible(_in_place("\n", _LINE_BREAK, _in_place("", _STRUCK, shown)))


def seen_beginning(text: str, size: int) -> str:
    """The first `size` characters of `text` that a reader sees."""
    read = 2 * size
    while len(seen := clean(beginning(text, read))) < size and read < len(text):
        read *= 4
    return seen[:size]


def _by_orders(text: str) -> Iterator[str]:
    """`text` in parts of `_PIECE` characters or as many more as there are to the next order.

    Looking through a row of a million beginnings of orders that are none takes .2 s.
    """
    at = 0
    while at < len(text):
        start = _NEXT.search(text, at + _PIECE)
        end = start.start() if start else len(text)
        yield text[at:end]
        at = end


def _in_place(word: str, pattern: re.Pattern[str], text: str) -> str:
    """`text` with `word` for what `pattern` finds.

    By a function where there may be much of it: at each of its calls others get a turn.
    """
    return pattern.sub(word if len(text) <= _PIECE else lambda found: word, text)
