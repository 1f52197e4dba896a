"""Confusables: characters that a reader, or a model, takes for those of ASCII (Unicode UTS #39).

A short list of our own, of the scripts that such attacks are written in; compatibility forms (full
width, bold, …) and accents come off by normalisation.
"""

import unicodedata
from functools import lru_cache

from gretel.text.invisible import is_visible

ACCENT = "\u0301"
"""Stands for any accent by itself in an aligned skeleton."""

LETTERS = dict(
    zip(
        # Cyrillic, small and capital
        "\u0430\u0441\u0501\u0435\u0261\u04bb\u0456\u0458\u043e\u0440\u051b\u0455\u0443\u0445\u051d"
        "\u0432\u043a\u043c\u043d\u0442\u04cf"
        "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408"
        # Greek, small and capital, and the dotless i
        "\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131"
        "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
        # Latin beside ASCII
        "\u0251\u0269\u026a\u1d00\u0299\u1d04\u1d05\u1d07\u0262\u029c\u1d0a\u1d0b\u029f\u1d0d\u0274"
        "\u1d0f\u1d18\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22"
        # Armenian, Coptic, Cherokee
        "\u0578\u057d\u2ca5\u2c9f\u13aa\u13df\u13a0\u13ac\u13a2\u13da\u13e2",
        "acdeghijopqsyxw" + "bkmhtl" + "ABEKMHOPCTXSIJ" + "aeikvoptuxi" + "ABEZHIKMNOPTYX"
        "aiiabcdeghjklmn" + "oprstuvwyz" + "nucoacdetsp",
        strict=True,
    )
)
"""Each with the letter that it looks like."""
PUNCTUATION = {
    like: char
    for char, likes in {
        "<": "\u2039\u2329\u27e8\u3008\u276e\u02c2\u1438\ufe64\uff1c\u276c\u2770\u29fc\u300a\u27ea"
        "\u00ab\u2991\u227a",
        ">": "\u203a\u232a\u27e9\u3009\u276f\u02c3\u1433\ufe65\uff1e\u276d\u2771\u29fd\u300b\u27eb"
        "\u00bb\u2992\u227b",
        "/": "\u2215\u2044\u2571\u29f8\uff0f\u27cb\u2cc6\u30ce\u4e3f\u2e4a",
        "\\": "\u29f5\u2216\u2572\u29f9",
        "|": "\uff5c\u2223\u01c0\u2502",
    }.items()
    for like in likes
}
"""Each with the sign of a tag that it looks like."""
_LETTERS = str.maketrans(LETTERS)
_ALL = LETTERS | PUNCTUATION


def skeleton(text: str) -> str:
    """`text` with letters for their confusables, without accents and invisible characters.

    Line breaks and tabs, which are invisible too, stay. Signs are kept as they are.
    """
    if text.isascii():
        return text
    return "".join(map(_plain, text))


@lru_cache(maxsize=4_096)
def _plain(char: str) -> str:
    """What is seen of a character.

    One by one: to bring the accents of a text into their order takes the square of their number.
    """
    folded = unicodedata.normalize("NFKD", LETTERS.get(char, char)).translate(_LETTERS)
    return "".join(each for each in folded if each.isascii() or _shows(each))


def _shows(char: str) -> bool:
    """Whether a character is more than an accent on the one before it."""
    return is_visible(char) and unicodedata.category(char) != "Mn"


def aligned_skeleton(text: str) -> str:
    """`text` with letters and signs for their confusables, character by character.

    What is found in it stands at the same place in `text`. A letter is without its accents, and an
    accent by itself is `ACCENT`.
    """
    return text if text.isascii() else "".join(map(_look, text))


@lru_cache(maxsize=4_096)
def _look(char: str) -> str:
    """What a character stands for, or itself where that is several letters."""
    base, *marks = list(unicodedata.normalize("NFKD", char))
    if marks and not all(map(unicodedata.combining, marks)):
        return char
    if is_visible(base) and unicodedata.category(base).startswith("M"):  # a ring has no class
        return ACCENT
    plain = _ALL.get(base, base)
    return _ALL.get(plain.lower()[0], plain)
