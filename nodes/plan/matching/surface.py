"""Surface form of each span, as categories, so that a slot compares itself with all at once."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from gretel.nodes.plan.matching.arrays import Floats, Indices
from gretel.nodes.plan.mentions.document import Document
from gretel.nodes.plan.mentions.mention import Amount
from gretel.nodes.plan.mentions.spans import MentionSpan
from gretel.text.words import stem, word_set

_SKIPPED = word_set("the a an my \" ' “ $")
_INTRODUCTIONS = ("my name is", "i am", "i'm", "name's", "this is", "name is")
_LESSER = word_set("less fewer cheaper lower smaller younger shorter lighter earlier sooner nearer")
_ONWARD = word_set("to → -> – until")


class Categorical(NamedTuple):
    """One text per span, each different text stored once."""

    texts: tuple[str, ...]
    codes: Indices

    def map(self, score: Callable[[str], float]) -> Floats:
        """`score` of every span's text."""
        return np.asarray([score(text) for text in self.texts], dtype=np.float32)[self.codes]


class Surface(NamedTuple):
    """By span: its text, its last concept, the word before, its unit, and more."""

    text: Categorical
    """As `stems` has it."""
    end: Categorical
    """Concept of the last token."""
    lead: Categorical
    """The word before, past quotes and articles."""
    unit: Categorical
    shape: Categorical
    """`A` capital, `0` digits, `a` letters, `_` blanks: those that occur."""
    onward: Floats
    """1 where an arrow or "to" stands right behind: something starts here."""
    introduced: Floats
    """1 behind "my name is" and "I am" of the user."""
    turn: Indices
    """Segment."""


def _categorical(texts: Iterable[str]) -> Categorical:
    known: dict[str, int] = {}
    codes = [known.setdefault(text, len(known)) for text in texts]
    return Categorical(tuple(known) or ("",), np.asarray(codes, dtype=np.intp))


def lead_of(document: Document, first: int) -> str:
    """The word before a token, past quotes and articles; empty at the beginning."""
    index = first - 1
    while index >= 0 and document.tokens[index].lower in _SKIPPED:
        index -= 1
    word = document.tokens[index].lower if index >= 0 else ""
    return _compared(document, index) if word == "than" else word


def _compared(document: Document, than: int) -> str:
    """What "than" means for a limit: `under` behind "cheaper" and "no more", else `over`."""
    words = [token.lower for token in document.tokens[max(0, than - 2) : than]]
    less = bool(words) and (words[-1] in _LESSER)
    return "under" if less or words[:1] in (["no"], ["not"]) else "over"


def goes_on(document: Document, last: int) -> bool:
    """Whether the token at `last` says that something started before it."""
    return last < len(document.tokens) and document.tokens[last].lower in _ONWARD


def is_introduced(document: Document, first: int) -> bool:
    """Whether the user says their own name from the token at `first` on."""
    before = document.tokens[max(0, first - 3) : first]
    said = " ".join(token.lower for token in before).replace("’", "'")
    user = document.segments[document.tokens[first].segment].role == "user"
    return user and said.endswith(_INTRODUCTIONS)


def shape_of(text: str) -> str:
    """Capital, digits, letters, blanks: which of them a text has."""
    marks = (
        ("A", text[:1].isupper()),
        ("0", any(letter.isdigit() for letter in text)),
        ("a", any(letter.isalpha() for letter in text)),
        ("_", " " in text),
    )
    return "".join(mark for mark, there in marks if there)


def stems(text: str) -> str:
    """A text for comparison with samples: case-folded, its words by their stems."""
    return " ".join(stem(word) for word in text.casefold().split())


def read_surface(document: Document, spans: list[MentionSpan]) -> Surface:
    """The surface form of all spans, in their order."""
    values = [c.mention.value for c in spans]
    return Surface(
        text=_categorical(stems(c.mention.text) for c in spans),
        end=_categorical(document.tokens[c.last - 1].concept for c in spans),
        lead=_categorical(lead_of(document, c.first) for c in spans),
        unit=_categorical(value.unit if isinstance(value, Amount) else "" for value in values),
        shape=_categorical(shape_of(c.mention.text) for c in spans),
        onward=np.asarray([goes_on(document, c.last) for c in spans], dtype=np.float32),
        introduced=np.asarray([is_introduced(document, c.first) for c in spans], np.float32),
        turn=np.asarray([c.mention.segment for c in spans], dtype=np.intp),
    )
