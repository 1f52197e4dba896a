"""How many results are asked for: "give me 5 cat GIFs", "the last 3", "no more than 4"."""

import re
from typing import Literal, NamedTuple, TypeAlias

from gretel.nodes.plan.filling.filling import BEGINNING
from gretel.nodes.plan.filling.followups import goes_on
from gretel.nodes.plan.matching.profile import SlotCues, Slots
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.mentions.mention import Amount, Mention
from gretel.nodes.plan.mentions.phrases import is_count
from gretel.nodes.plan.mentions.spans import MentionSpan, Placed
from gretel.text.gloss import glossed
from gretel.text.identifiers import split_identifier
from gretel.text.words import REQUEST_VERBS, STOP_WORDS, content_words, stem, word_list, word_set

Side: TypeAlias = Literal["first", "last", "skip", ""]
"""Which end of a list a count speaks of, or that so many are left out."""

_LIMITS = word_set(
    """limit count size results top rows rpp maxresults pagesize n num hits lines take perpage head
    tail"""
)
_SKIPS = word_set("offset skip start")
_FIRST = word_set(
    """first top next erste ersten nächsten premiers premières prochains prochaines primeros
    primeras próximos próximas primi prime"""
)
_LAST = word_set(
    """last latest newest recent final letzten neuesten jüngsten derniers dernières últimos últimas
    recientes ultimi ultime"""
)
_SUPERLATIVES = word_set("oldest earliest biggest largest smallest best cheapest longest shortest")
_MOST = re.compile(
    r"(?:\b(?:no|not) more than|\bat (?:the )?most|\bup to|\bmax(?:imum)?(?: of)?|\bonly|\bjust"
    r"|\blimit(?:ed)?(?: it)?(?: to| of| is)?|\blimit(?:ed)? the [\w ]{1,30} to"
    r"|\bhöchstens|\bmaximal|\bau plus|\bau maximum"
    r"|\bcomo (?:máximo|mucho)|\bmáximo|最多|不超过|每页(?:显示)?)\s*$",
    re.IGNORECASE,
)
_PER_PAGE = re.compile(
    r"\s*(?:\w+ )?(?:per|a|each|on each|pro|je|par|por) (?:page|seite|página)\b"
    r"|\s*at (?:a time|once)\b",
    re.IGNORECASE,
)
_ENOUGH = re.compile(
    r"\s*(?:(?:\w+ )?(?:at (?:the )?most|max(?:imum)?|tops)\b|of (?:them|those|these)\b|each\b"
    r"|(?:will|would) do\b|(?:is|are) (?:enough|plenty|fine)\b|suffice)",
    re.IGNORECASE,
)
_SHOWS = re.compile(
    r"\b(?:show|give|list|fetch|return|display|get|only)(?: me)?\s*$", re.IGNORECASE
)
_OVER = re.compile(r"\s*(?:[.,;!?]|$)")
_OPENS = re.compile(r"(?:^|[.!?:]\s)\s*$")
_SOME = re.compile(r"\s(?:[a-z]+ )?[a-z]+s\b")
"""With `_SHOWS`, `_OVER` and `_OPENS`: "Show 20.", "10 bands from Oslo"."""
_SKIPPED = re.compile(
    r"\b(?:skip(?:ping)?|leave out|offset)\b(?: of)?(?: the)?(?: first)?\s*$", re.I
)
_CJK_FIRST, _CJK_LAST = re.compile(r"(?:前|下)\s*$"), re.compile(r"(?:最近|最后|最後|最新)的?\s*$")
_NTH = {
    word: number
    for number, words in enumerate(
        (
            "first erste ersten première primera",
            "second zweite zweiten deuxième segunda",
            "third dritte dritten troisième tercera",
            "fourth vierte vierten quatrième cuarta",
            "fifth fünfte fünften cinquième quinta",
        ),
        1,
    )
    for word in word_list(words)
}
_NTH_PAGE = re.compile(
    rf"\b({'|'.join(_NTH)}|\d{{1,6}}(?:st|nd|rd|th|e|ème|ª|\.)) (?:page|seite|página)\b"
    r"|\b(?:page|seite|página)(?: number| no\.?)? (\d{1,6})\b",
    re.IGNORECASE,
)
_PAGES = word_set("page p pagenumber pagenum pageno")
_TIMES = frozenset(word_list("second minute hour day night week weekend month quarter year decade"))
_MEASURES = word_set("char character token byte word pixel point pos acces statu addres")
"""What else is counted but results; as `removesuffix` leaves it."""
_MOST_OF = word_set("max maximum limit num number n first top head")
"""What the name of a limit begins with that says of what: `max_chars`."""
_SHORTEST = 3
"""Letters of an abbreviated unit: `max_res`."""
_LONGEST = 4
"""Digits of a number of things; longer ones are mostly codes: "in list 84839422"."""
_READ = 30
"""Characters before a number that are looked at."""
CONFIDENCE = 0.8


