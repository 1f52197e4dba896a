"""Values that stand beside their noun: "deployment prod of the flow nightly-etl"."""

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from gretel.contracts.record import JsonValue
from gretel.nodes.plan.matching.given import given_value, written_value
from gretel.nodes.plan.matching.names import (
    DESCRIBING,
    VERBS,
    capitalised,
    ends,
    is_folder,
    is_name,
    nouns_of,
    stops,
    together,
)
from gretel.nodes.plan.matching.profile import Profile, SlotCues, Slots
from gretel.nodes.plan.matching.values import to_value
from gretel.nodes.plan.matching.view import ORDINARY, View
from gretel.nodes.plan.mentions.literals import CJK, is_firm
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.nodes.plan.slots.slot import leaf_problem
from gretel.text.words import REQUEST_VERBS, STOP_WORDS, singular, word_set

_KINDS = word_set("text query name id number path place")
"""Kinds of slot whose values have names."""
_MARKS = word_set("\" ' “ ‘ « „ ` : = # (")
_NUMBERED = word_set("id ids number no nr identifier uuid")
_LABELS = _NUMBERED | word_set("called named titled name key")
_LINKS = word_set("with is of whose a the")
"""What may stand between a noun and its value, and between it and such a label."""
_OPEN = word_set("which what this that these those every each any all one no some both")
"""Before a noun: it is not known yet, or any will do."""
_PREPOSITIONS = word_set("in of for at on from to by with into under")
_THE = word_set("the der die das den dem le la les el los las il lo")
_LEADS = word_set("the my our your of in for on")
"""Before a name that stands before its noun."""
_ASKING = word_set("do does did can could will would shall should may might must")
"""What a question turns round its subject; "is" may have the name itself behind the subject."""
_WHAT = word_set("what which who when where why how")
_DETERMINERS = word_set("the this that my our your its their a an")
_ID = re.compile(r"\d+|(?=.*\d)[\da-fA-F-]{8,}")
"""What is made up for a machine alone."""
_JOINTS = word_set(", and or & und oder et ou y o 、 和")
BESIDE, WORD, BEFORE = 0.97, 0.85, 0.75
"""Confidence of a shaped value behind its noun, of a plain word there, of one before its noun."""


class Named(NamedTuple):
    """The value of a slot, by its index, and where it stands."""

    slot: int
    value: JsonValue
    span: MentionSpan
    noun: tuple[int, int]
    """The tokens of the noun, as (first, one past the last)."""
    sure: float
    name: str
    """Of the slot, in lower case."""


_Beside: TypeAlias = tuple[MentionSpan, float]
"""What stands beside a noun, a mention or a plain word, and how surely it is meant."""


def named_values(view: View, profile: Profile, slots: Slots) -> Iterator[Named]:
    """The values that stand beside their slot's noun, those of the latest turn first.

    Each is used once; of two things beside the same noun, neither is known to be meant.
    """
    found = [
        each
        for index, cues in slots.items()
        if cues.slot.kind in _KINDS
        for each in _candidates(view, profile, index, cues)
    ]
    taken: set[int] = set()
    done: set[int] = set()
    for each in sorted(found, key=_rank):
        tokens = set(range(each.span.first, each.span.last))
        if each.slot in done or not taken.isdisjoint(tokens):
            continue
        done.add(each.slot)
        alike = [e.value for e in found if e.slot == each.slot and _rank(e) == _rank(each)]
        if len(set(map(str, alike))) == 1:
            taken |= tokens
            yield each


def _rank(named: Named) -> tuple[int, float, bool]:
    """The latest turn first, then the surest; of one thing's name and id a word is the name."""
    by_id = named.name.endswith("id") and not _ID.fullmatch(named.span.mention.text)
    return -named.span.mention.segment, -named.sure, by_id


def _candidates(view: View, profile: Profile, index: int, cues: SlotCues) -> Iterator[Named]:
    for noun in nouns_of(view, cues):
        given = given_value(view, profile, cues, *noun)
        behind = (given, WORD) if given else _behind(view, profile, cues, *noun)
        beside = (behind, _ahead(view, profile, cues, noun[0]))
        for span, sure in filter(None, beside):
            if cues.slot.many and not _is_alone(view, noun[0], span):
                continue
            value = to_value(cues.slot, span.mention, view.today)
            if value is not None and not leaf_problem(cues.probe, value):
                yield Named(index, value, span, noun, sure, cues.slot.name.lower())


def _is_alone(view: View, noun: int, span: MentionSpan) -> bool:
    """Whether a value is all of a list: its noun is for one thing, and nothing is joined to it."""
    tokens = view.document.tokens
    word, behind = tokens[noun].lower, tokens[span.last : span.last + 2]
    joined = any(t.segment == span.mention.segment and t.lower in _JOINTS for t in behind)
    return singular(word) == word and not joined


