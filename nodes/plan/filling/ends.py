"""Both ends of a span of time: "between A and B", "since A", "von A bis B"."""

from collections.abc import Iterator

from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.roles import slot_role
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.document import Token
from gretel.nodes.plan.mentions.mention import Moment
from gretel.nodes.plan.mentions.spans import MentionSpan
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
_BETWEEN = _ENDS | word_set("and - – und y a et à →")


def time_ends(view: View, slots: dict[int, SlotCues]) -> Iterator[tuple[int, MentionSpan]]:
    """The slots for the beginning and the end, with the moments that are meant.

    Nothing where the tool has several slots of either, or no word says which end is meant.
    """
    sides = {
        role: [i for i, c in slots.items() if c.slot.kind == "date" and slot_role(c.slot) == role]
        for role in ("origin", "target")
    }
    starts, ends = sides["origin"], sides["target"]
    if len(starts) > 1 or len(ends) > 1:
        return
    days = _days(view)
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


def compared(view: View, slots: dict[int, SlotCues]) -> Iterator[tuple[int, MentionSpan]]:
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
