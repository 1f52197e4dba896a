"""Requests in other languages, word for word in English, as far as a table reaches.

The bundled encoder and the words of most catalogues are English. Words and short terms that
documents of APIs are made of, and that people ask for them with, stand in `lexicon.txt`, by hand,
in English, German, French, Spanish and Chinese, some 1,490 lines. Behind the English stands how
words begin that mean it (`=` behind whole ones), parted by blanks; words of a phrase are joined by
`_`. A beginning stands in one line of its language alone. Inflections and German compounds are read
by their beginnings, names and what stands in no line stay as they are. It is no translation and has
no grammar; it finds tools, and values are still read off the request itself.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from gretel.text.phrases import ENDING, Words, folded, pieces

LANGUAGES = ("de", "fr", "es", "zh")
"""The columns of the table behind the English one."""
_LONGEST = 40
"""Letters of a word that is looked up; nobody writes longer ones."""
_HAN = re.compile("[\u4e00-\u9fff]+")


class Table(NamedTuple):
    """What one language's column says."""

    words: Mapping[str, str]
    """The English of each beginning."""
    phrases: Mapping[str, Sequence[tuple[Sequence[str], str]]]
    """By their first two letters, phrases and their English; the longest first."""


def glossed(text: str, language: str) -> str:
    """`text` with the words of the table in English; as it is in a language without a column."""
    if language not in LANGUAGES:
        return text
    table = _tables()[language]
    if language == "zh":
        return _HAN.sub(lambda run: "".join(_segments(run[0], table.words)), text)
    return "".join(_spaced(Words.of(text), table, compounds=language == "de"))


def _segments(run: str, table: Mapping[str, str]) -> Iterator[str]:
    """The pieces of a run of Chinese characters, at each place the longest known word."""
    place = 0
    longest = max(map(len, table))
    while place < len(run):
        sizes = range(min(longest, len(run) - place), 0, -1)
        size = next((n for n in sizes if run[place : place + n] in table), 0)
        yield f" {table[run[place : place + size]]} " if size else run[place]
        place += size or 1


def _spaced(words: Words, table: Table, *, compounds: bool) -> Iterator[str]:
    """The pieces of a text whose words are parted by blanks, at each word the longest phrase."""
    end = place = 0
    while place < len(words.found):
        word = words.folded[place]
        phrases = table.phrases.get(word[:2], ())
        known = ((len(each), english) for each, english in phrases if words.say(each, place))
        if (longest := next(known, None)) is None:
            stays = not compounds and words.is_name(place)
            members = [] if stays else _english(word, table.words, compounds=compounds)
            longest = (1, " ".join(members) or words.found[place][0])
        yield words.text[end : words.found[place].start()]
        yield longest[1]
        end = words.found[place + longest[0] - 1].end()
        place += longest[0]
    yield words.text[end:]


def _english(word: str, table: Mapping[str, str], *, compounds: bool) -> list[str]:
    """A word, or the two members of a compound; empty where it is not known whole."""
    known, left = _one(word, table)
    if not known or left > ENDING - 1:
        for size in range(min(len(word), _LONGEST) if compounds else 0, 2, -1):
            if word[:size] in table:
                rest = word[size:]
                links = (rest, rest.removeprefix("s"), rest.removeprefix("en"))
                if behind := next(filter(None, (_one(each, table)[0] for each in links)), ""):
                    return [table[word[:size]], behind]
    return [known] if known else []


def _one(word: str, table: Mapping[str, str]) -> tuple[str, int]:
    """The English of one word, and the letters of its ending; "" where there is none."""
    if whole := table.get(f"{word}="):
        return whole, 0
    sizes = range(min(len(word), _LONGEST), max(2, len(word) - ENDING - 1), -1)
    return next(((table[word[:n]], len(word) - n) for n in sizes if word[:n] in table), ("", 0))


@cache
def _tables() -> Mapping[str, Table]:
    """What `lexicon.txt` says, by language."""
    found: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
    text = files("gretel.text").joinpath("lexicon.txt").read_text("utf-8")
    for line in text.splitlines():
        english, *columns = line.split("|")
        for language, column in zip(LANGUAGES, columns, strict=True):
            found[language] |= {folded(entry): english for entry in column.split()}
    return {language: _table(entries) for language, entries in found.items()}


def _table(entries: Mapping[str, str]) -> Table:
    words: dict[str, str] = {}
    phrases: dict[str, list[tuple[Sequence[str], str]]] = {}
    for entry in sorted(entries, key=lambda each: -len(pieces(each))):
        phrase = pieces(entry)
        if len(phrase) > 1:
            phrases.setdefault(phrase[0][:2], []).append((phrase, entries[entry]))
        else:
            words[entry] = entries[entry]
    return Table(words, phrases)
