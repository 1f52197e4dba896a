"""Numbers behind the word for what they count off ("revision 3"), or in the tool's order."""

from collections.abc import Container, Iterator, Sequence

from gretel.nodes.plan.filling.ends import pieces_of_days
from gretel.nodes.plan.filling.fillings import UsedTokens
from gretel.nodes.plan.matching.names import nouns_of
from gretel.nodes.plan.matching.profile import SlotCues, Slots
from gretel.nodes.plan.matching.roles import slot_role
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.mention import Amount
from gretel.nodes.plan.mentions.spans import MentionSpan, Placed
from gretel.text.identifiers import split_identifier
from gretel.text.words import singular, word_set

_SHORTEST = 3
"""Letters of an abbreviation: `rev`."""
_ROLES = {
    "origin": word_set("from between start starting von ab de desde du"),
    "target": word_set("to and until till end bis a à hasta au"),
}
"""Before the noun of either end."""
_HOW_MANY = word_set("num number of count total no n")
_SIDES = {
    "least": word_set("min minimum low lower least from start above over gt gte"),
    "most": word_set("max maximum high upper most to end below under lt lte"),
}
_TO = word_set("to until till - – bis à a hasta")
_LEADS = {
    **dict.fromkeys(("between", "zwischen", "entre"), word_set("and - – und et y")),
    **dict.fromkeys(("from", "von", "de", "desde"), _TO),
}
"""What stands before a range, and between its ends."""
_ROW = 3
"""Numbers that a tool needs, from which on their order says which is which."""
CONFIDENCE = 0.8


def numbered_values(view: View, slots: Slots) -> Placed:
    """The optional slots whose own word stands right before a number, with that number.

    Of a span's two ends the words before the noun say which is meant: "from revision 0".
    """
    for index, cues in slots.items():
        if cues.slot.required or cues.in_path or cues.slot.kind not in ("number", "text", "id"):
            continue
        found = [span for span in _behind(view, cues) if _is_end(view, cues, span)]
        if len({span.first for span in found}) == 1:
            yield index, found[0]


def counted_values(view: View, slots: Slots) -> Placed:
    """The slots that count what stands right behind a number: `nights`, "two nights"."""
    last = len(view.document.segments) - 1
    for index, cues in slots.items():
        noun = _counted(cues)
        found = [
            span
            for span in view.spans
            if span.mention.kind == "number"
            and span.mention.segment == last
            and isinstance(span.mention.value, Amount)
            and noun
            and singular(span.mention.value.unit) == noun
        ]
        if len(found) == 1:
            yield index, found[0]


def _counted(cues: SlotCues) -> str:
    """The singular of what a slot counts by its name (`guests`, `numAdults`); else empty."""
    *before, noun = split_identifier(cues.slot.name) or ("",)
    whole = cues.slot.kind == "number" and not cues.slot.many
    plain = whole and _HOW_MANY.issuperset(before) and noun != singular(noun)
    return singular(noun) if plain else ""


def numbers_in_order(
    view: View, used: UsedTokens, cues: Sequence[SlotCues], free: Container[int]
) -> list[tuple[int, MentionSpan]]:
    """As many numbers as the latest turn has left, each for the next of as many slots.

    "zoom 10, x 526, y 296", "the box 5.3, 60.0, 5.5, 60.2": for tools that need three at least.
    """
    own = [i for i, c in enumerate(cues) if c.slot.kind == "number" and not c.slot.many]
    needed = [i for i in own if cues[i].slot.required]
    lacking = [i for i in needed if i in free]
    last = len(view.document.segments) - 1
    said = {
        span.first: span
        for span in view.spans
        if span.mention.segment == last
        and span.mention.kind == "number"
        and not span.mention.text[0].isalpha()
        and used.cost("number", span) == 0
    }
    if len(needed) < _ROW or len(lacking) != len(said) or pieces_of_days(view):
        return []
    return list(zip(lacking, (said[first] for first in sorted(said)), strict=True))


def number_ranges(view: View, slots: Slots) -> Placed:
    """The only slots for a least and a most number, with both ends of the only range.

    "strikes from 600 to 700", "between 36.2 and 41.5".
    """
    pairs: dict[tuple[str, ...], dict[str, int]] = {}
    for index, cues in slots.items():
        words = split_identifier(cues.slot.name)
        sides = [side for side, known in _SIDES.items() if not known.isdisjoint(words)]
        if cues.slot.kind == "number" and not cues.slot.many and len(sides) == 1:
            rest = tuple(word for word in words if word not in _SIDES[sides[0]])
            pairs.setdefault(rest, {})[sides[0]] = index
    whole = [pair for pair in pairs.values() if len(pair) == len(_SIDES)]
    found = list(_ranges(view))
    if len(whole) == len(found) == 1:
        yield whole[0]["least"], found[0][0]
        yield whole[0]["most"], found[0][1]


def _ranges(view: View) -> Iterator[tuple[MentionSpan, MentionSpan]]:
    """Two numbers of the latest turn that are the ends of a range, the smaller one first."""
    last, tokens, days = len(view.document.segments) - 1, view.document.tokens, pieces_of_days(view)
    numbers = {
        span.first: (span, span.mention.value.number)
        for span in view.spans
        if span.mention.kind == "number" and span.mention.segment == last
        if span.first not in days and isinstance(span.mention.value, Amount)
    }
    for first, (low, least) in numbers.items():
        lead = tokens[first - 1].lower if first else ""
        if low.last + 1 in numbers and tokens[low.last].lower in _LEADS.get(lead, ()):
            high, most = numbers[low.last + 1]
            if least < most:
                yield low, high


def _behind(view: View, cues: SlotCues) -> Iterator[MentionSpan]:
    """The bare numbers of the latest turn that stand behind the slot's noun."""
    last, words = len(view.document.segments) - 1, split_identifier(cues.slot.name)
    days = pieces_of_days(view)
    places = {end for _, end in nouns_of(view, cues)} | {
        place + 1
        for place, token in enumerate(view.document.tokens)
        if words and _is_short_for(words[-1], token.lower)
    }
    for span in view.spans:
        bare = span.mention.kind == "number" and span.mention.text.isdigit()
        here = bare and span.mention.segment == last and span.first in places
        if here and span.first not in days:
            yield span


def _is_short_for(word: str, said: str) -> bool:
    return word == said or len(word) >= _SHORTEST and said.startswith(word) and said.isalpha()


def _is_end(view: View, cues: SlotCues, span: MentionSpan) -> bool:
    """Whether the words before a number and its noun say that this end is meant, if it is one."""
    leads = _ROLES.get(slot_role(cues.slot)) if len(split_identifier(cues.slot.name)) > 1 else None
    return not leads or span.first > 1 and view.document.tokens[span.first - 2].lower in leads
