"""Fit the fusion of the semantic retriever: `python -m gretel.training.fusion --data DIR --seed 7`.

Reads metatool_toole (train), sealtools (dev) and arazzo from DIR, and nothing else; writes
`fusion.json` beside the retriever. A second run encodes nothing.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.semantic import fusion as product
from gretel.nodes.retrieve.semantic.fusion import COLUMNS, FEATURES, features
from gretel.training.judged import Collection, VectorCache, load_collection, signals_of
from gretel.training.listwise import DEPTH, Array, Lists, calibrate, digest, fit, ndcg, parse, write

COLLECTIONS = (
    ("metatool_toole", "train", 2_000),
    ("sealtools", "dev", None),
    ("arazzo", "test", None),
)
"""Folder, qrels and how many requests to draw."""


def main() -> None:
    """Load, cross-validate, fit, write."""
    options = parse(__doc__, Path(product.__file__).parent)
    cache = VectorCache(options.cache, Encoder())
    collections = [
        load_collection(options.data / name, qrels, cache, limit=limit, seed=options.seed)
        for name, qrels, limit in COLLECTIONS
    ]
    origin = {
        "requests": {collection.name: len(collection.requests) for collection in collections},
        "data": digest(collections),
        "seed": options.seed,
        "command": f"python -m gretel.training.fusion --data DIR --seed {options.seed}",
    }
    fused = fitted_fusion([candidates(collection, cache) for collection in collections])
    write(options.out / "fusion.json", fused | origin)


def fitted_fusion(lists: Sequence[Lists]) -> dict[str, object]:
    """What `fusion.json` says: the curve of both halves, and under `alone` that of each."""
    weights = fit(lists)
    figures = {}
    for number, held_out in enumerate(lists):
        others = [*lists[:number], *lists[number + 1 :]]
        figures[held_out.name] = {
            "dense": ndcg(held_out, one_hot("dense")),
            "sparse": ndcg(held_out, one_hot("sparse")),
            "fused": ndcg(held_out, weights),
            "fused, left out": ndcg(held_out, fit(others)),
        }
    alone = {half: fitted_half(lists, columns) for half, columns in COLUMNS.items()}
    return curve(lists, weights) | {"alone": alone, "nDCG@5": figures}


def fitted_half(lists: Sequence[Lists], columns: Sequence[int]) -> dict[str, object]:
    """The curve of one half, the features of the other weighing nothing."""
    weights = np.zeros(len(FEATURES))
    weights[list(columns)] = fit([part.only(columns) for part in lists])
    figures = {part.name: ndcg(part, weights) for part in lists}
    return curve(lists, weights) | {"nDCG@5": figures}


def curve(lists: Sequence[Lists], weights: Array) -> dict[str, object]:
    """Coefficients by name, and the logistic curve over their sum."""
    slope, offset = calibrate(lists, weights)
    return {
        "coefficients": dict(zip(FEATURES, weights.round(4).tolist(), strict=True)),
        "slope": round(slope, 4),
        "offset": round(offset, 4),
    }


def candidates(collection: Collection, cache: VectorCache) -> Lists:
    """What the product would weigh for each request of `collection`."""
    rows, gold = [], []
    found = signals_of(collection.index, collection.name, collection.requests, cache)
    for request, signals in zip(collection.requests, found, strict=True):
        places = signals.pool(DEPTH)
        rows.append(features(collection.index, signals, places))
        gold.append(np.isin(places, list(request.gold)))
    judged = (len(request.gold) for request in collection.requests)
    return Lists.padded(collection.name, rows, gold, judged)


def one_hot(name: str) -> Array:
    """Weights that rank by one feature alone."""
    return np.array([float(feature == name) for feature in FEATURES])


if __name__ == "__main__":
    main()
