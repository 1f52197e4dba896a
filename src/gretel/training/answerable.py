"""Fit when to abstain:

    python -m gretel.training.answerable --data DIR --written benchmarks/written --seed 7

Reads development parts alone: the dev halves of toolbench_g1, callnavi and acebench_en; the train
parts of metatool_toole and toollens; sealtools dev; arazzo, nestful, comptoolbench and
apibench_huggingface; of tooldet and metatool_awareness the even half by id; and of the written
requests those in English, whose dev part is only measured on. Writes `classifier.npz` and
`answerable.json` beside the retriever. A second run encodes nothing.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gretel.datasets.reading import same_text
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.need import answerable as product
from gretel.nodes.retrieve.need.answerable import CASES, SIGNALS, Curve
from gretel.nodes.retrieve.need.classifier import NeedClassifier
from gretel.text.sentences import request_parts, unquoted
from gretel.training import need_classifier
from gretel.training.answerable_samples import Case, Sample, drawn_catalogues, whole_catalogues
from gretel.training.data.judged import Collection, Source, VectorCache, loaded
from gretel.training.data.written import written_texts
from gretel.training.listwise import Array, digest, made, parse, write
from gretel.training.need_data import WRITTEN, Requests, aware, files_digest, requests_of

Worded: TypeAlias = Mapping[str, float]
"""Log odds of `NeedClassifier` by text, from a model that was not fitted on it."""

SOURCES = (
    Source("metatool_toole", "train"),
    Source("sealtools", "dev"),
    Source("arazzo", "test"),
    Source("toolbench_g1", "test_solvable", halved_by="toolkit"),
    Source("callnavi", "test", halved_by="operation"),
    Source("toollens", "train", limit=1_500),
)
SHARES: Mapping[Case, float] = {"served": 0.5, "unserved": 0.12, "no_tool": 0.38}
"""How often each case is taken to come. Cosines hardly tell a request whose tool is missing from
one that puts its tool's text in other words, and to refuse the second is the worse error."""
FALSE_ABSTENTION = 0.065
"""Share of served requests that the threshold may lose in any collection; it is metatool_toole's,
whose requests are the vaguest, that decide."""
SHOWN = 0.05
"""Share of its own served requests that a collection's own threshold loses, in `figures`."""


def main() -> None:
    """Load, cross-validate, fit, write."""
    options = parse(__doc__, Path(product.__file__).parent, written=True)
    seed, cache = options.seed, VectorCache(options.cache, Encoder())
    collections = load(options.data, cache, seed)
    parts = requests_of(options.data, options.written, collections)
    middle = {
        text: row for part in parts for text, row in cache.middle(part.source, part.texts).items()
    }
    known = need_classifier.cross_fitted(parts, middle, seed=seed)
    classifier = need_classifier.fit(parts, middle, seed=seed)
    need_classifier.write(options.out / "classifier.npz", classifier)
    unknown = known | need_classifier.left_out(parts, middle, seed=seed)
    no_tool = [part for part in parts if not part.asks and part.source != WRITTEN]
    for part in no_tool:
        cache.queries(part.source, [*part.texts, *map(unquoted, part.texts)])
    samples = list(drawn_catalogues(collections, no_tool, cache, seed=seed))
    whole = list(whole_catalogues(collections, no_tool, cache, seed=seed))
    worded = fit(samples, known, unknown)
    at = threshold(whole, worded, known)
    combined = digest(collections) + files_digest(options.data, options.written)
    fitted = {
        "worded": worded,
        "plain": fit(samples),
        "threshold": at,
        "samples": len(samples),
        "figures": figures(samples, whole, known, unknown, at),
        "requests": counted(parts),
        "taken for chat": taken_for_chat(classifier, options.written, cache),
    }
    data = hashlib.sha256(combined.encode()).hexdigest()
    write(options.out / "answerable.json", fitted | made("answerable", data, seed, written=True))


def load(data: Path, cache: VectorCache, seed: int) -> list[Collection]:
    """The collections, without requests that `metatool_awareness` holds, too."""
    copies = aware(data)
    found = [loaded(source, data, cache, seed) for source in SOURCES]
    for one in found:
        # All at once: each later call would write its few texts to disk.
        cache.queries(
            one.name,
            [t for r in one.requests for t in (r.text, unquoted(r.text), *request_parts(r.text))],
        )
    return [
        replace(one, requests=tuple(r for r in one.requests if same_text(r.text) not in copies))
        for one in found
    ]


def taken_for_chat(classifier: NeedClassifier, written: Path, cache: VectorCache) -> float:
    """Share of requests for operations of vendors that nothing was learnt of, by wording alone."""
    texts = written_texts(written, "dev")
    middle = cache.middle("operations-dev", texts)
    odds = [classifier.log_odds(text, middle[text]) for text in texts]
    return round(float(np.mean(np.array(odds) < 0)), 3)


