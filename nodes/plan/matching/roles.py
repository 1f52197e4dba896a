"""Origin and target: the semantic role of a value, read off the words right before it."""

import numpy as np

from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.slots.slot import Slot
from gretel.text.words import word_list, word_set

_SLOT_WORDS = {
    "origin": word_list(
        "origin source from departure depart start begin sender min minimum fly since after gt gte"
    ),
    "target": word_list(
        """destination target to arrival arrive end receiver recipient max maximum until return
        before lt lte"""
    ),
}
_SIDES = {"start": "origin", "begin": "origin", "end": "target"}
"""Words before the last one of a moment's name: `LeaveStartDate`."""
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
    if slot.kind == "date" and words[-2:-1] and words[-2] in _SIDES:
        return _SIDES[words[-2]]
    inner = slot.path[-1].lower()
    return next((role for role, known in _SLOT_WORDS.items() if inner in known), "")


def role_fit(view: View, slot: Slot) -> Floats:
    """For each span 1 where the words beside it announce the slot's role, -1 the opposite."""
    role = slot_role(slot)
    expected, against = _leads(slot, role)
    onward = view.surface.onward * {"origin": 1.0, "target": -1.0}.get(role, 0.0)
    led = view.surface.lead.map(lambda lead: (lead in expected) - float(lead in against))
    return np.asarray(np.where(led != 0, led, onward), dtype=np.float32)


def _leads(slot: Slot, role: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words that announce the role, and those that announce its opposite."""
    opposite = {"origin": "target", "target": "origin"}.get(role, "")
    expected = _LEADS.get(role) or _expected(slot)
    return expected, _LEADS.get(opposite, frozenset()) - expected


def _expected(slot: Slot) -> frozenset[str]:
    if slot.kind in ("place", "airport", "country"):
        return _PLACE_LEADS
    if slot.kind in ("date", "time"):
        return _DATE_LEADS
    if slot.kind in ("query", "name"):
        return _TOPIC_LEADS
    return _MEANS_LEADS if set(slot.words) & _MEANS_WORDS else frozenset()
