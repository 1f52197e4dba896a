"""Boolean slots: true where the conversation speaks of them, false where it denies them."""

from gretel.nodes.plan.filling.enums import ENOUGH_REQUIRED, Match, filling_of, place_of
from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.view import ALIKE, View
from gretel.text.identifiers import split_identifier
from gretel.text.words import GENERIC_WORDS, STOP_WORDS, concept, word_set

_NEGATIONS = word_set(
    "no not without exclude excluding except never don't doesn't avoid skip disable disabled "
    "non isn't shouldn't needn't nor"
)
_AUXILIARIES = word_set(
    "is include includes with has have enable enabled allow allowed show use "
    "should whether need needs want get only add do"
)


def fill_boolean(view: View, cues: SlotCues) -> Filling | None:
    """True where the conversation speaks of the slot, False behind a negation."""
    own = [word for word in split_identifier(cues.slot.name) if word not in STOP_WORDS]
    names = [word for word in own if word not in _AUXILIARIES] or own
    words = [concept(name) for name in names]
    found = [places[-1] for name in names if (places := _places(view, name))]
    share = len(found) / len(words) if words else 0.0
    needed = ENOUGH_REQUIRED if cues.slot.required else 0.99
    score = share
    if cues.slot.required:
        about = [root for root in cues.about if root in view.positions]
        score = max(share, 0.9 * sum(cues.about[root] for root in about))
        if score < needed and (place := _outer_place(view, cues, words)) is not None:
            score, found = needed, [place]
        found = found or [view.positions[root][-1] for root in about]
    if score < needed:
        return None
    first, last = min(found), max(found)
    before = view.document.tokens[max(0, first - 3) : first]
    denied = any(token.lower in _NEGATIONS for token in before)
    return filling_of(view, not denied, Match(score * 0.9, first, last + 1))


def _places(view: View, name: str) -> list[int]:
    """Where a word stands, or its adverb: "recursively"."""
    return view.positions.get(concept(name)) or view.positions.get(concept(f"{name}ly"), [])


def _outer_place(view: View, cues: SlotCues, words: list[str]) -> int | None:
    """Where a word like the slot's own stands, or a word of the object around it.

    "Automatic reconnection" speaks of `autoReconnect`; "details on wind" of `wind.speed`.
    """
    alike = [place_of(view, word) for word in words if len(word) >= ALIKE]
    outer = cues.slot.words[len(split_identifier(cues.slot.name)) :]
    inner = [place_of(view, concept(word)) for word in outer if word not in GENERIC_WORDS]
    found = [place for place in (*alike, *inner) if place is not None]
    return found[0] if found else None
