"""Identifiers: the words of a name in camel, snake or kebab case, and whether two are the same."""

import re
import unicodedata

from gretel.text.remembering import remembered

_WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z0-9])(?=[A-Z][a-z])")
_ASCII_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NO_WORD = re.compile(r"[^A-Za-z0-9]+")


@remembered(2_048, longest=1_000)
@remembered(32_768)
def split_identifier(name: str) -> tuple[str, ...]:
    """The words of an identifier in small letters: `getUserByID` is ("get", "user", "by", "id").

    Names may be of any script; combining marks belong to their word, and so do digits behind it.
    """
    spaced = space_words(name)
    if name.isascii():
        return tuple(_NO_WORD.sub(" ", spaced).lower().split())
    return tuple("".join(c if in_word(c) else " " for c in spaced).lower().split())


def identifier_text(name: str) -> str:
    """The words of an identifier as a text: `getUserByID` is "get user by id"."""
    return " ".join(split_identifier(name))


def fold_identifier(name: str) -> str:
    """What spellings of a name share: `flight_number` and `flightNumber` are `flightnumber`."""
    return "".join(filter(str.isalnum, name)).casefold()


def same_identifier(one: str, other: str) -> bool:
    """Whether two are spellings of one name; signs alone are only if they are equal."""
    folded = fold_identifier(one)
    return folded == fold_identifier(other) if folded else one == other


def space_words(text: str, *, after_digits: bool = False) -> str:
    """`text` with a blank before each capital that begins a word: "get User By ID".

    Args:
        text: of any script.
        after_digits: a capital behind a digit begins a word too (`v2API`), and only capitals of
            ASCII do. The weights of retrieval were fitted on search terms that are cut so; the
            other rule moves scores by 1e-4, enough to turn near ties.
    """
    if after_digits:
        return _ASCII_START.sub(" ", text)
    if text.isascii():
        return _WORD_START.sub(" ", text)
    return "".join(f" {c}" if _starts_word(text, i) else c for i, c in enumerate(text))


def _starts_word(text: str, place: int) -> bool:
    if place == 0 or not text[place].isupper():
        return False
    before, after = text[place - 1], text[place + 1 : place + 2]
    return before.islower() or (after.islower() and before.isalnum())


def in_word(char: str) -> bool:
    """Whether a character is a letter, a digit or a mark.

    Combining marks of Indic and other scripts are part of a word, which `str.isalnum` denies.
    """
    return char.isalnum() or unicodedata.category(char).startswith("M")
