"""Fit the fusion of the semantic retriever: `python -m gretel.training.fusion --data DIR --seed 7`.

Reads metatool_toole (train), sealtools (dev) and arazzo from DIR, and nothing else; writes
`fusion.json` and `answerable.json` beside the retriever. A second run encodes nothing.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gretel.nodes.retrievers import fusion as product
from gretel.nodes.retrievers.encoder import Encoder
from gretel.nodes.retrievers.fusion import FEATURES, Fusion, features
from gretel.training import answerable
from gretel.training.judged import Collection, VectorCache, load_collection, signals_of

Array = npt.NDArray[np.float64]

COLLECTIONS = (
    ("metatool_toole", "train", 2_000),
    ("sealtools", "dev", None),
    ("arazzo", "test", None),
)
"""Folder, qrels and how many requests to draw."""
DEPTH = 5
"""Ranks that the printed nDCG looks at, and the least that each half proposes."""
RIDGE = 1e-3
"""Penalty on standardised coefficients: enough to settle features that say the same."""


class Lists(NamedTuple):
    """The candidates of every request of one collection, padded to the longest list."""

    name: str
    features: Array
    """Request × candidate × feature."""
    real: Array
    """Request × candidate: 0 for padding."""
    gold: Array
    """Request × candidate: 1 where the tool serves the request."""
    judged: Array
    """Request: how many tools serve it, found or not."""


def main() -> None:
    """Load, cross-validate, fit, write."""
    options = parse(sys.argv[1:])
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
    samples = answerable.draw(collections, Fusion.fitted(fused), cache, seed=options.seed)
    write(options.out / "answerable.json", answerable.fitted(samples) | origin)


def write(path: Path, fitted: dict[str, object]) -> None:
    """Write and show what was fitted."""
    text = json.dumps(fitted, indent=2) + "\n"
    path.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{path.name} {text}")


def fitted_fusion(lists: Sequence[Lists]) -> dict[str, object]:
    """What `fusion.json` says."""
    weights = fit(lists)
    slope, offset = calibrate(lists, weights)
    figures = {}
    for number, held_out in enumerate(lists):
        others = [*lists[:number], *lists[number + 1 :]]
        figures[held_out.name] = {
            "dense": ndcg(held_out, one_hot("dense")),
            "sparse": ndcg(held_out, one_hot("sparse")),
            "fused": ndcg(held_out, weights),
            "fused, left out": ndcg(held_out, fit(others)),
        }
    return {
        "coefficients": dict(zip(FEATURES, weights.round(4).tolist(), strict=True)),
        "slope": round(slope, 4),
        "offset": round(offset, 4),
        "nDCG@5": figures,
    }


def candidates(collection: Collection, cache: VectorCache) -> Lists:
    """What the product would weigh for each request of `collection`."""
    rows: list[Array] = []
    gold: list[npt.NDArray[np.bool_]] = []
    found = signals_of(collection.index, collection.name, collection.requests, cache)
    for request, signals in zip(collection.requests, found, strict=True):
        places = signals.pool(DEPTH)
        rows.append(features(collection.index, signals, places))
        gold.append(np.isin(places, list(request.gold)))
    width = max(len(row) for row in rows)
    return Lists(
        name=collection.name,
        features=np.stack([np.pad(row, ((0, width - len(row)), (0, 0))) for row in rows]),
        real=np.stack([np.pad(np.ones(len(row)), (0, width - len(row))) for row in rows]),
        gold=np.stack([np.pad(row.astype(float), (0, width - len(row))) for row in gold]),
        judged=np.array([len(request.gold) for request in collection.requests], dtype=float),
    )


def fit(lists: Sequence[Lists]) -> Array:
    """Coefficients of the least listwise loss (ListNet), every collection counting the same."""
    import torch

    torch.set_num_threads(1)
    scale = np.concatenate([part.features[part.real > 0] for part in lists]).std(axis=0)
    tensors = [
        (torch.tensor(part.features / scale), torch.tensor(part.real), torch.tensor(part.gold))
        for part in lists
    ]
    weights = torch.zeros(len(FEATURES), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=300, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        total = RIDGE * (weights**2).sum()
        for values, real, gold in tensors:
            scores = (values @ weights).masked_fill(real == 0, -1e9)
            found = gold.sum(dim=1) > 0
            share = gold[found] / gold[found].sum(dim=1, keepdim=True)
            missed = -(share * torch.log_softmax(scores[found], dim=1)).sum(dim=1)
            total = total + missed.mean() / len(tensors)
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    return np.asarray(weights.detach().numpy() / scale)


def calibrate(lists: Sequence[Lists], weights: Array) -> tuple[float, float]:
    """Slope and offset of the logistic curve from a candidate's sum to P(it serves the request)."""
    from sklearn.linear_model import LogisticRegression

    sums = np.concatenate([(part.features @ weights)[part.real > 0] for part in lists])
    gold = np.concatenate([part.gold[part.real > 0] for part in lists])
    curve = LogisticRegression(C=1e6).fit(sums[:, None], gold)
    return float(curve.coef_[0, 0]), float(curve.intercept_[0])


def ndcg(part: Lists, weights: Array) -> float:
    """Mean nDCG at `DEPTH` over all requests, those whose gold was not proposed included."""
    scores = np.where(part.real > 0, part.features @ weights, -np.inf)
    order = np.argsort(-scores, axis=1, kind="stable")[:, :DEPTH]
    discount = 1 / np.log2(np.arange(DEPTH) + 2)
    gained = np.take_along_axis(part.gold, order, axis=1) @ discount
    ideal = np.cumsum(discount)[np.clip(part.judged, 1, DEPTH).astype(int) - 1]
    return round(float((gained / ideal).mean()), 4)


def one_hot(name: str) -> Array:
    """Weights that rank by one feature alone."""
    return np.array([float(feature == name) for feature in FEATURES])


def digest(collections: Sequence[Collection]) -> str:
    """SHA-256 of the digests of all files read."""
    joined = "".join(collection.digest for collection in collections)
    return hashlib.sha256(joined.encode()).hexdigest()


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--cache", type=Path, default=Path(".cache/training"))
    parser.add_argument("--seed", type=int, default=7)
    here = Path(product.__file__).parent
    parser.add_argument("--out", type=Path, default=here, help="folder of the two files")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