def counted(parts: Sequence[Requests]) -> dict[str, int]:
    """How many requests of each source were learnt from, those that need no tool apart."""
    counts: Counter[str] = Counter()
    for part in parts:
        counts[part.source if part.asks else f"{part.source}, no tool"] += len(part.texts)
    return dict(counts)


def fit(samples: Sequence[Sample], *worded: Worded) -> dict[str, Any]:
    """What `Curve.fitted` reads; every collection counts the same, every case its share.

    Args:
        samples: what to fit.
        worded: the samples count once with each: with a classifier that knows other requests of
            the same hand, and with one that never saw it, as it never saw its users' own. None
            for a curve without the wording.
    """
    from sklearn.linear_model import LogisticRegression

    values = np.concatenate([signals(samples, known) for known in worded or (None,)])
    samples = [*samples] * max(1, len(worded))
    groups = Counter((sample.collection, sample.case) for sample in samples)
    weights = np.array(
        [SHARES[sample.case] / groups[sample.collection, sample.case] for sample in samples]
    )
    middle, scale = values.mean(axis=0), values.std(axis=0)
    model = LogisticRegression(max_iter=2_000).fit(
        (values - middle) / scale,
        [sample.case for sample in samples],
        sample_weight=weights * len(weights) / weights.sum(),
    )
    coefficients = model.coef_ / scale
    intercepts = model.intercept_ - coefficients @ middle
    rows = {case: (*coefficients[n], intercepts[n]) for n, case in enumerate(model.classes_)}
    names = (*SIGNALS[: values.shape[1]], "intercept")
    return {
        case: {
            name: round(float(own - base), 4)
            for name, own, base in zip(names, rows[case], rows["served"], strict=True)
        }
        for case in CASES
    }


def signals(samples: Sequence[Sample], worded: Worded | None) -> Array:
    """One row a sample, one column a signal."""
    return np.array(
        [s.signals if worded is None else (*s.signals, worded[s.text]) for s in samples]
    )


def answerable(
    samples: Sequence[Sample], fitted: Mapping[str, Any], worded: Worded | None
) -> Array:
    """P(served) of each sample, as the product computes it."""
    curve = Curve.fitted(fitted)
    return np.array([curve.served(tuple(row)) for row in signals(samples, worded).tolist()])


def threshold(whole: Sequence[Sample], fitted: Mapping[str, Any], worded: Worded) -> float:
    """The highest probability, to two places, that loses few served requests anywhere."""
    served = [sample for sample in whole if sample.case == "served"]
    chances = answerable(served, fitted, worded)
    names = np.array([sample.collection for sample in served])
    limits = [np.quantile(chances[names == name], FALSE_ABSTENTION) for name in set(names)]
    return math.floor(float(min(limits)) * 100) / 100


def figures(
    samples: Sequence[Sample],
    whole: Sequence[Sample],
    known: Worded,
    unknown: Worded,
    at: float,
) -> dict[str, dict[str, float]]:
    """For each collection: before all its tools, against no-tool requests; and against unserved
    ones before drawn catalogues. `left out` learnt nothing of the collection, wording included,
    and so did `unserved`. `at 5 %`: where a threshold of its own loses that share of its requests.
    """
    found = {}
    for name in sorted({sample.collection for sample in samples}):
        own = [sample for sample in whole if sample.collection == name]
        drawn = [s for s in samples if s.collection == name and s.case != "no_tool"]
        others = [sample for sample in samples if sample.collection != name]
        fitted, foreign = fit(samples, known, unknown), fit(others, known, unknown)
        found[name] = {
            **_errors(own, answerable(own, fitted, known), at, ""),
            **_errors(own, answerable(own, foreign, unknown), at, ", left out"),
            **_errors(own, answerable(own, fit(samples), None), at, ", wording unknown"),
            **_errors(drawn, answerable(drawn, foreign, unknown), at, ", unserved"),
        }
    return found


def _errors(samples: Sequence[Sample], chances: Array, at: float, suffix: str) -> dict[str, float]:
    from sklearn.metrics import roc_auc_score

    truth = np.array([sample.case == "served" for sample in samples])
    lost = np.quantile(chances[truth], SHOWN)
    return {
        f"AUROC{suffix}": round(float(roc_auc_score(truth, chances)), 3),
        f"false abstention{suffix}": round(float((chances[truth] < at).mean()), 3),
        f"false offer{suffix}": round(float((chances[~truth] >= at).mean()), 3),
        f"false offer at 5 %{suffix}": round(float((chances[~truth] >= lost).mean()), 3),
    }


if __name__ == "__main__":
    main()
