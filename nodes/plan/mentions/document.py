"""The conversation as one run of tokens that know where they came from."""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from gretel.contracts.ranking import Request
from gretel.nodes.plan.mentions.literals import CJK, LITERAL
from gretel.nodes.plan.mentions.spaced import spaced_paths
from gretel.text.words import concept

_LETTER = rf"(?:(?![{CJK}])[^\W_])"
_TOKEN = re.compile(
    r"[\w.+-]{1,200}@[\w-]+(?:\.[\w-]+)+"  # e-mail
    r"|https?://[^\s\"'<>]+|www\.[^\s\"'<>]+"
    rf"|{LITERAL}"
    r"|[#@]\w+"
    r"|\b(?:[ldjmtsnc]|qu)['’](?=[^\W\d_])"  # the article of "l'espace"
    rf"|\d+(?:[.,:]\d+)*(?!{_LETTER}|[_/-]|[.,:]\d)"
    rf"|(?:(?<!_)_+)?{_LETTER}+(?:(?:['’.&+/-]|_+){_LETTER}+)*_*"
    rf"|(?:(?=[{CJK}])[^\W_])+"
    r"|[^\w\s]|_",
    re.UNICODE,
)
_SENTENCE_END = frozenset(".!?;\n。！？")
MAX_TOKENS = 700
"""Tokens that are looked at; the rest of a longer conversation is ignored, oldest turns first."""

Origin = Literal["request", "message"]


class Segment(NamedTuple):
    """One text that values may be read from."""

    origin: Origin
    role: str
    text: str


class Token(NamedTuple):
    """A word or a punctuation mark, with its place in its segment."""

    text: str
    start: int
    end: int
    segment: int
    concept: str

    @property
    def lower(self) -> str:
        """The text in lower case."""
        return self.text.lower()

    @property
    def is_word(self) -> bool:
        """Whether this is more than punctuation."""
        return self.text[0].isalnum() or len(self.text) > 1


@dataclass(frozen=True)
class Document:
    """Earlier turns and the request, oldest first."""

    segments: tuple[Segment, ...]
    tokens: tuple[Token, ...]
    sentences: tuple[int, ...]
    """Number of the sentence that each token stands in."""

    def text(self, start: int, end: int) -> str:
        """What tokens start…end-1 (of one segment) say, as written."""
        first, last = self.tokens[start], self.tokens[end - 1]
        return self.segments[first.segment].text[first.start : last.end]


def _segments(request: Request) -> list[Segment]:
    """Turns in order, the request last."""
    turns = [Segment("message", message.role, message.content) for message in request.messages]
    return [*turns, Segment("request", "user", request.text)]


def _tokens(segment: Segment, number: int) -> list[Token]:
    said = segment.text[: MAX_TOKENS * 12]
    paths = list(spaced_paths(said))
    found = [Token(said[a:b], a, b, number, concept(said[a:b])) for a, b in paths]
    for match in _TOKEN.finditer(said):
        text, start = match.group(), match.start()
        if any(a < match.end() and start < b for a, b in paths):
            continue
        if text[-1] in "./-" and text.startswith("www"):
            text = text.rstrip("./-")
        found.append(Token(text, start, start + len(text), number, concept(text)))
    return sorted(found, key=lambda token: token.start)


def _sentence_numbers(segments: list[Segment], tokens: list[Token]) -> list[int]:
    numbers: list[int] = []
    current, previous = 0, None
    for token in tokens:
        if previous is not None:
            gap = segments[previous.segment].text[previous.end : token.start]
            if token.segment != previous.segment or previous.text in _SENTENCE_END or "\n" in gap:
                current += 1
        numbers.append(current)
        previous = token
    return numbers


def read_document(request: Request) -> Document:
    """Cut a request and its conversation into tokens, at most `MAX_TOKENS`, the request first."""
    segments = _segments(request)
    kept: list[list[Token]] = []
    room = MAX_TOKENS
    for number in range(len(segments) - 1, -1, -1):
        tokens = _tokens(segments[number], number)[:room] if room else []
        room -= len(tokens)
        kept.append(tokens)
    ordered = [token for tokens in reversed(kept) for token in tokens]
    return Document(tuple(segments), tuple(ordered), tuple(_sentence_numbers(segments, ordered)))
