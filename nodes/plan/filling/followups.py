"""Requests that go on where another stopped, and what the latest turn says against earlier ones.

"And now the same for the mem plugin"; "Weather in Rome" behind one of Oslo.
"""

import re
from collections.abc import Sequence

import numpy as np

from gretel.contracts.record import JsonValue
from gretel.nodes.plan.filling.fillings import Fillings
from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.profile import Profile, SlotCues
from gretel.nodes.plan.matching.values import to_value
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.currencies import currency_named
from gretel.nodes.plan.mentions.literals import is_firm
from gretel.nodes.plan.mentions.mention import Amount
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.text.words import REQUEST_VERBS, STOP_WORDS, concept, word_set

_GOES_ON = re.compile(
    r"\W*(?:(?:and|or|but|also|then|now|only|just|same|instead|what about|how about|und|jetzt|oder"
    r"|nur|et|ou|maintenant|y|ahora|solo|sólo|e|poi|(?:do|repeat) (?:it|that|the same)|again|sorry"
    r"|(?:no\W+)?i mean|(?:no\W+)?i meant|rather|make (?:it|that)|auch|nein|dasselbe|das gleiche"
    r"|aussi|non|la même chose|también|lo mismo)\b|那|那么|还有|再)",
    re.IGNORECASE,
)
"""How a request begins that goes on where another stopped, in some languages."""
_SHAPES = word_set("quoted path zone statement email url ip id number proper")
_AMOUNTS = word_set("number quantity money")
CONFIDENCE = 0.7
_SHORT = 10
"""Tokens of a request that leaves out what was said before; a longer one is a sentence of its own,
and its only plain word may be anything."""
_EMPTY = word_set(
    "one ones same now thing things first last next latest other repeat sorry meant mean instead"
)


def goes_on(view: View) -> bool:
    """Whether the request leans on an earlier turn."""
    segments = view.document.segments
    return len(segments) > 1 and _GOES_ON.match(segments[-1].text) is not None


def renew(fillings: Fillings) -> None:
    """Put what the request names in the place of what an earlier turn said of its kind.

    Of several slots the one that was filled from the last place is meant; among the steps of a
    path the innermost, which is what is spoken of: "the record x of the bucket y, and z". A request
    that does not say that it goes on renews codes only.
    """
    view, last = fillings.view, len(fillings.view.document.segments) - 1
    _set_in_folder(fillings, last)
    stale = {i: span for i, span in fillings.spans.items() if span.mention.segment < last}
    now = [span for index, span in fillings.spans.items() if index not in stale]
    used = {place for span in now for place in range(span.first, span.last)}
    used |= {n for each in fillings.found.values() if each.tokens for n in range(*each.tokens)}
    whole = goes_on(view)
    for fresh in _fresh(view, fillings.profile, used) if stale else []:
        if not whole and not is_firm(fresh.mention):
            continue
        for index in _by_focus(fillings, stale):
            cues = fillings.profile.cues[index]
            value = to_value(cues.slot, fresh.mention, view.today)
            if value is None or not _takes(cues, stale[index], fresh):
                continue
            if fillings.put(index, [fresh], _beside(stale[index], value), CONFIDENCE):
                del stale[index]
                break


def _set_in_folder(fillings: Fillings, last: int) -> None:
    """Put a bare file name in the folder that an earlier turn spoke of: "and now b.txt"."""
    earlier = [
        span
        for span in fillings.view.spans
        if span.mention.kind == "path" and span.mention.segment < last and _in_a_folder(span)
    ]
    fresh = {i: span for i, span in fillings.spans.items() if span.mention.segment == last}
    for index, span in fresh.items() if earlier and goes_on(fillings.view) else ():
        if span.mention.kind == "path" and "/" not in span.mention.text:
            cues = fillings.profile.cues[index]
            value = to_value(cues.slot, span.mention, fillings.view.today)
            old = max(earlier, key=lambda each: (each.mention.segment, each.first))
            if value is not None:
                sure = fillings.found[index].confidence
                fillings.put(index, [span], _beside(old, value), min(sure, CONFIDENCE))


def _in_a_folder(span: MentionSpan) -> bool:
    return "/" in span.mention.text.rstrip("/")[1:]


def _by_focus(fillings: Fillings, stale: dict[int, MentionSpan]) -> list[int]:
    """The slots, what is spoken of first."""
    cues = fillings.profile.cues
    last = sorted(stale, key=lambda i: -stale[i].first)
    steps = iter(sorted((i for i in last if cues[i].in_path), key=lambda i: -cues[i].step))
    return [next(steps) if cues[i].in_path else i for i in last]


def _fresh(view: View, profile: Profile, used: set[int]) -> list[MentionSpan]:
    """What the request itself names and no slot has taken: literals, else its only plain word."""
    last = len(view.document.segments) - 1
    own = [span for span in view.spans if span.mention.segment == last]
    shaped = [
        span
        for span in own
        if span.mention.kind in _SHAPES
        and used.isdisjoint(range(span.first, span.last))
        and (span.mention.kind != "id" or is_firm(span.mention) or len(span.mention.text) > 2)
    ]
    if shaped:
        widest = max(span.last - span.first for span in shaped)
        return [span for span in shaped if span.last - span.first == widest]
    said = sum(token.segment == last for token in view.document.tokens)
    words = [
        place
        for place, token in enumerate(view.document.tokens)
        if said <= _SHORT
        and token.segment == last
        and place not in used
        and _is_content(token.text, profile)
    ]
    return [view.word_span(words[0])] if len(words) == 1 else []


