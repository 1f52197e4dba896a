"""Fit what it weighs that a call takes what a request says, before it is settled what is tried:

    python -m gretel.training.planned --data DIR --real DIR --requests FILE --seed 7

Reads the dev halves of toolbench_g1 and callnavi by toolkit, sealtools (dev), livemcp and
metatool_toole (train) from the folder of `--data`, the parts of the real services that are
developed on, and nothing else; writes `planned.json` beside the candidate stage. The loss is
listwise over the best that the semantic retriever finds, whose own log-odds take part with a
coefficient that the weights are divided by; every collection counts the same.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gretel.catalog import Catalog
from gretel.catalog.effects.asked import wish_of
from gretel.catalog.effects.changes import effect_of
from gretel.contracts.ranking import Request
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.semantic.retriever import ranked
from gretel.nodes.retrieve.stage import planned as product
from gretel.nodes.retrieve.stage.effects import by_effect
from gretel.nodes.retrieve.stage.planned import DEPTH, SHOWN, evidence
from gretel.training.judged import Collection, Source, VectorCache, loaded, signals_of
from gretel.training.listwise import Array, Lists, digest, fit, made, ndcg, parse, write
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
    cache = VectorCache(options.cache, Encoder())
    fusion = Fusion.load()
    collections = [loaded(source, options.data, cache, options.seed) for source in SOURCES]
    collections += real_collections(options.real, options.requests, cache)
    lists = [candidates(collection, fusion, cache) for collection in collections]
    weights = relative(fit(lists))
    content = {
        "weights": dict(zip(SHOWN, weights[1:].round(3).tolist(), strict=True)),
        "requests": {part.name: len(part.judged) for part in lists},
        "nDCG@5": {held_out.name: _figures(held_out, lists, weights) for held_out in lists},
    }
    origin = made("planned", digest(collections), options.seed, real=True)
    write(options.out / "planned.json", content | origin)


def candidates(collection: Collection, fusion: Fusion, cache: VectorCache) -> Lists:
    """The log-odds of the best candidates of each request, and what their plans show."""
    index = collection.index
    catalog = Catalog.from_tools(index.tools)
    place = {tool.tool_id: number for number, tool in enumerate(index.tools)}
    texts = [request.text for request in collection.requests]
    planner = DeterministicPlanner()
    rows, gold = list[Array](), list[npt.NDArray[np.bool_]]()
    for text, signals in zip(texts, signals_of(index, collection.name, texts, cache), strict=True):
        best = tuple(ranked(index, signals, fusion, DEPTH))
        found = by_effect(wish_of(text), best, lambda name: effect_of(catalog[name]))
        request, names = Request(text=text, today=TODAY), [each.tool_id for each in found]
        plans = {name: planner.planned(request, catalog[name]) for name in names}
        own = log_odds([each.score for each in found])
        rows.append(np.column_stack([own, evidence(plans, names, catalog)]))
        right = collection.requests[len(gold)].gold
        gold.append(np.isin([place[name] for name in names], list(right)))
    judged = (len(request.gold) for request in collection.requests)
    return Lists.padded(collection.name, rows, gold, judged)


def relative(weights: Array) -> Array:
    """Coefficients in units of the log-odds' own."""
    return np.asarray(weights / weights[0])


def _figures(held_out: Lists, lists: Sequence[Lists], weights: Array) -> dict[str, float]:
    others = [part for part in lists if part.name != held_out.name]
    return {
        "own": ndcg(held_out, np.array([1.0, *[0.0] * len(SHOWN)])),
        "planned": ndcg(held_out, weights),
        "planned, left out": ndcg(held_out, relative(fit(others))),
    }


if __name__ == "__main__":
    main()
