"""Text of others made safe to stand in a prompt: cleaned, capped, delimited.

Requests, descriptions and answers of tools are hostile input. A block keeps them apart from
instructions; what could end a block early, or hide text from a reader, is taken out.
"""

import re
from collections.abc import Iterable
from functools import cache

from gretel.text.confusables import ACCENT, aligned_skeleton
from gretel.text.invisible import visible

REMOVED = "[removed]"

_OPENS = r"<|&lt;?|&\#0{0,8}60;?|&\#x0{0,8}3c;?|\\{1,4}u003c|\\{1,4}x3c"
_TURNS = r"<\s?\|[^|<>\n]{0,60}\|\s?>|\[\s?/?\s?inst\s?\]|<<\s?/?\s?sys\s?>>|<\s?/?\s?s\s?>" + (
    r"|<\s?/?\s?(?:start|end)_of_turn\s?>|<\s?/?\s?(?:system|assistant|think)\s?>"
)
"""Marks by which chat templates part turns and roles; some servers read them in any text."""


def clean(text: str) -> str:
    """Only what can be seen, with line feeds for all line breaks."""
    return visible(re.sub(r"\r\n?|[\v\f\x85\u2028\u2029]", "\n", text))


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
    for found in _tags(names).finditer(aligned_skeleton(text)):
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
    return f"{ACCENT}*".join(map(re.escape, name))
