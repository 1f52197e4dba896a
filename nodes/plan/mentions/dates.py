"""Dates and times in text, counted from a given today."""

import calendar
import dataclasses
import datetime as dt
import re
from collections.abc import Iterator
from functools import cache

from gretel.nodes.plan.mentions.calendar_words import calendar_words
from gretel.nodes.plan.mentions.clock import BETWEEN, joined_mentions, time_mentions
from gretel.nodes.plan.mentions.mention import Mention, Moment
from gretel.text.words import word_list

_ISO = re.compile(
    r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})"
    r"(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d|\b))?"
)
_COMPACT = re.compile(
    r"(?<![\w.,/#-])((?:19|20)\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])(?![\w/-]|[.,]\d)"
)
"""A day without marks: `20240601`."""
_NUMERIC = re.compile(r"\b(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|(?<=/)\d{2})\b")
_CJK = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]?|(\d{4})年(\d{1,2})月(?!\d)")
_YEAR = re.compile(r"(?<![\w.,$€£/-])(?:1[6-9]|20|21)\d{2}(?!(?!年)[\w%/]|[.,]\d)")
_COUNT_WORDS = word_list("a an one two three four five six seven eight nine ten")
_COUNTS = dict(zip(_COUNT_WORDS, (1, 1, *range(1, 11)), strict=True))
_COUNT = rf"(\d+|{'|'.join(_COUNT_WORDS)}|(?:a )?couple of)"
_OFFSET = re.compile(
    rf"\bin {_COUNT} (day|week|month|year)s?\b(?!['’])"
    rf"|\b{_COUNT} (day|week|month|year)s? (from now|from today|later|ago|hence)\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    rf"\b(?:the )?(?:(next|this|last|past|previous|coming|upcoming|current) "
    rf"(?:{_COUNT} )?(day|week|weekend|month|year|quarter|decade)s?"
    r"|(?:q[1-4]|first quarter|second quarter|third quarter|fourth quarter)(?: (?:of )?\d{4})?"
    r"|(?:early|late|mid)[- ]\d{4}s?|\d{4}s)\b",
    re.IGNORECASE,
)


@cache
def _named_patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Day and month, weekday, relative day; built from the calendar words."""
    words = calendar_words()
    months, days, relative = (
        "|".join(sorted(map(re.escape, table), key=len, reverse=True)) for table in words
    )
    end = r"(?:\s*+(?:-|–|to|until|through|bis)\s*+(\d{1,2})(?:st|nd|rd|th)?(?!\d|\s*+[:ap]))?"
    day = r"(\d{1,2})(?:st|nd|rd|th|\.)?(?![\d:])"
    year = r"(?:,?\s++(?:of\s++|de\s++)?(\d{4})\b)?"
    date = re.compile(
        rf"\b(?:({months})\.?\s++(?:the\s++)?{day}{end}{year}"
        rf"|{day}{end}\s*+(?:of\s++|de\s++)?({months})\b\.?{year}"
        rf"|({months})\.?,?\s++(?:of\s++)?(\d{{4}}))\b",
        re.IGNORECASE,
    )
    weekday = re.compile(rf"\b(?:(next|this|last|coming|on)\s++)?({days})s?\b", re.IGNORECASE)
    return date, weekday, re.compile(rf"\b({relative})\b", re.IGNORECASE)


def _safe(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None


def _add(today: dt.date, count: int, unit: str) -> dt.date | None:
    try:
        if unit in ("day", "week"):
            return today + dt.timedelta(days=count * (7 if unit == "week" else 1))
        months = today.year * 12 + today.month - 1 + count * (12 if unit == "year" else 1)
        year, month = divmod(months, 12)
        last = calendar.monthrange(year, month + 1)[1]
        return dt.date(year, month + 1, min(today.day, last))
    except (ValueError, OverflowError):
        return None


def _upcoming(month: int, day: int, today: dt.date) -> dt.date | None:
    """That day this year, or next year once it has passed."""
    this_year = _safe(today.year, month, day)
    if this_year is not None and this_year >= today:
        return this_year
    return _safe(today.year + 1, month, day) or this_year


def _mention(
    text: str, segment: int, start: int, end: int, date: dt.date | None, time: dt.time | None = None
) -> Iterator[Mention]:
    if date is not None:
        yield Mention("date", text[start:end], Moment(date, time), segment, start, end)


def _numeric(text: str, segment: int, today: dt.date, month_first: bool) -> Iterator[Mention]:
    for match in _ISO.finditer(text):
        year, month, day = (int(match.group(n)) for n in (1, 2, 3))
        hour, minute, second = (int(match.group(n) or 0) for n in (4, 5, 6))
        timed = match.group(4) and hour < 24 and max(minute, second) < 60
        time = dt.time(hour, minute, second) if timed else None
        yield from _mention(text, segment, *match.span(), _safe(year, month, day), time)
    for match in _COMPACT.finditer(text):
        yield from _mention(text, segment, *match.span(), _safe(*map(int, match.groups())))
    for match in _NUMERIC.finditer(text):
        first, second, year = int(match.group(1)), int(match.group(3)), int(match.group(4))
        year += 2000 if year < 100 else 0
        month_leads = month_first and match.group(2) != "." and first <= 12 or second > 12
        month, day = (first, second) if month_leads else (second, first)
        yield from _mention(text, segment, *match.span(), _safe(year, month, day))
    for match in _CJK.finditer(text):
        month, day = int(match[2] or match[5]), int(match[3] or 1)
        known = match[1] or match[4]
        date = _safe(int(known), month, day) if known else _upcoming(month, day, today)
        yield from _mention(text, segment, *match.span(), date)


def _named(text: str, segment: int, today: dt.date) -> Iterator[Mention]:
    """`July 4`, `July 4-8, 2025` (two dates), `4 July 2025`, `July 2025` (its first day)."""
    if not any(letter.isdigit() for letter in text):
        return
    months = calendar_words().months
    for match in _named_patterns()[0].finditer(text):
        g = match.groups()
        month = months[(g[0] or g[6] or g[8]).lower()]
        year = g[3] or g[7] or g[9]
        for number in (4, 5) if g[6] else (1, 2):
            day = g[number] if g[6] or g[0] else "1"
            if day is None or (g[8] and number == 2):
                continue
            date = _upcoming(month, int(day), today)
            if year:
                date = _safe(int(year), month, int(day))
            yield from _mention(text, segment, *match.span(), date)


def _weekdays(text: str, segment: int, today: dt.date) -> Iterator[Mention]:
    """The first such day after today (`last`: before it); `this` and `on` may be today itself."""
    for match in _named_patterns()[1].finditer(text):
        word = match.group(2)
        if not word[0].isupper() and len(word) < 5:
            continue
        ahead = (calendar_words().weekdays[word.lower()] - today.weekday()) % 7
        lead = (match.group(1) or "").lower()
        if lead == "last":
            ahead = ahead - 7
        elif lead in ("next", "coming") or (ahead == 0 and not lead):
            ahead = ahead or 7
        yield from _mention(text, segment, *match.span(), _add(today, ahead, "day"))


def _relative(text: str, segment: int, today: dt.date) -> Iterator[Mention]:
    for match in _named_patterns()[2].finditer(text):
        days = calendar_words().relative[match.group(1).lower()]
        yield from _mention(text, segment, *match.span(), _add(today, days, "day"))
    for match in _OFFSET.finditer(text):
        count, unit = match.group(1) or match.group(3), (match.group(2) or match.group(4)).lower()
        number = int(count) if count.isdigit() else _COUNTS.get(count.lower(), 2)
        sign = -1 if (match.group(5) or "").lower() == "ago" else 1
        yield from _mention(
            text, segment, *match.span(), _add(today, sign * min(number, 9999), unit)
        )


def _periods(text: str, segment: int) -> Iterator[Mention]:
    for match in _PERIOD.finditer(text):
        start, end = match.span()
        yield Mention("period", match.group(), match.group(), segment, start, end)
    for match in _YEAR.finditer(text):
        yield Mention("year", match.group(), match.group(), segment, *match.span())


_OWN_YEAR = re.compile(r"\d{4}")


def _shared_year(text: str, dates: list[Mention]) -> list[Mention]:
    """Dates; of "April 1 to April 30, 2023" the first is in 2023 too."""
    shared = []
    for date in dates:
        later = next(
            (
                other.value.date.year
                for other in dates
                if other.start >= date.end
                and text[date.end : other.start].strip().lower() in BETWEEN
                and isinstance(other.value, Moment)
                and other.value.date
                and _OWN_YEAR.search(other.text)
            ),
            None,
        )
        value = date.value
        if later and isinstance(value, Moment) and value.date and not _OWN_YEAR.search(date.text):
            day = _safe(later, value.date.month, value.date.day)
            date = dataclasses.replace(date, value=Moment(day or value.date))
        shared.append(date)
    return shared


def date_mentions(text: str, segment: int, today: dt.date, *, month_first: bool) -> list[Mention]:
    """Dates, times, moments, years and periods in `text`; spans may overlap.

    "Next Tuesday" is the first Tuesday after `today`; a day without a year is the next such day.
    """
    dates = [
        *_numeric(text, segment, today, month_first),
        *_shared_year(text, list(_named(text, segment, today))),
        *_weekdays(text, segment, today),
        *_relative(text, segment, today),
    ]
    times = list(time_mentions(text, segment))
    return [*joined_mentions(text, dates, times), *dates, *times, *_periods(text, segment)]
