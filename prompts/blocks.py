"""Text of others made safe to stand in a prompt: cleaned, capped, delimited.

Requests, descriptions and answers of tools are hostile input. A block keeps them apart from
instructions; what could end a block early, or hide text from a reader, is taken out.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from gretel.text.confusables import LETTERS
from gretel.text.invisible import is_seen

REMOVED = "[removed]"

_MARK = "\u0301"
_OPENS = r"<|&lt;?|&\#0{0,8}60;?|&\#x0{0,8}3c;?|\\{1,4}u003c|\\{1,4}x3c"
_TURNS = r"<\s?\|[^|<>\n]{0,60}\|\s?>|\[\s?/?\s?inst\s?\]|<<\s?/?\s?sys\s?>>|<\s?/?\s?s\s?>" + (
    r"|<\s?/?\s?(?:start|end)_of_turn\s?>|<\s?/?\s?(?:system|assistant|think)\s?>"
)
"""Marks by which chat templates part turns and roles; some servers read them in any text."""
_BRACKETS = {
    "<": "\u2039\u2329\u27e8\u3008\u276e\u02c2\u1438\ufe64\uff1c\u276c\u2770\u29fc\u300a\u27ea"
    "\u00ab\u2991\u227a",
    ">": "\u203a\u232a\u27e9\u3009\u276f\u02c3\u1433\ufe65\uff1e\u276d\u2771\u29fd\u300b\u27eb"
    "\u00bb\u2992\u227b",
    "/": "\u2215\u2044\u2571\u29f8\uff0f\u27cb\u2cc6\u30ce\u4e3f\u2e4a",
    "\\": "\u29f5\u2216\u2572\u29f9",
    "|": "\uff5c\u2223\u01c0\u2502",
}
_LOOKALIKES = {
    ord(like): plain
    for plain, likes in (*_BRACKETS.items(), *((to, of) for of, to in LETTERS.items()))
    for like in likes
}
"""Characters that look like those of a tag."""


def clean(text: str) -> str:
    """Only what can be seen, with line feeds for all line breaks."""
    lines = re.sub(r"\r\n?|[\v\f\x85\u2028\u2029]", "\n", text)
    return "".join(char for char in lines if char in "\n\t" or is_seen(char))


def one_line(text: str, limit: int) -> str:
    """Cleaned text in one line of at most `limit` characters."""
    line = " ".join(clean(text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def block(name: str, text: str, limit: int, *, names: Iterable[str]) -> str:
    """The text between `<name>` and `</name>`, at most `limit` characters of it.

    Args:
        name: of the block.
        text: any text; `(none)` stands for an empty one.
        limit: characters; what is beyond is cut, and the cut is marked.
        names: all blocks of the prompt: none of their tags may stand in the text, nor what looks
            like one, nor a mark by which a chat is parted into turns.
    """
    whole = _without_tags(clean(text), frozenset(names))
    cut = whole if len(whole) <= limit else f"{whole[:limit]}… [cut]"
    return f"<{name}>\n{cut.strip() or '(none)'}\n</{name}>"


def _without_tags(text: str, names: frozenset[str]) -> str:
    kept, done = [], 0
    for found in _tags(names).finditer(_skeleton(text)):
        # A marker and not nothing, so that what is left cannot close up to a new tag.
        kept += [text[done : found.start()], REMOVED]
        done = found.end()
    return "".join([*kept, text[done:]])


@cache
def _tags(names: frozenset[str]) -> re.Pattern[str]:
    known = "|".join(map(_spelt, sorted(names)))
    tag = (
        rf"(?:{_OPENS})[\s/\\!]{{0,20}}(?:{known})(?![^\W_])(?:[^<>\n]{{0,80}}?(?:>|&gt;|&\#62;))?"
    )
    return re.compile(rf"{tag}|{_TURNS}", re.IGNORECASE)


def _spelt(name: str) -> str:
    """A pattern for a name with accents on its letters, or without."""
    return f"{_MARK}*".join(map(re.escape, name))


def _skeleton(text: str) -> str:
    """The text with look-alikes in the place of what they look like, character by character."""
    return text if text.isascii() else "".join(map(_plain, text))


@lru_cache(maxsize=4_096)
def _plain(char: str) -> str:
    """What a look-alike, or a compatibility form (full width, bold, …), stands for.

    A letter is without its accents, and an accent by itself is `_MARK`.
    """
    base, *marks = list(unicodedata.normalize("NFKD", char))
    if marks and not all(map(unicodedata.combining, marks)):
        return char
    if unicodedata.combining(base):
        return _MARK
    plain = _LOOKALIKES.get(ord(base), base)
    return _LOOKALIKES.get(ord(plain.lower()[0]), plain)
