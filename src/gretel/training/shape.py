"""Fit what it weighs what operations are made of, beside what is asked:

    python -m gretel.training.shape --data DIR --real DIR --requests FILE --seed 7

Reads the dev halves of toolbench_g1 and callnavi by toolkit, sealtools (dev), livemcp, and
metatool_toole and toollens (train) from the folder of `--data`, the parts of the real services that
are developed on, and nothing else; writes `shape.json` beside the candidate stage. The loss is
listwise over what the semantic retriever finds, whose own log-odds take part with a coefficient
that the weights are divided by; every collection counts the same.
"""

from pathlib import Path

import numpy as np

from gretel.catalog import Catalog
from gretel.catalog.effects.asked import wish_of
from gretel.catalog.effects.changes import effect_of
from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.semantic.retriever import ranked
from gretel.nodes.retrieve.stage import shape as product
from gretel.nodes.retrieve.stage.effects import by_effect
from gretel.nodes.retrieve.stage.pool import DEPTH
from gretel.nodes.retrieve.stage.shape import FEATURES
from gretel.nodes.retrieve.stage.shapes import Shapes
from gretel.training.judged import Collection, Source, VectorCache, signals_of
from gretel.training.listwise import (
    Lists,
    beside_own,
    digest,
    evenly,
    made,
    opened,
    parse,
    write,
)
from gretel.training.real import real_collections

SOURCES = (
    Source("toolbench_g1", "test_solvable", halved_by="toolkit"),
    Source("callnavi", "test", halved_by="toolkit"),
    Source("sealtools", "dev", limit=300),
    Source("livemcp", "test"),
    Source("metatool_toole", "train", limit=400),
    Source("toollens", "train", limit=400),
)


def main() -> None:
    """Load, cross-validate, fit, write."""
    options = parse(__doc__, Path(product.__file__).parent, real=True)
    fusion, (cache, collections) = Fusion.load(), opened(SOURCES, options)
    collections += real_collections(options.real, options.requests, cache)
    lists = [candidates(collection, fusion, cache) for collection in collections]
    weights = evenly(lists)
    content = {
        "weights": dict(zip(FEATURES, weights[1:].round(3).tolist(), strict=True)),
        "requests": {part.name: len(part.judged) for part in lists},
        "nDCG@5": beside_own("with shapes", lists, weights, evenly),
    }
    origin = made("shape", digest(collections), options.seed, real=True)
    write(options.out / "shape.json", content | origin)


def candidates(collection: Collection, fusion: Fusion, cache: VectorCache) -> Lists:
    """The log-odds of what is found for each request, and what each candidate is made of."""
    index = collection.index
    shapes = Shapes(Catalog.from_tools(index.tools))
    effects = {tool.tool_id: effect_of(tool) for tool in index.tools}
    texts = [request.text for request in collection.requests]
    rows, places = [], []
    for text, signals in zip(texts, signals_of(index, collection.name, texts, cache), strict=True):
        best = tuple(ranked(index, signals, fusion, DEPTH))
        found = by_effect(wish_of(text), best, effects.__getitem__)
        own = log_odds([each.score for each in found])
        rows.append(np.column_stack([own, shapes.values(text, found)]))
        places.append([collection.place[each.tool_id] for each in found])
    return Lists.padded(collection.name, collection.requests, rows, places)


if __name__ == "__main__":
    main()
