"""A conversation with its mention spans and their features, read once for many tools."""

import datetime as dt
import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gretel.contracts.ranking import Request
from gretel.nodes.plan.matching.arrays import Floats, Indices
from gretel.nodes.plan.matching.contextual import Heard, heard
from gretel.nodes.plan.matching.span_features import span_features
from gretel.nodes.plan.matching.surface import Surface, read_surface
from gretel.nodes.plan.mentions.document import Document, Token, read_document
from gretel.nodes.plan.mentions.literals import CJK
from gretel.nodes.plan.mentions.mention import KINDS, Mention
from gretel.nodes.plan.mentions.spans import MentionSpan, codes_of, read_spans
from gretel.text.gloss import LANGUAGES, glossed
from gretel.text.language import foreign_language
from gretel.text.words import concept, stem, word_set

ALIKE = 5
"""Letters at the beginning that make two long words alike."""
_IS_CJK = re.compile(rf"[{CJK}]")
_CODED = re.compile(r"[\d_]|\w[-./:]\w")
ORDINARY = word_set(
    """whole entire complete full new old current last latest next previous same other first second
    third default specific particular given only single different own right wrong main recent
    following certain exact actual oldest newest least most biggest largest smallest best total
    one two three both all any each every another few several many"""
)
"""Adjectives and numbers, which are no names."""
PRONOUNS = word_set(
    """myself yourself itself himself herself themselves ourselves something anything everything
    nothing someone anyone everyone one ones"""
)
"""They stand for what was named elsewhere, or for nothing."""
_ASKED_ABROAD = word_set(
    """wer wen wem was wo wohin wann wie wieviel wieviele welche welcher welches welchem welchen
    qui que quoi où quand comment combien quel quelle quels quelles qu'est-ce qué quién quiénes cuál
    cuáles cuánto cuánta cuántos cuántas cómo dónde cuándo gib zeig zeige nenne liste beschreib
    beschreibe öffne suche finde dame muestra muéstrame lista abre busca donne montre affiche
    cherche ouvre"""
)
"""What begins a question or an order in another language; no part of a name there."""
_LEADING_ABROAD = word_set(
    """dans le les de des du en sur avec pour dont une ist sind in im am auf mit aus der die das dem
    den und oder está están los las del con por que qui que y ou"""
)
"""Function words of other languages, behind or before which no name goes on."""
_TURNED = re.compile(r"[^\W\d_]+(?:-t)?-(?:je|tu|ils?|elles?|on|nous|vous|ce|moi|les?|la|lui|leur)")
"""A French verb with its pronoun: "avons-nous", "montre-moi"."""
_LONGEST_CJK = 6
"""Characters of a name in a script without blanks; a longer run is a sentence."""
LONGEST_NAME = 4
"""Words of a name that no capitals or quotes set off."""
_LINKING = word_set("of the is are was be : = a an named called titled as \" ' “ ‘ with to")


@dataclass(frozen=True, eq=False)
class View:
    """One conversation, ready to be matched with any tool's slots."""

    document: Document
    spans: tuple[MentionSpan, ...]
    today: dt.date
    kinds: Indices
    """Kind of each span, as its place in `KINDS`."""
    surface: Surface
    static: Floats
    """Spans × `STATIC`."""
    before: Floats
    """Tokens × spans: nearness of a token that stands before the span, in (0, 1]."""
    after: Floats
    inside: Floats
    sizes: Floats
    """Tokens of each span."""
    positions: dict[str, list[int]]
    """Concept → tokens."""
    beginnings: dict[str, int]
    """First letters of a long concept → its first token."""
    codes: dict[object, MentionSpan]
    """Numbers, names and codes that mentions stand for → the first such mention."""
    glosses: dict[str, tuple[int, ...]]
    """Stem of the English of a word in another language → tokens, see `text/gloss.py`."""
    language: str | None
    """Of the request, where it is not English."""
    letters: str
    """All that was said, lower case, without blanks and hyphens."""
    sentence: Indices
    """Sentence of each span."""
    order: Indices
    """Place of each span among those of its kind, by position."""

    @cached_property
    def heard(self) -> Heard:
        """The spans in their context; the encoder reads them when they are first asked for."""
        return heard(self.document, self.spans)

    def is_loose(self, span: MentionSpan, nouns: frozenset[str]) -> bool:
        """Whether a phrase is no name: long, around a code, or with the noun of what is named.

        In another language, too, where it asks, or is a whole sentence without blanks.
        """
        if span.mention.kind != "phrase":
            return False
        tokens = self.document.tokens[span.first : span.last]
        coded = len(tokens) > 1 and any(_CODED.search(token.text) for token in tokens)
        common = all(token.lower in ORDINARY for token in tokens)
        own = any(stem(token.lower) in nouns for token in tokens)
        asks = self.language and any(token.lower in _ASKED_ABROAD for token in tokens)
        run = any(_IS_CJK.match(t.text) and len(t.text) > _LONGEST_CJK for t in tokens)
        return bool(len(tokens) > LONGEST_NAME or coded or common or own or asks or run)

    def is_pronoun(self, span: MentionSpan) -> bool:
        """Whether a phrase is a pronoun, which names nothing."""
        tokens = self.document.tokens[span.first : span.last]
        return span.mention.kind == "phrase" and all(each.lower in PRONOUNS for each in tokens)

    def is_clause(self, span: MentionSpan) -> bool:
        """Whether a phrase of another language holds its function words: "dans le coffre X"."""
        tokens = self.document.tokens[span.first : span.last]
        plain = span.mention.kind in ("phrase", "proper") and self.language is not None
        return plain and any(token.lower in _LEADING_ABROAD for token in tokens)

    def is_code(self, span: MentionSpan) -> bool:
        """Whether a span is what names are made of that machines read: `t-101`, `billing-api`."""
        joined = "-" in span.mention.text and span.mention.text.islower()
        joined &= not (self.language == "fr" and _TURNED.fullmatch(span.mention.text))
        alone = span.last - span.first == 1 and joined
        return span.mention.kind in ("id", "quoted", "path", "number", "phone") or alone

    @property
    def is_single(self) -> bool:
        """Whether all that is said is a single sentence."""
        return len({self.document.sentences[span.first] for span in self.spans}) == 1

    def word_span(self, first: int, last: int | None = None) -> MentionSpan:
        """A single token as a value, or those up to `last`, one past the last."""
        last = first + 1 if last is None else last
        text, token = self.document.text(first, last), self.document.tokens[first]
        end = self.document.tokens[last - 1].end
        return MentionSpan(
            Mention("phrase", text, text, token.segment, token.start, end), first, last
        )


