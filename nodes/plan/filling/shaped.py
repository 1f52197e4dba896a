"""Values that their shape alone gives away: the one literal that is left for a required slot."""

import re
from collections.abc import Set

from gretel.nodes.plan.filling.fillings import UsedTokens
from gretel.nodes.plan.filling.followups import goes_on
from gretel.nodes.plan.matching.profile import Profile, SlotCues, Slots
from gretel.nodes.plan.matching.roles import slot_role
from gretel.nodes.plan.matching.steps import SHORT, in_order, kinship, prefix_of
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.literals import is_firm
from gretel.nodes.plan.mentions.mention import Mention, MentionKind
from gretel.nodes.plan.mentions.spans import MentionSpan, Placed
from gretel.nodes.plan.slots.slot import SlotKind
from gretel.text.identifiers import split_identifier
from gretel.text.words import STOP_WORDS, concept, singular

ADDRESSES: dict[SlotKind, tuple[MentionKind, ...]] = {
    "email": ("email",),
    "url": ("url", "path"),
    "ip": ("ip",),
    "path": ("path", "url"),
    "zone": ("zone",),
    "statement": ("statement",),
}
"""Kind of slot whose values cannot be mistaken → the mentions of its own kind; a file may be named
where its address is asked for, and the other way round."""
_SHAPES: dict[SlotKind, tuple[MentionKind, ...]] = {
    "path": ("path",), "zone": ("zone", "city"), "statement": ("statement",), "email": ("email",),
    "url": ("url", "path"), "ip": ("ip",), "id": ("id", "quoted", "path"),
    "text": ("id", "quoted", "path"), "name": ("id", "quoted", "path"), "place": ("path",),
    "country": ("country",),
}  # fmt: skip
"""Kind of slot → the kinds of mention that are taken where nothing else is left for it."""
_CODE = re.compile(r"(?=.*\d)(?=.*[^\W\d])|.*\w\.\w|\d{5,}-\d+")
"""Letters and digits, parts with dots, as domains have, or a long number and its part."""
_DOTTED = re.compile(r"[a-z_]{2,}(?:\.[a-z_]{2,})+")
_COUNTRY_CODE = 3
"""Letters of what may be a country's code, or a plain word: "ID"."""
_SAID = frozenset({"query", "text", "name"})
"""Kinds of slot beside the path that several words in quotes are rather for."""
CONFIDENCE, SURE = 0.6, 0.85


def addresses(view: View, used: UsedTokens, slots: Slots) -> Placed:
    """Addresses, paths and statements for the required slots for such, where as many were said.

    Where the latest turn says fewer, those of the turn before that it changes (`followups.py`).
    """
    for kind, shapes in ADDRESSES.items():
        own = {i: c for i, c in slots.items() if c.slot.kind == kind and c.slot.required}
        if own and not any(cues.slot.many for cues in own.values()):
            first = next(iter(own.values()))
            spans = _latest(view, used, shapes, first)
            if 0 < len(spans) < len(own) and goes_on(view):
                spans = _latest(view, used, shapes, first, before=spans[0].mention.segment)
            absolute = [s for s in spans if s.mention.text.startswith(("/", "~"))]
            if len(absolute) == len(own) < len(spans) and not first.slot.many:
                spans = absolute
            if len(spans) == len(own):
                inward = slot_role(first.slot) == "origin"
                ordered = _by_clock(view, spans) if inward else spans
                yield from zip(own, ordered, strict=True)


def coordinates(view: View, slots: Slots) -> Placed:
    """The only pair of coordinates, for the only slots of a latitude and a longitude."""
    said = [span for span in view.spans if span.mention.kind == "coordinates"]
    own = [[i for i, c in slots.items() if c.slot.kind == k] for k in ("latitude", "longitude")]
    if [len(said), *map(len, own)] == [1, 1, 1]:
        yield from ((index, said[0]) for (index,) in own)


