"""Words that tell what a request is about, and how much of them other texts have."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from gretel.text.gloss import glossed
from gretel.text.identifiers import split_identifier
from gretel.text.language import foreign_language
from gretel.text.tokens import content_words, idf
from gretel.text.words import singular, stem

Words: TypeAlias = frozenset[str]

READ = 5_000
"""Characters of a request that are read."""


def in_english(text: str) -> str:
    """The beginning of `text`, with a gloss beside it where it is in a foreign language."""
    text = text[:READ]
    language = foreign_language(text)
    return f"{text} {glossed(text, language)}" if language else text


def asked_words(text: str) -> Words:
    """Stems of the words that tell what `text` is about, in its own language and in English."""
    return stems(content_words(in_english(text)))


def name_words(names: Iterable[str]) -> Words:
    """Stems of the words of identifiers."""
    return stems(word for name in names for word in split_identifier(name))


def stems(words: Iterable[str]) -> Words:
    """What words in the singular begin with, so that inflections are one word."""
    return frozenset(stem(singular(word)) for word in words)


def weighed_shares(asked: Words, sets: Sequence[Words]) -> list[float]:
    """How much of what is asked each of `sets` has, of the words that any of them has.

    Words count by how few sets have them (Spärck Jones, Journal of Documentation 1972).
    """
    counts = Counter(word for words in sets for word in words)
    rare = {word: idf(len(sets), counts[word]) for word in asked if word in counts}
    whole = math.fsum(rare.values())
    if not whole:
        return [0.0] * len(sets)
    return [math.fsum(map(rare.__getitem__, rare.keys() & each)) / whole for each in sets]
