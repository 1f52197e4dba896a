"""Times of day in text, alone and beside a date."""

import datetime as dt
import re
from collections.abc import Iterator

from gretel.nodes.plan.mentions.mention import Mention, Moment

_TIME = re.compile(
    r"\b(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?\s*+([ap])\.?m\b\.?|\b([01]?\d|2[0-3]):([0-5]\d)(?::(\d{2}))?\b"
    r"|\b(noon|midday|midnight)\b|\b(\d{1,2})\s?o['’]clock\b",
    re.IGNORECASE,
)
_JOINTS = frozenset(("", "at", "on", "um", "from"))
BETWEEN = frozenset(("to", "-", "–", "until", "till", "through", "and"))
"""What stands between the two ends of a span."""


def _clock(match: re.Match[str]) -> dt.time | None:
    hour12, minute, second, half, hour24, minute24, second24, word, clock = match.groups()
    if word:
        return dt.time(0 if word.lower() == "midnight" else 12)
    if half:
        hour = int(hour12) % 12 + (12 if half.lower() == "p" else 0)
        return dt.time(hour, int(minute or 0), int(second or 0)) if int(minute or 0) < 60 else None
    if hour24:
        return dt.time(int(hour24), int(minute24), min(int(second24 or 0), 59))
    return dt.time(int(clock)) if int(clock) < 24 else None


def time_mentions(text: str, segment: int) -> Iterator[Mention]:
    """Times of day: `2pm`, `10:30`, `noon`."""
    for match in _TIME.finditer(text):
        clock = _clock(match)
        if clock is not None:
            start, end = match.span()
            yield Mention("time", match.group(), Moment(None, clock), segment, start, end)


def joined_mentions(text: str, dates: list[Mention], times: list[Mention]) -> Iterator[Mention]:
    """A date beside a time of day (`March 22 at 8 AM`, `9 to 11 am on Friday`) is one moment."""
    spans = [(time, time) for time in times]
    spans += [
        (one, other)
        for one in times
        for other in times
        if one.end <= other.start and text[one.end : other.start].strip().lower() in BETWEEN
    ]
    for date in dates:
        for first, last in spans:
            start, end = min(date.start, first.start), max(date.end, last.end)
            before = date.end <= first.start
            gap = text[date.end : first.start] if before else text[last.end : date.start]
            apart = before or last.end <= date.start
            if not apart or len(gap) > 6 or gap.strip(" ,").lower() not in _JOINTS:
                continue
            for time in dict.fromkeys((first, last)):
                day, clock = date.value, time.value
                if isinstance(day, Moment) and isinstance(clock, Moment) and day.time is None:
                    both = Moment(day.date, clock.time)
                    yield Mention("date", text[start:end], both, date.segment, start, end)
