"""Text as a reader sees it: full width letters and a Cyrillic e are plain letters."""

import unicodedata

from gretel.text.confusables import LETTERS
from gretel.text.invisible import is_seen

_LETTERS = str.maketrans(LETTERS)


def as_seen(text: str) -> str:
    """`text` with look-alikes as the letters that they look like, without accents and the unseen.

    Line breaks and tabs, which are unseen too, stay.
    """
    if text.isascii():
        return text
    folded = unicodedata.normalize("NFKD", text.translate(_LETTERS)).translate(_LETTERS)
    return "".join(char for char in folded if char.isascii() or _shows(char))


def _shows(char: str) -> bool:
    """Whether a character is more than an accent on the one before it."""
    return is_seen(char) and unicodedata.category(char) != "Mn"