def _costs(document: Document) -> Floats:
    """Running distance along the text; link words are short, commas and full stops are long."""
    steps = []
    for index, token in enumerate(document.tokens):
        step = 0.3 if token.lower in _LINKING else 1.0
        if token.text in ",;" or token.lower in ("and", "or"):
            step = 2.0
        if index and document.sentences[index] != document.sentences[index - 1]:
            step += 8.0
        steps.append(step)
    return np.cumsum(np.asarray(steps, dtype=np.float32))


def _nearness(document: Document, first: Indices, last: Indices) -> tuple[Floats, Floats, Floats]:
    place = _costs(document)
    index = np.arange(len(place))[:, None]
    begin, end = place[first][None, :], place[last - 1][None, :]
    ahead = np.where(
        index < first[None, :], np.exp(np.minimum(place[:, None] - begin + 1.0, 0.0) / 3.0), 0.0
    )
    behind = np.where(
        index >= last[None, :], np.exp(np.minimum(end - place[:, None] + 1.0, 0.0) / 2.0), 0.0
    )
    within = (index >= first[None, :]) & (index < last[None, :])
    return ahead.astype(np.float32), behind.astype(np.float32), within.astype(np.float32)


def _order(spans: list[MentionSpan]) -> Indices:
    seen: dict[str, int] = {}
    order = np.zeros(len(spans), dtype=np.intp)
    for row in sorted(range(len(spans)), key=lambda row: spans[row].first):
        kind = spans[row].mention.kind
        order[row] = seen.get(kind, 0)
        seen[kind] = seen.get(kind, 0) + 1
    return order


def compact(text: str) -> str:
    """Lower case without blanks, hyphens and underscores, so that spellings can be compared."""
    return re.sub(r"[\s_-]", "", text.casefold())


def _concepts(token: Token) -> list[str]:
    """The concepts of a token: its own, and those of a compound's components."""
    if not token.is_word:
        return []
    inner = [concept(piece) for piece in re.split(r"[-_/]", token.text) if piece]
    return [token.concept, *inner] if len(inner) > 1 else [token.concept]


def _glosses(document: Document, language: str | None) -> dict[str, tuple[int, ...]]:
    """The stems that nouns are told by; of a run of Chinese characters that of the last word."""
    found: dict[str, tuple[int, ...]] = {}
    for place, token in enumerate(document.tokens) if language in LANGUAGES else ():
        english = glossed(token.text, language) if token.is_word and language else ""
        if english and english != token.text:
            root = stem(english.split()[-1])
            found[root] = (*found.get(root, ()), place)
    return found


def read_view(request: Request) -> View:
    """Read a request once, for all tools that will be tried on it."""
    document = read_document(request)
    spans = read_spans(request, document)
    first = np.asarray([c.first for c in spans], dtype=np.intp)
    last = np.asarray([c.last for c in spans], dtype=np.intp)
    positions: dict[str, list[int]] = {}
    for index, token in enumerate(document.tokens):
        for root in _concepts(token):
            positions.setdefault(root, []).append(index)
    language = foreign_language(document.segments[-1].text)
    before, after, inside = _nearness(document, first, last)
    return View(
        document=document,
        spans=tuple(spans),
        today=dt.date.fromisoformat(request.today),
        kinds=np.asarray([KINDS.index(c.mention.kind) for c in spans], dtype=np.intp),
        surface=read_surface(document, spans),
        static=span_features(document, spans),
        before=before,
        after=after,
        inside=inside,
        sizes=np.asarray(last - first, dtype=np.float32),
        positions=positions,
        beginnings={
            word[:ALIKE]: places[0]
            for word, places in reversed(positions.items())
            if len(word) >= ALIKE
        },
        codes=codes_of(spans),
        glosses=_glosses(document, language),
        language=language,
        letters=compact("".join(token.lower for token in document.tokens)),
        sentence=np.asarray([document.sentences[c.first] for c in spans], dtype=np.intp),
        order=_order(spans),
    )
