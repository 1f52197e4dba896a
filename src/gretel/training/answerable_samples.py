"""Requests before catalogues that can and cannot serve them.

A request is unserved where its tools, and their near doubles, were taken out of the catalogue, or
where it comes from another collection; it is a no-tool request where it needs none.
"""

import math
import random
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from gretel.nodes.retrieve.need.answerable import SIZES, absolute
from gretel.nodes.retrieve.semantic.signals import ToolIndex
from gretel.text.sentences import unquoted
from gretel.training.data.judged import Collection, Judged, VectorCache, signals_of
from gretel.training.need_data import Requests

Case: TypeAlias = Literal["served", "unserved", "no_tool"]

CATALOGUES = 120
"""Catalogues drawn from each collection."""
REQUESTS = 8
"""Served requests of each catalogue, as many that lost their tools, as many that need none."""
FOREIGN = 1
"""Requests from each other collection."""
DOUBLE = 0.75
"""Cosine from which a tool may do the same as one that was taken out."""
WHOLE = 4_000
"""Requests of each kind before a whole catalogue."""


class Sample(NamedTuple):
    """One request before one catalogue."""

    collection: str
    source: str
    """Where the request comes from."""
    case: Case
    text: str
    signals: tuple[float, ...]
    """What `absolute` says."""


class Asked(NamedTuple):
    """Requests of one kind."""

    source: str
    case: Case
    texts: Sequence[str]


def drawn_catalogues(
    collections: Sequence[Collection], no_tool: Sequence[Requests], cache: VectorCache, *, seed: int
) -> Iterator[Sample]:
    """Samples before catalogues of many sizes, the same for the same seed."""
    for collection in collections:
        rng = random.Random(seed)
        others = [other for other in collections if other is not collection]
        for number in range(CATALOGUES):
            # Every other catalogue consists of whole toolkits, as real ones do.
            index, own = _catalogue(collection, rng, by_toolkit=number % 2 == 1)
            foreign = [
                _asked(other.name, "unserved", rng.sample(other.requests, FOREIGN))
                for other in others
            ]
            chat = _chosen(no_tool, rng, REQUESTS // len(no_tool))
            yield from _samples(collection.name, index, [*own, *foreign, *chat], cache)


def whole_catalogues(
    collections: Sequence[Collection], no_tool: Sequence[Requests], cache: VectorCache, *, seed: int
) -> Iterator[Sample]:
    """Served samples and no-tool ones before all tools of each collection."""
    for collection in collections:
        rng = random.Random(seed)
        count = min(WHOLE, len(collection.requests))
        served = _asked(collection.name, "served", rng.sample(collection.requests, count))
        asked = [served, *_chosen(no_tool, rng, WHOLE)]
        yield from _samples(collection.name, collection.index, asked, cache)


def _chosen(no_tool: Sequence[Requests], rng: random.Random, count: int) -> list[Asked]:
    return [
        Asked(part.source, "no_tool", rng.sample(part.texts, min(count, len(part.texts))))
        for part in no_tool
    ]


def _asked(source: str, case: Case, requests: Sequence[Judged]) -> Asked:
    return Asked(source, case, [request.text for request in requests])


def _samples(
    name: str, index: ToolIndex, asked: Sequence[Asked], cache: VectorCache
) -> Iterator[Sample]:
    for source, case, texts in asked:
        found = signals_of(index, source, texts, cache)
        vectors = cache.queries(source, [unquoted(text) for text in texts])
        for text, signals in zip(texts, found, strict=True):
            topic = float((index.vectors @ vectors[unquoted(text)]).max())
            yield Sample(name, source, case, text, absolute(signals.match(topic)))


def _catalogue(
    collection: Collection, rng: random.Random, *, by_toolkit: bool
) -> tuple[ToolIndex, list[Asked]]:
    tools, vectors = collection.index.tools, collection.index.vectors
    smallest, largest = SIZES
    largest = min(largest, len(tools) * 9 // 10)
    size = int(math.exp(rng.uniform(math.log(smallest), math.log(largest))))
    # A small catalogue that serves eight requests would be made of right tools alone.
    count = min(REQUESTS, max(1, size // 3))
    requests = rng.sample(collection.requests, count + REQUESTS)
    served, bereft = requests[:count], requests[count:]
    kept = frozenset[int]().union(*(request.gold for request in served))
    bereft = [request for request in bereft if not request.gold & kept]
    gone = sorted(frozenset[int]().union(*(request.gold for request in bereft)))
    doubles = np.any(vectors[gone] @ vectors.T > DOUBLE, axis=0)
    free = [place for place in range(len(tools)) if place not in kept and not doubles[place]]
    rng.shuffle(free)
    if by_toolkit:
        order = {tools[place].toolkit: number for number, place in enumerate(free)}
        free.sort(key=lambda place: order[tools[place].toolkit])
    places = sorted(kept | set(free[: max(0, size - len(kept))]))
    index = ToolIndex([tools[place] for place in places], vectors[places])
    name = collection.name
    return index, [_asked(name, "served", served), _asked(name, "unserved", bereft)]
