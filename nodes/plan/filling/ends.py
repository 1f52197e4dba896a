"""Moments: both ends of a span of time ("between A and B", "von A bis B"), days and seconds."""

import re
from collections.abc import Iterator
from dataclasses import replace

from gretel.contracts.record import JsonValue
from gretel.nodes.plan.filling.filling import BEGINNING
from gretel.nodes.plan.matching.profile import SlotCues, Slots
from gretel.nodes.plan.matching.roles import slot_role
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.document import Token
from gretel.nodes.plan.mentions.mention import Amount, Mention, Moment
from gretel.nodes.plan.mentions.spans import MentionSpan, Placed
from gretel.nodes.plan.mentions.stretches import stretches
from gretel.nodes.plan.slots.slot import SlotKind
from gretel.text.identifiers import split_identifier
from gretel.text.words import STOP_WORDS, word_set

_STARTS = word_set(
    """from since between after starting von ab seit zwischen nach entre desde de du depuis après
    从 自"""
)
_ENDS = word_set("until till to before by through bis vor hasta al au jusqu'au antes avant 到 至")
_COMPARED = word_set("compare compares diff difference differences")
_JOINTS = {
    "and": _COMPARED | {"between"},
    **dict.fromkeys(("with", "to", "vs", "versus"), _COMPARED),
}
"""Words between two things that are set against each other, and those that say so before them."""
_SETS = word_set("set change move postpone extend reset update")
_RELATIVE = re.compile(r"\b(?:relative|negative)\b")
_PARTS = {p: p for p in ("year", "month", "day")} | {"yyyy": "year", "mm": "month", "dd": "day"}
"""Names of parameters for a part of a day."""
_NO_DAY = re.compile(r"\D+\d{4}|\d{4}年\d{1,2}月")
"""A month and its year alone."""
_BETWEEN = _ENDS | word_set("and - – und y a et à →")


def time_ends(view: View, slots: Slots) -> Placed:
    """The slots for the beginning and the end, with the moments that are meant.

    Nothing where the tool has several slots of either, or no word says which end is meant.
    """
    yield from _ends(view, slots, "date", _days(view))
    yield from _ends(view, slots, "year", _years(view))


def _ends(view: View, slots: Slots, kind: SlotKind, days: list[MentionSpan]) -> Placed:
    starts, ends = (
        [i for i, c in slots.items() if c.slot.kind == kind and slot_role(c.slot) == role]
        for role in ("origin", "target")
    )
    if len(starts) > 1 or len(ends) > 1:
        return
    tokens = view.document.tokens
    for place, day in enumerate(days):
        lead = tokens[day.first - 1].lower if day.first else ""
        gap = tokens[days[place - 1].last : day.first] if place else ()
        if len(gap) == 1 and gap[0].lower in _BETWEEN:
            yield from ((index, days[place - 1]) for index in starts)
            yield from ((index, day) for index in ends)
            return
        if len(days) == 1:
            yield from ((i, day) for i in (starts if lead in _STARTS else ()))
            yield from ((i, day) for i in (ends if lead in _ENDS else ()))


def named_days(view: View, slots: Slots) -> Placed:
    """The slots whose own words stand right before a day, with that day: `as_of`, `due_on`.

    The only day that no word makes an end of a span is what a lone `as_of` asks for.
    """
    days, tokens = _days(view), view.document.tokens
    for index, cues in slots.items():
        words = split_identifier(cues.slot.name)
        if cues.slot.kind != "date" or cues.slot.many or not words:
            continue
        beside = [
            day
            for day in days
            if tuple(t.lower for t in tokens[max(0, day.first - len(words)) : day.first]) == words
            or _is_set(view, words, day)
        ]
        lead = tokens[days[0].first - 1].lower if days and days[0].first else ""
        if len(days) == 1 and words[-2:] == ("as", "of") and lead not in _STARTS | _ENDS:
            beside = days
        if len(beside) == 1:
            yield index, beside[0]