def _by_clock(view: View, spans: list[MentionSpan]) -> list[MentionSpan]:
    """Two zones, first the one of the time of day that is said: "here in X, at 9:00 in Y"."""
    clocks = {s.last for s in view.spans if s.mention.kind == "time"}
    zones = [span for span in spans if span.mention.kind == "zone"]
    beside = [bool(clocks & {span.first, span.first - 1}) for span in zones]
    return spans[::-1] if len(spans) == 2 and beside == [False, True] else spans


def like_samples(view: View, used: UsedTokens, slots: Slots) -> Placed:
    """The only code of the latest turn that is built like a slot's samples: `B2:C7`, `A1:D20`."""
    last = len(view.document.segments) - 1
    own = [
        s for s in view.spans if s.mention.segment == last and s.mention.kind in ("id", "number")
    ]
    for index, cues in slots.items():
        default = cues.slot.schema.get("default")
        samples = [*cues.slot.examples, *([default] if isinstance(default, str) else [])]
        forms = {_form(sample) for sample in samples} - {None}
        alike = [s for s in own if used.cost(cues.group, s) == 0 and _form(s.mention.text) in forms]
        if cues.group in ("text", "id", "name") and len(alike) == 1:
            yield index, alike[0]


def wildcards(view: View, slots: Slots) -> Placed:
    """What begins so, for what is searched for: `mail*`, the latest turn's and the only one."""
    said = [s for s in view.spans if s.mention.kind == "id" and s.mention.text.endswith("*")]
    last = max((span.mention.segment for span in said), default=0)
    own = [span for span in said if span.mention.segment == last]
    searches = [index for index, cues in slots.items() if cues.slot.kind == "query"]
    if len(own) == len(searches) == 1:
        yield searches[0], own[0]


def labelled(view: View, used: UsedTokens, slots: Slots, vocabulary: Set[str]) -> Placed:
    """The only joined name behind a word that the tool is described with, for the only slot for it.

    "with the branch market-stall", where a tool that compares branches wants a `target`.
    """
    last = len(view.document.segments) - 1
    said = [
        place
        for place, token in enumerate(view.document.tokens)
        if place and token.segment == last and "-" in token.text and token.text.islower()
        if _has_label(view, place, vocabulary)
    ]
    spans = [view.word_span(place) for place in said]
    free = [span for span in spans if used.cost("text", span) == 0]
    open_ = [i for i, c in slots.items() if c.slot.required and c.group in ("text", "id", "name")]
    if len(free) == len(open_) == 1 and not slots[open_[0]].slot.many:
        yield open_[0], free[0]


def _has_label(view: View, place: int, vocabulary: Set[str]) -> bool:
    """Whether a noun of `vocabulary` stands before a token, and none that it describes behind."""
    tokens, sentences = view.document.tokens, view.document.sentences
    label, behind = tokens[place - 1], tokens[place + 1 : place + 2]
    if label.lower in STOP_WORDS or not label.text.islower() or label.concept not in vocabulary:
        return False
    over = not behind or not behind[0].is_word or behind[0].lower in STOP_WORDS
    return over and sentences[place - 1] == sentences[place]


def _form(text: str) -> str | None:
    """What runs of letters, digits and marks a code is made of; None where nothing tells it.

    Words that dots join are a code, too: `system.cpu`.
    """
    form = re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d+", "0", text)))
    joined = _DOTTED.fullmatch(text) is not None
    return form if len(form) > 2 and ("0" in form or joined) and " " not in form else None


