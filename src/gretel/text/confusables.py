"""Confusables: characters that a reader, or a model, takes for those of ASCII (Unicode UTS #39).

A short list of our own, of the scripts that such attacks are written in; compatibility forms (full
width, bold, …) and accents come off by normalisation.
"""

import re
import unicodedata
from functools import lru_cache

from gretel.text.invisible import is_visible

ACCENT = "\u0301"
"""Stands for any accent by itself in an aligned skeleton."""

_LOOKS = {
    "a": "\u0251\u03b1\u0430\u1d00\u237a",
    "b": "\u0299\u0432",
    "c": "\u03f2\u0441\u1d04\u2ca5\uabaf",
    "d": "\u0501\u1d05",
    "e": "\u03b5\u0435\u04bd\u1d07\u212e\uab32",
    "f": "\u0584\ua799\uab35",
    "g": "\u018d\u0261\u0262\u0581",
    "h": "\u029c\u043d\u04bb\u0570",
    "i": "\u0131\u0269\u026a\u03b9\u0456\ua647\uab75",
    "j": "\u03f3\u0458\u1d0a",
    "k": "\u03ba\u043a\u1d0b",
    "l": "\u029f\u04cf\u05d5\u05df\u2d4f",
    "m": "\u043c\u1d0d",
    "n": "\u0274\u0578\u057c",
    "o": "\u03bf\u03c3\u043e\u0585\u05e1\u101d\u10ff\u1d0f\u1d11\u2c9f\uab3d",
    "p": "\u03c1\u0440\u1d18\u2ca3",
    "q": "\u051b\u0563\u0566",
    "r": "\u0280\u0433\u1d26\u2c85\uab47\uab48\uab81",
    "s": "\u01bd\u0455\ua731\uabaa",
    "t": "\u03c4\u0442\u1d1b",
    "u": "\u028b\u03c5\u057d\u1d1c\ua79f\uab4e\uab52",
    "v": "\u03bd\u0475\u05d8\u1d20\uaba9",
    "w": "\u026f\u0461\u051d\u0561\u1d21\uab83",
    "x": "\u03c7\u0445\u166e\u157d",
    "y": "\u0263\u028f\u03b3\u0443\u04af\u10e7\u1eff\uab5a",
    "z": "\u1d22\uab93",
    "A": "\u0391\u0410\u13aa\ua4ee",
    "B": "\u0392\u0412\u13f4\ua4d0",
    "C": "\u0421\u13df\ua4da",
    "D": "\u13a0\ua4d3",
    "E": "\u0395\u0415\u13ac\ua4f0",
    "F": "\u03dc\ua4dd",
    "G": "\u050c\u13c0\ua4d6",
    "H": "\u0397\u041d\u13bb\ua4e7",
    "I": "\u0399\u0406\u04c0\ua4f2",
    "J": "\u0408\u13ab\ua4d9",
    "K": "\u039a\u041a\u13e6\ua4d7",
    "L": "\u13de\u2cd0\ua4e1",
    "M": "\u039c\u041c\u13b7\ua4df",
    "N": "\u039d\ua4e0",
    "O": "\u039f\u041e\u0555\ua4f3",
    "P": "\u03a1\u0420\u13e2\ua4d1",
    "Q": "\u051a",
    "R": "\u13a1\ua4e3",
    "S": "\u0405\u13da\ua4e2",
    "T": "\u03a4\u0422\u13a2\ua4d4",
    "U": "\u054d\ua4f4",
    "V": "\u0474\u13d9\ua4e6",
    "W": "\u051c\u13b3\ua4ea",
    "X": "\u03a7\u0425\ua4eb",
    "Y": "\u03a5\u04ae\ua4ec",
    "Z": "\u0396\u13c3\ua4dc",
}
"""Letters with those of Greek, Cyrillic, Armenian, Hebrew, Georgian, Coptic, Cherokee, Lisu, and of
Latin beside ASCII, that look like them."""
LETTERS = {like: letter for letter, likes in _LOOKS.items() for like in likes}
"""Each with the letter that it looks like."""
_CHANGED = re.compile(r"LATIN (SMALL|CAPITAL) LETTER ([A-Z]) WITH .*")
"""The name of a letter with a stroke, a hook or a tail, which normalisation does not take off."""
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
    folded = "".join(map(_letter_of, folded))
    return "".join(each for each in folded if each.isascii() or _shows(each))


def _letter_of(char: str) -> str:
    """The letter of ASCII that a letter is with a stroke, a hook or a tail; else itself."""
    found = _CHANGED.fullmatch(unicodedata.name(char, "")) if not char.isascii() else None
    return char if found is None else found[2].lower() if found[1] == "SMALL" else found[2]


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
    plain = _ALL.get(base) or _letter_of(base)
    return _ALL.get(plain.lower()[0], plain)
