"""Samples of requests that a catalogue can and cannot serve, and the curve that tells them apart.

A request is unanswerable where its tools, and their near doubles, were taken out of the catalogue
(`left out`), or where it comes from another collection (`foreign`). `training/fusion.py` runs it.
"""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gretel.nodes.retrievers.answerable import SIGNALS, SIZES, absolute
from gretel.nodes.retrievers.fusion import Fusion
from gretel.nodes.retrievers.signals import ToolIndex
from gretel.training.judged import Collection, Judged, VectorCache, signals_of

CATALOGUES = 120
"""Catalogues drawn from each collection."""
REQUESTS = 8
"""Answerable requests of each catalogue, and as many that lost their tools."""
FOREIGN = 2
"""Requests from each other collection."""
DOUBLE = 0.75
"""Cosine from which a tool may do the same as one that was taken out."""
FALSE_ABSTENTION = 0.05
"""Share of answerable samples that the recommended threshold may lose."""


class Sample(NamedTuple):
    """One request before one catalogue."""

    collection: str
    answerable: bool
    signals: tuple[float, ...]


class Curve(NamedTuple):
    """A fitted logistic curve."""

    coefficients: npt.NDArray[np.float64]
    intercept: float

    def probabilities(self, samples: Sequence[Sample]) -> npt.NDArray[np.float64]:
        """P(answerable) of each sample."""
        sums = np.array([sample.signals for sample in samples]) @ self.coefficients
        return 1 / (1 + np.exp(-sums - self.intercept))


def draw(
    collections: Sequence[Collection], fusion: Fusion, cache: VectorCache, *, seed: int
) -> list[Sample]:
    """Samples of every collection, the same for the same seed."""
    samples: list[Sample] = []
    for collection in collections:
        rng = random.Random(seed)
        others = [other for other in collections if other is not collection]
        for number in range(CATALOGUES):
            # Every other catalogue consists of whole toolkits, as real ones do.
            drawn = _catalogue(collection, rng, by_toolkit=number % 2 == 1)
            for source, answerable, requests in drawn.asked(collection.name, others, rng):
                for signals in signals_of(drawn.index, source, requests, cache):
                    weighed = fusion.weigh(drawn.index, signals, size=1)
                    found = absolute(signals, weighed)
                    samples.append(Sample(collection.name, answerable, found))
    return samples


@dataclass(frozen=True)
class _Drawn:
    index: ToolIndex
    served: list[Judged]
    bereft: list[Judged]

    def asked(
        self, name: str, others: Sequence[Collection], rng: random.Random
    ) -> Iterator[tuple[str, bool, list[Judged]]]:
        """Whose requests, whether they can be served, and the requests."""
        yield name, True, self.served
        yield name, False, self.bereft
        for other in others:
            yield other.name, False, rng.sample(other.requests, FOREIGN)


def _catalogue(collection: Collection, rng: random.Random, *, by_toolkit: bool) -> _Drawn:
    tools, vectors = collection.index.tools, collection.index.vectors
    smallest, largest = SIZES
    largest = min(largest, len(tools) * 9 // 10)
    size = int(math.exp(rng.uniform(math.log(smallest), math.log(largest))))
    drawn = rng.sample(collection.requests, 2 * REQUESTS)
    served, bereft = drawn[:REQUESTS], drawn[REQUESTS:]
    kept = frozenset[int]().union(*(request.gold for request in served))
    bereft = [request for request in bereft if not request.gold & kept]
    gone = sorted(frozenset[int]().union(*(request.gold for request in bereft)))
    doubles = np.any(vectors[gone] @ vectors.T > DOUBLE, axis=0)
    free = [place for place in range(len(tools)) if place not in kept and not doubles[place]]
    rng.shuffle(free)
    if by_toolkit:
        order = {tools[place].toolkit: number for number, place in enumerate(free)}
        free.sort(key=lambda place: order[tools[place].toolkit])
    places = sorted(kept | set(free[: max(0, size - len(kept))]))
    index = ToolIndex([tools[place] for place in places], vectors[places])
    return _Drawn(index, served, bereft)


def fit(samples: Sequence[Sample]) -> Curve:
    """A curve for which every collection, and either answer, counts the same."""
    from sklearn.linear_model import LogisticRegression

    groups = [(sample.collection, sample.answerable) for sample in samples]
    shares = np.array([1 / groups.count(group) for group in groups])
    values = np.array([sample.signals for sample in samples])
    middle, scale = values.mean(axis=0), values.std(axis=0)
    model = LogisticRegression(max_iter=1_000).fit(
        (values - middle) / scale,
        [sample.answerable for sample in samples],
        sample_weight=shares * len(shares) / shares.sum(),
    )
    coefficients = model.coef_[0] / scale
    return Curve(coefficients, float(model.intercept_[0] - coefficients @ middle))


def threshold(samples: Sequence[Sample], curve: Curve) -> float:
    """The highest probability, to two places, below which few answerable samples fall."""
    answerable = [sample for sample in samples if sample.answerable]
    limit = np.quantile(curve.probabilities(answerable), FALSE_ABSTENTION)
    return math.floor(float(limit) * 100) / 100


def report(samples: Sequence[Sample], curve: Curve, at: float) -> dict[str, dict[str, float]]:
    """For each collection: AUROC, trained and left out, and both error rates at `at`."""
    from sklearn.metrics import roc_auc_score

    figures = {}
    for name in sorted({sample.collection for sample in samples}):
        own = [sample for sample in samples if sample.collection == name]
        others = fit([sample for sample in samples if sample.collection != name])
        truth = np.array([sample.answerable for sample in own])
        offered = curve.probabilities(own) >= at
        figures[name] = {
            "AUROC": round(float(roc_auc_score(truth, curve.probabilities(own))), 3),
            "AUROC left out": round(float(roc_auc_score(truth, others.probabilities(own))), 3),
            "false abstention": round(float((~offered[truth]).mean()), 3),
            "false offer": round(float(offered[~truth].mean()), 3),
        }
    return figures


def fitted(samples: Sequence[Sample]) -> dict[str, object]:
    """What `answerable.json` says."""
    curve = fit(samples)
    at = threshold(samples, curve)
    return {
        "coefficients": dict(zip(SIGNALS, curve.coefficients.round(4).tolist(), strict=True)),
        "intercept": round(curve.intercept, 4),
        "threshold": at,
        "samples": len(samples),
        "figures": report(samples, curve, at),
    }
