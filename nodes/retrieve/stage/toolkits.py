"""What toolkits speak of: the words of all their tools, and of what they say of themselves.

A request mostly names things of one service, and the right operation of it need not: who wants "the
berths of bucket harbour" names no record, but another service has neither buckets nor a harbour.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from gretel.catalog.ownership import Owner, owner_of
from gretel.catalog.retrieval_text import plain_description, retrieval_text
from gretel.contracts.tool import HttpBinding, Tool
from gretel.nodes.retrieve.semantic.sparse import idf, sparse_text
from gretel.text.tokens import content_words

SHARED = 0.25
"""Power of the share of a toolkit's tools that have a word: a word of few of them counts nearly as
much as one of all."""

Words: TypeAlias = Mapping[str, float]


class ToolkitWords:
    """The words of the toolkits of some tools; a tool that is alone in its toolkit has none."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        """Read all `tools`, which takes milliseconds for each hundred."""
        kits: dict[Owner, list[Tool]] = defaultdict(list)
        for tool in tools:
            if tool.toolkit:
                kits[owner_of(tool)].append(tool)
        self._words: dict[Owner | None, Words] = {
            owner: _words_of(kit) for owner, kit in kits.items() if len(kit) > 1
        }
        self._found = Counter(word for words in self._words.values() for word in words)

    def speak_of(self, asked: Iterable[str], owners: Sequence[Owner | None]) -> list[float]:
        """How much of the words `asked` each of `owners` speaks of, in [0, 1].

        Words count by how few toolkits have them, those that none has not at all. One that has none
        of them is as good as the others are on average: small toolkits have few words, and their
        silence tells nothing.
        """
        size = len(self._words)
        rare = {word: idf(size, self._found[word]) for word in asked if word in self._found}
        whole = math.fsum(rare.values()) or 1.0
        spoken = {
            each: _spoken(self._words[each], rare) / whole for each in owners if each in self._words
        }
        known = [spoken[each] for each in owners if spoken.get(each)]
        middle = math.fsum(known) / len(known) if known else 0.0
        return [spoken.get(each) or middle for each in owners]


def _spoken(words: Words, rare: Words) -> float:
    return math.fsum(rare[word] * words[word] ** SHARED for word in rare.keys() & words.keys())


def _words_of(kit: list[Tool]) -> Words:
    """The share of a toolkit's tools that have each word."""
    about = frozenset(content_words(plain_description(kit[0].toolkit_description)))
    counts = Counter(word for tool in kit for word in _words(tool) | about)
    return {word: count / len(kit) for word, count in counts.items()}


def _words(tool: Tool) -> frozenset[str]:
    path = tool.binding.path if isinstance(tool.binding, HttpBinding) else ""
    return frozenset(content_words(f"{sparse_text(tool, retrieval_text(tool))} {path}"))
