"""Mention spans: all mentions of a conversation, the tokens they cover, and what they stand for."""

import bisect
import datetime as dt
import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from gretel.contracts.ranking import Request
from gretel.nodes.plan.mentions.dates import date_mentions
from gretel.nodes.plan.mentions.document import Document, Token
from gretel.nodes.plan.mentions.literals import is_firm
from gretel.nodes.plan.mentions.mention import Amount, Mention, Moment, Place
from gretel.nodes.plan.mentions.patterns import pattern_mentions
from gretel.nodes.plan.mentions.phrases import phrase_mentions
from gretel.nodes.plan.mentions.places import place_mentions
from gretel.text.words import word_set

MAX_SPANS = 900
_MONTH_FIRST = frozenset({"US", "PH", "FM", "PW", "MH", ""})
"""Territories that write 3/4 for March 4; plain `en` counts as American."""


class MentionSpan(NamedTuple):
    """A mention and the tokens it covers."""

    mention: Mention
    first: int
    last: int
    """One past the last token."""


Placed: TypeAlias = Iterator[tuple[int, MentionSpan]]
"""Slots, by their index, with what goes into them."""


def _typed(request: Request, document: Document, today: dt.date) -> list[Mention]:
    language, _, territory = request.locale.replace("_", "-").partition("-")
    month_first = territory.upper() in _MONTH_FIRST and language.lower() == "en"
    mentions: list[Mention] = []
    ends = {token.segment: token.end for token in document.tokens}
    for number, end in ends.items():
        text = document.segments[number].text[: end + 1]
        mentions += date_mentions(text, number, today, month_first=month_first)
        mentions += pattern_mentions(text, number)
    return _outermost(mentions + place_mentions(document))


def _outermost(mentions: list[Mention]) -> list[Mention]:
    """All but what lies within a literal, or begins or ends there."""
    firm = [mention for mention in mentions if is_firm(mention)]

    def cuts(mention: Mention, outer: Mention) -> bool:
        apart = mention.end <= outer.start or outer.end <= mention.start
        around = mention.start <= outer.start and outer.end <= mention.end
        return mention.segment == outer.segment and not apart and not around

    return [each for each in mentions if not any(cuts(each, outer) for outer in firm)]


def _cuts(first: int, last: int, code: MentionSpan) -> bool:
    """Whether the tokens first…last-1 begin or end within a code."""
    apart = last <= code.first or code.last <= first
    return not apart and not (first <= code.first and code.last <= last)


def read_spans(request: Request, document: Document) -> list[MentionSpan]:
    """At most `MAX_SPANS`, in order of kind of evidence: shaped mentions before phrases."""
    starts = [(token.segment, token.start) for token in document.tokens]
    found: dict[tuple[object, ...], MentionSpan] = {}
    for mention in _typed(request, document, dt.date.fromisoformat(request.today)):
        first = bisect.bisect_right(starts, (mention.segment, mention.start)) - 1
        last = bisect.bisect_left(starts, (mention.segment, mention.end))
        if 0 <= first < last:
            key = (mention.kind, mention.segment, mention.start, mention.end, mention.value)
            found.setdefault(key, MentionSpan(mention, first, last))
    shaped = {
        (c.mention.segment, c.mention.start, c.mention.end)
        for c in found.values()
        if c.mention.kind in ("email", "url", "quoted", "ip", "phone")
    }
    codes = [s for s in found.values() if s.mention.kind == "id" and s.last - s.first > 1]
    for mention, first, last in phrase_mentions(document):
        cut = any(_cuts(first, last, code) for code in codes)
        if (mention.segment, mention.start, mention.end) not in shaped and not cut:
            key = (mention.kind, mention.segment, mention.start, mention.end, mention.value)
            found.setdefault(key, MentionSpan(mention, first, last))
    return list(found.values())[:MAX_SPANS]


def codes_of(spans: list[MentionSpan]) -> dict[object, MentionSpan]:
    """Each of them with the first mention that stands for it."""
    codes: dict[object, MentionSpan] = {}
    for span in spans:
        value = span.mention.value
        names: tuple[object, ...] = (value,)
        if isinstance(value, Place):
            names = (value.metro, value.airport, value.country, value.name)
        elif isinstance(value, Amount):
            names = (value.number, value.currency, value.currency.casefold())
        elif isinstance(value, Moment):
            names = _moment_names(value, span.mention.text)
        elif span.mention.kind == "currency":
            names = (value, str(value).casefold())
        for name in names:
            if name != "":
                codes.setdefault(name, span)
    return codes


def _moment_names(moment: Moment, text: str) -> tuple[object, ...]:
    """A day as ISO writes it, without its year where none was said; a time of day as `HH:MM`."""
    names = []
    if moment.date:
        said = re.search(r"\d{4}", text)
        names = [moment.date.isoformat(), "" if said else f"{moment.date:%m-%d}"]
    return (*names, f"{moment.time:%H:%M}" if moment.time else "")


_AND = word_set("and or & und oder et ou y o 和 与 及")
_BETWEEN = _AND | {","}
_QUOTES = word_set("\" ' “ ” ‘ ’")
_ALIKE = word_set("phrase proper id")
_MOST = 20


def is_coordinated(document: Document, span: MentionSpan) -> bool:
    """Whether a phrase reads like two conjuncts of a list: "comedy and drama"."""
    inner = document.tokens[span.first : span.last]
    return span.mention.kind == "phrase" and any(token.lower in _AND for token in inner)


def conjuncts(
    document: Document, chosen: MentionSpan, others: list[MentionSpan]
) -> list[MentionSpan]:
    """`chosen` and those of `others` that are coordinated with it, in the order of the text.

    Of several that begin or end at the same place, one of the kind of `chosen` is the conjunct,
    else one that is no plain phrase, else the longest: "the entries Ada Lin and Bo Ek" has no
    "entries Ada Lin".
    """

    def rank(peer: MentionSpan) -> tuple[bool, bool, int]:
        kind = peer.mention.kind
        return kind == chosen.mention.kind, kind != "phrase", peer.last - peer.first

    peers = [other for other in others if _is_peer(document, chosen, other)]
    group = [chosen]
    while len(group) < _MOST:
        first, last = group[0], group[-1]
        after = [p for p in peers if _is_link(document.tokens[last.last : p.first])]
        before = [p for p in peers if _is_link(document.tokens[p.last : first.first])]
        if after:
            group.append(max(after, key=rank))
        elif before:
            group.insert(0, max(before, key=rank))
        else:
            break
    return group


def _is_peer(document: Document, chosen: MentionSpan, other: MentionSpan) -> bool:
    kinds = {chosen.mention.kind, other.mention.kind}
    return (len(kinds) == 1 or kinds <= _ALIKE) and not is_coordinated(document, other)


def _is_link(gap: tuple[Token, ...]) -> bool:
    """Whether only a comma, a conjunction or both stand between two conjuncts."""
    words = [token.lower for token in gap if token.lower not in _QUOTES]
    return 0 < len(words) <= 2 and all(word in _BETWEEN for word in words)
