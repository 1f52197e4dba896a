"""Optional filters that a request speaks of in words of its own: a search, a state."""

import re
from collections.abc import Iterator
from dataclasses import replace

from gretel.nodes.plan.filling.fillings import UsedTokens
from gretel.nodes.plan.filling.searched import TAGS, searched, tagged
from gretel.nodes.plan.filling.shaped import is_of_another
from gretel.nodes.plan.matching.names import ends, is_name, together
from gretel.nodes.plan.matching.profile import Profile, SlotCues, Slots
from gretel.nodes.plan.matching.roles import slot_role
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.mention import Amount
from gretel.nodes.plan.mentions.spans import MentionSpan, Placed
from gretel.text.gloss import glossed
from gretel.text.words import (
    GENERIC_WORDS,
    STOP_WORDS,
    content_words,
    singular,
    word_list,
    word_set,
)

_STATES = word_set(
    """pending failed success successful succeeded open opened closed running done active inactive
    complete completed cancelled canceled queued paid unpaid settled draft published archived
    expired enabled disabled resolved unresolved muted online offline healthy unhealthy stopped
    paused ready blocked approved rejected scheduled waiting finished deleted"""
)
"""What lists of jobs, payments, tickets … are filtered by."""
_PEOPLE = word_set("user username author actor assignee login")
_HAS, _WHAT = word_set("has have had did does hat a ha"), word_set("what was que qué")
_DOING = word_set(
    "been do done doing change changed say said write written gemacht getan fait hecho"
)
"""Behind somebody who does something: "what has jonas been doing"."""
_NOBODY = word_set("anybody anyone somebody someone nobody everybody everyone one people man")
_IN = word_set("in into inside within dans en")
_IDIOMS = word_set("place order sequence detail full total terms general particular stock use time")
"""Behind "in": no thing that others lie in."""
_SAYING = frozenset({"query", "text", "name"})
"""Groups of slots that take what is quoted."""
_TEXTS = word_list("text search phrase name title message content note comment label description")
"""Words for what is said, the ones first that leave less to mean."""
_ROW = 3
"""Numbers with commas between that are a list, and no aside."""
_LONG_CODE = re.compile(r"\d{5,}|(?=.*\d)(?=.*[A-Za-z])[\w@-]{5,}")
"""What is made up for a machine, and long enough to be no count."""
_LONG_NUMBER = re.compile(r"\+?\d{5,}")
_OR_YEAR = re.compile(r"\bor (?:a |the |just )*year\b|\byear or\b", re.IGNORECASE)
CONFIDENCE = 0.75


def spoken_filter(view: View, profile: Profile, cues: SlotCues) -> MentionSpan | None:
    """What the latest turn that says so is searched for, or the state that it asks about."""
    if cues.slot.many:
        return tagged(view, profile) if singular(cues.slot.name.lower()) in TAGS else None
    if cues.slot.kind == "query":
        return searched(view, profile)
    if cues.slot.kind in ("text", "place") and cues.slot.words[0] in ("status", "state"):
        return _state(view) or _state_abroad(view)
    if cues.group in ("text", "name", "id") and not _PEOPLE.isdisjoint(cues.slot.words[:1]):
        return _doer(view, profile)
    return None


def left_over(view: View, cues: SlotCues) -> MentionSpan | None:
    """What only an optional slot can mean, where nothing that is needed has taken it."""
    about = cues.slot.description
    if cues.slot.kind == "path":
        return _pattern(view)
    if cues.slot.kind == "year" or cues.slot.kind == "date" and _OR_YEAR.search(about):
        return _year(view)
    counts = cues.slot.kind == "number" and not slot_role(cues.slot)
    return _counted(view, cues) if counts else None


def only_code(view: View, used: UsedTokens, slots: Slots, profile: Profile) -> Placed:
    """The only code of the latest turn that fills nothing, for the only optional key: a barcode.

    Not where a key that is needed tells already which thing is meant.
    """
    told = any(cues.is_key and cues.slot.required for cues in profile.cues)
    last = len(view.document.segments) - 1
    keys = [i for i, c in slots.items() if c.slot.kind == "id" and not c.is_credential]
    own = {
        (span.first, span.last): span
        for span in view.spans
        if span.mention.segment == last
        and span.mention.kind in ("id", "number", "phone")
        and _LONG_CODE.fullmatch(span.mention.text)
        and used.cost("id", span) == 0
    }
    if told or not len(keys) == len(own) == 1:
        return
    span = next(iter(own.values()))
    if not is_of_another(span, [slots[keys[0]]], profile):
        yield keys[0], span


def long_number(view: View, used: UsedTokens, lacking: Slots) -> Placed:
    """The only long number of the latest turn that fills nothing, for the only key that lacks one.

    "How many records has 56710 made?" So many digits count nothing that somebody asks for.
    """
    keys = [i for i, c in lacking.items() if c.slot.kind == "id" and c.slot.required]
    last = len(view.document.segments) - 1
    said = {
        span.last: span
        for span in sorted(view.spans, key=lambda span: -span.first)  # the longest one that ends so
        if span.mention.segment == last
        and span.mention.kind in ("number", "phone")
        and _LONG_NUMBER.fullmatch(span.mention.text)
        and used.cost("id", span) == 0
    }
    if len(keys) == len(said) == 1 and not lacking[keys[0]].slot.many:
        yield keys[0], next(iter(said.values()))


