"""Fit the fusion of the semantic retriever: `python -m gretel.training.fusion --data DIR --seed 7`.

Reads metatool_toole (train), sealtools (dev) and arazzo from DIR, and nothing else; writes
`fusion.json` beside the retriever. A second run encodes nothing.
"""

from collections.abc import Sequence
from pathlib import Path

from gretel.nodes.retrieve.semantic import fusion as product
from gretel.nodes.retrieve.semantic.fusion import COLUMNS, FEATURES, features
from gretel.training.data.judged import Collection, Source, VectorCache, signals_of
from gretel.training.listwise import (
    DEPTH,
    Lists,
    curve,
    digest,
    fit,
    fit_some,
    made,
    ndcg,
    one_hot,
    opened,
    parse,
    write,
)

SOURCES = (
    Source("metatool_toole", "train", limit=2_000),
    Source("sealtools", "dev"),
    Source("arazzo", "test"),
)


def main() -> None:
    """Load, cross-validate, fit, write."""
    options = parse(__doc__, Path(product.__file__).parent)
    cache, collections = opened(SOURCES, options)
    fused = fitted_fusion([candidates(collection, cache) for collection in collections])
    requests = {collection.name: len(collection.requests) for collection in collections}
    origin = {"requests": requests} | made("fusion", digest(collections), options.seed)
    write(options.out / "fusion.json", fused | origin)


def fitted_fusion(lists: Sequence[Lists]) -> dict[str, object]:
    """What `fusion.json` says: the curve of both sides, and under `alone` that of each."""
    weights = fit(lists)
    figures = {}
    for number, held_out in enumerate(lists):
        others = [*lists[:number], *lists[number + 1 :]]
        figures[held_out.name] = {
            "dense": ndcg(held_out, one_hot(FEATURES, "dense")),
            "sparse": ndcg(held_out, one_hot(FEATURES, "sparse")),
            "fused": ndcg(held_out, weights),
            "fused, left out": ndcg(held_out, fit(others)),
        }
    alone = {side: fitted_side(lists, columns) for side, columns in COLUMNS.items()}
    return curve(lists, weights, FEATURES) | {"alone": alone, "nDCG@5": figures}


def fitted_side(lists: Sequence[Lists], columns: Sequence[int]) -> dict[str, object]:
    """The curve of one side, the features of the other weighing nothing."""
    weights = fit_some(lists, columns)
    figures = {part.name: ndcg(part, weights) for part in lists}
    return curve(lists, weights, FEATURES) | {"nDCG@5": figures}


def candidates(collection: Collection, cache: VectorCache) -> Lists:
    """What the product would weigh for each request of `collection`."""
    index, requests = collection.index, collection.requests
    found = [*signals_of(index, collection.name, [request.text for request in requests], cache)]
    places = [signals.pool(DEPTH) for signals in found]
    pairs = zip(found, places, strict=True)
    rows = [features(index, signals, own) for signals, own in pairs]
    return Lists.padded(collection.name, requests, rows, places)


if __name__ == "__main__":
    main()
