"""Days and times of day as a slot's schema wants them: `2025-10-15`, `15/10/2025`, seconds."""

import datetime as dt
import re

from gretel.contracts.record import JsonValue
from gretel.nodes.plan.mentions.literals import is_literal
from gretel.nodes.plan.mentions.mention import Moment
from gretel.nodes.plan.slots.slot import Slot

_STYLE_TOKENS = (("yyyy", "%Y"), ("yy", "%y"), ("hh", "%H"), ("ss", "%S"), ("dd", "%d"))
_STYLE = re.compile(
    r"(?:yyyy|yy|mm|dd)(?:[-/. ]?(?:yyyy|yy|mm|dd)){1,2}(?:[t ]*hh:mm(?::ss)?z?)?", re.IGNORECASE
)
_STRFTIME = re.compile(r"%[YmdyHMS](?:[-/.: T]*%[YmdyHMS])*")
_SHAPES = (
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "%Y-%m-%dT%H:%M:%SZ"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", "%Y-%m-%dT%H:%M:%S"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "%Y-%m-%d %H:%M:%S"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d", "%Y-%m-%d %H:%M"),
    (r"\d{4}-\d\d-\d\d", "%Y-%m-%d"),
    (r"\d{4}/\d\d/\d\d", "%Y/%m/%d"),
    (r"(?:1[3-9]|2\d|3[01])/\d\d/\d{4}", "%d/%m/%Y"),
    (r"\d\d/(?:1[3-9]|2\d|3[01])/\d{4}", "%m/%d/%Y"),
    (r"\d\d\.\d\d\.\d{4}", "%d.%m.%Y"),
    (r"\d{4}-\d\d", "%Y-%m"),
    (r"20\d{6}", "%Y%m%d"),
)
_WHOLE_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_OFFSET = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:?\d\d")
"""A moment of ISO 8601 that says how far its clock is from UTC."""
_WRITTEN = re.compile(r"\d{4}-\d{1,2}-\d{1,2} \d{1,2}:\d\d(?::\d\d)?|\d{8}")
"""A day with its time of day, or one without marks, as logs and markets write them."""
_KINDS_OF_DAY = re.compile(r"\b(?:ISO|RFC|relative|absolute|natural|unix|epoch)\b", re.IGNORECASE)


def _date_style(slot: Slot) -> str:
    """The strftime pattern that the slot asks for, `unix` (seconds) or `unix_ms`; else empty."""
    said = f"{slot.description} {slot.pattern}"
    if slot.type in ("integer", "number"):
        return "unix_ms" if "millisecond" in said.lower() else "unix"
    if found := _STRFTIME.search(said):
        return found.group()
    if found := _STYLE.search(said):
        style = _spelled(found.group())
        return style if "%d" in style or slot.schema.get("format") != "date" else "%Y-%m-%d"
    if slot.schema.get("format") == "date-time":
        return "%Y-%m-%dT%H:%M:%SZ" if "Z$" in slot.pattern else "%Y-%m-%dT%H:%M:%S"
    for text in (*slot.examples, slot.description):
        for shape, style in _SHAPES:
            if re.search(rf"(?<![\d/-]){shape}(?!\d)", text):
                return style
    if "T\\d" in slot.pattern:
        return "%Y-%m-%dT%H:%M:%S" + ("Z" if "Z" in slot.pattern else "")
    return ""


def _spelled(style: str) -> str:
    """`DD/MM/YYYY hh:mm` → `%d/%m/%Y %H:%M`."""
    style = style.lower().replace("hh:mm", "%H:%M").replace("mm", "%m").replace("t%H", "T%H")
    for letters, token in _STYLE_TOKENS:
        style = style.replace(letters, token)
    return style.replace("%h:%m", "%H:%M").replace("z", "Z")


def to_moment(slot: Slot, value: Moment, text: str, today: dt.date) -> JsonValue:
    """A moment as a slot for dates wants it; None where it has no date, and the slot no time."""
    style = _date_style(slot)
    if is_literal(text) and (not style or slot.schema.get("format") == "date-time"):
        return text
    if _WRITTEN.fullmatch(text) and not style and slot.schema.get("format") != "date":
        return text
    if _WHOLE_DAY.fullmatch(text) and _is_free(slot):
        return text
    style = style or "%Y-%m-%d"
    if value.time is None and _is_day_with_clock(slot, style):
        style = "%Y-%m-%d"
    if value.date is None and "%H" not in style:
        return None
    moment = dt.datetime.combine(value.date or today, value.time or dt.time())
    if _OFFSET.fullmatch(text):
        if style == "%Y-%m-%dT%H:%M:%S":
            return text
        if style.startswith("unix") or style.endswith("Z"):
            moment = dt.datetime.fromisoformat(text).astimezone(dt.UTC).replace(tzinfo=None)
    if style.startswith("unix"):
        seconds = int(moment.replace(tzinfo=dt.UTC).timestamp())
        return seconds * 1000 if style == "unix_ms" else seconds
    return moment.strftime(style)


def _is_free(slot: Slot) -> bool:
    """Whether a moment is a text that several spellings are taken for, by its description."""
    fixed = slot.schema.get("format") or slot.pattern
    return slot.type == "string" and not fixed and len(_KINDS_OF_DAY.findall(slot.description)) > 1


def _is_day_with_clock(slot: Slot, style: str) -> bool:
    """Whether a name asks for a day, and nothing but a sample shows a time of day behind it.

    Samples are often made by machines: `2025-10-15T13:51:10.068Z` for a `start_date`.
    """
    day = "date" in slot.words and "time" not in slot.words and not slot.schema.get("format")
    said = re.search(r"[T ]\d\d:|hh|HH|%H|\btime", slot.description)
    return day and style.startswith("%Y-%m-%dT") and not said and not slot.pattern


def to_time(slot: Slot, moment: Moment) -> JsonValue:
    """A time of day as a slot for such wants it; None where the moment has none."""
    if moment.time is None:
        return None
    seconds = any(re.search(r"\d\d:\d\d:\d\d", e) for e in slot.examples)
    if slot.type in ("integer", "number"):
        return moment.time.hour * 100 + moment.time.minute
    style = "%H:%M:%S" if seconds or slot.schema.get("format") == "time" else "%H:%M"
    return moment.time.strftime(style)