def _is_set(view: View, words: tuple[str, ...], day: MentionSpan) -> bool:
    """Whether an order sets something to a day: "set due date of task 5 to 3 May"."""
    sentences = view.document.sentences
    start = sentences.index(sentences[day.first])
    said = [t.lower for t in view.document.tokens[start : day.first] if t.lower != "the"]
    ends = [place + 1 for place, word in enumerate(said) if word in _SETS]
    return said[-1:] == ["to"] and any(tuple(said[i : i + len(words)]) == words for i in ends)


def parts_of_days(view: View, slots: Slots) -> Placed:
    """The slots for a month, its year and its day, where the only day that is said has them.

    "October 2026" has no day.
    """
    named = {_PARTS.get(cues.slot.name.lower(), ""): index for index, cues in slots.items()}
    both = {"month", "day"} <= named.keys()  # one alone may be a name: "May", "Monday"
    whole = {
        part: index
        for part, index in named.items()
        if both or slots[index].slot.type == "integer" or slots[index].in_path
    }
    days = _days(view) if "month" in whole else []
    for span in days if len(days) == 1 else []:
        mention, moment = span.mention, span.mention.value
        date = moment.date if isinstance(moment, Moment) else None
        parts = ("year", "month") if _NO_DAY.fullmatch(mention.text) else ("year", "month", "day")
        for part in parts if date else ():
            if part not in whole:
                continue
            number = getattr(date, part)
            text = f"{number:02}" if slots[whole[part]].in_path else str(number)
            said = replace(mention, kind="number", text=text, value=Amount(number))
            yield whole[part], span._replace(mention=said)


def before_now(view: View, slots: Slots) -> Iterator[tuple[int, JsonValue, MentionSpan]]:
    """The slot for a stretch up to now, or its beginning, with its value and where it was read.

    "The last 5 minutes" is -300 where seconds are counted back from now, `5m` where the default or
    a sample is built so. Only where the latest turn says a single stretch, for a single slot.
    """
    number = len(view.document.segments) - 1
    text = view.document.segments[number].text[:BEGINNING]
    found = list(stretches(text))
    own = [index for index, cues in slots.items() if _counts_back(cues) or _is_short(cues)]
    if len(found) == len(own) == 1:
        stretch = found[0]
        places = [
            place
            for place, token in enumerate(view.document.tokens)
            if token.segment == number and token.start < stretch.end and stretch.start < token.end
        ]
        said = text[stretch.start : stretch.end]
        mention = Mention("period", said, said, number, stretch.start, stretch.end)
        short = f"{stretch.seconds // stretch.unit}{_UNITS[stretch.unit]}"
        value = short if _is_short(slots[own[0]]) else -stretch.seconds
        yield own[0], value, MentionSpan(mention, places[0], places[-1] + 1)


_UNITS = {1: "s", 60: "m", 3_600: "h", 86_400: "d", 604_800: "w"}
_SHORT = re.compile(r"\d{1,4}[smhdw]")
_WINDOWS = word_set("timeframe frame window period range span lookback last within since")
"""In the names of parameters for a stretch up to now; an `interval` parts one."""


def _is_short(cues: SlotCues) -> bool:
    """Whether a text is a stretch of time with the letter of its unit, as in its default: `7d`."""
    samples = [cues.slot.schema.get("default"), *cues.slot.examples]
    built = any(isinstance(each, str) and _SHORT.fullmatch(each) for each in samples)
    named = not _WINDOWS.isdisjoint(split_identifier(cues.slot.name))
    return named and built and cues.slot.type in ("string", "") and not cues.slot.many


def _counts_back(cues: SlotCues) -> bool:
    """Whether a slot says where a stretch begins, and takes seconds relative to now for it."""
    slot = cues.slot
    begins = slot.type in ("integer", "number") and not slot.many and slot_role(slot) == "origin"
    about = slot.description.lower()
    return begins and "second" in about and _RELATIVE.search(about) is not None