class Count(NamedTuple):
    """A number that says how many."""

    span: MentionSpan
    side: Side


def pages(view: View, slots: Slots) -> Placed:
    """The slot for the page, where the request counts pages: "the second page"."""
    numbers = ((i, c.slot.name) for i, c in slots.items() if c.slot.kind == "number")
    places = [i for i, name in numbers if name.replace("_", "").lower() in _PAGES]
    number, tokens = len(view.document.segments) - 1, view.document.tokens
    found = list(_NTH_PAGE.finditer(view.document.segments[number].text[:BEGINNING]))
    for index, match in zip(places, found[-1:], strict=False):
        group = match.lastindex or 1
        nth = _NTH.get(match[group].lower()) or int(re.sub(r"\D", "", match[group]))
        first = next(
            i for i, t in enumerate(tokens) if t.segment == number and t.end > match.start(group)
        )
        mention = Mention("number", match[group], Amount(nth), number, *match.span(group))
        yield index, MentionSpan(mention, first, first + 1)


def limits(view: View, slots: Slots) -> Placed:
    """The slots that limit how many results come back, and from where on, with what they get.

    The request says it, or where it goes on and does not, the turn before.
    """
    last = len(view.document.segments) - 1
    found = _counts(view, last) or (_counts(view, last - 1) if goes_on(view) else [])
    left = dict(slots)
    for count in reversed(found):
        units = _units(view, count.span)
        own = [index for index, cues in left.items() if _counts_off(cues, count, units)]
        places = own or [index for index, cues in left.items() if _fits(cues, count)]
        if places:
            del left[places[0]]
            yield places[0], count.span


def _counts(view: View, segment: int) -> list[Count]:
    """The numbers of a turn that say how many are asked for, or are left out."""
    text = view.document.segments[segment].text
    found = []
    for span in view.spans:
        mention = span.mention
        before, behind = text[max(0, mention.start - _READ) : mention.start], text[mention.end :]
        # the 7 of "the last 7d" is a part of a word
        part = view.document.tokens[span.last - 1].end != mention.end
        if (
            mention.kind != "number"
            or mention.segment != segment
            or part
            or not _is_whole(mention.text, before)
        ):
            continue
        side = "" if _is_enough(before, behind) else _side(view, span, before)
        if side is not None and not _times(view, span):
            found.append(Count(span, side))
    return found


def _is_enough(before: str, behind: str) -> bool:
    """Whether so many are all that is wanted: "20 per page", "10 will do", "Show 20."."""
    alone = _SHOWS.search(before) and _OVER.match(behind)
    first = _OPENS.search(before) and _SOME.match(behind)
    return bool(_PER_PAGE.match(behind) or _ENOUGH.match(behind) or alone or first)


def _is_whole(text: str, before: str) -> bool:
    """Whether a number is one of things: digits, or a word for several ("the last one" is none)."""
    if text.lower() in ("one", "single"):
        return _MOST.search(before) is not None
    return text.isdigit() and len(text) <= _LONGEST or text.replace(" ", "").isalpha()


