"""Requests in other languages, word for word in English, as far as a table reaches.

The bundled encoder and the words of most catalogues are English. Words and short terms that
documents of APIs are made of, and that people ask for them with, stand in `lexicon.txt`, by hand, in
English, German, French, Spanish and Chinese: a line a word, behind it how words that mean it begin
(`=` behind whole ones), parted by blanks; the words of a phrase are joined by `_`. A beginning
stands in one line of its language alone. Inflections and German compounds are read by their
beginnings, what stands in no line stays as it is. It is no translation and has no grammar; it finds
tools, and values are still read off the request itself.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

LANGUAGES = ("de", "fr", "es", "zh")
"""The columns of the table behind the English one."""
ENDING = 4
"""Letters that may follow a beginning: "verfügbar" and "verfügbaren"."""
_LONGEST = 40
"""Letters of a word that is looked up; nobody writes longer ones."""
_SHORT = 3
"""Letters of a word of a phrase that has no endings."""
_WORD = re.compile(r"(?<![\w/.@])(?<![\W\d_]-)[^\W\d_]+(?![\w/@]|-[\w-]*\d|\.\w)")
"""A word that is no piece of an id, a path, an address or a file's name."""
_JOINED = re.compile(r"\s+|['’-]")
"""What stands between the words of a phrase."""
_HAN = re.compile("[\u4e00-\u9fff]+")


class Table(NamedTuple):
    """What one language's column says."""

    words: Mapping[str, str]
    """The English of each beginning."""
    phrases: Mapping[str, Sequence[tuple[Sequence[str], str]]]
    """By the first two letters, phrases and their English; the longest first."""


def glossed(text: str, language: str) -> str:
    """`text` with the words of the table in English; as it is in a language without a column."""
    if language not in LANGUAGES:
        return text
    table = _tables()[language]
    if language == "zh":
        return _HAN.sub(lambda run: "".join(_segments(run[0], table.words)), text)
    return "".join(_spaced(text, table, compounds=language == "de"))


def _segments(run: str, table: Mapping[str, str]) -> Iterator[str]:
    """The pieces of a run of Chinese characters, at each place the longest known word."""
    place = 0
    longest = max(map(len, table))
    while place < len(run):
        sizes = range(min(longest, len(run) - place), 0, -1)
        size = next((n for n in sizes if run[place : place + n] in table), 0)
        yield f" {table[run[place : place + size]]} " if size else run[place]
        place += size or 1


def _spaced(text: str, table: Table, *, compounds: bool) -> Iterator[str]:
    """The pieces of a text whose words are parted by blanks; at each word the longest phrase."""
    found = list(_WORD.finditer(text))
    words = [_folded(each[0]) for each in found]
    end = place = 0
    while place < len(found):
        size, english = _phrase(text, found, words, place, table)
        if not size:
            one = _one(words[place], table.words)
            members = [] if one or not compounds else _compound(words[place], table.words)
            size, english = 1, one or " ".join(members) or found[place][0]
        yield text[end : found[place].start()]
        yield english
        end = found[place + size - 1].end()
        place += size
    yield text[end:]


def _phrase(
    text: str, found: Sequence[re.Match[str]], words: Sequence[str], place: int, table: Table
) -> tuple[int, str]:
    """How many words the phrase at a place has, and its English; (0, "") where there is none."""
    for phrase, english in table.phrases.get(words[place][:2], ()):
        size = len(phrase)
        said = words[place : place + size]
        if len(said) == size and all(map(_is_word, said, phrase)):
            ends = zip(found[place : place + size - 1], found[place + 1 : place + size], strict=True)
            if all(_JOINED.fullmatch(text, a.end(), b.start()) for a, b in ends):
                return size, english
    return 0, ""


def _is_word(said: str, meant: str) -> bool:
    """Whether a word is one of a phrase."""
    if meant.endswith("=") or len(meant) <= _SHORT:
        return said == meant.removesuffix("=")
    return said.startswith(meant) and len(said) <= len(meant) + ENDING


def _compound(word: str, table: Mapping[str, str]) -> list[str]:
    """The English of the two members of a German compound; empty where one is unknown."""
    for size in range(min(len(word), _LONGEST), 2, -1):
        if word[:size] in table:
            rest = word[size:]
            links = (rest, rest.removeprefix("s"), rest.removeprefix("en"))
            if behind := next(filter(None, (_one(each, table) for each in links)), ""):
                return [table[word[:size]], behind]
    return []


def _one(word: str, table: Mapping[str, str]) -> str:
    """The English of one word with its ending; "" where there is none."""
    sizes = range(min(len(word), _LONGEST), max(2, len(word) - ENDING - 1), -1)
    beginnings = (word[:size] for size in sizes)
    return table.get(f"{word}=", "") or next((table[b] for b in beginnings if b in table), "")


def _folded(word: str) -> str:
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(each for each in plain if not unicodedata.combining(each))


@cache
def _tables() -> Mapping[str, Table]:
    """What `lexicon.txt` says, by language."""
    found: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
    text = files("gretel.text").joinpath("lexicon.txt").read_text("utf-8")
    for line in text.splitlines():
        english, *columns = line.split("|")
        for language, column in zip(LANGUAGES, columns, strict=True):
            found[language] |= {_folded(each): english for each in column.split()}
    return {language: _table(entries) for language, entries in found.items()}


def _table(entries: Mapping[str, str]) -> Table:
    phrases: dict[str, list[tuple[Sequence[str], str]]] = {}
    for entry in sorted(entries, key=len, reverse=True):
        words = re.split(r"[_'-]", entry)
        if len(words) > 1:
            phrases.setdefault(words[0][:2], []).append((words, entries[entry]))
    return Table({word: english for word, english in entries.items() if "_" not in word}, phrases)
