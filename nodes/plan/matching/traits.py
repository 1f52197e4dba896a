"""What each candidate looks like, coded so that a slot compares itself with all at once."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from gretel.nodes.plan.matching.arrays import Floats, Indices
from gretel.nodes.plan.mentions.candidates import Candidate
from gretel.nodes.plan.mentions.document import Document
from gretel.nodes.plan.mentions.mention import Amount
from gretel.text.words import stem, word_set

_SKIPPED = word_set("the a an my \" ' “ $")
_INTRODUCTIONS = ("my name is", "i am", "i'm", "name's", "this is", "name is")
_ONWARD = word_set("to → -> – until")


class Coded(NamedTuple):
    """One text per candidate, each different text stored once."""

    texts: tuple[str, ...]
    codes: Indices

    def where(self, score: Callable[[str], float]) -> Floats:
        """`score` of every candidate's text."""
        return np.asarray([score(text) for text in self.texts], dtype=np.float32)[self.codes]


class Traits(NamedTuple):
    """By candidate: its text, its last concept, the word before, its unit, and more."""

    text: Coded
    """As `stems` has it."""
    end: Coded
    """Concept of the last token."""
    lead: Coded
    """The word before, past quotes and articles."""
    unit: Coded
    shape: Coded
    """`A` capital, `0` digits, `a` letters, `_` blanks: those that occur."""
    onward: Floats
    """1 where an arrow or "to" stands right behind: something starts here."""
    introduced: Floats
    """1 behind "my name is" and "I am" of the user."""
    turn: Indices
    """Segment."""


def _coded(texts: Iterable[str]) -> Coded:
    known: dict[str, int] = {}
    codes = [known.setdefault(text, len(known)) for text in texts]
    return Coded(tuple(known) or ("",), np.asarray(codes, dtype=np.intp))


def lead_of(document: Document, first: int) -> str:
    """The word before a token, past quotes and articles; empty at the beginning."""
    index = first - 1
    while index >= 0 and document.tokens[index].lower in _SKIPPED:
        index -= 1
    return document.tokens[index].lower if index >= 0 else ""


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
    parts = (
        ("A", text[:1].isupper()),
        ("0", any(letter.isdigit() for letter in text)),
        ("a", any(letter.isalpha() for letter in text)),
        ("_", " " in text),
    )
    return "".join(mark for mark, there in parts if there)


def stems(text: str) -> str:
    """A text for comparison with samples: case-folded, its words by their stems."""
    return " ".join(stem(word) for word in text.casefold().split())


def read_traits(document: Document, candidates: list[Candidate]) -> Traits:
    """The traits of all candidates, in their order."""
    values = [c.mention.value for c in candidates]
    return Traits(
        text=_coded(stems(c.mention.text) for c in candidates),
        end=_coded(document.tokens[c.last - 1].concept for c in candidates),
        lead=_coded(lead_of(document, c.first) for c in candidates),
        unit=_coded(value.unit if isinstance(value, Amount) else "" for value in values),
        shape=_coded(shape_of(c.mention.text) for c in candidates),
        onward=np.asarray([goes_on(document, c.last) for c in candidates], dtype=np.float32),
        introduced=np.asarray([is_introduced(document, c.first) for c in candidates], np.float32),
        turn=np.asarray([c.mention.segment for c in candidates], dtype=np.intp),
    )
