"""What the latest turn says against earlier ones: "Weather in Rome" behind one of Oslo."""

from collections.abc import Sequence

import numpy as np

from gretel.nodes.plan.filling.fillings import Fillings
from gretel.nodes.plan.filling.followups import goes_on
from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.values import to_value
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.mention import Amount
from gretel.nodes.plan.mentions.spans import MentionSpan

STALE = 6.0
"""What a span of an earlier turn loses in log-odds where the latest says a value of its kind."""


def by_turn(
    fillings: Fillings, cues: SlotCues, spans: Sequence[MentionSpan], scores: Floats
) -> Floats:
    """What each span of a slot gains or loses because a later one can be meant in its place.

    Where it stands behind the same word, or the request leans on the turn before and it stands
    behind no such word, it gets the score of the one whose place it takes. An amount whose unit the
    latest turn says again behind the same word is stale for every slot: "over 7 years" where "over
    10 years" is another's by now.

    Args:
        fillings: what was found so far; what fills another slot takes no place.
        cues: of the slot.
        spans: that could fill it.
        scores: log-odds of each.
    """
    gains = np.zeros(len(spans), dtype=np.float32)
    view, last = fillings.view, len(fillings.view.document.segments) - 1
    fresh = [row for row, span in enumerate(spans) if last and _is_fresh(fillings, cues, span)]
    stale = [row for row, span in enumerate(spans) if fresh and span.mention.segment < last]
    whole = bool(stale) and goes_on(view)
    said_again = {_place(view, span) for span in view.spans if span.mention.segment == last}
    gone = {
        row
        for row, span in enumerate(spans)
        if span.mention.segment < last and _unit(span) and _place(view, span) in said_again
    }
    for old in stale:
        own = [row for row in fresh if spans[row].mention.kind == spans[old].mention.kind]
        heirs = [row for row in own if _is_heir(view, spans, old, row, stale, whole)]
        if heirs:
            gone.add(old)
            best = max(heirs, key=lambda row: scores[row])
            gains[best] = max(gains[best], scores[old] - scores[best])
    gains[list(gone)] -= STALE
    return gains


def _is_fresh(fillings: Fillings, cues: SlotCues, span: MentionSpan) -> bool:
    """Whether the latest turn says a value of the slot here that fills no other."""
    view, mention = fillings.view, span.mention
    latest = mention.segment == len(view.document.segments) - 1 and mention.kind != "phrase"
    free = latest and fillings.used.cost(cues.group, span) == 0
    return free and to_value(cues.slot, mention, view.today) is not None


def _is_heir(
    view: View,
    spans: Sequence[MentionSpan],
    old: int,
    new: int,
    stale: Sequence[int],
    whole: bool,
) -> bool:
    """Whether a span stands where the older one stood: "to Lisbon" for "to Madrid"."""
    kind, place = spans[old].mention.kind, _place(view, spans[new])
    same = [row for row in stale if spans[row].mention.kind == kind]
    alike = [row for row in same if _place(view, spans[row]) == place]
    return old in alike or (whole and not alike)


def _place(view: View, span: MentionSpan) -> tuple[str, str]:
    """The word before a span, '' at the beginning of its turn, and the unit of a number."""
    tokens, place = view.document.tokens, span.first - 1
    while place >= 0 and not tokens[place].is_word:
        place -= 1
    inside = place >= 0 and tokens[place].segment == span.mention.segment
    return (tokens[place].lower if inside else ""), _unit(span)


def _unit(span: MentionSpan) -> str:
    """What an amount is counted in, singular; '' of anything else."""
    value = span.mention.value
    return value.unit.removesuffix("s") if isinstance(value, Amount) else ""
