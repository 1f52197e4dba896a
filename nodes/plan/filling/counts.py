"""How many results are asked for: "give me 5 cat GIFs"."""

from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.phrases import is_count
from gretel.text.identifiers import split_identifier
from gretel.text.words import word_set

_LIMITS = word_set("limit count size results top rows maxresults n num hits")
CONFIDENCE = 0.8


def fill_count(view: View, cues: SlotCues) -> Filling | None:
    """The last count of the request itself, for a slot that limits how many results come back."""
    slot = cues.slot
    if slot.kind != "number" or slot.many or not _LIMITS & set(split_identifier(slot.name)[-1:]):
        return None
    tokens, request = view.document.tokens, len(view.document.segments) - 1
    places = [i for i, t in enumerate(tokens) if t.segment == request and is_count(tokens, i)]
    if not places:
        return None
    place, token = places[-1], tokens[places[-1]]
    value = int(token.text) if slot.type in ("integer", "number") else token.text
    span = (token.start, token.end)
    return Filling(value, "request", span, token.segment, CONFIDENCE, (place, place + 1))