def _fits(cues: SlotCues, count: Count) -> bool:
    """Whether a slot limits how many results come back, or from where on, as the count says."""
    slot = cues.slot
    if slot.kind not in ("number", "text") or slot.many:
        return False
    words = split_identifier(slot.name)
    names = {words[-1], "".join(words[-2:])} if words else set()
    if count.side == "skip":
        return bool(names & _SKIPS)
    ends = {end for end in ("first", "last") if re.search(rf"\b{end}\b", slot.description, re.I)}
    limits = bool(names & _LIMITS) or _is_most_of(words)
    return limits and (len(ends) != 1 or count.side in ends)


def _is_most_of(words: tuple[str, ...]) -> bool:
    """Whether a name limits how many things come back, whatever they are: `max_trades`."""
    counted = len(words) == 2 and words[0] in ("max", "num", "top") and words[1].endswith("s")
    things = counted and words[1].removesuffix("s") not in _TIMES | _MEASURES
    return things or words == ("max",)


def _units(view: View, span: MentionSpan) -> frozenset[str]:
    """Stems of what a number counts, in English: "60 caracteres", "前60个字符"."""
    for token in view.document.tokens[span.last : span.last + 1]:
        english = glossed(token.text, view.language) if view.language else token.text
        return frozenset(stem(word) for word in content_words(english))
    return frozenset()


def _counts_off(cues: SlotCues, count: Count, units: frozenset[str]) -> bool:
    """Whether a slot limits how many of just these things come back: `max_chars`, `num_lines`."""
    words = split_identifier(cues.slot.name)
    if cues.slot.kind != "number" or cues.slot.many or count.side not in ("first", ""):
        return False
    thing = words[-1] if words[:1] and words[0] in _MOST_OF else ""
    return len(thing) >= _SHORTEST and any(unit.startswith(stem(thing)) for unit in units)


def _side(view: View, span: MentionSpan, before: str) -> Side | None:
    """What the words before a number say of it; None where it is no count."""
    if _SKIPPED.search(before):
        return "skip"
    tokens = view.document.tokens
    lead = tokens[span.first - 1].lower if span.first else ""
    if lead in _FIRST or _CJK_FIRST.search(before):
        return "first"
    behind = {token.lower for token in tokens[span.last : span.last + 2]}
    if lead in _SUPERLATIVES and view.document.tokens[span.last :]:
        return ""
    if lead in _LAST or behind & _LAST or _CJK_LAST.search(before):
        return "last"
    counts = is_count(tokens, span.first) or _is_object(view, span)
    return "" if counts or _MOST.search(before) else None


def _is_object(view: View, span: MentionSpan) -> bool:
    """Whether so many things are what an order asks for: "find the volunteers five jobs"."""
    tokens, sentences = view.document.tokens, view.document.sentences
    start = sentences.index(sentences[span.first])
    behind = tokens[span.last : span.last + 1]
    several = bool(behind) and behind[0].text.islower() and behind[0].lower.endswith("s")
    between = [token.lower for token in tokens[start + 1 : span.first]]
    asked = tokens[start].lower in REQUEST_VERBS and len(between) in (1, 2)
    return several and asked and STOP_WORDS.isdisjoint(between[1:])


def is_time(view: View, cues: SlotCues, span: MentionSpan) -> bool:
    """Whether time is counted, and a slot counts results: "the last 3 days" is no page of three."""
    name, said = cues.slot.name, f"{cues.slot.name} {cues.slot.description}".lower()
    limits = cues.slot.kind == "number" and not _LIMITS.isdisjoint(split_identifier(name)[-1:])
    return limits and any(unit not in said for unit in _times(view, span))


def _times(view: View, span: MentionSpan) -> set[str]:
    """The unit of time, in English, that a number counts."""
    last = span.last - (span.mention.kind == "quantity")
    behind = (token.text for token in view.document.tokens[last : last + 1])
    english = (glossed(word, view.language) if view.language else word for word in behind)
    return {word.lower().removesuffix("s") for word in english} & _TIMES
