"""What a request asks for beside what an operation is made of: its toolkit, its path, its answer.

Encoders and BM25 read what a document says of an operation, and many documents say next to nothing:
`GET /buckets/{id}` and `GET /buckets` differ by a key, and who asks for an owner's name means the
operation whose answer has an owner. So it is read off each candidate what its toolkit speaks of
(`toolkits.py`), whether it gives one thing or many, and how much of the request stands among the
names of the fields that it promises.

The order of candidates changes by it, and not how good the best of them is. `training/shape.py`
fits what each weighs.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple, Self

import numpy as np

from gretel.catalog import Catalog
from gretel.catalog.field_names import promised_names
from gretel.catalog.ownership import owner_of
from gretel.contracts.ranking import Candidate
from gretel.contracts.tool import HttpBinding, Tool, ToolId
from gretel.nodes.fitted import fitted_weights
from gretel.nodes.retrieve.odds import Array, log_odds
from gretel.nodes.retrieve.semantic.fusion import is_named
from gretel.nodes.retrieve.semantic.sparse import idf
from gretel.nodes.retrieve.stage.toolkits import ToolkitWords
from gretel.text.gloss import glossed
from gretel.text.identifiers import split_identifier
from gretel.text.language import foreign_language
from gretel.text.tokens import content_words
from gretel.text.words import singular, stem

FEATURES = (
    "toolkit", "answer",
    "one", "one, of a value", "one, of all", "one, of many", "many, of many", "about itself",
)  # fmt: skip
"""How much of what is asked the toolkit speaks of, and how much of it the names of the answer's
fields are. Whether the path ends in a key: anyhow, where a value is said, where all are asked for,
and where its noun is said in the plural; the last, too, for a path that ends in its noun. Whether
the call tells of the operation (OPTIONS, HEAD)."""

Words = frozenset[str]

_KEY = re.compile(r"\{[^{}]*\}")
_ITSELF = ("OPTIONS", "HEAD", "TRACE")
_PLAIN = re.compile(r"[^\W\d_]+")
_VALUE = re.compile(r"""\d|["“'`«]|\w_\w|\w@\w|\w\.\w|/\w""")
"""What a key may be among: a digit, a quotation mark, an identifier, an address, a path."""
_ALL = re.compile(
    r"\b(?:all|any|count|every|everything|first|how many|last|latest|list|newest|overview|which"
    r"|are there)\b"
)
_READ = 5_000
"""Characters of a request that are read."""


class Asked(NamedTuple):
    """What is read off a request."""

    words: Words
    """Those that tell what it is about, as the sparse half reads them."""
    stems: Words
    said: Words
    """Its words as they stand, in small letters."""
    value: bool
    """Whether it may say a key."""
    all: bool
    """Whether it asks for all of something."""

    @classmethod
    def of(cls, text: str) -> Self:
        """`text`, with a gloss beside it where it is in a foreign language."""
        text = text[:_READ]
        language = foreign_language(text)
        read = f"{text} {glossed(text, language)}" if language else text
        small = read.lower()
        words = content_words(read)
        return cls(
            words=frozenset(words),
            stems=_stems(words),
            said=frozenset(_PLAIN.findall(small)),
            value=bool(_VALUE.search(text)),
            all=bool(_ALL.search(small)),
        )


class Shape(NamedTuple):
    """What is read off an operation."""

    noun: str
    """The last word of the path, or of the name where there is none, as it stands."""
    answer: Words
    """Stems of the names of the fields that it promises."""
    one: bool
    itself: bool

    @classmethod
    def of(cls, tool: Tool) -> Self:
        """`tool`, whose texts a stranger wrote."""
        http = tool.binding if isinstance(tool.binding, HttpBinding) else None
        places = _places(http.path) if http else [split_identifier(tool.operation)]
        fields = promised_names(tool.response).fields
        return cls(
            noun=places[-1][-1] if places and places[-1] else "",
            answer=_stems(word for name in fields for word in split_identifier(name)),
            one=http is not None and http.path.rstrip("/").endswith("}"),
            itself=http is not None and http.method in _ITSELF,
        )


