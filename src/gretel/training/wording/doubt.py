"""Fit how far the words of a request are believed:

    python -m gretel.training.wording.doubt --data DIR --seed 7

Reads metatool_toole (train), sealtools (dev) and the dev halves of toolbench_g1 and callnavi from
DIR, and nothing else; writes `doubt.json` beside the retriever. Each request is there as it is and
in every wording of `vague.py`. The loss is listwise (ListNet); a clear request counts as much as
`CLEAR` vague wordings, since most requests are clear. No weight of the sum that doubts is negative:
what speaks against a tool in one catalogue does not in the next.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.semantic import doubt as product
from gretel.nodes.retrieve.semantic.doubt import SAID, SURE, said
from gretel.nodes.retrieve.semantic.fusion import FEATURES, Fusion, Halves, features
from gretel.training.judged import Collection, Source, VectorCache, loaded, signals_of
from gretel.training.listwise import Array, Lists, digest, made, ndcg, parse, write
from gretel.training.wording.vague import FAMILIES, Wordings

if TYPE_CHECKING:
    import torch

SOURCES = (
    Source("metatool_toole", "train", limit=300),
    Source("toolbench_g1", "test", halved_by="toolkit"),
    Source("sealtools", "dev", limit=300),
    Source("callnavi", "test", halved_by="toolkit"),
)
CLEAR = 20.0
"""Vague wordings that one clear request outweighs. 8 cost the clear requests of a collection that
was left out up to .009 of nDCG@5, and this less than .002."""
POOL = 50
"""As deep as the candidate stage asks."""
RIDGE = 1e-3
_STEPS = 80
_START = -1.0
_LEAST = 0.04
"""Where a weight that fusion has not begins: at 0 it would never move."""


class Said(NamedTuple):
    """The candidates of one wording's requests, and what decides their doubt."""

    family: str
    lists: Lists
    """Their features are those of the fusion, and the raw cosine."""
    said: Array
    """Request × `SAID`."""


class Fitted(NamedTuple):
    """A sum that doubts, and the weights of the doubt with the intercept behind them."""

    coefficients: Array
    weights: Array

    def scored(self, part: Said, believing: Array) -> Lists:
        """The mixed sums as the one feature of each candidate, as the product mixes them."""
        found = 1 / (1 + np.exp(-(part.said @ self.weights[:-1] + self.weights[-1])))[:, None]
        doubt = np.maximum(0, (found - SURE) / (1 - SURE))
        values = part.lists.features
        mixed = (1 - doubt) * (values @ believing) + doubt * (values @ self.coefficients)
        return part.lists._replace(features=mixed[..., None])


def main() -> None:
    """Load, reword, cross-validate, fit, write."""
    options = parse(__doc__, Path(product.__file__).parent)
    cache = VectorCache(options.cache, Encoder())
    collections = [loaded(source, options.data, cache, options.seed) for source in SOURCES]
    parts = [part for each in collections for part in wordings(each, cache, options.seed)]
    requests = {each.name: len(each.requests) for each in collections}
    origin = {"requests": requests} | made("wording.doubt", digest(collections), options.seed)
    write(options.out / "doubt.json", content(parts) | origin)


def wordings(collection: Collection, cache: VectorCache, seed: int) -> list[Said]:
    """The requests of a collection as they are, and in each wording."""
    worded = Wordings(collection, cache, seed)
    clear = [request.text for request in collection.requests]
    texts = {"clear": clear, **{family: worded.of(family) for family in FAMILIES}}
    return [candidates(collection, family, texts[family], cache) for family in texts]


def candidates(
    collection: Collection, family: str, texts: Sequence[str], cache: VectorCache
) -> Said:
    """What the product would weigh for each request in one wording."""
    rows, pools, about = [], [], []
    found = signals_of(collection.index, collection.name, texts, cache)
    for signals in found:
        places = signals.pool(POOL)
        values = features(collection.index, signals, places)
        rows.append(np.column_stack([values, signals.dense[places]]))
        pools.append(places)
        about.append(said(signals, values))
    lists = Lists.padded(collection.name, collection.requests, rows, pools)
    return Said(family, lists, np.array(about))


