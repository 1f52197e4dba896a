"""Which mention goes into which slot: best pairs first, each mention used once if it can be."""

from dataclasses import dataclass

import numpy as np

from gretel.contracts.record import JsonValue
from gretel.nodes.plan.choosing.choices import choose_member
from gretel.nodes.plan.choosing.counts import asked_count
from gretel.nodes.plan.choosing.filling import Filling
from gretel.nodes.plan.choosing.shaped import by_pattern
from gretel.nodes.plan.choosing.switches import choose_truth
from gretel.nodes.plan.choosing.used import Used
from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.profile import Anchors, Profile
from gretel.nodes.plan.matching.scoring import Scored, score_slots
from gretel.nodes.plan.matching.values import to_value
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.candidates import Candidate
from gretel.nodes.plan.mentions.enumeration import is_joint, members
from gretel.nodes.plan.slots.schema_check import leaf_problem

JOINT = 6.0
"""What a phrase that joins two others loses as one member of a list."""
SURE_SHAPED, SURE_TYPED, SURE_FREE, SURE_OPTIONAL = 0.1, 0.25, 0.14, 0.6
"""Probability of having a value at all, from which a required slot is filled whose values cannot
be mistaken (an address), one with a shape of its own (id, number, date, code), a required free
text, and an optional slot."""
UNCHOSEN = 0.7
"""Probability that the conversation holds no value of an enum or boolean of which no word was
found: it may still be implied."""
_TRIES = 6
"""Candidates of one slot that are looked at before it is left empty."""


@dataclass(frozen=True)
class Fillings:
    """What was found for a tool's slots, by slot index."""

    found: dict[int, Filling]
    doubt: dict[int, float]
    """Slots without a value: the probability that the conversation holds none."""
    broken: dict[int, str]
    """Slots whose best value breaks a constraint, and how."""


def _posterior(scored: Scored, penalty: Floats) -> tuple[Floats, float]:
    """Probability of each row, and of none."""
    scores = np.append(scored.scores - penalty, scored.empty)
    weights = np.exp(scores - scores.max())
    shares = weights / weights.sum()
    return shares[:-1], float(shares[-1])


def _penalty(view: View, scored: Scored, used: Used) -> Floats:
    group = scored.anchor.group
    rows = [view.candidates[row] for row in scored.rows]
    costs = [used.cost(group, candidate) for candidate in rows]
    if scored.anchor.slot.many:
        costs = [
            c + JOINT * is_joint(view.document, row) for c, row in zip(costs, rows, strict=True)
        ]
    return np.asarray(costs, dtype=np.float32)


def assign(view: View, profile: Profile, skip: frozenset[int]) -> Fillings:
    """Fill the tool's slots from the conversation, those in `skip` (filled already) left out."""
    result = Fillings({}, {}, {})
    used = Used()
    for index, anchor in enumerate(profile.anchors):
        if index not in skip and anchor.slot.kind in ("enum", "boolean"):
            _choose(view, anchor, index, result, used)
        elif index not in skip and (count := asked_count(view, anchor)):
            result.found[index] = count
    known = skip | result.found.keys()
    scored = {s.slot_index: s for s in score_slots(view, profile) if s.slot_index not in known}
    _fill(view, scored, result, used, needed=frozenset())
    bare = _bare_families(profile, result, skip)
    _fill(view, {i: s for i, s in scored.items() if i in bare}, result, used, needed=bare)
    for index, anchor in enumerate(profile.anchors):
        lacks = anchor.slot.required and index not in result.found and index not in skip
        if lacks and (shaped := by_pattern(view, anchor)):
            result.found[index] = shaped
    return result


def _fill(
    view: View, scored: dict[int, Scored], result: Fillings, used: Used, *, needed: frozenset[int]
) -> None:
    """Settle slots, the surest first; those in `needed` as if they were required."""
    odds = {i: _posterior(s, _penalty(view, s, used)) for i, s in scored.items()}
    while odds:
        index = max(odds, key=lambda i: _sureness(scored[i], odds[i][0]))
        shares, empty = odds.pop(index)
        required = index in needed or scored[index].anchor.slot.required
        _settle(view, scored[index], shares, empty, result, used, required=required)
        if index in result.found:
            odds = {i: _posterior(scored[i], _penalty(view, scored[i], used)) for i in odds}


