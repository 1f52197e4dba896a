"""Fit candidate scores in view of each other:

    python -m gretel.training.coherence --data DIR --seed 7

Reads the dev half of toolbench_g1, sealtools (dev), metatool_toole (train) and half of arazzo's
documents from DIR, and nothing else; writes `coherence.json` beside the retriever. All requests of
toolbench_g1 and arazzo ask for tools of one toolkit, which would teach that all requests do; so
requests of one collection that share no toolkit are also joined, two to one.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.semantic.retriever import ranked
from gretel.nodes.retrieve.stage import coherence as product
from gretel.nodes.retrieve.stage.coherence import ALONE, FEATURES
from gretel.nodes.retrieve.stage.pool import DEPTH, Found, pooled
from gretel.text.sentences import request_parts
from gretel.training.data.judged import Collection, Judged, Source, VectorCache, signals_of
from gretel.training.listwise import (
    Lists,
    curve,
    digest,
    fit_some,
    made,
    ndcg,
    one_hot,
    opened,
    parse,
    write,
)

JOINED = 300
"""Requests made of two, in each collection that is joined."""


SOURCES = (
    Source("toolbench_g1", "test", halved_by="toolkit"),
    Source("sealtools", "dev", joined=False),
    Source("metatool_toole", "train", limit=2_000),
    Source("arazzo", "test", halved_by="toolkit"),
)


def main() -> None:
    """Load, cross-validate, fit, write."""
    options = parse(__doc__, Path(product.__file__).parent)
    fusion, (cache, collections) = Fusion.load(), opened(SOURCES, options)
    lists = []
    for source, collection in zip(SOURCES, collections, strict=True):
        lists.append(candidates(collection, fusion, cache))
        if source.joined:
            pairs = join(collection, random.Random(options.seed))
            lists.append(candidates(pairs, fusion, cache))
    requests = {part.name: len(part.judged) for part in lists}
    origin = {"requests": requests} | made("coherence", digest(collections), options.seed)
    write(options.out / "coherence.json", fitted(lists) | origin)


def join(collection: Collection, rng: random.Random) -> Collection:
    """Requests for two things that no toolkit offers together."""
    tools = collection.index.tools
    pairs: list[Judged] = []
    while len(pairs) < JOINED:
        one, other = rng.sample(collection.requests, 2)
        scenes = ({tools[place].toolkit for place in each.gold} for each in (one, other))
        if not set.intersection(*scenes):
            pairs.append(Judged(f"{one.text.rstrip()} {other.text}", one.gold | other.gold))
    return replace(collection, name=f"{collection.name} joined", requests=tuple(pairs))


def candidates(collection: Collection, fusion: Fusion, cache: VectorCache) -> Lists:
    """What the product would score for each request of `collection` that has parts."""
    index = collection.index
    requests = [request for request in collection.requests if request_parts(request.text)]
    toolkits = {tool.tool_id: tool.toolkit for tool in index.tools}
    parts = [request_parts(request.text) for request in requests]
    wholes = found_for(collection, [request.text for request in requests], fusion, cache)
    rest = iter(found_for(collection, [own for texts in parts for own in texts], fusion, cache))
    rows, places = [], []
    for whole, texts in zip(wholes, parts, strict=True):
        pool = pooled(whole, [next(rest) for _ in texts], toolkits.__getitem__)
        rows.append(pool.values)
        places.append([collection.place[candidate.tool_id] for candidate in pool.candidates])
    return Lists.padded(collection.name, requests, rows, places)


def found_for(
    collection: Collection, texts: Sequence[str], fusion: Fusion, cache: VectorCache
) -> list[Found]:
    """What the semantic retriever finds."""
    found = signals_of(collection.index, collection.name, texts, cache)
    return [tuple(ranked(collection.index, signals, fusion, DEPTH)) for signals in found]


def fitted(lists: Sequence[Lists]) -> dict[str, object]:
    """What `coherence.json` says."""
    every = tuple(range(len(FEATURES)))
    return measured(lists, every) | {"without toolkits": measured(lists, ALONE)}


def measured(lists: Sequence[Lists], columns: Sequence[int]) -> dict[str, object]:
    """The curve over some features, with nDCG@5 where their own collection is left out.

    The figures are those of the sums, before toolkits share them out.
    """
    weights = fit_some(lists, columns)
    figures = {}
    for held_out in lists:
        name = held_out.name.partition(" ")[0]
        others = [part for part in lists if part.name.partition(" ")[0] != name]
        figures[held_out.name] = {
            "own": ndcg(held_out, one_hot(FEATURES, "own")),
            "coherent": ndcg(held_out, weights),
            "coherent, left out": ndcg(held_out, fit_some(others, columns)),
        }
    return curve(lists, weights, FEATURES) | {"nDCG@5": figures}


if __name__ == "__main__":
    main()
