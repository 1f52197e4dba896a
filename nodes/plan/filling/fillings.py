"""`Fillings`: what was found for a tool's slots so far, and the tokens that it was read from."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from gretel.contracts.record import JsonValue
from gretel.nodes.plan.filling.booleans import as_member, fill_boolean, is_switch
from gretel.nodes.plan.filling.enums import fill_enum
from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.matching.profile import Profile, SlotCues, Slots
from gretel.nodes.plan.matching.values import to_value
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.mention import Mention, Moment
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.nodes.plan.slots.slot import leaf_problem

MEMBERS = 20_000
"""Members of all enums of a tool that are looked for, some 30 µs each."""
UNCHOSEN = 0.7
"""Probability that the conversation holds no value of an enum or boolean of which no word was
found: it may still be implied."""


REUSE, REUSE_ALIKE = 3.0, 8.0
"""What a span's log-odds lose when its tokens already fill another slot, or one of the same
group."""


class _Taken(NamedTuple):
    group: str
    first: int
    last: int
    mention: Mention | None


class UsedTokens:
    """The tokens that fill slots already.

    `pasted`: those that one parameter takes as a whole, as (first, one past the last): no value of
    another lies in them.
    """

    def __init__(self, pasted: tuple[int, int] = (0, 0)) -> None:
        self._taken: list[_Taken] = []
        self._pasted = pasted

    def add(self, group: str, first: int, last: int, mention: Mention | None = None) -> None:
        """Remember that a slot of `group` took the tokens first…last-1."""
        self._taken.append(_Taken(group, first, last, mention))

    def holds(self, first: int, last: int) -> bool:
        """Whether one of the tokens first…last-1 is taken."""
        return any(taken.first < last and first < taken.last for taken in self._taken)

    def in_pasted(self, first: int, last: int) -> bool:
        """Whether one of the tokens first…last-1 was pasted."""
        return first < self._pasted[1] and self._pasted[0] < last

    def cost(self, group: str, span: MentionSpan) -> float:
        """What taking the span for a slot of `group` costs now.

        Two values read from the same words (both ends of "July 4-8", latitude and longitude, day
        and time of one moment) cost nothing.
        """
        cost = inf if self.in_pasted(span.first, span.last) else 0.0
        for taken in self._taken:
            apart = span.first >= taken.last or taken.first >= span.last
            alike = taken.group == group and _shared(span.mention, taken.mention)
            same = taken.group == group or span.mention.kind == "id"  # a code names one thing
            same |= taken.first <= span.first < taken.last < span.last and _is_first_day(span)
            if not apart and not alike:
                cost = max(cost, REUSE_ALIKE if same else REUSE)
        return cost


def _shared(left: Mention, right: Mention | None) -> bool:
    if right is None:
        return False
    if {left.kind, right.kind} == {"date", "time"}:
        return True
    if left.kind != right.kind:
        return False
    return left.kind == "coordinates" or (left.kind == "date" and _two_ends(left, right))


def _is_first_day(span: MentionSpan) -> bool:
    """Whether a day is read from the number that its span begins with: the 5th of "5 to 9 June"."""
    moment, number = span.mention.value, re.match(r"\d{1,2}(?!\d)", span.mention.text)
    day = moment.date if isinstance(moment, Moment) else None
    return day is not None and number is not None and int(number[0]) == day.day


def _two_ends(left: Mention, right: Mention) -> bool:
    return (left.start, left.end) == (right.start, right.end) and left.value != right.value


@dataclass
class Fillings:
    """What was found for a tool's slots, by slot index; made by `assign`."""

    view: View
    profile: Profile
    skip: frozenset[int]
    """Slots that are filled already."""
    used: UsedTokens = field(default_factory=UsedTokens)
    found: dict[int, Filling] = field(default_factory=dict)
    spans: dict[int, MentionSpan] = field(default_factory=dict)
    """Where the values of `found` stand, those of enums and booleans left out."""
    doubt: dict[int, float] = field(default_factory=dict)
    """Slots without a value: the probability that the conversation holds none."""
    broken: dict[int, str] = field(default_factory=dict)
    """Slots whose best value breaks a constraint, and how."""
    members: int = MEMBERS
    """How many members of enums may still be looked at."""

    def free(self) -> Slots:
        """The slots that have no value yet."""
        known = self.skip | self.found.keys()
        return {i: cues for i, cues in enumerate(self.profile.cues) if i not in known}

    def choose(self, index: int, cues: SlotCues) -> None:
        """Fill an enum or a boolean, if a word speaks of it and of no other slot."""
        filling = fill_boolean(self.view, cues)
        if cues.slot.kind == "enum" and is_switch(cues.slot.enum):
            filling = filling and as_member(filling, cues.slot.enum)
        elif cues.slot.kind == "enum" and self._reads(cues):
            others = (each.nouns for each in self.profile.cues if each is not cues)
            filling = fill_enum(self.view, cues, frozenset[str]().union(*others))
            known = not cues.slot.required or "default" in cues.slot.schema
            if filling and filling.tokens and known:
                filling = None if self.used.holds(*filling.tokens) else filling
        if filling is None or filling.tokens and self.used.in_pasted(*filling.tokens):
            self.doubt[index] = UNCHOSEN
            return
        self.found[index] = filling
        if filling.tokens and cues.slot.kind == "enum":
            self.used.add(cues.group, *filling.tokens)

    def _reads(self, cues: SlotCues) -> bool:
        """Whether the members of an enum can still be gone through."""
        self.members -= len(cues.slot.enum)
        return self.members >= 0

    def place(self, index: int, span: MentionSpan, confidence: float) -> bool:
        """Fill a slot with the value of a span, where that is one; whether it is."""
        cues = self.profile.cues[index]
        slot = cues.slot
        if cues.identifies and span.mention.text in self.profile.joined_names:
            return False
        value = to_value(slot, span.mention, self.view.today)
        if value is None:
            return False
        return self.put(index, [span], [value] if slot.many else value, confidence)

    def place_all(self, found: Iterable[tuple[int, MentionSpan]], confidence: float) -> None:
        """Fill slots with the values of spans, each as `place` does."""
        for index, span in found:
            self.place(index, span, confidence)

    def place_unused(self, index: int, span: MentionSpan | None, confidence: float) -> bool:
        """As `place`, where there is a span and nothing of it fills a slot yet."""
        group = self.profile.cues[index].group
        unused = span is not None and self.used.cost(group, span) == 0
        return span is not None and unused and self.place(index, span, confidence)

    def put(
        self, index: int, spans: list[MentionSpan], value: JsonValue, confidence: float
    ) -> bool:
        """Fill a slot with a value of spans, which are used from now on.

        Not where it lies in what was pasted, or breaks a constraint: that is remembered. Whether
        it was filled.
        """
        cues = self.profile.cues[index]
        if any(self.used.in_pasted(each.first, each.last) for each in spans):
            return False
        items: Sequence[JsonValue] = value if isinstance(value, list) else [value]
        problem = next(filter(None, (leaf_problem(cues.probe, item) for item in items)), "")
        if problem:
            self.broken.setdefault(index, problem)
            return False
        for each in spans:
            self.used.add(cues.group, each.first, each.last, each.mention)
        segment = spans[0].mention.segment
        characters = (min(c.mention.start for c in spans), max(c.mention.end for c in spans))
        origin = self.view.document.segments[segment].origin
        found: JsonValue = list(items) if cues.slot.many else value
        self.found[index] = Filling(found, origin, characters, segment, confidence)
        self.spans[index] = spans[0]
        self.broken.pop(index, None)
        return True
