"""Assignment of mention spans to slots: the surest first, each span used once if it can be."""

from dataclasses import dataclass

import numpy as np

from gretel.contracts.record import JsonValue
from gretel.nodes.plan.filling.booleans import fill_boolean
from gretel.nodes.plan.filling.counts import fill_count
from gretel.nodes.plan.filling.enums import fill_enum
from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.filling.own_pattern import fill_by_pattern
from gretel.nodes.plan.filling.used_tokens import UsedTokens
from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.profile import Profile, SlotCues
from gretel.nodes.plan.matching.scoring import ScoredSlot, score_slots
from gretel.nodes.plan.matching.values import to_value
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.coordination import conjuncts, is_coordinated
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.nodes.plan.slots.schema_check import leaf_problem

COORDINATED = 6.0
"""What a phrase that coordinates two others loses in log-odds as one item of a list."""
SURE_SHAPED, SURE_TYPED, SURE_FREE, SURE_OPTIONAL = 0.1, 0.25, 0.14, 0.6
"""Probability of having a value at all, from which a required slot is filled whose values cannot
be mistaken (an address), one with a shape of its own (id, number, date, code), a required free
text, and an optional slot."""
UNCHOSEN = 0.7
"""Probability that the conversation holds no value of an enum or boolean of which no word was
found: it may still be implied."""
_TRIES = 6
"""Spans of one slot that are looked at before it is left empty."""


@dataclass(frozen=True)
class Fillings:
    """What was found for a tool's slots, by slot index."""

    found: dict[int, Filling]
    doubt: dict[int, float]
    """Slots without a value: the probability that the conversation holds none."""
    broken: dict[int, str]
    """Slots whose best value breaks a constraint, and how."""


def _posterior(scored: ScoredSlot, penalty: Floats) -> tuple[Floats, float]:
    """Probability of each row, and of none."""
    scores = np.append(scored.scores - penalty, scored.empty)
    weights = np.exp(scores - scores.max())
    shares = weights / weights.sum()
    return shares[:-1], float(shares[-1])


def _penalty(view: View, scored: ScoredSlot, used: UsedTokens) -> Floats:
    group = scored.cues.group
    rows = [view.spans[row] for row in scored.rows]
    costs = [used.cost(group, span) for span in rows]
    if scored.cues.slot.many:
        costs = [
            c + COORDINATED * is_coordinated(view.document, row)
            for c, row in zip(costs, rows, strict=True)
        ]
    return np.asarray(costs, dtype=np.float32)


def assign(view: View, profile: Profile, skip: frozenset[int]) -> Fillings:
    """Fill the tool's slots from the conversation, those in `skip` (filled already) left out."""
    result = Fillings({}, {}, {})
    used = UsedTokens()
    for index, cues in enumerate(profile.cues):
        if index not in skip and cues.slot.kind in ("enum", "boolean"):
            _choose(view, cues, index, result, used)
        elif index not in skip and (count := fill_count(view, cues)):
            result.found[index] = count
    known = skip | result.found.keys()
    scored = {s.slot_index: s for s in score_slots(view, profile) if s.slot_index not in known}
    _fill(view, scored, result, used, needed=frozenset())
    bare = _bare_families(profile, result, skip)
    _fill(view, {i: s for i, s in scored.items() if i in bare}, result, used, needed=bare)
    for index, cues in enumerate(profile.cues):
        lacks = cues.slot.required and index not in result.found and index not in skip
        if lacks and (shaped := fill_by_pattern(view, cues)):
            result.found[index] = shaped
    return result


def _fill(
    view: View,
    scored: dict[int, ScoredSlot],
    result: Fillings,
    used: UsedTokens,
    *,
    needed: frozenset[int],
) -> None:
    """Settle slots, the surest first; those in `needed` as if they were required."""
    odds = {i: _posterior(s, _penalty(view, s, used)) for i, s in scored.items()}
    while odds:
        index = max(odds, key=lambda i: _sureness(scored[i], odds[i][0]))
        shares, empty = odds.pop(index)
        required = index in needed or scored[index].cues.slot.required
        _settle(view, scored[index], shares, empty, result, used, required=required)
        if index in result.found:
            odds = {i: _posterior(scored[i], _penalty(view, scored[i], used)) for i in odds}


def _bare_families(profile: Profile, result: Fillings, skip: frozenset[int]) -> frozenset[int]:
    """Optional slots of required objects in which nothing was found at all."""
    known = result.found.keys() | skip
    full = {profile.cues[index].slot.path for index in known}
    return frozenset(
        index
        for index, cues in enumerate(profile.cues)
        if (family := cues.slot.family) and not any(path[: len(family)] == family for path in full)
    )


def _choose(view: View, cues: SlotCues, index: int, result: Fillings, used: UsedTokens) -> None:
    is_enum = cues.slot.kind == "enum"
    filling = (fill_enum if is_enum else fill_boolean)(view, cues)
    if filling is None:
        result.doubt[index] = UNCHOSEN
        return
    result.found[index] = filling
    if filling.tokens and is_enum:
        used.add(cues.group, *filling.tokens)


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
    if cues.slot.kind in ("email", "url", "ip"):
        return SURE_SHAPED
    return SURE_TYPED if cues.group in ("id", "number", "date", "code") else SURE_FREE


def _settle(
    view: View,
    scored: ScoredSlot,
    shares: Floats,
    empty: float,
    result: Fillings,
    used: UsedTokens,
    *,
    required: bool,
) -> None:
    slot, index = scored.cues.slot, scored.slot_index
    needed = _sure_enough(scored.cues) if required else SURE_OPTIONAL
    doubt = _doubt(view, scored, shares, empty)
    if 1.0 - doubt < needed:
        result.doubt[index] = doubt
        return
    for place in np.argsort(-shares)[:_TRIES]:
        if not required and shares[place] < 0.3:
            break
        span = view.spans[scored.rows[place]]
        value = to_value(slot, span.mention, view.today)
        if value is None:
            continue
        problem = leaf_problem(scored.cues.probe, value)
        if problem:
            result.broken.setdefault(index, problem)
            continue
        confidence = float(shares[place])
        result.found[index] = _filled(view, scored, span, value, confidence, used)
        result.broken.pop(index, None)
        return
    result.doubt[index] = max(doubt, 0.5)


def _filled(
    view: View,
    scored: ScoredSlot,
    span: MentionSpan,
    value: JsonValue,
    confidence: float,
    used: UsedTokens,
) -> Filling:
    group = [span]
    if scored.cues.slot.many:
        group = conjuncts(view.document, span, [view.spans[row] for row in scored.rows])
    for member in group:
        used.add(scored.cues.group, member.first, member.last, member.mention)
    mention = span.mention
    if scored.cues.slot.many:
        values = [to_value(scored.cues.slot, c.mention, view.today) for c in group]
        value = [v for v in values if v is not None]
    segment = mention.segment
    characters = (min(c.mention.start for c in group), max(c.mention.end for c in group))
    return Filling(value, view.document.segments[segment].origin, characters, segment, confidence)
