"""Words of a text, and whether a phrase of a table stands at one of them.

A table's phrase is words that begin as its pieces do: `which_release` is said by "which releases",
too; a piece with `=` behind it, and one of at most three letters, is a whole word.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple, Self

ENDING = 4
"""Letters that may follow a beginning: "verfügbar" and "verfügbaren"."""
_SHORT = 3
"""Letters of a piece that has no endings."""
_WORD = re.compile(r"(?<![\w/.@])(?<![\W\d_]-)[^\W\d_]+(?![\w/@]|-[\w-]*\d|\.\w)")
"""A word that is no piece of an id, a path, an address or a file's name."""
_WITHIN = re.compile(r"[\w,;:]\s$|['’-]$")
_JOINED = re.compile(r"\s+|['’-]")
"""What stands between the words of a phrase."""


class Words(NamedTuple):
    """The words of a text."""

    text: str
    found: Sequence[re.Match[str]]
    folded: Sequence[str]
    """In small letters without marks."""

    @classmethod
    def of(cls, text: str) -> Self:
        """Of any length; ids, paths, addresses and file names have none."""
        found = list(_WORD.finditer(text))
        return cls(text, found, [folded(each[0]) for each in found])

    def is_name(self, place: int) -> bool:
        """Whether a word has a capital within a sentence, which is a name in most languages."""
        start = self.found[place].start()
        before = self.text[max(0, start - 2) : start]
        return self.text[start].isupper() and bool(_WITHIN.search(before))

    def say(self, phrase: Sequence[str], place: int) -> bool:
        """Whether `phrase` stands at a place, all in one piece."""
        behind = place + len(phrase)
        said = self.folded[place:behind]
        if len(said) < len(phrase) or not all(map(_is_word, said, phrase)):
            return False
        return all(
            _JOINED.fullmatch(self.text, here.end(), there.start())
            for here, there in zip(
                self.found[place : behind - 1], self.found[place + 1 : behind], strict=True
            )
        )


def pieces(entry: str) -> list[str]:
    """The words of an entry of a table."""
    return re.split(r"[_'-]", entry)


def folded(word: str) -> str:
    """`word` in small letters without accents, umlauts and other marks."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(each for each in plain if not unicodedata.combining(each))


def _is_word(said: str, meant: str) -> bool:
    if meant.endswith("=") or len(meant) <= _SHORT:
        return said == meant.removesuffix("=")
    return said.startswith(meant) and len(said) <= len(meant) + ENDING
