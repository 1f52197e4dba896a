"""How many results are asked for: "give me 5 cat GIFs"."""

from gretel.nodes.plan.filling.filling import Filling
from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.document import Document
from gretel.nodes.plan.mentions.phrases import is_count
from gretel.text.identifiers import split_identifier
from gretel.text.words import word_set

_LIMITS = word_set("limit count size results top rows maxresults n num hits")
CONFIDENCE = 0.8


def _count(document: Document) -> int | None:
    """The last token that is a count, of the user's request itself."""
    request = len(document.segments) - 1
    places = [i for i, token in enumerate(document.tokens) if token.segment == request]
    return next((i for i in reversed(places) if is_count(document.tokens, i)), None)


def fill_count(view: View, cues: SlotCues) -> Filling | None:
    """The count, for a slot that limits how many results come back; None for others."""
    slot = cues.slot
    if slot.kind != "number" or slot.many or not _LIMITS & set(split_identifier(slot.name)[-1:]):
        return None
    place = _count(view.document)
    if place is None:
        return None
    token = view.document.tokens[place]
    value = int(token.text) if slot.type in ("integer", "number") else token.text
    span, tokens = (token.start, token.end), (place, place + 1)
    return Filling(value, "request", span, token.segment, CONFIDENCE, tokens)
