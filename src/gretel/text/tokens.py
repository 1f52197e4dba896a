"""Words of any script, for sparse retrieval and for names in a request.

Documents and requests pass through the same function, so that every rule below holds on both
sides. No language is detected: a short request rarely says which one it is in.
"""

import re
import unicodedata

from gretel.text.identifiers import in_word, space_words
from gretel.text.words import SEARCH_STOP_WORDS, singular

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_DIACRITIC = re.compile("[\u0300-\u036f]")
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]+)"  # CJK
)
_GRAM = 4


def content_words(text: str) -> list[str]:
    """The words of `text` that tell what it is about; all of them where no other is left."""
    found = words(text)
    return [word for word in found if word not in SEARCH_STOP_WORDS] or found


def words(text: str) -> list[str]:
    """The words of `text`, folded: case, width, diacritics and camelCase do not matter.

    Latin words lose an English plural ending (Harman's S-stemmer, JASIS 1991). Words of other
    alphabets, which often inflect, become character 4-grams (McNamee and Mayfield, Information
    Retrieval 2004). Scripts without spaces, and Korean, become character bigrams.
    """
    spaced = space_words(text, after_digits=True)
    if spaced.isascii():
        return [singular(word) for word in _ASCII_WORD.findall(spaced.lower())]
    return [token for word in _split(spaced) for token in _tokens_of(word)]


def _split(text: str) -> list[str]:
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    folded = unicodedata.normalize("NFC", _DIACRITIC.sub("", decomposed))
    return "".join(c if in_word(c) else " " for c in folded).split()


def _tokens_of(word: str) -> list[str]:
    if word.isascii():
        return [singular(word)]
    tokens: list[str] = []
    for place, run in enumerate(_UNSPACED.split(word)):
        if place % 2:
            tokens += _grams(run, 2)
        elif run.isascii() or all(map(is_latin, run)):
            tokens += [singular(run)] if run else []
        else:
            tokens += _grams(run, _GRAM)
    return tokens


def is_latin(character: str) -> bool:
    """Whether a character is a letter of the Latin alphabet or a digit."""
    return character.isascii() or unicodedata.name(character, "").startswith(("LATIN", "DIGIT"))


def _grams(word: str, size: int) -> list[str]:
    return [word[i : i + size] for i in range(max(1, len(word) - size + 1))]
