"""Features of a mention span by itself, whatever the tool: its form and its neighbours."""

import numpy as np

from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.mentions.document import Document
from gretel.nodes.plan.mentions.mention import KINDS
from gretel.nodes.plan.mentions.phrases import runs
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.text.words import REQUEST_VERBS, STOP_WORDS, word_list, word_set

_BEFORE = (
    "of", "for", "in", "at near around", "on", "from", "to into", "by", "with",
    "about regarding concerning", "named called titled entitled name", "is are was be as :",
    "using via through", "the a an", "my his her our", "and or , &",
)  # fmt: skip
_AFTER = ("of", "and or ,", ". ? ! ;", "in on at for from to by with", "is are was")
_BEFORE_OF = {word: f"before:{group.split()[0]}" for group in _BEFORE for word in group.split()}
_AFTER_OF = {word: f"after:{group.split()[0]}" for group in _AFTER for word in group.split()}
"""Word beside a span → its feature."""
_SHAPES = word_set("quoted email url date phone id ip coordinates money")

STATIC = (
    *KINDS,
    *dict.fromkeys(_BEFORE_OF.values()),
    *word_list("before:verb before:start before:other"),
    *dict.fromkeys(_AFTER_OF.values()),
    *word_list(
        """
        after:end after:other run_start run_end whole_run words:1 words:2 words:3 words:4+ words:log
        capital stop_inside verb_first inside_shaped beside_date beside_place beside_number digits
        count_first earlier_turn not_user ago cut
        """
    ),
)
"""Features of a mention span by itself."""


def _neighbours(document: Document, span: MentionSpan) -> dict[str, float]:
    tokens, sentences = document.tokens, document.sentences
    first, last = span.first, span.last
    found: dict[str, float] = {}
    before = first - 1
    while before >= 0 and tokens[before].text in "\"'“‘`(":
        before -= 1
    if before < 0 or sentences[before] != sentences[first]:
        found["before:start"] = 1
    elif (group := _BEFORE_OF.get(tokens[before].lower)) is not None:
        found[group] = 1
    elif tokens[before].lower in REQUEST_VERBS:
        found["before:verb"] = 1
    else:
        found["before:other"] = 1
    after = last
    while after < len(tokens) and tokens[after].text in "\"'”’`)":
        after += 1
    if after >= len(tokens) or tokens[after].segment != tokens[first].segment:
        found["after:end"] = 1
    elif (group := _AFTER_OF.get(tokens[after].lower)) is not None:
        found[group] = 1
    else:
        found["after:other"] = 1
    return found


def _form(
    document: Document, span: MentionSpan, borders: tuple[set[int], set[int]]
) -> dict[str, float]:
    tokens = document.tokens[span.first : span.last]
    words = [token for token in tokens if token.is_word]
    segment = document.segments[span.mention.segment]
    start, end = span.first in borders[0], span.last in borders[1]
    count = max(len(words), 1)
    return {
        span.mention.kind: 1,
        "run_start": start,
        "run_end": end,
        "whole_run": start and end,
        f"words:{count}" if count < 4 else "words:4+": 1,
        "words:log": float(np.log(count)),
        "capital": span.mention.text[0].isupper(),
        "stop_inside": any(token.lower in STOP_WORDS for token in words),
        "verb_first": bool(words) and words[0].lower in REQUEST_VERBS,
        "digits": any(letter.isdigit() for letter in span.mention.text),
        "count_first": len(words) > 1 and words[0].text.isdigit(),
        "earlier_turn": segment.origin == "message",
        "not_user": segment.role != "user",
        "ago": (len(document.segments) - 1 - span.mention.segment) ** 0.5,
        "cut": _is_cut(document, span),
    }


def _is_cut(document: Document, span: MentionSpan) -> bool:
    """Whether capitalised words go on beside a span of such words: "Lind" of "Tomas Lind"."""
    tokens, sentences = document.tokens, document.sentences

    def goes_on(place: int, beside: int) -> bool:
        inside = 0 <= place < len(tokens) and sentences[place] == sentences[beside]
        return inside and tokens[place].text[:1].isupper() and tokens[beside].text[:1].isupper()

    before = span.first - 1
    opens = before < 1 or sentences[before - 1] != sentences[before]
    plain = span.mention.kind in ("phrase", "proper", "city", "country")
    return plain and (
        not opens and goes_on(before, span.first) or goes_on(span.last, span.last - 1)
    )


def _covered(spans: list[MentionSpan]) -> list[bool]:
    """Whether each lies strictly inside a mention that has a shape of its own."""
    shaped = [c.mention for c in spans if c.mention.kind in _SHAPES]
    return [
        any(
            other.segment == own.segment
            and other.start <= own.start
            and own.end <= other.end
            and other.end - other.start > own.end - own.start
            and not (other.kind in ("id", "money") and own.kind in ("number", "money"))
            for other in shaped
        )
        for own in (c.mention for c in spans)
    ]


OVERLAPS: dict[str, frozenset[str]] = {
    "beside_date": frozenset({"date", "time", "period"}),
    "beside_place": frozenset({"city", "country"}),
    "beside_number": frozenset({"number"}),
}
"""Feature of spans of other kinds → the kinds of mention that they share a token with."""


def _overlaps(spans: list[MentionSpan], name: str) -> Floats:
    """Whether each phrase shares a token with a mention of a kind that says more."""
    kinds = OVERLAPS[name]
    taken: set[int] = set()
    firm: set[int] = set()
    for span in spans:
        if span.mention.kind in kinds:
            taken.update(range(span.first, span.last))
            if span.mention.kind != "period":
                firm.update(range(span.first, span.last))

    def beside(span: MentionSpan) -> bool:
        # the two of "the past two weeks" is a number all the same
        own = firm if span.mention.kind in ("number", "quantity") else taken
        tokens = range(span.first, span.last)
        return span.mention.kind not in kinds and not own.isdisjoint(tokens)

    return np.asarray([beside(span) for span in spans], dtype=np.float32)


def span_features(document: Document, spans: list[MentionSpan]) -> Floats:
    """Spans × `STATIC`."""
    column = {name: place for place, name in enumerate(STATIC)}
    matrix = np.zeros((len(spans), len(STATIC)), dtype=np.float32)
    found = runs(document)
    borders = {start for start, _ in found}, {end for _, end in found}
    covered = _covered(spans)
    for row, span in enumerate(spans):
        said = _form(document, span, borders) | _neighbours(document, span)
        for name, value in said.items():
            matrix[row, column[name]] = value
        matrix[row, column["inside_shaped"]] = covered[row]
    for name in OVERLAPS:
        matrix[:, column[name]] = _overlaps(spans, name)
    return matrix