def _bare_families(profile: Profile, result: Fillings, skip: frozenset[int]) -> frozenset[int]:
    """Optional slots of required objects in which nothing was found at all."""
    known = result.found.keys() | skip
    full = {profile.anchors[index].slot.path for index in known}
    return frozenset(
        index
        for index, anchor in enumerate(profile.anchors)
        if (family := anchor.slot.family)
        and not any(path[: len(family)] == family for path in full)
    )


def _choose(view: View, anchor: Anchors, index: int, result: Fillings, used: Used) -> None:
    is_enum = anchor.slot.kind == "enum"
    filling = (choose_member if is_enum else choose_truth)(view, anchor)
    if filling is None:
        result.doubt[index] = UNCHOSEN
        return
    result.found[index] = filling
    if filling.tokens and is_enum:
        used.add(anchor.group, *filling.tokens)


def _sureness(scored: Scored, shares: Floats) -> tuple[float, int]:
    """The probability of a slot's best candidate; required slots are favoured, then early ones."""
    bonus = 0.1 if scored.anchor.slot.required else 0.0
    return float(shares.max(initial=0.0)) + bonus, -scored.slot_index


def _doubt(view: View, scored: Scored, shares: Floats, empty: float) -> float:
    """The probability of no value against that of the best candidate and of those it overlaps.

    Many improbable candidates do not add up to a probable value.
    """
    if not len(shares):
        return 1.0
    best = view.candidates[scored.rows[int(shares.argmax())]]
    rows = [view.candidates[row] for row in scored.rows]
    alike = [c.first < best.last and best.first < c.last for c in rows]
    mass = float(shares[alike].sum())
    return empty / (empty + mass)


def _sure_enough(anchor: Anchors) -> float:
    if anchor.slot.kind in ("email", "url", "ip"):
        return SURE_SHAPED
    return SURE_TYPED if anchor.group in ("id", "number", "date", "code") else SURE_FREE


def _settle(
    view: View,
    scored: Scored,
    shares: Floats,
    empty: float,
    result: Fillings,
    used: Used,
    *,
    required: bool,
) -> None:
    slot, index = scored.anchor.slot, scored.slot_index
    needed = _sure_enough(scored.anchor) if required else SURE_OPTIONAL
    doubt = _doubt(view, scored, shares, empty)
    if 1.0 - doubt < needed:
        result.doubt[index] = doubt
        return
    for place in np.argsort(-shares)[:_TRIES]:
        if not required and shares[place] < 0.3:
            break
        candidate = view.candidates[scored.rows[place]]
        value = to_value(slot, candidate.mention, view.today)
        if value is None:
            continue
        problem = leaf_problem(scored.anchor.probe, value)
        if problem:
            result.broken.setdefault(index, problem)
            continue
        confidence = float(shares[place])
        result.found[index] = _filled(view, scored, candidate, value, confidence, used)
        result.broken.pop(index, None)
        return
    result.doubt[index] = max(doubt, 0.5)


def _filled(
    view: View,
    scored: Scored,
    candidate: Candidate,
    value: JsonValue,
    confidence: float,
    used: Used,
) -> Filling:
    group = [candidate]
    if scored.anchor.slot.many:
        group = members(view.document, candidate, [view.candidates[row] for row in scored.rows])
    for member in group:
        used.add(scored.anchor.group, member.first, member.last, member.mention)
    mention = candidate.mention
    if scored.anchor.slot.many:
        values = [to_value(scored.anchor.slot, c.mention, view.today) for c in group]
        value = [v for v in values if v is not None]
    segment = mention.segment
    span = (min(c.mention.start for c in group), max(c.mention.end for c in group))
    return Filling(value, view.document.segments[segment].origin, span, segment, confidence)
