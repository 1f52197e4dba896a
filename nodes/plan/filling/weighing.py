"""The weighed part of the assignment: the surest slot first, each span used once if it can be."""

import re

import numpy as np

from gretel.catalog.titles import bare_title
from gretel.contracts.record import JsonValue
from gretel.nodes.plan.filling.counts import is_time
from gretel.nodes.plan.filling.ends import pieces_of_days
from gretel.nodes.plan.filling.fillings import Fillings
from gretel.nodes.plan.filling.followups import by_turn
from gretel.nodes.plan.filling.shaped import ADDRESSES
from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.scoring import ScoredSlot
from gretel.nodes.plan.matching.span_features import STATIC
from gretel.nodes.plan.matching.values import to_value
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.spans import MentionSpan, conjuncts, is_coordinated

COORDINATED, NO_NAME, KEPT = 6.0, 6.0, 6.0
"""What a span loses in log-odds: a phrase that coordinates two others, as one item of a list, and
one of several quotations, as the only value of an optional slot; a phrase that holds a code or many
words, as the name of a thing; a path or an address that a required slot for such is there for,
elsewhere."""
PART = 3.0
"""What a part of a run of words loses as what is searched for, and a phrase in lower case as a
place."""
LONGEST_STEP = 2
"""Words that a step of a path has at most, where neither capitals nor quotes set it off."""
_OWN_KINDS: dict[str, frozenset[str]] = {k: frozenset(own) for k, own in ADDRESSES.items()}
_OWN_KINDS |= dict.fromkeys(("latitude", "longitude", "coordinates"), frozenset({"coordinates"}))
"""Kind of slot → the kinds of mention that are kept for it."""
SURE_SHAPED, SURE_TYPED, SURE_FREE, SURE_OPTIONAL = 0.13, 0.32, 0.2, 0.6
"""Probability of having a value at all, from which a required slot is filled whose values cannot
be mistaken, one with a shape of its own (id, number, date, code), a required free text, and an
optional slot."""
_PLAIN = frozenset({"phrase", "proper"})
_WHOLE_RUN, _BESIDE_PLACE = STATIC.index("whole_run"), STATIC.index("beside_place")
ABROAD = 2.5
"""How much surer a plain word of another language has to be: its function words are not known."""
_LEAST_REQUIRED, _LEAST_OPTIONAL = 0.02, 0.3
"""Probability below which no further value is tried."""
_TRIES = 6
"""Spans of one slot that are looked at before it is left empty."""


def fill_by_weight(
    fillings: Fillings, scored: list[ScoredSlot], needed: frozenset[int] = frozenset()
) -> None:
    """Settle slots, the surest first; those in `needed` as if they were required."""
    left = {each.slot_index: each for each in scored}
    odds = {index: _posterior(fillings, each) for index, each in left.items()}
    while odds:
        index = max(odds, key=lambda i: _sureness(left[i], odds[i][0]))
        shares, empty = odds.pop(index)
        required = index in needed or left[index].cues.slot.required
        _settle(fillings, left[index], shares, empty, required)
        if index in fillings.found:
            odds = {i: _posterior(fillings, left[i]) for i in odds}


def _posterior(fillings: Fillings, scored: ScoredSlot) -> tuple[Floats, float]:
    """Probability of each row, and of none."""
    spans = [fillings.view.spans[row] for row in scored.rows]
    own = scored.scores + by_turn(fillings, scored.cues, spans, scored.scores)
    scores = np.append(own - _penalty(fillings, scored), scored.empty)
    weights = np.exp(scores - scores.max())
    shares = weights / weights.sum()
    return shares[:-1], float(shares[-1])


def _penalty(fillings: Fillings, scored: ScoredSlot) -> Floats:
    """What each row costs: its words are taken, kept for another slot, or no name."""
    view, cues = fillings.view, scored.cues
    spans = [view.spans[row] for row in scored.rows]
    costs = [fillings.used.cost(cues.group, span) for span in spans]
    kept_kinds = _kept(fillings) - _OWN_KINDS.get(cues.slot.kind, frozenset())
    kept = [
        span
        for span in view.spans
        if span.mention.kind in kept_kinds and "*" not in span.mention.text
    ]
    own = {span.mention.kind for span in spans} & _OWN_KINDS.get(cues.slot.kind, frozenset())
    days, title = pieces_of_days(view), _title(fillings)
    codes = [view.is_code(span) for span in spans]
    plain = cues.in_path and cues.group not in ("number", "date", "code")
    coded = plain and any(c and not cost for c, cost in zip(codes, costs, strict=True))
    for row, span in enumerate(spans):
        other = bool(own) and span.mention.kind not in own
        if other or any(each.first < span.last and span.first < each.last for each in kept):
            costs[row] += KEPT
        loose = cues.identifies and view.is_loose(span, cues.nouns)
        loose |= view.is_pronoun(span)
        named = cues.group in ("text", "name", "id")
        loose |= named and (_is_labelled(fillings, span) or view.is_clause(span))
        number = cues.group in ("number", "text") and span.mention.kind == "number"
        loose |= number and span.first in days or is_time(view, cues, span)
        loose |= named and span.mention.text in title
        loose |= cues.slot.kind in ("id", "country") and _is_misread(view, cues, scored.rows[row])
        loose |= plain and span.mention.kind == "phrase" and span.last - span.first > LONGEST_STEP
        if loose or coded and not codes[row]:
            costs[row] += NO_NAME
        if _is_part(view, cues, scored.rows[row]):
            costs[row] += PART
        if cues.slot.many and is_coordinated(view.document, span):
            costs[row] += COORDINATED
        if not (cues.slot.many or cues.slot.required) and span.mention.kind == "quoted":
            costs[row] += COORDINATED * (len(conjuncts(view.document, span, spans)) > 1)
    return np.asarray(costs, dtype=np.float32)


