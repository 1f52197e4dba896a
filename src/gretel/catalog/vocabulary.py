"""`Vocabulary`: the words of every tool of a catalogue and of its toolkit, and how rare words are.

How the field names of an answer match the documents (`AnswerMatch`) is counted here, without a
judgement. Only what the tool's own owner says takes part, and a background of real documents that
says how rare words are: no document has a say about an answer to the tool of somebody else.
"""

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gretel.catalog.answer_match import AnswerMatch
from gretel.catalog.field_names import answer_names, name_words, promised_names, promises_little
from gretel.catalog.ownership import Owner, owner_of
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Tool, ToolId
from gretel.text.identifiers import fold_identifier
from gretel.text.words import singular

BACKGROUND = Path(__file__).with_name("background.json")
"""Made by `gretel.training.relevance`."""
RARE = 0.0005
"""Share of documents that hold a word which the background does not list."""
_DISTINCTIVE = 2.5
"""Rarity, in nats, from which a name says whose answer it is."""
_DESCRIPTION = 800
_NOTE = 200
"""Characters of a description, and of a parameter's, whose words count."""
_PARAMETERS = 40
_WORD = re.compile(r"[^\W_]+")


class _Entry(NamedTuple):
    owner: Owner
    words: frozenset[str]
    promised: Mapping[str, tuple[str, ...]]
    """Folded name → its words."""
    keys: frozenset[str]
    """Folded names that an answer may have without any promise: keys of maps, parts of errors."""
    promises_little: bool


class _Spoken(NamedTuple):
    """What the documents of one owner speak of."""

    words: set[str]
    names: set[str]
    """Folded names of fields and operations."""


class Vocabulary:
    """The words of a catalogue's tools, indexed once."""

    def __init__(
        self, tools: Iterable[Tool], background: Mapping[str, float] | None = None
    ) -> None:
        """Index `tools`.

        `background`: word → share of real documents whose field names use it; None: as shipped.
        """
        self._background = _shipped() if background is None else background
        self._entries: dict[ToolId, _Entry] = {}
        self._spoken: dict[Owner, _Spoken] = defaultdict(lambda: _Spoken(set(), set()))
        for tool in tools:
            self._take(tool)

    def match(self, tool: Tool, value: JsonValue) -> AnswerMatch | None:
        """How the field names of an answer to `tool` match its documents; None where it has none.

        A tool that is not in the catalogue stands alone in its toolkit.
        """
        entry = self._entries.get(tool.tool_id) or _entry(tool)
        known = self._spoken.get(entry.owner) or _spoken(tool, entry)
        names = _names(value, tool.response.json_schema, known.names)
        if not names:
            return None
        weights, promised = self._weights(names), self._weights(entry.promised)
        total = math.fsum(weights.values())
        tells = not entry.promises_little and max(promised.values()) >= _DISTINCTIVE
        schema_mass = math.fsum(promised.values()) if tells else 0.0
        own = [weights[n] * self._known(w, entry.words) for n, w in names.items()]
        kin = [weights[n] * self._known(w, known.words) for n, w in names.items()]
        both = names.keys() & promised.keys()
        held = both | (names.keys() & entry.keys)
        return AnswerMatch(
            tool_overlap=math.fsum(own) / total,
            toolkit_overlap=math.fsum(kin) / total,
            schema_precision=math.fsum(weights[name] for name in held) / total,
            schema_recall=math.fsum(promised[n] for n in both) / schema_mass
            if schema_mass
            else 0.0,
            mass=total,
            schema_mass=schema_mass,
        )

    def rarity(self, word: str) -> float:
        """How much a word tells, in nats: -log of the share of real documents that use it."""
        return -math.log(self._background.get(word, RARE))

    def _take(self, tool: Tool) -> None:
        entry = self._entries[tool.tool_id] = _entry(tool)
        spoken, own = self._spoken[entry.owner], _spoken(tool, entry)
        spoken.words.update(own.words)
        spoken.names.update(own.names)

    def _weights(self, names: Mapping[str, tuple[str, ...]]) -> dict[str, float]:
        """Each name as rare as its rarest word."""
        return {name: max(map(self.rarity, words)) for name, words in names.items()}

    def _known(self, words: Sequence[str], known: AbstractSet[str]) -> float:
        """Share of `words`, by rarity, that are among `known`."""
        weights = [self.rarity(word) for word in words]
        part = sum(w for w, word in zip(weights, words, strict=True) if word in known)
        return part / sum(weights)


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
    return _Entry(owner_of(tool), frozenset(words), _words_by_name(promised.fields), keys, little)


def _words_by_name(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Folded name → its words; names without words are left out."""
    return {fold_identifier(name): words for name in names if (words := name_words(name))}


def _spoken(tool: Tool, entry: _Entry) -> _Spoken:
    """What one tool speaks of."""
    names = {*entry.promised, *entry.keys, fold_identifier(tool.operation)}
    return _Spoken(set(entry.words.union(*entry.promised.values())), names)


def _names(
    value: JsonValue, schema: JsonValue, spoken: AbstractSet[str]
) -> dict[str, tuple[str, ...]]:
    """The names of an answer; a key that may be data counts where its owner speaks of it."""
    found = answer_names(value, schema)
    return _words_by_name((*found.fields, *(k for k in found.keys if fold_identifier(k) in spoken)))
