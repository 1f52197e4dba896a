"""Listwise fits: coefficients that put the tools that serve a request before the others."""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.training.data.judged import Collection, Judged, Source, VectorCache, loaded
from gretel.training.data.real import PARTS

Array = npt.NDArray[np.float64]

DEPTH = 5
"""Ranks that the printed nDCG looks at."""
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

    @classmethod
    def padded(
        cls,
        name: str,
        requests: Sequence[Judged],
        rows: Sequence[Array],
        places: Sequence[npt.ArrayLike],
    ) -> Self:
        """Features of each request's candidates, which stand at `places` of the index."""
        width = max(len(row) for row in rows)
        found = zip(requests, places, strict=True)
        gold = [np.isin(own, list(request.gold)).astype(float) for request, own in found]
        return cls(
            name=name,
            features=np.stack([np.pad(row, ((0, width - len(row)), (0, 0))) for row in rows]),
            real=np.stack([np.pad(np.ones(len(row)), (0, width - len(row))) for row in rows]),
            gold=np.stack([np.pad(row, (0, width - len(row))) for row in gold]),
            judged=np.array([len(request.gold) for request in requests], dtype=float),
        )


def fit(lists: Sequence[Lists]) -> Array:
    """Coefficients of the least listwise loss (ListNet), every collection counting the same."""
    import torch

    torch.set_num_threads(1)
    spread = np.concatenate([part.features[part.real > 0] for part in lists]).std(axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    tensors = [
        (torch.tensor(part.features / scale), torch.tensor(part.real), torch.tensor(part.gold))
        for part in lists
    ]
    weights = torch.zeros(len(scale), dtype=torch.float64, requires_grad=True)
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


def fit_some(lists: Sequence[Lists], columns: Sequence[int]) -> Array:
    """As `fit`, with 0 for the features that are not in `columns`."""
    some = list(columns)
    weights = np.zeros(lists[0].features.shape[2])
    weights[some] = fit([part._replace(features=part.features[:, :, some]) for part in lists])
    return weights


def one_hot(names: Sequence[str], name: str) -> Array:
    """Weights that rank by one feature alone."""
    return np.array([float(each == name) for each in names])


def relative(weights: Array) -> Array:
    """Coefficients in units of the first one, which is that of the retriever's own log-odds."""
    return np.asarray(weights / weights[0])


def evenly(lists: Sequence[Lists]) -> Array:
    """Weights beside the own log-odds to which every collection adds as much."""
    return relative(fit(lists))


def beside_own(
    what: str, lists: Sequence[Lists], weights: Array, fit: Callable[[Sequence[Lists]], Array]
) -> dict[str, dict[str, float]]:
    """For each collection nDCG of the own log-odds, with all, and fitted without the collection."""
    own = np.eye(len(weights))[0]
    return {
        held_out.name: {
            "own": ndcg(held_out, own),
            what: ndcg(held_out, weights),
            f"{what}, left out": ndcg(held_out, fit([p for p in lists if p.name != held_out.name])),
        }
        for held_out in lists
    }


def curve(lists: Sequence[Lists], weights: Array, names: Sequence[str]) -> dict[str, object]:
    """Coefficients by name, and the logistic curve over their sum."""
    slope, offset = calibrate(lists, weights)
    return {
        "coefficients": dict(zip(names, weights.round(4).tolist(), strict=True)),
        "slope": round(slope, 4),
        "offset": round(offset, 4),
    }


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


def opened(
    sources: Sequence[Source], options: argparse.Namespace, *, tuned: bool = False
) -> tuple[VectorCache, list[Collection]]:
    """What a script reads, and the vectors of its texts; `tuned` as `VectorCache` says."""
    cache = VectorCache(options.cache, Encoder(tuned=tuned))
    return cache, [loaded(source, options.data, cache, options.seed) for source in sources]


def digest(collections: Sequence[Collection]) -> str:
    """SHA-256 of the digests of all files read."""
    joined = "".join(collection.digest for collection in collections)
    return hashlib.sha256(joined.encode()).hexdigest()


def made(
    script: str, data: str, seed: int, *, parts: Sequence[str] = (), written: bool = False
) -> dict[str, object]:
    """How a fitted file came about, as it says itself.

    Args:
        script: its name in `training/`.
        data: digest of what was read.
        seed: of its draws.
        parts: of the real services that were read.
        written: whether the written requests were.
    """
    sources = "--data DIR"
    if parts:
        sources += f" --real DIR --requests FILE --parts {' '.join(parts)}"
    sources += " --written DIR" if written else ""
    command = f"python -m gretel.training.{script} {sources} --seed {seed}"
    return {"data": data, "seed": seed, "command": command}


def write(path: Path, fitted: dict[str, object]) -> None:
    """Write and show what was fitted."""
    text = json.dumps(fitted, indent=2) + "\n"
    path.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{path.name} {text}")


def parse(
    description: str | None, out: Path, *, real: bool = False, written: bool = False
) -> argparse.Namespace:
    """The command line of a script that writes to the folder `out` if no other is given.

    With `real` it reads the real services, too, and with `written` the written requests.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    if real:
        parser.add_argument(
            "--real", type=Path, nargs="+", required=True, help="folders of started services"
        )
        parser.add_argument("--requests", type=Path, required=True, help="what is asked of them")
        parser.add_argument(
            "--parts", nargs="+", choices=PARTS, default=PARTS, help="those of them that are read"
        )
    if written:
        parser.add_argument("--written", type=Path, required=True, help="benchmarks/written")
    parser.add_argument("--cache", type=Path, default=Path(".cache/training"), help="of vectors")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=out, help="folder of what is written")
    return parser.parse_args()
