"""Text of others made safe to stand in a prompt: cleaned, capped, delimited.

Requests, descriptions and answers of tools are hostile input. A block keeps them apart from
instructions; what could end a block early, or hide text from a reader, is taken out.
"""

import re
import unicodedata
from collections.abc import Iterable

HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co"})
"""Unicode categories without a visible form: control, format (bidi, zero-width, tags),
surrogates, private use."""
VARIATIONS = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""Variation selectors: marks by category, but as good as tags for hiding text."""
REMOVED = "[removed]"


def clean(text: str) -> str:
    """Only what can be seen, with line feeds for all line breaks."""
    lines = re.sub(r"\r\n?|[\v\f\x85\u2028\u2029]", "\n", text)
    return "".join(char for char in lines if char in "\n\t" or _visible(char))


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
        names: all blocks of the prompt: none of their tags may stand in the text.
    """
    tags = "|".join(re.escape(known) for known in names)
    tag = re.compile(rf"<\s*/?\s*(?:{tags})\b(?:[^<>\n]{{0,80}}>)?", re.IGNORECASE)
    # A marker and not nothing, so that what is left cannot close up to a new tag.
    whole = tag.sub(REMOVED, clean(text))
    cut = whole if len(whole) <= limit else f"{whole[:limit]}… [cut]"
    return f"<{name}>\n{cut.strip() or '(none)'}\n</{name}>"


def _visible(char: str) -> bool:
    if any(ord(char) in span for span in VARIATIONS):
        return False
    return unicodedata.category(char) not in HIDDEN
