"""Assignment of mention spans to slots: the surest first, each span used once if it can be."""

from dataclasses import dataclass, field

import numpy as np

from gretel.contracts.record import JsonValue
from gretel.nodes.plan.filling.booleans import fill_boolean
from gretel.nodes.plan.filling.counts import CONFIDENCE as COUNTED
from gretel.nodes.plan.filling.counts import counts, fits_count
from gretel.nodes.plan.filling.enums import fill_enum
from gretel.nodes.plan.filling.ends import CONFIDENCE as ENDS
from gretel.nodes.plan.filling.ends import time_ends
from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.filling.followups import beside, fresh_spans, goes_on, takes
from gretel.nodes.plan.filling.named import named_values
from gretel.nodes.plan.filling.own_pattern import fill_by_pattern
from gretel.nodes.plan.filling.said import CONFIDENCE as SPOKEN
from gretel.nodes.plan.filling.said import spoken_filter
from gretel.nodes.plan.filling.shaped import CONFIDENCE as SHAPED
from gretel.nodes.plan.filling.shaped import shaped_values
from gretel.nodes.plan.filling.used_tokens import UsedTokens
from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.profile import Profile, SlotCues
from gretel.nodes.plan.matching.scoring import ScoredSlot, score_slots
from gretel.nodes.plan.matching.values import to_value
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.coordination import conjuncts, is_coordinated
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.nodes.plan.slots.schema_check import leaf_problem
from gretel.text.words import word_set

RENEWED = 0.7
"""Confidence of what a request that goes on puts in an earlier value's place."""
COORDINATED = 6.0
"""What a phrase that coordinates two others loses in log-odds as one item of a list."""
NO_NAME = 6.0
"""What a phrase that holds a code, or many words, loses as the name of a thing."""
SURE_SHAPED, SURE_TYPED, SURE_FREE, SURE_OPTIONAL = 0.1, 0.25, 0.14, 0.6
"""Probability of having a value at all, from which a required slot is filled whose values cannot
be mistaken (an address), one with a shape of its own (id, number, date, code), a required free
text, and an optional slot."""
UNCHOSEN = 0.7
"""Probability that the conversation holds no value of an enum or boolean of which no word was
found: it may still be implied."""
LEAST = 0.02
"""Probability below which no other value is tried for a required slot."""
KEPT = 6.0
SHAPED_KINDS: frozenset[str] = word_set("email url ip path zone statement")
_TRIES = 6
"""Spans of one slot that are looked at before it is left empty."""


