"""`Vocabulary`: the words of every tool of a catalogue, and how rare they are.

How the field names of an answer match the documents (`AnswerMatch`) is counted here, without a
judgement. Rarity is read off the catalogue and, so that a small or poorly documented one does not
take common words for rare ones, off a background of real documents.
"""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gretel.catalog.answer_match import AnswerMatch
from gretel.catalog.field_names import (
    answer_names,
    name_words,
    promised_names,
    promises_little,
)
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Tool, ToolId
from gretel.text.identifiers import fold_identifier
from gretel.text.words import singular

BACKGROUND = Path(__file__).with_name("background.json")
"""Made by `gretel.training.relevance`."""
BACKGROUND_SIZE = 300.0
"""Tools that the background counts as."""
RARE = 0.0005
"""Share of documents that hold a word which the background does not list."""
_DISTINCTIVE = 2.5
"""Rarity, in nats, from which a name says whose answer it is."""
_DESCRIPTION = 800
_NOTE = 200
"""Characters of a description, and of a parameter's, whose words count."""
_PARAMETERS = 40
_COMMON = 60
"""Tools from which on a name says nothing about whose answer it is."""
_WORD = re.compile(r"[^\W_]+")


class _Entry(NamedTuple):
    toolkit: str
    words: frozenset[str]
    promised: Mapping[str, tuple[str, ...]]
    """Folded name → its words."""
    keys: frozenset[str]
    """Folded names that an answer may have without any promise: keys of maps, parts of errors."""
    promises_little: bool


class Vocabulary:
    """The words of a catalogue's tools, indexed once."""

    def __init__(
        self, tools: Iterable[Tool], background: Mapping[str, float] | None = None
    ) -> None:
        """Index `tools`.

        Args:
            tools: the catalogue.
            background: word → share of real documents whose field names use it; None: as shipped.
        """
        self._background = _shipped() if background is None else background
        self._entries: dict[ToolId, _Entry] = {}
        self._toolkits: dict[str, set[str]] = defaultdict(set)
        self._frequency: Counter[str] = Counter()
        self._speakers: dict[str, set[ToolId]] = defaultdict(set)
        for tool in tools:
            self._take(tool)

    def match(self, tool: Tool, value: JsonValue) -> AnswerMatch | None:
        """How the field names of an answer to `tool` match documents; None where it has no fields.

        A tool that is not in the catalogue stands alone in its toolkit.
        """
        names = self._names(value)
        if not names:
            return None
        entry = self._entries.get(tool.tool_id) or _entry(tool)
        known = self._toolkits.get(entry.toolkit) or _all_words(entry)
        weights, promised = self._weights(names), self._weights(entry.promised)
        total = math.fsum(weights.values())
        tells = not entry.promises_little and max(promised.values()) >= _DISTINCTIVE
        schema_mass = math.fsum(promised.values()) if tells else 0.0
        own = [weights[n] * self._known(w, entry.words) for n, w in names.items()]
        foreign = {n: weights[n] * (1 - self._known(w, known)) for n, w in names.items()}
        elsewhere, exclusive = self._elsewhere(entry.toolkit, foreign)
        both = names.keys() & promised.keys()
        held = both | (names.keys() & entry.keys)
        return AnswerMatch(
            tool_overlap=math.fsum(own) / total,
            toolkit_overlap=1 - math.fsum(foreign.values()) / total,
            schema_precision=math.fsum(weights[name] for name in held) / total,
            schema_recall=math.fsum(promised[n] for n in both) / schema_mass
            if schema_mass
            else 0.0,
            elsewhere=elsewhere / total,
            exclusive=exclusive / total,
            mass=total,
            schema_mass=schema_mass,
        )

    def rarity(self, word: str) -> float:
        """How much a word tells, in nats: -log of the smoothed share of tools that use it."""
        expected = BACKGROUND_SIZE * self._background.get(word, RARE)
        seen = self._frequency[word] + expected
        return math.log((len(self._entries) + BACKGROUND_SIZE + 1) / seen)

    def _names(self, value: JsonValue) -> dict[str, tuple[str, ...]]:
        """The names of an answer; a key that may be data counts where some tool speaks of it."""
        found = answer_names(value)
        spoken = (key for key in found.keys if fold_identifier(key) in self._speakers)
        return _words_by_name((*found.fields, *spoken))

    def _take(self, tool: Tool) -> None:
        entry = _entry(tool)
        self._entries[tool.tool_id] = entry
        words = _all_words(entry)
        self._frequency.update(words)
        self._toolkits[entry.toolkit] |= words
        for name in {*entry.promised, *entry.keys, fold_identifier(tool.operation)}:
            self._speakers[name].add(tool.tool_id)

    def _weights(self, names: Mapping[str, tuple[str, ...]]) -> dict[str, float]:
        """Each name as rare as its rarest word."""
        return {name: max(map(self.rarity, words)) for name, words in names.items()}

    def _known(self, words: Sequence[str], known: AbstractSet[str]) -> float:
        """Share of `words`, by rarity, that are among `known`."""
        weights = [self.rarity(word) for word in words]
        part = sum(w for w, word in zip(weights, words, strict=True) if word in known)
        return part / sum(weights)

    def _elsewhere(self, toolkit: str, foreign: Mapping[str, float]) -> tuple[float, float]:
        """How much one tool of another toolkit speaks of, at most; how much few toolkits do."""
        claimed: dict[ToolId, float] = defaultdict(float)
        exclusive = 0.0
        for name, weight in sorted(foreign.items()):  # sums repeat, whatever the order of names
            speakers = self._speakers.get(name, ())
            if weight < _DISTINCTIVE or len(speakers) > _COMMON:
                continue
            others = [each for each in speakers if self._entries[each].toolkit != toolkit]
            for each in others:
                claimed[each] += weight
            if 0 < len({self._entries[each].toolkit for each in others}) <= 2:
                exclusive += weight
        return max(claimed.values(), default=0.0), exclusive


@cache
def _shipped() -> Mapping[str, float]:
    text = BACKGROUND.read_text(encoding="utf-8")
    shares: dict[str, float] = json.loads(text)["shares"]
    return shares


def _entry(tool: Tool) -> _Entry:
    names = [tool.operation, tool.toolkit, tool.category]
    texts = [tool.description[:_DESCRIPTION], tool.toolkit_description[:_DESCRIPTION]]
    for parameter in tool.parameters[:_PARAMETERS]:
        names.append(parameter.name)
        texts.append(parameter.description[:_NOTE])
    words = {word for name in names for word in name_words(name)}
    words.update(map(singular, set(_WORD.findall(" ".join(texts).casefold()))))
    promised = promised_names(tool.response)
    keys = frozenset(_words_by_name(promised.keys))
    little = promises_little(tool.response)
    return _Entry(tool.toolkit, frozenset(words), _words_by_name(promised.fields), keys, little)


def _words_by_name(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Folded name → its words; names without words are left out."""
    return {fold_identifier(name): words for name in names if (words := name_words(name))}


def _all_words(entry: _Entry) -> frozenset[str]:
    return entry.words.union(*entry.promised.values())