def content(parts: Sequence[Said]) -> dict[str, object]:
    """What `doubt.json` says."""
    fitted = fit(parts)
    coefficients, weights = fitted
    names = (*FEATURES, "raw")
    return {
        "coefficients": dict(zip(names, coefficients.round(4).tolist(), strict=True)),
        "doubt": dict(zip((*SAID, "intercept"), weights.round(4).tolist(), strict=True)),
        "nDCG@5": figures(parts, fitted),
    }


def figures(parts: Sequence[Said], fitted: Fitted) -> dict[str, dict[str, float]]:
    """Each wording of each collection by what was fitted on all, and by fits that saw nothing of
    the collection, or of the wording.
    """
    collections = {part.lists.name: None for part in parts}
    by_collection = {name: fit([p for p in parts if p.lists.name != name]) for name in collections}
    by_family = {name: fit([p for p in parts if p.family != name]) for name in FAMILIES}
    found = {}
    for part in parts:
        row = {
            "dense": alone(part, "dense"),
            "sparse": alone(part, "sparse"),
            "believed": ndcg(part.lists, believing()),
            "doubted": reached(part, fitted),
            "collection left out": reached(part, by_collection[part.lists.name]),
        }
        if part.family in by_family:
            row["wording left out"] = reached(part, by_family[part.family])
        found[f"{part.lists.name}, {part.family}"] = row
    return found


def reached(part: Said, fitted: Fitted) -> float:
    """nDCG@5 of the mixed sums."""
    return ndcg(fitted.scored(part, believing()), np.ones(1))


def alone(part: Said, half: Halves) -> float:
    """nDCG@5 of one half."""
    return ndcg(part.lists, np.array([*Fusion.load(half).coefficients, 0.0]))


def believing() -> Array:
    """The coefficients of the fusion, and none of the raw cosine."""
    return np.array([*Fusion.load().coefficients, 0.0])


def fit(parts: Sequence[Said]) -> Fitted:
    """The least listwise loss over all wordings, every collection's counting the same."""
    import torch

    torch.set_num_threads(1)
    scale = np.concatenate([p.lists.features[p.lists.real > 0] for p in parts]).std(axis=0)
    every = np.concatenate([part.said for part in parts])
    middle, spread = every.mean(axis=0), every.std(axis=0)
    believed = torch.tensor(believing() * scale)
    roots = believed.clamp(min=_LEAST).sqrt().requires_grad_()
    weights = torch.zeros(len(SAID), dtype=torch.float64, requires_grad=True)
    intercept = torch.tensor(_START, dtype=torch.float64, requires_grad=True)
    tensors = [_tensors(part, scale, middle, spread) for part in parts]
    counts = [CLEAR if part.family == "clear" else 1.0 for part in parts]
    optimizer = torch.optim.LBFGS(
        [roots, weights, intercept], max_iter=_STEPS, line_search_fn="strong_wolfe"
    )

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        total = RIDGE * (((roots**2 - believed) ** 2).sum() + (weights**2).sum())
        for count, (values, real, gold, about) in zip(counts, tensors, strict=True):
            doubt = torch.sigmoid(about @ weights + intercept)[:, None]
            sums = (1 - doubt) * (values @ believed) + doubt * (values @ roots**2)
            total = total + count / sum(counts) * _listwise(sums, real, gold)
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    slopes = weights.detach().numpy() / spread
    offset = float(intercept.detach()) - float(slopes @ middle)
    return Fitted((roots**2).detach().numpy() / scale, np.array([*slopes, offset]))


def _tensors(part: Said, scale: Array, middle: Array, spread: Array) -> "list[torch.Tensor]":
    import torch

    lists, about = part.lists, (part.said - middle) / spread
    return [torch.tensor(each) for each in (lists.features / scale, lists.real, lists.gold, about)]


def _listwise(sums: "torch.Tensor", real: "torch.Tensor", gold: "torch.Tensor") -> "torch.Tensor":
    """Mean cross-entropy of the right tools' shares, of requests whose tools were proposed."""
    import torch

    found = gold.sum(dim=1) > 0
    share = gold[found] / gold[found].sum(dim=1, keepdim=True)
    chances = torch.log_softmax(sums.masked_fill(real == 0, -1e9)[found], dim=1)
    return -(share * chances).sum(dim=1).mean()


if __name__ == "__main__":
    main()