def features(asked: Asked, shapes: Sequence[Shape], toolkits: Sequence[float]) -> Array:
    """The `FEATURES` of candidates, one row each.

    `toolkits`: how much of what is asked the toolkit of each speaks of.
    """
    one = np.array([float(shape.one) for shape in shapes])
    many = np.array([float(_in_plural(shape.noun, asked.said)) for shape in shapes])
    return np.column_stack(
        [
            toolkits,
            _shares(asked.stems, [shape.answer for shape in shapes]),
            one,
            one * asked.value,
            one * asked.all,
            one * many,
            (1 - one) * many,
            [float(shape.itself) for shape in shapes],
        ]
    )


def by_shape(found: Sequence[Candidate], values: Array) -> tuple[Candidate, ...]:
    """Candidates with what their `FEATURES` weigh in their scores, best first.

    The best score stays what it was. A tool that the request names keeps its score and its place
    before the others.
    """
    named = [each for each in found if is_named(each)]
    rows = [row for row, each in enumerate(found) if not is_named(each)]
    added = values[rows] @ shape_weights()
    if not rows or not np.ptp(added):
        return tuple(found)
    own = log_odds([found[row].score for row in rows])
    moved = own + added
    scores = 1 / (1 + np.exp(moved.max() - own.max() - moved))
    rescored = [
        found[row].model_copy(update={"score": score})
        for row, score in zip(rows, scores.tolist(), strict=True)
    ]
    return (*named, *sorted(rescored, key=lambda each: -each.score))


@cache
def shape_weights() -> Array:
    """What each of `FEATURES` adds to the log-odds: the fitted weights that the package carries."""
    return np.array([*fitted_weights("retrieve/stage/shape.json", FEATURES).values()])


def _places(path: str) -> list[tuple[str, ...]]:
    """The words of each place of a path that is no key."""
    plain = (_KEY.sub(" ", place) for place in path.split("/"))
    return [words for words in map(split_identifier, plain) if words]


def _stems(words: Iterable[str]) -> Words:
    return frozenset(stem(singular(word)) for word in words)


def _in_plural(noun: str, said: Words) -> bool:
    return noun in said and singular(noun) != noun


def _shares(asked: Words, sets: Sequence[Words]) -> Array:
    """How much of what is asked each of `sets` has, of the words that any of them has.

    Words count by how few sets have them (Spärck Jones, Journal of Documentation 1972).
    """
    counts = Counter(word for words in sets for word in words)
    rare = {word: idf(len(sets), counts[word]) for word in asked if word in counts}
    whole = math.fsum(rare.values())
    if not whole:
        return np.zeros(len(sets))
    return np.array([math.fsum(map(rare.__getitem__, rare.keys() & each)) for each in sets]) / whole


NO_SHAPE = Shape("", frozenset(), one=False, itself=False)
"""Of a tool that the catalogue lacks."""


class Shapes:
    """Weighs candidates by what the catalogue's tools are made of."""

    def __init__(self, catalog: Catalog, later: AbstractSet[ToolId] = frozenset()) -> None:
        """Of `catalog`; tools that came `later` take no part in what toolkits speak of."""
        self._catalog = catalog
        self._toolkits = ToolkitWords(tool for tool in catalog if tool.tool_id not in later)
        self._known: dict[ToolId, Shape] = {}

    def weighed(self, text: str, found: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """The candidates of a request, best first; see `by_shape`."""
        return by_shape(found, self.values(text, found)) if found else ()

    def values(self, text: str, found: Sequence[Candidate]) -> Array:
        """The `FEATURES` of the candidates of a request."""
        asked = Asked.of(text)
        names = [each.tool_id for each in found]
        owners = [
            owner_of(self._catalog[name]) if name in self._catalog else None for name in names
        ]
        toolkits = self._toolkits.speak_of(asked.words, owners)
        return features(asked, [self._shape(name) for name in names], toolkits)

    def _shape(self, name: ToolId) -> Shape:
        if name not in self._known and name in self._catalog:
            self._known[name] = Shape.of(self._catalog[name])
        return self._known.get(name, NO_SHAPE)
