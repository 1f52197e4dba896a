"""Words that stand for a value beside those of a schema: "the latest snapshot"."""

from collections.abc import Iterator

from gretel.nodes.plan.filling.enums import Match, filling_of
from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.view import View

CONFIDENCE = 0.85


def keyword_values(view: View, slots: dict[int, SlotCues]) -> Iterator[tuple[int, Filling]]:
    """The keywords of slots that need a value, where the user says them; the last time counts."""
    tokens, segments = view.document.tokens, view.document.segments
    said = {
        token.lower: place
        for place, token in enumerate(tokens)
        if segments[token.segment].role == "user"
    }
    for index, cues in slots.items():
        places = {said[word.lower()]: word for word in cues.slot.keywords if word.lower() in said}
        if cues.slot.required and places:
            place = max(places)
            yield index, filling_of(view, places[place], Match(CONFIDENCE, place, place + 1))
