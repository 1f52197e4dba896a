"""First and last name, said as one: "new driver Sofie Maes"."""

from collections.abc import Iterator

from gretel.nodes.plan.matching.profile import SlotCues
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.text.identifiers import split_identifier
from gretel.text.words import word_set

_FIRST = word_set("first firstname given givenname forename vorname prénom prenom nombre")
_LAST = word_set("last lastname family familyname surname nachname apellido")


def first_and_last(view: View, slots: dict[int, SlotCues]) -> Iterator[tuple[int, MentionSpan]]:
    """The only two slots for either name, with both words of the only name of two that is said.

    The latest turn's: capitals set it off from what stands around it.
    """
    first, last = (
        [index for index, cues in slots.items() if _asks_for(cues, words)]
        for words in (_FIRST, _LAST)
    )
    names = _names_of_two(view)
    if len(first) == len(last) == len(names) == 1:
        yield first[0], view.word_span(names[0])
        yield last[0], view.word_span(names[0] + 1)


def _asks_for(cues: SlotCues, words: frozenset[str]) -> bool:
    own = split_identifier(cues.slot.name)
    named = own[-1:] == ("name",) or len(own) == 1
    return named and not cues.slot.many and not words.isdisjoint(own[:1] if len(own) == 1 else own)


def _names_of_two(view: View) -> list[int]:
    """Where runs of just two capitalised words begin, cities and countries left out."""
    turn = len(view.document.segments) - 1
    runs = [s for s in view.spans if s.mention.kind == "proper" and s.mention.segment == turn]
    places = [s for s in view.spans if s.mention.kind in ("city", "country")]

    def within(span: MentionSpan, others: list[MentionSpan]) -> bool:
        wider = (o for o in others if o is not span and o.last - o.first >= span.last - span.first)
        return any(o.first <= span.first and span.last <= o.last for o in wider)

    words = [span for span in runs if span.last - span.first == 2 and not within(span, runs)]
    return [
        span.first
        for span in words
        if all(part.isalpha() for part in span.mention.text.split()) and not within(span, places)
    ]
