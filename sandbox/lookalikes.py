"""Text as a reader sees it: full width letters and a Cyrillic e are plain letters."""

import unicodedata

from gretel.contracts.unseen import is_seen

_LIKE = dict(
    zip(  # Cyrillic and Greek, small and capital letters, and the dotless i
        "\u0430\u0441\u0501\u0435\u0261\u04bb\u0456\u0458\u043e\u0440\u051b\u0455\u0443\u0445\u051d"
        "\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131\u04cf"
        "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408"
        "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
        "acdeghijopqsyxw" + "aeikvoptuxil" + "ABEKMHOPCTXSIJ" + "ABEZHIKMNOPTYX",
        strict=True,
    )
)
_LETTERS = str.maketrans(_LIKE)


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
