"""What can only be meant for a parameter: what follows its own name, what a machine reads.

`user_name jkoch`, `assignee=1877`, "; parent emea"; "the filter size=2", "the fields id,size".
"""

from gretel.nodes.plan.matching.names import is_name, together
from gretel.nodes.plan.matching.profile import Profile, SlotCues
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.text.words import REQUEST_VERBS

_SIGNS = frozenset(",=<>")


def given_value(
    view: View, profile: Profile, cues: SlotCues, first: int, last: int
) -> MentionSpan | None:
    """The number or plain word behind the name that stands at the tokens first…last-1, if any.

    What has a shape of its own is found behind any noun (`filling/named.py`).
    """
    tokens = view.document.tokens
    signed = last < len(tokens) and tokens[last].text in ("=", ":")
    place = last + signed
    if place >= len(tokens) or not together(view, first, place):
        return None
    if view.document.text(first, last) != cues.slot.name:
        return None
    if not (signed or _means_it(view, cues.slot.name, first, place)):
        return None
    numbers = (s for s in view.spans if s.first == place and s.mention.kind in ("number", "phone"))
    number = max(numbers, key=lambda span: span.last, default=None)
    return number or (view.word_span(place) if is_name(view, profile, place) else None)


def _means_it(view: View, name: str, noun: int, place: int) -> bool:
    """Whether nothing but a parameter can be meant: by its name's form, or between two marks."""
    if not (name.isalpha() and name.islower()):
        return True
    tokens = view.document.tokens
    before = noun > 0 and not tokens[noun - 1].is_word
    over = place + 1 == len(tokens) or not tokens[place + 1].is_word
    return before and over and name not in REQUEST_VERBS


def written_value(view: View, cues: SlotCues, place: int) -> MentionSpan | None:
    """What is written for a machine, in one go with its signs: "size=2", "name,size".

    For a text alone: of other slots a number or a name is a part of it.
    """
    tokens, last = view.document.tokens, place + 1
    if cues.group != "text" or cues.slot.type != "string" or cues.slot.many:
        return None
    while last < len(tokens) and tokens[last].start == tokens[last - 1].end:
        last += 1
    while not tokens[last - 1].is_word and last > place + 1:
        last -= 1  # the sentence ends here
    run = {token.text for token in tokens[place:last]}
    alone = tokens[place].is_word and together(view, place, last - 1)
    return view.word_span(place, last) if alone and run & _SIGNS else None
