"""Boolean slots: true where the conversation speaks of them, false where it denies them."""

import re
from collections.abc import Sequence
from dataclasses import replace

from gretel.contracts.record import JsonValue
from gretel.nodes.plan.filling.enums import ENOUGH_REQUIRED, place_of
from gretel.nodes.plan.filling.filling import Filling, Match, filling_of
from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.view import ALIKE, View
from gretel.text.identifiers import split_identifier
from gretel.text.words import GENERIC_WORDS, STOP_WORDS, concept, stem, word_set

_NEGATIONS = word_set(
    "no not without exclude excluding except never don't doesn't avoid skip disable disabled "
    "non isn't shouldn't needn't nor"
)
_AUXILIARIES = word_set(
    "is include includes with has have enable enabled allow allowed show use "
    "should whether need needs want get only add do"
)


_JOINED = re.compile(r"[a-z]+(?:[A-Z_-][a-z]+)+")
"""A name that is no word of a language: `isChild`, `dry_run`."""
_ALSO = {"recursive": ("subfolders", "subdirectories")}
_OPPOSITES = dict.fromkeys(
    ("completed", "complete", "done", "finished", "closed", "resolved"),
    word_set("open pending unfinished outstanding undone unresolved incomplete"),
) | {"enabled": word_set("disabled"), "online": word_set("offline"), "active": word_set("inactive")}
_LEAVING = word_set("skip exclude omit hide ignore without no")
"""What the name of a switch begins with that leaves something out."""


_TRUE, _FALSE = word_set("true 1 yes on y t"), word_set("false 0 no off n f")
"""How documents spell a boolean as an enum of texts."""


def is_switch(members: Sequence[JsonValue]) -> bool:
    """Whether an enum is a boolean in texts: `"true"`, `"false"`, `"1"`, `"0"`."""
    said = {str(member).lower() for member in members} - {""}
    return bool(said & {"true", "1"}) and said <= _TRUE | _FALSE


def as_member(filling: Filling, members: Sequence[JsonValue]) -> Filling | None:
    """A boolean as the first member that says so; None where none does."""
    wanted = _TRUE if filling.value else _FALSE
    found = next((member for member in members if str(member).lower() in wanted), None)
    return None if found is None else replace(filling, value=found)


def fill_boolean(view: View, cues: SlotCues) -> Filling | None:
    """True where the conversation speaks of the slot, False behind a negation.

    Of a slot that leaves something out, the negation of the thing speaks: "without the geometry".
    """
    return (
        _set(view, cues) or _left_out(view, cues) or _opposed(view, cues) or _spoken_of(view, cues)
    )


def _set(view: View, cues: SlotCues) -> Filling | None:
    """What is written behind the name itself: `isChild true`, `dry_run=0`, "(cache false)".

    Behind a name that is a word, only what can be nothing else.
    """
    name, tokens = cues.slot.name, view.document.tokens
    told = _TRUE | _FALSE if _JOINED.fullmatch(name) else frozenset({"true", "false"})
    places = [i for i, token in enumerate(tokens) if token.text == name]
    for place in places[-1:]:
        behind = [token.lower for token in tokens[place + 1 : place + 3] if token.text not in "=:"]
        if behind and behind[0] in told:
            return filling_of(view, behind[0] in _TRUE, Match(0.9, place, place + 2))
    return None


def _opposed(view: View, cues: SlotCues) -> Filling | None:
    """False where the opposite of a switch of one word is said: "unread", "still pending"."""
    words = split_identifier(cues.slot.name)
    name = words[-1] if len(words) == 1 or words[:1] == ("is",) else ""
    opposites = {f"un{name}", f"in{name}", f"non-{name}", *_OPPOSITES.get(name, ())}
    tokens, sentences = view.document.tokens, view.document.sentences
    for place, token in enumerate(tokens if name else ()):
        # as the first word "open" asks to do it
        first = not place or sentences[place - 1] != sentences[place]
        if token.lower in opposites and not first and place not in view.positions.get(name, ()):
            denied = tokens[place - 1].lower in _NEGATIONS
            return filling_of(view, denied, Match(0.9, place, place + 1))
    return None


def _left_out(view: View, cues: SlotCues) -> Filling | None:
    """True where the thing that a switch leaves out is denied."""
    verb, *things = split_identifier(cues.slot.name) or ("",)
    places = [place for thing in things for place in _places(view, thing)[-1:]]
    if verb not in _LEAVING or not things or len(places) < len(things):
        return None
    first, last = min(places), max(places) + 1
    tokens = view.document.tokens
    before, behind = tokens[max(0, first - 3) : first], tokens[last : last + 2]
    left = any(token.lower in ("leave", "leaving") for token in before)
    out = left and any(token.lower in ("out", "aside") for token in (*before, *behind))
    denied = out or any(token.lower in _NEGATIONS for token in before)
    return filling_of(view, True, Match(0.9, first, last)) if denied else None


def _spoken_of(view: View, cues: SlotCues) -> Filling | None:
    whole = split_identifier(cues.slot.name)
    own = [word for word in whole if word not in STOP_WORDS] or [*whole]
    names = [word for word in own if word not in _AUXILIARIES] or own
    words = [concept(name) for name in names]
    found = [places[-1] for name in names if (places := _places(view, name))]
    if len(whole) == 1 and not found:
        # a name of one word may be said in another language: "alle", "terminées"
        found = list(view.glosses.get(stem(whole[0]), ()))[-1:]
    share = len(found) / len(words) if words else 0.0
    needed = ENOUGH_REQUIRED if cues.slot.required else 0.99
    if not cues.slot.required and "only" in own and not _places(view, "only"):
        return None
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
    """Where a word stands, its adverb ("recursively"), or what says the same of folders."""
    words = (name, f"{name}ly", *_ALSO.get(name, ()))
    return next((view.positions[concept(w)] for w in words if concept(w) in view.positions), [])


def _outer_place(view: View, cues: SlotCues, words: list[str]) -> int | None:
    """Where a word like the slot's own stands, or a word of the object around it.

    "Automatic reconnection" speaks of `autoReconnect`; "details on wind" of `wind.speed`.
    """
    alike = [place_of(view, word) for word in words if len(word) >= ALIKE]
    outer = cues.slot.words[len(split_identifier(cues.slot.name)) :]
    inner = [place_of(view, concept(word)) for word in outer if word not in GENERIC_WORDS]
    found = [place for place in (*alike, *inner) if place is not None]
    return found[0] if found else None