def _is_content(text: str, profile: Profile) -> bool:
    word = text.lower()
    common = word in STOP_WORDS or word in REQUEST_VERBS or word in _EMPTY
    plain = text.isascii() and text[0].isalpha() and not _GOES_ON.fullmatch(text)
    return plain and not common and concept(word) not in profile.vocabulary


def _takes(cues: SlotCues, old: MentionSpan, new: MentionSpan) -> bool:
    """Whether a slot that an earlier turn filled with `old` can mean `new` by now."""
    if new.mention.kind == "phrase":
        return old.mention.kind in ("phrase", "proper", "quoted", "id") and cues.group != "code"
    alike = old.mention.text.isupper() == new.mention.text.isupper()
    return old.mention.kind == new.mention.kind and (new.mention.kind != "id" or alike)


def _beside(old: MentionSpan, value: JsonValue) -> JsonValue:
    """A bare file name in the folder of the path that it takes the place of."""
    folder, slash, _ = old.mention.text.rpartition("/")
    named = old.mention.kind == "path" and isinstance(value, str) and "/" not in value
    return f"{folder}{slash}{value}" if named else value


STALE = 6.0
"""What a span of an earlier turn loses in log-odds where the latest says a value of its kind."""


def by_turn(
    fillings: Fillings, cues: SlotCues, spans: Sequence[MentionSpan], scores: Floats
) -> Floats:
    """What each span of a slot gains or loses because a later one can be meant in its place.

    Where it stands behind the same word, or the request leans on the turn before and it stands
    behind no such word, it gets the score of the one whose place it takes. An amount whose unit the
    latest turn says again behind the same word is stale for every slot, and so is a currency: "over
    7 years" where "over 10 years" is another's by now. What fills another slot takes no place.
    `scores`: log-odds.
    """
    gains = np.zeros(len(spans), dtype=np.float32)
    view, last = fillings.view, len(fillings.view.document.segments) - 1
    fresh = [row for row, span in enumerate(spans) if last and _is_fresh(fillings, cues, span)]
    stale = [row for row, span in enumerate(spans) if fresh and span.mention.segment < last]
    whole = bool(stale) and goes_on(view)
    said_again = {_place(view, span) for span in view.spans if span.mention.segment == last}
    gone = {
        row
        for row, span in enumerate(spans)
        if span.mention.segment < last and _unit(span) and _place(view, span) in said_again
    }
    for old in stale:
        own = [row for row in fresh if _alike(view, spans[old], spans[row])]
        heirs = [row for row in own if _is_heir(view, spans, old, row, stale, whole)]
        if heirs:
            gone.add(old)
            best = max(heirs, key=lambda row: scores[row])
            gains[best] = max(gains[best], scores[old] - scores[best])
    gains[list(gone)] -= STALE
    return gains


def _is_fresh(fillings: Fillings, cues: SlotCues, span: MentionSpan) -> bool:
    """Whether the latest turn says a value of the slot here that fills no other."""
    view, mention = fillings.view, span.mention
    latest = mention.segment == len(view.document.segments) - 1 and mention.kind != "phrase"
    free = latest and fillings.used.cost(cues.group, span) == 0
    return free and to_value(cues.slot, mention, view.today) is not None


def _alike(view: View, old: MentionSpan, new: MentionSpan) -> bool:
    """Whether two spans are of one kind; behind an answer "300" is of that of "275 EUR", too."""
    kinds = {old.mention.kind, new.mention.kind}
    answered = any(turn.role != "user" for turn in view.document.segments[old.mention.segment : -1])
    return len(kinds) == 1 or (answered and kinds <= _AMOUNTS)


def _is_heir(
    view: View, spans: Sequence[MentionSpan], old: int, new: int, stale: Sequence[int], whole: bool
) -> bool:
    """Whether a span stands where the older one stood: "to Lisbon" for "to Madrid"."""
    kind, place = spans[old].mention.kind, _place(view, spans[new])
    same = [row for row in stale if spans[row].mention.kind == kind]
    alike = [row for row in same if _place(view, spans[row]) == place]
    return old in alike or (whole and not alike)


def _place(view: View, span: MentionSpan) -> tuple[str, str]:
    """The word before a span, '' at the beginning of its turn, and the unit of a number."""
    tokens, place = view.document.tokens, span.first - 1
    while place >= 0 and not tokens[place].is_word:
        place -= 1
    inside = place >= 0 and tokens[place].segment == span.mention.segment
    return (tokens[place].lower if inside else ""), _unit(span)


def _unit(span: MentionSpan) -> str:
    """What an amount is counted in, singular; of a currency that it is one; '' of all else."""
    value = span.mention.value
    if isinstance(value, Amount):
        return value.unit.removesuffix("s")
    return "currency" if currency_named(span.mention.text) else ""
