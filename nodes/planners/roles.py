"""From … to …: the part that a value plays, read off the words right before it."""

import numpy as np

from gretel.nodes.planners.arrays import Floats
from gretel.nodes.planners.slot import Slot
from gretel.nodes.planners.view import View
from gretel.nodes.planners.words import word_list, word_set

_SLOT_WORDS = {
    "origin": word_list("origin source from departure depart start begin sender min minimum fly"),
    "target": word_list(
        "destination target to arrival arrive end receiver recipient max maximum until return"
    ),
}
_LEADS = {
    "origin": word_set(
        "from leaving departing starting since between above over least than minimum off"
    ),
    "target": word_set(
        "to → -> – until till into through for towards arriving ending below under "
        "most maximum up and - via"
    ),
}
_PLACE_LEADS = word_set("in at near around to for from within of")
_DATE_LEADS = word_set("on by for at before after until from to since between")
_TOPIC_LEADS = word_set("about on regarding for concerning called named titled of")
_MEANS_LEADS = word_set("using via by with through")
_MEANS_WORDS = word_set("method technique mode tool style approach model")


def slot_role(slot: Slot) -> str:
    """`origin`, `target` or nothing: the end of a journey, a span or a range that is meant."""
    words = slot.words
    for role, known in _SLOT_WORDS.items():
        if words and (words[0] in known or words[-1] in known):
            return role
    inner = slot.path[-1].lower()
    return next((role for role, known in _SLOT_WORDS.items() if inner in known), "")


def role_fit(view: View, slot: Slot) -> Floats:
    """1 where the word before a candidate announces the slot's role, -1 the opposite, else 0."""
    role = slot_role(slot)
    opposite = {"origin": "target", "target": "origin"}.get(role, "")
    expected = _LEADS.get(role) or _expected(slot)
    against = _LEADS.get(opposite, frozenset())
    fits = np.zeros(len(view.candidates), dtype=np.float32)
    for row, candidate in enumerate(view.candidates):
        lead = _lead(view, candidate.first)
        if lead in expected:
            fits[row] = 1.0
        elif lead in against:
            fits[row] = -1.0
        elif role and _follows(view, candidate.last):
            fits[row] = 1.0 if role == "origin" else -1.0
    return fits


def _expected(slot: Slot) -> frozenset[str]:
    if slot.kind in ("place", "airport", "country"):
        return _PLACE_LEADS
    if slot.kind in ("date", "time"):
        return _DATE_LEADS
    if slot.kind in ("query", "name"):
        return _TOPIC_LEADS
    return _MEANS_LEADS if set(slot.words) & _MEANS_WORDS else frozenset()


def _lead(view: View, first: int) -> str:
    """The word before a candidate, past quotes and articles."""
    tokens = view.document.tokens
    index = first - 1
    while index >= 0 and tokens[index].lower in ("the", "a", "an", '"', "'", "“", "$", "my"):
        index -= 1
    return tokens[index].lower if index >= 0 else ""


def _follows(view: View, last: int) -> bool:
    """Whether an arrow or "to" stands right behind: the candidate is where it starts."""
    tokens = view.document.tokens
    return last < len(tokens) and tokens[last].lower in ("to", "→", "->", "–", "until")
