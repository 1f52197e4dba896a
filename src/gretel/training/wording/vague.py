"""Vague wordings of judged requests, made by rule: they say what is wanted in other words.

A person who does not know a catalogue says "the conditions outside" and not "weather forecast".
Judged requests mostly use the words of their tools, so these rules take the words away: those of
the tools' names, and some of those that a request shares with their descriptions. Each family does
it in a way of its own. `training/gate.py` learns from them when words are not to be believed.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import NamedTuple, TypeAlias

import numpy as np

from gretel.contracts.tool import Tool
from gretel.text.identifiers import identifier_text
from gretel.text.tokens import content_words, words
from gretel.training.judged import Collection, Judged, VectorCache

_WRITTEN = re.compile(r"[A-Za-z][A-Za-z'’]*")
_NEAREST = 6
"""Other words of a catalogue, of which one stands for a word."""
_SAME_BEGINNING = 4
"""Letters from which two words are forms of one."""
_FEWEST = 2
"""Tools that use a word which may stand for another."""
_NEAR = slice(3, 40)
"""Places, by meaning, of the tools whose names mislead."""


class Telling(NamedTuple):
    """The words of a request that tell which tools serve it."""

    names: frozenset[str]
    """Those of the tools' names."""
    shared: tuple[str, ...]
    """Others that their texts have too, in an order that the seed draws."""

    @classmethod
    def of(
        cls, request: Judged, tools: Sequence[Tool], texts: Sequence[str], seed: int
    ) -> "Telling":
        """Of one request; `texts` are what is retrieved of the tools."""
        said = set(content_words(request.text))
        names = {
            word
            for place in request.gold
            for word in content_words(identifier_text(tools[place].operation))
        }
        told = {word for place in request.gold for word in content_words(texts[place])}
        shared = sorted(said & told - names)
        random.Random(f"{seed} {request.text}").shuffle(shared)
        return cls(frozenset(said & names), tuple(shared))

    def chosen(self, share: float) -> frozenset[str]:
        """All words of names, and a share of the others."""
        return self.names | {*self.shared[: round(share * len(self.shared))]}


Instead: TypeAlias = Callable[[str], str]
"""What stands for a word; nothing leaves it out."""


def reworded(text: str, chosen: frozenset[str], instead: Instead) -> str:
    """`text` with other words for those that were chosen, which are folded as `words` does."""

    def written(match: re.Match[str]) -> str:
        folded = words(match[0])
        return instead(folded[0]) if len(folded) == 1 and folded[0] in chosen else match[0]

    return " ".join(_WRITTEN.sub(written, text).split())


class Wordings:
    """The families of one collection."""

    def __init__(self, collection: Collection, cache: VectorCache, seed: int) -> None:
        self._collection = collection
        self._index = collection.index
        self._cache = cache
        self._seed = seed

    def of(self, family: str) -> list[str]:
        """Every request in the wording of a family; see `FAMILIES`."""
        said = []
        for request in self._collection.requests:
            telling = Telling.of(request, self._index.tools, self._index.texts, self._seed)
            rng = random.Random(f"{self._seed} {family} {request.text}")
            said.append(FAMILIES[family](self, request, telling, rng) or request.text)
        return said

    def neighbour(self, request: Judged, telling: Telling, rng: random.Random) -> str:
        """Words that mean something near, of those that the catalogue uses elsewhere."""
        return reworded(
            request.text, telling.chosen(0.4), lambda word: rng.choice(self._near.get(word, [""]))
        )

    def unsaid(self, request: Judged, telling: Telling, rng: random.Random) -> str:
        """Without the words, and without half of the other content."""
        told = telling.chosen(0.5)
        rest = sorted({*content_words(request.text)} - told)
        left = frozenset(rng.sample(rest, len(rest) // 2))
        return reworded(request.text, told | left, lambda _: "")

    def misleading(self, request: Judged, telling: Telling, rng: random.Random) -> str:
        """Words of the names of other tools of like meaning."""
        others = self._misleading(request)
        return reworded(
            request.text, telling.chosen(0.25), lambda _: rng.choice(others) if others else ""
        )

    def general(self, request: Judged, telling: Telling, rng: random.Random) -> str:
        """More general words of a table; what it lacks is a thing or is left out."""
        return reworded(
            request.text,
            telling.chosen(0.5),
            lambda word: general_words().get(word) or rng.choice(["", "", "thing"]),
        )

    def _misleading(self, request: Judged) -> list[str]:
        gold = sorted(request.gold)
        near = (self._index.vectors[gold[:1]] @ self._index.vectors.T)[0]
        tools = [self._index.tools[place] for place in np.argsort(-near, kind="stable")[_NEAR]]
        own = {word for place in gold for word in content_words(self._index.texts[place])}
        found = {word for tool in tools for word in content_words(identifier_text(tool.operation))}
        return sorted(found - own)

    @cached_property
    def _near(self) -> Mapping[str, list[str]]:
        """For each telling word the catalogue's nearest others that are no forms of it."""
        asked = sorted({word for each in self._collection.requests for word in self._told(each)})
        used = [*filter(self._is_used, self._vocabulary)]
        vectors = self._cache.documents("words", [*asked, *used])
        own, others = vectors[: len(asked)], vectors[len(asked) :]
        found = {}
        for word, cosines in zip(asked, own @ others.T, strict=True):
            best = (used[place] for place in np.argsort(-cosines, kind="stable"))
            found[word] = [
                each for each in best if each[:_SAME_BEGINNING] != word[:_SAME_BEGINNING]
            ][:_NEAREST]
        return found

    def _told(self, request: Judged) -> frozenset[str]:
        telling = Telling.of(request, self._index.tools, self._index.texts, self._seed)
        return telling.chosen(1)

    @cached_property
    def _vocabulary(self) -> Mapping[str, int]:
        """How many tools use each word."""
        counts: dict[str, int] = {}
        for text in self._index.texts:
            for word in {*content_words(text)}:
                counts[word] = counts.get(word, 0) + 1
        return dict(sorted(counts.items()))

    def _is_used(self, word: str) -> bool:
        return self._vocabulary[word] >= _FEWEST and word.isascii() and word.isalpha()


FAMILIES: Mapping[str, Callable[[Wordings, Judged, Telling, random.Random], str]] = {
    "neighbour": Wordings.neighbour,
    "unsaid": Wordings.unsaid,
    "misleading": Wordings.misleading,
    "general": Wordings.general,
}


@cache
def general_words() -> Mapping[str, str]:
    """More general words, by the words that they stand for; a table of our own."""
    text = files("gretel.training.wording").joinpath("general_words.txt").read_text("utf-8")
    found: dict[str, str] = {}
    for line in text.splitlines():
        general, _, special = line.partition(":")
        for word in special.split():
            found.setdefault(word, general)
    return found