def shaped_values(view: View, used: UsedTokens, lacking: Slots, profile: Profile) -> Placed:
    """Values for the slots that lack one, where there are as many as slots; the latest turn's.

    An address is one wherever it stands. Another literal is taken for a key, or for all that is
    lacking where the conversation is a single sentence. What is made of words that the tool is
    described with is no name: "read-only". Nor is a code that begins like those of another slot.
    """
    alone = sum(cues.group != "closed" for cues in lacking.values()) == 1 and view.is_single
    groups: dict[tuple[MentionKind, ...], list[tuple[int, SlotCues]]] = {}
    for index, cues in lacking.items():
        named = cues.in_path or cues.is_key or cues.group == "code" or alone
        if named and cues.slot.kind in _SHAPES and not cues.slot.many:
            groups.setdefault(_SHAPES[cues.slot.kind], []).append((index, cues))
    for kinds, slots in groups.items():
        spans = _latest(view, used, kinds, slots[0][1], profile.vocabulary)
        own = [cues for _, cues in slots]
        if any(not each.in_path and each.slot.kind in _SAID for each in profile.cues):
            spans = [s for s in spans if s.mention.kind != "quoted" or " " not in s.mention.text]
        spans = [span for span in spans if not is_of_another(span, own, profile)]
        if len(spans) == len(slots):
            ordered = in_order(view, slots, spans)
            yield from ((index, span) for (index, _), span in zip(ordered, spans, strict=True))


def is_of_another(span: MentionSpan, own: list[SlotCues], profile: Profile) -> bool:
    """Whether a code begins like those of another slot of the tool, and like none of `own`.

    Or like what the tool is about, where `own` are optional: `story-1` in a list of stories is no
    `epic_id`.
    """
    prefix = prefix_of(span.mention.text.lower())
    others = [each.kin for each in profile.cues]
    if not any(each.slot.required or each.slot.name == "id" for each in own):
        others.append(tuple(map(singular, split_identifier(profile.tool.operation))))
    mine = any(kinship(prefix, each.kin) for each in own)
    return not mine and any(kinship(prefix, kin) >= SHORT for kin in others)


def _latest(
    view: View,
    used: UsedTokens,
    kinds: tuple[MentionKind, ...],
    cues: SlotCues,
    vocabulary: Set[str] = frozenset(),
    *,
    before: int | None = None,
) -> list[MentionSpan]:
    """The spans of these kinds that fill nothing yet, of the latest turn that has any.

    Only turns earlier than `before` are looked at, where that is given.
    """
    turns = len(view.document.segments) if before is None else before
    whole = [(s.first, s.last) for s in view.spans if s.mention.kind == "url"]
    free: dict[tuple[int, int], MentionSpan] = {}
    for span in sorted(view.spans, key=lambda span: (span.first, -span.last)):
        mine = span.mention.kind in kinds and _is_sure(cues, span.mention)
        word = span.mention.kind == "phrase" and span.last - span.first == 1
        step = cues.in_path or (cues.is_key and not cues.slot.required)
        mine |= step and word and view.is_code(span) and not _is_described(span, vocabulary)
        mine |= cues.slot.kind == "path" and word and "/" in span.mention.text
        if mine and used.cost(cues.group, span) == 0:
            inside = any(a <= span.first and span.last <= b for a, b in free)
            inside |= any(a < span.first and span.last <= b for a, b in whole)
            if not inside:
                free[span.first, span.last] = span
    own = [span for span in free.values() if span.mention.segment < turns]
    last = max((span.mention.segment for span in own), default=0)
    return [span for span in own if span.mention.segment == last]


def _is_described(span: MentionSpan, vocabulary: Set[str]) -> bool:
    """Whether all words that a hyphen joins are the tool's own."""
    words = split_identifier(span.mention.text)
    return span.mention.kind == "phrase" and {concept(word) for word in words} <= vocabulary


def _is_sure(cues: SlotCues, mention: Mention) -> bool:
    if mention.kind == "country":
        return cues.in_path and len(mention.text) > _COUNTRY_CODE
    if cues.slot.kind == "id" and mention.kind == "quoted":
        return cues.in_path or " " not in mention.text
    key = cues.in_path or cues.is_key
    if key and mention.kind == "id" and _CODE.search(mention.text):
        return True
    alike = any(sample.isupper() for sample in cues.slot.examples) and mention.text.isupper()
    return mention.kind != "id" or is_firm(mention) or alike