def _behind(view: View, profile: Profile, cues: SlotCues, first: int, last: int) -> _Beside | None:
    """The value behind a noun: "tenant acme", "the user with id 7", "flow: 'nightly'"."""
    tokens = view.document.tokens
    if tokens[first].text[0] == "每" or first and tokens[first - 1].lower == "per":
        return None  # "每页 3 条": as many on each page, not this page
    place, labels = last, set[str]()
    while place < len(tokens) and place - last < 4:
        word = tokens[place]
        said = word.lower == "is" and place == last
        if written_value(view, cues, place):
            break  # "fields id,size": an id among others is no label
        if word.lower in _LABELS:
            labels.add(word.lower)
        elif word.text not in _MARKS and not _is_link(view, place) and not (cues.is_key and said):
            break
        place += 1
    if place == len(tokens) or not together(view, first, place) or _is_one(view, first, place):
        return None
    if labels & _NUMBERED and cues.slot.name.lower().endswith("name"):
        return None
    shaped = _shaped(view, cues, place, bare=tokens[first].lower in STOP_WORDS)
    shaped = written_value(view, cues, place) or shaped
    if shaped is not None:
        return shaped, BESIDE
    labelled = bool(labels) and cues.is_key
    joined = cues.identifies and view.is_code(view.word_span(place))
    definite = labelled or joined or _is_definite(view, cues, first)
    if tokens[first].lower in STOP_WORDS or not definite:
        return None
    name = capitalised(view, profile, place)
    if name is not None:
        return name, WORD
    abroad = first > 0 and tokens[first - 1].lower in _THE - {"the"}
    if _is_asked(view, first) and not _is_verb(view, place + 1):
        return None
    over = (ends if cues.in_path or joined else stops)(view, place + 1)
    named = is_name(view, profile, place) and (labelled or abroad or over)
    return (view.word_span(place), WORD) if named else None


def _is_one(view: View, noun: int, place: int) -> bool:
    """Whether a noun is where a value begins that goes on at a token: `Fileset:::7c9e`."""
    codes = (span for span in view.spans if "::" in span.mention.text)
    return any(code.first <= noun and place < code.last for code in codes)


def _is_asked(view: View, noun: int) -> bool:
    """Whether a noun is the subject of a question, whose verb follows: "did that request fail"."""
    tokens, start = view.document.tokens, noun
    while start and together(view, start - 1, noun):
        start -= 1
    before = [token.lower for token in tokens[start:noun]]
    turned = next((i for i, word in enumerate(before) if word in _ASKING), len(before))
    asked = turned == 0 or before[0] in _WHAT
    return asked and not _DETERMINERS.isdisjoint(before[turned:])


def _is_verb(view: View, place: int) -> bool:
    """Whether a token is a form of "be", "have" or "do", or a modal verb."""
    tokens = view.document.tokens
    return place < len(tokens) and tokens[place].lower in VERBS | _ASKING


def _is_link(view: View, place: int) -> bool:
    """Whether a token leads to a label: the "with" of "the user with id 7"."""
    after = [token.lower for token in view.document.tokens[place + 1 : place + 3]]
    return view.document.tokens[place].lower in _LINKS and not _LABELS.isdisjoint(after)


def _is_definite(view: View, cues: SlotCues, noun: int) -> bool:
    """Whether a noun speaks of a single thing whose name can follow."""
    tokens = view.document.tokens
    word = tokens[noun].lower
    before = tokens[noun - 1].lower if noun and together(view, noun - 1, noun) else ""
    one = before not in _OPEN and (singular(word) == word or word in cues.slot.words)
    # "in project acme": a noun for one thing needs its article, unless its name follows
    said = before in _THE or before in REQUEST_VERBS or before in _PREPOSITIONS
    said |= tokens[noun].text > CJK[0]  # such languages have no articles
    return one and (cues.in_path or said and (cues.is_key or len(cues.slot.words) == 1))


def _ahead(view: View, profile: Profile, cues: SlotCues, first: int) -> _Beside | None:
    """The value before a noun: "the acme tenant"."""
    tokens, place = view.document.tokens, first - 1
    quoted = place >= 0 and tokens[place].text in ('"', "'", "”", "’", "»", "`")
    place -= quoted
    folder = is_folder(view, cues, first)
    if place < 0 or not (cues.identifies or folder) or not together(view, place, first):
        return None
    for span in view.spans:
        if (
            span.last == place + 1
            and span.mention.kind in ("quoted", "id")
            and (quoted or is_firm(span.mention))
        ):
            return span, BEFORE
    ordinary = ORDINARY - DESCRIBING if cues.in_path else ORDINARY
    named = is_name(view, profile, place) and tokens[place].lower not in ordinary
    lead = place > 0 and tokens[place - 1].lower in _LEADS
    plain = (
        (cues.is_key or folder) and lead and named and not quoted and tokens[first].text.islower()
    )
    return (view.word_span(place), BEFORE) if plain else None


def _shaped(view: View, cues: SlotCues, place: int, *, bare: bool) -> MentionSpan | None:
    """The longest mention with a shape of its own that begins at a token and fits the slot.

    Behind a bare preposition, and for a place, only a literal is one.
    """
    literal = bare or cues.slot.kind == "place"
    kinds = {"id", "quoted", "path", "url"}
    kinds |= {"number", "ip", "email"} if cues.identifies else set()
    spans = [
        span
        for span in view.spans
        if span.first == place
        and span.mention.kind in kinds
        and (is_firm(span.mention) if literal else _is_whole(view, span))
    ]
    if cues.slot.type in ("integer", "number"):
        spans = [span for span in spans if span.mention.kind == "number" and cues.identifies]
    return max(spans, key=lambda span: (span.last, len(span.mention.text)), default=None)


def _is_whole(view: View, span: MentionSpan) -> bool:
    """Whether a code is more than the first word of a name: not the "IP" of "IP address"."""
    plain = span.mention.kind == "id" and span.mention.text.isalpha()
    return not plain or ends(view, span.last)
