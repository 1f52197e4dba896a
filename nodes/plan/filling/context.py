"""What the caller knows already (`Request.context`), matched with slots by name."""

from collections.abc import Mapping

import numpy as np

from gretel.contracts.ranking import Request
from gretel.contracts.record import JsonValue
from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.matching.profile import Profile, SlotCues
from gretel.nodes.plan.matching.values import to_value
from gretel.nodes.plan.matching.view import read_view
from gretel.nodes.plan.slots.slot import leaf_problem
from gretel.text.identifiers import same_identifier, split_identifier
from gretel.text.words import GENERIC_WORDS, concept

_PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "": (str, int, float, bool),
}


def _likeness(known: str, cues: SlotCues) -> float:
    """How surely a value's name means the slot, in [0, 1]."""
    slot = cues.slot
    if same_identifier(known, slot.name) or same_identifier(known, ".".join(slot.path)):
        return 1.0
    ours, theirs = _specific_concepts(known), _specific_concepts(slot.name)
    if not ours or not theirs:
        ours, theirs = (
            frozenset(map(concept, split_identifier(name))) for name in (known, slot.name)
        )
    if ours == theirs:
        return 0.9
    return 0.7 if ours <= theirs and len(theirs) - len(ours) <= 1 else 0.0


def _specific_concepts(name: str) -> frozenset[str]:
    return frozenset(concept(w) for w in split_identifier(name) if w not in GENERIC_WORDS)


def _read(cues: SlotCues, value: JsonValue, request: Request) -> JsonValue:
    """The value as the slot's schema wants it; None where it cannot be said so."""
    slot = cues.slot
    codes = slot.kind in ("airport", "country", "currency", "language", "date", "time")
    expected = _PYTHON_TYPES.get(slot.type, object)
    fits = isinstance(value, expected) and not (isinstance(value, bool) and slot.type != "boolean")
    if slot.kind == "enum":
        return next((m for m in slot.enum if same_identifier(str(m), str(value))), None)
    if isinstance(value, str) and (codes or not fits):
        view = read_view(Request(text=value, today=request.today, locale=request.locale))
        fit = cues.fits[view.kinds]
        for row in sorted(np.flatnonzero(fit), key=lambda row: -fit[row])[:3]:
            read = to_value(slot, view.spans[row].mention, view.today)
            if read is not None and not leaf_problem(cues.probe, read):
                return read
        return value if fits else None
    if fits:
        return value
    return str(value) if slot.type == "string" and isinstance(value, int | float) else None


def fill_from_context(profile: Profile, request: Request) -> dict[int, Filling]:
    """The slots that the context answers; a value of it serves the slots it names best."""
    found: dict[int, Filling] = {}
    exact = {
        name
        for name in request.context
        if any(_likeness(name, cues) == 1.0 for cues in profile.cues)
    }
    for index, cues in enumerate(profile.cues):
        ranked = sorted(request.context, key=lambda name: (-_likeness(name, cues), name))
        if not cues.slot.required:
            # what names one slot exactly says nothing of another: no `group_options` by `group`
            ranked = [n for n in ranked if n not in exact or _likeness(n, cues) == 1.0]
        if not ranked or (likeness := _likeness(ranked[0], cues)) == 0:
            continue
        known = request.context[ranked[0]]
        if cues.slot.many and isinstance(known, list):
            found[index] = Filling(known, "context", confidence=likeness)
            continue
        value = _read(cues, known, request)
        if value is not None:
            given: JsonValue = [value] if cues.slot.many else value
            found[index] = Filling(given, "context", confidence=likeness)
    return found


def fitting(profile: Profile, known: Mapping[int, Filling]) -> frozenset[int]:
    """The slots whose value of the context meets their schema; the others may be said instead."""
    slots = ((index, filling, profile.cues[index]) for index, filling in known.items())
    return frozenset(
        index
        for index, filling, cues in slots
        if cues.slot.many or not leaf_problem(cues.probe, filling.value)
    )
