"""Names of months, weekdays and relative days, in English and other languages."""

import importlib
from functools import cache
from typing import NamedTuple

from gretel.text.words import word_list

_LANGUAGES = word_list("en de fr es it pt nl ru pl sv da nb fi cs uk tr")
_MONTHS = word_list(
    """january february march april may june july august september october november
december"""
)
_WEEKDAYS = word_list("monday tuesday wednesday thursday friday saturday sunday")
_RELATIVE = {"0 day ago": 0, "1 day ago": -1, "in 1 day": 1, "2 day ago": -2, "in 2 day": 2}
_ENGLISH_RELATIVE = {
    "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "the day after tomorrow": 2,
    "day after tomorrow": 2, "the day before yesterday": -2,
}  # fmt: skip


class CalendarWords(NamedTuple):
    """Lower-case words to numbers; long forms of all languages, short forms of English only."""

    months: dict[str, int]
    """1 to 12."""
    weekdays: dict[str, int]
    """Monday is 0."""
    relative: dict[str, int]
    """Days from today."""


@cache
def calendar_words() -> CalendarWords:
    """The tables, read once from dateparser's translation data (files are loaded: may block)."""
    words = CalendarWords({}, {}, dict(_ENGLISH_RELATIVE))
    for language in _LANGUAGES:
        module = importlib.import_module(f"dateparser.data.date_translation_data.{language}")
        shortest = 3 if language == "en" else 4
        for number, name in enumerate(_MONTHS, start=1):
            _put(words.months, module.info[name], number, shortest)
        for number, name in enumerate(_WEEKDAYS):
            _put(words.weekdays, module.info[name], number, max(shortest, 3) + (language != "en"))
        for name, days in _RELATIVE.items():
            _put(words.relative, module.info["relative-type"].get(name, []), days, 5)
    return words


def _put(table: dict[str, int], names: list[str], number: int, shortest: int) -> None:
    for name in names:
        if len(name) >= shortest:
            table.setdefault(name.lower(), number)
