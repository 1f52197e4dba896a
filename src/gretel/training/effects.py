"""Fit what it weighs that an operation changes what a request only asks about:

    python -m gretel.training.effects --data DIR --real DIR --requests FILE --seed 7

Reads sealtools (dev), the dev halves of callnavi and arazzo by toolkit and livemcp from the folder
of `--data`, the parts of the real services that are developed on, and nothing else; writes
`effects.json` beside the candidate stage. The loss is listwise over what the semantic retriever
finds, whose own log-odds take part with a coefficient that the weights are divided by.
Every request counts the same: the collections differ in how many of theirs say what they wish.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gretel.catalog.effects.asked import wish_of
from gretel.catalog.effects.changes import effect_of
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.semantic.fusion import Fusion
from gretel.nodes.retrieve.semantic.retriever import ranked
from gretel.nodes.retrieve.stage import effects as product
from gretel.nodes.retrieve.stage.effects import MISMATCHES, mismatch
from gretel.nodes.retrieve.stage.pool import DEPTH
from gretel.training.judged import Collection, Source, VectorCache, loaded, signals_of
from gretel.training.listwise import Array, Lists, digest, fit, made, ndcg, parse, write
from gretel.training.real import real_collections

SOURCES = (
    Source("sealtools", "dev"),
    Source("callnavi", "test", halved_by="toolkit"),
    Source("arazzo", "test", halved_by="toolkit"),
    Source("livemcp", "test"),
)


def main() -> None:
    """Load, cross-validate, fit, write."""
    options = parse(__doc__, Path(product.__file__).parent, real=True)
    cache = VectorCache(options.cache, Encoder())
    fusion = Fusion.load()
    collections = [loaded(source, options.data, cache, options.seed) for source in SOURCES]
    collections += real_collections(options.real, options.requests, cache)
    lists = [candidates(collection, fusion, cache) for collection in collections]
    weights = relative(fit([joined(lists)]))
    content = {
        "weights": dict(zip(MISMATCHES, weights[1:].round(3).tolist(), strict=True)),
        "requests": {part.name: len(part.judged) for part in lists},
        "nDCG@5": {held_out.name: _figures(held_out, lists, weights) for held_out in lists},
    }
    origin = made("effects", digest(collections), options.seed, real=True)
    write(options.out / "effects.json", content | origin)


def candidates(collection: Collection, fusion: Fusion, cache: VectorCache) -> Lists:
    """The log-odds of what is found for each request, and how its effect differs from the asked."""
    index = collection.index
    effects = {tool.tool_id: effect_of(tool) for tool in index.tools}
    place = {tool.tool_id: number for number, tool in enumerate(index.tools)}
    texts = [request.text for request in collection.requests]
    rows, gold = [], []
    for request, signals in zip(
        collection.requests, signals_of(index, collection.name, texts, cache), strict=True
    ):
        found = [*ranked(index, signals, fusion, DEPTH)]
        wish = wish_of(request.text)
        kinds = [mismatch(wish, effects[each.tool_id]) for each in found]
        shown = [[float(kind == name) for name in MISMATCHES] for kind in kinds]
        rows.append(np.column_stack([log_odds([each.score for each in found]), np.array(shown)]))
        gold.append(np.isin([place[each.tool_id] for each in found], list(request.gold)))
    judged = (len(request.gold) for request in collection.requests)
    return Lists.padded(collection.name, rows, gold, judged)


def joined(lists: Sequence[Lists]) -> Lists:
    """The requests of all collections as those of one."""
    width = max(part.features.shape[1] for part in lists)

    def together(name: str) -> Array:
        arrays = [getattr(part, name) for part in lists]
        short = [[(0, 0), (0, width - each.shape[1]), (0, 0)][: each.ndim] for each in arrays]
        return np.concatenate([*map(np.pad, arrays, short)])

    judged = np.concatenate([part.judged for part in lists])
    return Lists("joined", together("features"), together("real"), together("gold"), judged)


def relative(weights: Array) -> Array:
    """Coefficients in units of the log-odds' own."""
    return np.asarray(weights / weights[0])


def _figures(held_out: Lists, lists: Sequence[Lists], weights: Array) -> dict[str, float]:
    others = [part for part in lists if part.name != held_out.name]
    return {
        "own": ndcg(held_out, np.array([1.0, *[0.0] * len(MISMATCHES)])),
        "with effects": ndcg(held_out, weights),
        "with effects, left out": ndcg(held_out, relative(fit([joined(others)]))),
    }


if __name__ == "__main__":
    main()
