"""Standing: where a value's words stand in a text, if they do."""

import re

from gretel.contracts.record import JsonValue
from gretel.nodes.plan.retelling import leaves_of
from gretel.text.words import places

_SHORT = 200
"""Characters of what a pattern is made for: one for each long value would be kept in memory."""


def leaves_spans(value: JsonValue, text: str) -> tuple[int, int] | None:
    """From the first to the last leaf of `value` in `text`, if all of its leaves stand there."""
    spans = []
    for leaf in leaves_of(value):
        span = leaf_span(leaf, text)
        if span is None:
            return None
        spans.append(span)
    return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None


def leaf_span(leaf: JsonValue, text: str) -> tuple[int, int] | None:
    """Where a text or a number stands in `text`; a number also with commas."""
    if leaf is None or isinstance(leaf, bool):
        return None
    if isinstance(leaf, str):
        return find(leaf, text)
    number = int(leaf) if isinstance(leaf, float) and leaf.is_integer() else leaf
    return find(str(number), text) or find(f"{number:,}", text)


def find(words: str, text: str) -> tuple[int, int] | None:
    """Where `words` first stand in `text`, whatever the case, and not within a longer word."""
    words = words.strip()
    if not words or len(words) > len(text):
        return None
    if len(words) > _SHORT:
        return _long_found(words, text)
    before = r"(?<![A-Za-z0-9])" if words[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if words[-1].isalnum() else ""
    found = re.search(before + re.escape(words) + after, text, re.IGNORECASE)
    return found.span() if found else None


def _long_found(words: str, text: str) -> tuple[int, int] | None:
    small, sought = _small(text), _small(words)
    for start in places(sought, small):
        end = start + len(sought)
        glued = words[0].isalnum() and _is_plain(text[start - 1 : start])
        if not glued and not (words[-1].isalnum() and _is_plain(text[end : end + 1])):
            return start, end
    return None


def _is_plain(char: str) -> bool:
    return char.isascii() and char.isalnum()


def _small(text: str) -> str:
    """`text` in small letters, of the same length."""
    small = text.lower()
    return small if len(small) == len(text) else "".join(each.lower()[0] for each in text)