def quoted_text(view: View, used: UsedTokens, slots: Slots) -> Placed:
    """The only quotation of a single sentence that fills nothing, for a search, a text or a name.

    Of several sentences it may be what another need is about.
    """
    own = {
        (span.first, span.last): span
        for span in (view.spans if view.is_single else ())
        if span.mention.kind == "quoted" and used.cost("text", span) == 0
    }
    open_ = {
        index: cues
        for index, cues in slots.items()
        if cues.group in _SAYING and cues.slot.type in ("string", "")
        if not cues.slot.many and not cues.is_credential
    }
    kinds = [[i for i, c in open_.items() if c.group == "query"]]
    kinds += [[i for i, c in open_.items() if c.slot.words[-1:] == (word,)] for word in _TEXTS]
    best = next((found for found in kinds if len(found) == 1), [])
    if len(own) == len(best) == 1:
        yield best[0], next(iter(own.values()))


def containers(view: View, profile: Profile) -> Iterator[MentionSpan]:
    """The plain words of the latest turn that something lies in: "it's in archive"."""
    last = len(view.document.segments) - 1
    for place, token in enumerate(view.document.tokens):
        before = view.document.tokens[place - 1].lower if place else ""
        own = token.segment == last and before in _IN and together(view, place - 1, place)
        own &= token.lower not in _IDIOMS and not (before == "en" and view.language == "fr")
        if own and is_name(view, profile, place) and ends(view, place + 1):
            yield view.word_span(place)


def spoken_numbers(view: View, cues: SlotCues) -> list[MentionSpan]:
    """The longest row of numbers with commas between, for a list of numbers."""
    if not cues.slot.many or cues.slot.type not in ("integer", "number"):
        return []
    rows: list[list[MentionSpan]] = []
    for span in sorted(
        (s for s in view.spans if s.mention.kind == "number"), key=lambda s: s.first
    ):
        last = rows[-1][-1].last if rows else span.first
        between = [token.text for token in view.document.tokens[last : span.first]]
        if between == [","]:
            rows[-1].append(span)
        else:
            rows.append([span])
    return max((row for row in rows if len(row) >= _ROW), key=len, default=[])


def _pattern(view: View) -> MentionSpan | None:
    """The only pattern of file names that is said."""
    found = [s for s in view.spans if s.mention.kind == "path" and "*" in s.mention.text]
    return found[0] if len(found) == 1 else None


def _year(view: View) -> MentionSpan | None:
    """The only year that is said, and is no part of a date."""
    days = [s for s in view.spans if s.mention.kind == "date"]
    found = [
        span
        for span in view.spans
        if span.mention.kind == "year"
        and not any(day.first < span.last and span.first < day.last for day in days)
    ]
    return found[0] if len(found) == 1 else None


def _counted(view: View, cues: SlotCues) -> MentionSpan | None:
    """The only number of what a slot counts: "2 levels deep", "for 30 days"."""
    about = {*cues.slot.words, *content_words(cues.slot.description)}
    names = {singular(word) for word in about} - GENERIC_WORDS
    found = {
        span.first: span
        for span in view.spans
        if span.mention.kind == "quantity"
        and isinstance(span.mention.value, Amount)
        and singular(glossed(span.mention.value.unit, view.language or "")) in names
    }
    return next(iter(found.values())) if len(found) == 1 else None


def _state(view: View) -> MentionSpan | None:
    """The last state that the user speaks of; "Open …" as the first word asks to do it."""
    tokens, document = view.document.tokens, view.document
    places = [
        place
        for place, token in enumerate(tokens)
        if token.lower in _STATES
        and document.segments[token.segment].role == "user"
        and place
        and document.sentences[place - 1] == document.sentences[place]
    ]
    return view.word_span(places[-1]) if places else None


def _state_abroad(view: View) -> MentionSpan | None:
    """The only state that a request in another language speaks of, in English: "失败的付款"."""
    last, found = len(view.document.segments) - 1, dict[str, int]()
    for place, token in enumerate(view.document.tokens if view.language else ()):
        english = glossed(token.text, view.language or "").split() if token.segment == last else ()
        found |= {word: place for word in english if word in _STATES}
    if len(found) != 1:
        return None
    state, place = found.popitem()
    span = view.word_span(place)
    return span._replace(mention=replace(span.mention, text=state, value=state))


def _doer(view: View, profile: Profile) -> MentionSpan | None:
    """Whoever a request asks what they did: "what has jonas been doing", "what did Ana change"."""
    tokens = view.document.tokens
    for place in range(2, len(tokens) - 1):
        asked = tokens[place - 2].lower in _WHAT and tokens[place - 1].lower in _HAS
        word = tokens[place]
        common = word.lower in STOP_WORDS | _NOBODY or word.concept in profile.vocabulary
        if asked and tokens[place + 1].lower in _DOING and word.is_word and not common:
            return view.word_span(place)
    return None
