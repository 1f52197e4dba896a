"""Requests in other languages, word for word in English, as far as a small table reaches.

The bundled encoder and the words of most catalogues are English. Some 340 words that documents of
APIs are made of stand in `lexicon.txt`, by hand, in English, German, French, Spanish and Chinese:
a line a word, beginnings of words (`=` behind whole ones), parted by blanks. Inflections and German
compounds are read by their beginnings, what stands in no line stays as it is. It is no translation
and has no grammar; it finds tools, and values are still read off the request itself.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = ("de", "fr", "es", "zh")
"""The columns of the table behind the English one."""
ENDING = 4
"""Letters that may follow a beginning: "verfügbar" and "verfügbaren"."""
_LONGEST = 40
"""Letters of a word that is looked up; nobody writes longer ones."""
_WORD = re.compile(r"(?<![\w/.@-])[^\W\d_]+(?![\w/@]|-\w*\d|\.\w)")
"""A word that is no piece of an id, a path, an address or a file's name."""
_HAN = re.compile("[\u4e00-\u9fff]+")


def glossed(text: str, language: str) -> str:
    """`text` with the words of the table in English; as it is in a language without a column."""
    table = _table().get(language)
    if table is None:
        return text
    if language == "zh":
        return _HAN.sub(lambda run: "".join(_segments(run[0], table)), text)
    return _WORD.sub(lambda word: " ".join(_english(_folded(word[0]), table)) or word[0], text)


def _segments(run: str, table: Mapping[str, str]) -> Iterator[str]:
    """The pieces of a run of Chinese characters, at each place the longest known word."""
    place = 0
    longest = max(map(len, table))
    while place < len(run):
        sizes = range(min(longest, len(run) - place), 0, -1)
        size = next((n for n in sizes if run[place : place + n] in table), 0)
        yield f" {table[run[place : place + size]]} " if size else run[place]
        place += size or 1


def _english(word: str, table: Mapping[str, str]) -> list[str]:
    """A word, or the two members of a compound; empty where it is not known whole."""
    if known := _one(word, table):
        return [known]
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
def _table() -> Mapping[str, Mapping[str, str]]:
    """By language, the English of each beginning; that of the first line where two have it."""
    found: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
    text = files("gretel.text").joinpath("lexicon.txt").read_text("utf-8")
    for line in text.splitlines():
        english, *columns = line.split("|")
        for language, column in zip(LANGUAGES, columns, strict=True):
            for beginning in column.split():
                folded = _folded(beginning)
                if folded.rstrip("=") == english:
                    found[language][folded] = english
                found[language].setdefault(folded, english)
    return found