@dataclass
class Fillings:
    """What was found for a tool's slots, by slot index; made by `assign`."""

    view: View
    used: UsedTokens = field(default_factory=UsedTokens)
    found: dict[int, Filling] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    """Kinds of mention that a required slot of this kind asks for; others do not get them."""
    spans: dict[int, MentionSpan] = field(default_factory=dict)
    """Where the values of `found` stand, those of enums and booleans left out."""
    doubt: dict[int, float] = field(default_factory=dict)
    """Slots without a value: the probability that the conversation holds none."""
    broken: dict[int, str] = field(default_factory=dict)
    """Slots whose best value breaks a constraint, and how."""

    def choose(self, index: int, cues: SlotCues, nouns: frozenset[str]) -> None:
        """Fill an enum or a boolean, if a word speaks of it that is no noun of other slots."""
        is_enum = cues.slot.kind == "enum"
        filling = fill_enum(self.view, cues, nouns) if is_enum else fill_boolean(self.view, cues)
        if filling is None:
            self.doubt[index] = UNCHOSEN
            return
        self.found[index] = filling
        if filling.tokens and is_enum:
            self.used.add(cues.group, *filling.tokens)

    def fill(self, scored: list[ScoredSlot], needed: frozenset[int]) -> None:
        """Settle slots, the surest first; those in `needed` as if they were required."""
        left = {each.slot_index: each for each in scored}
        odds = {index: self._posterior(each) for index, each in left.items()}
        while odds:
            index = max(odds, key=lambda i: _sureness(left[i], odds[i][0]))
            shares, empty = odds.pop(index)
            required = index in needed or left[index].cues.slot.required
            self._settle(left[index], shares, empty, required)
            if index in self.found:
                odds = {i: self._posterior(left[i]) for i in odds}

    def _posterior(self, scored: ScoredSlot) -> tuple[Floats, float]:
        """Probability of each row, and of none."""
        scores = np.append(scored.scores - self._penalty(scored), scored.empty)
        weights = np.exp(scores - scores.max())
        shares = weights / weights.sum()
        return shares[:-1], float(shares[-1])

    def _penalty(self, scored: ScoredSlot) -> Floats:
        """What each row costs: its words are taken, kept for another slot, or no name."""
        cues, document = scored.cues, self.view.document
        spans = [self.view.spans[row] for row in scored.rows]
        costs = [self.used.cost(cues.group, span) for span in spans]
        coded = cues.in_path and any(
            not cost and self.view.is_code(span) for cost, span in zip(costs, spans, strict=True)
        )
        for row, span in enumerate(spans):
            kind = span.mention.kind
            if kind in self.kept and kind != cues.slot.kind and "*" not in span.mention.text:
                costs[row] += KEPT
            loose = cues.identifies and self.view.is_loose(span, cues.nouns)
            if loose or coded and not self.view.is_code(span):
                costs[row] += NO_NAME
            if cues.slot.many and is_coordinated(document, span):
                costs[row] += COORDINATED
        return np.asarray(costs, dtype=np.float32)

    def _settle(self, scored: ScoredSlot, shares: Floats, empty: float, required: bool) -> None:
        slot, index = scored.cues.slot, scored.slot_index
        needed = _sure_enough(scored.cues) if required else SURE_OPTIONAL
        doubt = _doubt(self.view, scored, shares, empty)
        if 1.0 - doubt < needed:
            self.doubt[index] = doubt
            return
        for place in np.argsort(-shares)[:_TRIES]:
            if shares[place] < (LEAST if required else 0.3):
                break
            span = self.view.spans[scored.rows[place]]
            value = to_value(slot, span.mention, self.view.today)
            if value is None:
                continue
            problem = leaf_problem(scored.cues.probe, value)
            if problem:
                self.broken.setdefault(index, problem)
                continue
            group = [span]
            if slot.many:
                group, value = self._conjuncts(scored, span)
            self.take(index, scored.cues, group, value, float(shares[place]))
            self.broken.pop(index, None)
            return
        self.doubt[index] = max(doubt, 0.5)

    def _conjuncts(
        self, scored: ScoredSlot, span: MentionSpan
    ) -> tuple[list[MentionSpan], JsonValue]:
        view, slot = self.view, scored.cues.slot
        group = conjuncts(view.document, span, [view.spans[row] for row in scored.rows])
        values = [to_value(slot, each.mention, view.today) for each in group]
        return group, [each for each in values if each is not None]

    def place(self, index: int, cues: SlotCues, span: MentionSpan, confidence: float) -> None:
        """Fill a slot with the value of a span, where that meets the slot's constraints."""
        value = to_value(cues.slot, span.mention, self.view.today)
        if value is not None and not leaf_problem(cues.probe, value):
            self.take(index, cues, [span], value, confidence)

    def renew(self, profile: Profile) -> None:
        """Put what the request names in the place of what an earlier turn said of its kind.

        Of several slots the one that was filled from the last place is meant.
        """
        last = len(self.view.document.segments) - 1
        stale = {i: span for i, span in self.spans.items() if span.mention.segment < last}
        now = [span for i, span in self.spans.items() if i not in stale]
        used = {place for span in now for place in range(span.first, span.last)}
        for fresh in fresh_spans(self.view, profile, used):
            likely = [i for i, old in stale.items() if takes(profile.cues[i], old, fresh)]
            for index in sorted(likely, key=lambda i: -stale[i].first):
                cues = profile.cues[index]
                value = beside(stale[index], to_value(cues.slot, fresh.mention, self.view.today))
                if value is not None and not leaf_problem(cues.probe, value):
                    del stale[index]
                    self.take(index, cues, [fresh], value, RENEWED)
                    break

    def take(
        self,
        index: int,
        cues: SlotCues,
        spans: list[MentionSpan],
        value: JsonValue,
        confidence: float,
    ) -> None:
        """Fill a slot with the value of spans, which are used from now on."""
        for each in spans:
            self.used.add(cues.group, each.first, each.last, each.mention)
        segment = spans[0].mention.segment
        characters = (min(c.mention.start for c in spans), max(c.mention.end for c in spans))
        origin = self.view.document.segments[segment].origin
        self.found[index] = Filling(value, origin, characters, segment, confidence)
        self.spans[index] = spans[0]


