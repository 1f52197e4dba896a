"""Fit what it weighs that a call takes what a request says, before it is settled what is tried:

    python -m gretel.training.planned --data DIR --real DIR --requests FILE --seed 7

Reads the dev halves of toolbench_g1 and callnavi by toolkit, sealtools (dev), livemcp and
metatool_toole (train) from the folder of `--data`, the parts of the real services that are
developed on, and nothing else; writes `planned.json` beside the candidate stage. The loss is
listwise over the best that the semantic retriever finds, whose own log-odds take part with a
coefficient that the weights are divided by; every collection counts the same. Shapes take no part.
"""

from pathlib import Path

import numpy as np

from gretel.catalog import Catalog
from gretel.catalog.effects.asked import wish_of
from gretel.catalog.effects.changes import effect_of
from gretel.contracts.ranking import Request
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.semantic.retriever import ranked
from gretel.nodes.retrieve.stage import planned as product
from gretel.nodes.retrieve.stage.effects import by_effect
from gretel.nodes.retrieve.stage.planned import DEPTH, SHOWN, evidence
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
from gretel.training.real import TODAY, real_collections

SOURCES = (
    Source("toolbench_g1", "test", halved_by="toolkit"),
    Source("callnavi", "test", halved_by="toolkit"),
    Source("sealtools", "dev", limit=300),
    Source("livemcp", "test"),
    Source("metatool_toole", "train", limit=400),
)


def main() -> None:
    """Load, plan, cross-validate, fit, write."""
    options = parse(__doc__, Path(product.__file__).parent, real=True)
    fusion, (cache, collections) = Fusion.load(), opened(SOURCES, options)
    collections += real_collections(options.real, options.requests, cache)
    lists = [candidates(collection, fusion, cache) for collection in collections]
    weights = evenly(lists)
    content = {
        "weights": dict(zip(SHOWN, weights[1:].round(3).tolist(), strict=True)),
        "requests": {part.name: len(part.judged) for part in lists},
        "nDCG@5": beside_own("planned", lists, weights, evenly),
    }
    origin = made("planned", digest(collections), options.seed, real=True)
    write(options.out / "planned.json", content | origin)


def candidates(collection: Collection, fusion: Fusion, cache: VectorCache) -> Lists:
    """The log-odds of the best candidates of each request, and what their plans show."""
    index = collection.index
    catalog = Catalog.from_tools(index.tools)
    texts = [request.text for request in collection.requests]
    planner = DeterministicPlanner()
    rows, places = [], []
    for text, signals in zip(texts, signals_of(index, collection.name, texts, cache), strict=True):
        best = tuple(ranked(index, signals, fusion, DEPTH))
        found = by_effect(wish_of(text), best, lambda name: effect_of(catalog[name]))
        request, names = Request(text=text, today=TODAY), [each.tool_id for each in found]
        plans = {name: planner.planned(request, catalog[name]) for name in names}
        own = log_odds([each.score for each in found])
        rows.append(np.column_stack([own, evidence(plans, names, catalog)]))
        places.append([collection.place[name] for name in names])
    return Lists.padded(collection.name, collection.requests, rows, places)


if __name__ == "__main__":
    main()