def _title(fillings: Fillings) -> frozenset[str]:
    """The words with capitals that stand in the title of the toolkit: its name, no thing of it."""
    words = re.findall(r"\w+", bare_title(fillings.profile.tool.toolkit))
    return frozenset(word for word in words if not word.islower())


def _is_misread(view: View, cues: SlotCues, row: int) -> bool:
    """Whether plain words with a city or a country would be an id, or the word "ID" a country."""
    mention = view.spans[row].mention
    if cues.slot.kind == "country":
        return mention.kind == "country" and mention.text == "ID"
    return mention.kind in _PLAIN and bool(view.static[row, _BESIDE_PLACE])


def _is_part(view: View, cues: SlotCues, row: int) -> bool:
    """Whether a part of a run of words would be searched for, or one in lower case be a place."""
    mention = view.spans[row].mention
    if cues.slot.kind == "query":
        return mention.kind in _PLAIN and not view.static[row, _WHOLE_RUN]
    return cues.slot.kind == "place" and mention.kind == "phrase" and mention.text.islower()


def _is_labelled(fillings: Fillings, span: MentionSpan) -> bool:
    """Whether a phrase is a name behind a word of the tool's own: "branch market-stall"."""
    tokens = fillings.view.document.tokens[span.first : span.last]
    label = tokens[0]
    if span.mention.kind != "phrase" or len(tokens) < 2 or not label.text.islower():
        return False
    name = "".join(token.text for token in tokens[1:])
    coded = len(tokens) == 2 and "-" in name and name.islower()
    named = coded or all(token.text[0].isupper() for token in tokens[1:])
    return named and (not coded or label.concept in fillings.profile.vocabulary)


def _kept(fillings: Fillings) -> frozenset[str]:
    """Kinds of mention that a required slot is there for."""
    cues = fillings.profile.cues
    open_ = (each for index, each in enumerate(cues) if index not in fillings.skip)
    needed = (each.slot.kind for each in open_ if each.slot.required)
    return frozenset[str]().union(*(_OWN_KINDS.get(kind, frozenset()) for kind in needed))


def _settle(
    fillings: Fillings, scored: ScoredSlot, shares: Floats, empty: float, required: bool
) -> None:
    view, index = fillings.view, scored.slot_index
    needed = _sure_enough(scored.cues) if required else SURE_OPTIONAL
    if required and _is_plain_abroad(view, scored, shares):
        needed *= ABROAD
    doubt = _doubt(view, scored, shares, empty)
    if 1.0 - doubt < needed:
        fillings.doubt[index] = doubt
        return
    for place in np.argsort(-shares)[:_TRIES]:
        if shares[place] < (_LEAST_REQUIRED if required else _LEAST_OPTIONAL):
            break
        if _fill(fillings, scored, int(place), float(shares[place])):
            return
    fillings.doubt[index] = max(doubt, 0.5)


def _is_plain_abroad(view: View, scored: ScoredSlot, shares: Floats) -> bool:
    """Whether the best span is a plain word of another language."""
    if not view.language or not len(shares):
        return False
    best = view.spans[scored.rows[int(shares.argmax())]]
    return best.mention.kind == "phrase" and not view.is_code(best)


def _fill(fillings: Fillings, scored: ScoredSlot, place: int, share: float) -> bool:
    """Fill the slot with the span of a row, a list with those that it is coordinated with."""
    view, slot = fillings.view, scored.cues.slot
    span = view.spans[scored.rows[place]]
    if not slot.many:
        return fillings.place(scored.slot_index, span, share)
    group = conjuncts(view.document, span, [view.spans[row] for row in scored.rows])
    values = [to_value(slot, each.mention, view.today) for each in group]
    found: JsonValue = [each for each in values if each is not None]
    return bool(found) and fillings.put(scored.slot_index, group, found, share)


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
    if cues.slot.kind in ADDRESSES:
        return SURE_SHAPED
    return SURE_TYPED if cues.group in ("id", "number", "date", "code") else SURE_FREE