def pieces_of_days(view: View) -> frozenset[int]:
    """The tokens of dates and times: a number there is only a piece, the 30 of "30 September"."""
    moments = (span for span in view.spans if isinstance(span.mention.value, Moment))
    return frozenset(place for span in moments for place in range(span.first, span.last))


def compared(view: View, slots: Slots) -> Placed:
    """The only two required texts, where two are set against each other: "between dev and main"."""
    own = [i for i, c in slots.items() if c.slot.required and c.group in ("text", "place", "name")]
    tokens = view.document.tokens
    for place in range(1, len(tokens) - 1) if len(own) == 2 and view.is_single else ():
        first, sentence = place - 1, view.document.sentences[place]
        noun = first - 1 if first else first
        second = place + 1 + (tokens[place + 1].lower == tokens[noun].lower)
        before = [t.lower for t in tokens[max(0, first - 4) : first]]
        said = second < len(tokens) and view.document.sentences[second] == sentence
        joint = _JOINTS.get(tokens[place].lower, frozenset())
        if said and not joint.isdisjoint(before) and _is_thing(tokens[first], tokens[second]):
            yield from zip(own, (view.word_span(first), view.word_span(second)), strict=True)
            return


def _is_thing(*tokens: Token) -> bool:
    """Whether all are words that can name something, and no ends of a range."""
    return all(token.is_word and token.lower not in STOP_WORDS for token in tokens) and not all(
        token.text.isdigit() for token in tokens
    )


def _days(view: View) -> list[MentionSpan]:
    """The days of the latest turn that names any, in order; of nested ones the longest."""
    found = [s for s in view.spans if isinstance(s.mention.value, Moment) and s.mention.value.date]
    last = max((span.mention.segment for span in found), default=0)
    own = sorted(
        (span for span in found if span.mention.segment == last),
        key=lambda span: (span.first, -span.last),
    )
    days: list[MentionSpan] = []
    for span in own:
        if not days or span.first >= days[-1].last:
            days.append(span)
    return days


def _years(view: View) -> list[MentionSpan]:
    """The years of the latest turn, in order."""
    last = len(view.document.segments) - 1
    own = [s for s in view.spans if s.mention.kind == "year" and s.mention.segment == last]
    return sorted(own, key=lambda span: span.first)


_UNIX = re.compile(r"1\d{9}(?:\d{3})?")
"""Seconds since 1970, up to 2033, and milliseconds."""


def unix_times(view: View, slots: Slots) -> Placed:
    """Moments as machines count them, for the required slots for such, where as many were said.

    One alone is for an optional slot, too, whose end of a span the word before it says: "since".
    """
    counted = {i: c for i, c in slots.items() if c.slot.kind == "date" and _is_counted(c)}
    own = [index for index, cues in counted.items() if cues.slot.required]
    said = [s for s in view.spans if _UNIX.fullmatch(s.mention.text)]
    spans = list({span.first: span for span in said}.values())
    if len(spans) == len(own):
        yield from zip(own, sorted(spans, key=lambda span: span.first), strict=True)
    elif len(spans) == 1 and not own:
        lead = view.document.tokens[spans[0].first - 1].lower if spans[0].first else ""
        role = "origin" if lead in _STARTS else "target" if lead in _ENDS else None
        ends = [index for index, cues in counted.items() if slot_role(cues.slot) == role]
        yield from ((index, spans[0]) for index in ends if len(ends) == 1)


def _is_counted(cues: SlotCues) -> bool:
    """Whether a moment is a number, or a text that is one by its description or its samples."""
    unix = re.search(r"\b(?:unix|epoch)\b", cues.slot.description, re.IGNORECASE)
    samples = bool(cues.slot.examples) and all(map(_UNIX.fullmatch, cues.slot.examples))
    return cues.slot.type in ("integer", "number") or bool(unix) or samples