def assign(view: View, profile: Profile, skip: frozenset[int]) -> Fillings:
    """Fill the tool's slots from the conversation, those in `skip` (filled already) left out."""
    kept = {c.slot.kind for i, c in enumerate(profile.cues) if c.slot.required and i not in skip}
    result = Fillings(view, kept=SHAPED_KINDS & kept)
    for index, cues in enumerate(profile.cues):
        if index not in skip and cues.slot.kind in ("enum", "boolean"):
            others = (each.nouns for each in profile.cues if each is not cues)
            result.choose(index, cues, frozenset().union(*others))
    for count in counts(view):
        places = [i for i, cues in enumerate(profile.cues) if fits_count(cues, count)]
        places = [i for i in places if i not in skip]
        if len(places) == 1 or places and count.side != "skip":
            result.place(places[0], profile.cues[places[0]], count.span, COUNTED)
    free = {i: c for i, c in enumerate(profile.cues) if i not in skip and i not in result.found}
    for index, span in time_ends(view, free):
        result.place(index, profile.cues[index], span, ENDS)
    for named in named_values(view, profile, skip | result.found.keys()):
        cues = profile.cues[named.index]
        result.take(named.index, cues, [named.span], named.value, named.sure)
        result.used.add(cues.group, *named.noun)
    for index, cues in free.items():
        if index not in result.found and not cues.slot.required:
            if (span := spoken_filter(view, cues)) is not None:
                result.place(index, cues, span, SPOKEN)
    known = skip | result.found.keys()
    scored = [each for each in score_slots(view, profile) if each.slot_index not in known]
    result.fill(scored, needed=frozenset())
    bare = _bare_families(profile, result, skip)
    result.fill([each for each in scored if each.slot_index in bare], needed=bare)
    if goes_on(view):
        result.renew(profile)
    lacking = [
        (index, cues)
        for index, cues in enumerate(profile.cues)
        if cues.slot.required and index not in result.found and index not in skip
    ]
    for shaped in shaped_values(view, result.used, lacking):
        cues = profile.cues[shaped.index]
        result.take(shaped.index, cues, [shaped.span], shaped.value, SHAPED)
    for index, cues in lacking:
        if index not in result.found and (own := fill_by_pattern(view, cues)):
            result.found[index] = own
    return result


def _bare_families(profile: Profile, result: Fillings, skip: frozenset[int]) -> frozenset[int]:
    """Optional slots of required objects in which nothing was found at all."""
    known = result.found.keys() | skip
    full = {profile.cues[index].slot.path for index in known}
    return frozenset(
        index
        for index, cues in enumerate(profile.cues)
        if (family := cues.slot.family) and not any(path[: len(family)] == family for path in full)
    )


def _sureness(scored: ScoredSlot, shares: Floats) -> tuple[float, int]:
    """The probability of a slot's best span; required slots are favoured, then early ones."""
    bonus = 0.1 if scored.cues.slot.required else 0.0
    return float(shares.max(initial=0.0)) + bonus, -scored.slot_index


def _doubt(view: View, scored: ScoredSlot, shares: Floats, empty: float) -> float:
    """The probability of no value against that of the best span and of those it overlaps.

    Many improbable spans do not add up to a probable value.
    """
    if not len(shares):
        return 1.0
    best = view.spans[scored.rows[int(shares.argmax())]]
    rows = [view.spans[row] for row in scored.rows]
    alike = [c.first < best.last and best.first < c.last for c in rows]
    mass = float(shares[alike].sum())
    return empty / (empty + mass)


def _sure_enough(cues: SlotCues) -> float:
    if cues.slot.kind in SHAPED_KINDS:
        return SURE_SHAPED
    return SURE_TYPED if cues.group in ("id", "number", "date", "code") else SURE_FREE
