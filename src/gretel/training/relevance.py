"""Fits what tells irrelevant answers: `python -m gretel.training.relevance --data DIR --seed 7`.

Reads real documents alone: `openapi` (answers: its response examples) and the dev half of
`toolbench_g1` (answers: its recorded templates). A tool's own answer is relevant, one of a tool of
another toolkit is not. Each tool is seen with what it promises, which for OpenAPI is the schema
beside the example, and without, in a catalogue of which half promises nothing. Bare messages are no
examples of an answer that nobody documents: most are recorded errors.

The threshold of documented tools is set on toolkits that were left out of the fit, for a share of
false alarms, on OpenAPI alone, whose examples and schemas were written apart. For the others it is
the log-odds of all samples: what is beyond it is the logarithm of a likelihood ratio. Writes
`background.json` and `relevance.json`.
"""

import argparse
import hashlib
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt

from gretel.catalog.answer_match import FEATURES, WORDS
from gretel.training.listwise import Array, made
from gretel.training.relevance_samples import (
    Sample,
    documented_samples,
    openapi_tools,
    toolbench_tools,
    undocumented_samples,
    word_shares,
)

PACKAGE = Path(__file__).parent.parent
BACKGROUND = "catalog/background.json"
WEIGHTS = "sandbox/answers/relevance.json"
FALSE_ALARMS = 0.01
"""Share of relevant answers that may be taken for irrelevant."""
FOLDS = 5
STRENGTH = 0.3
"""Inverse of the penalty on squared weights of standardised features."""


def main() -> None:
    """Read, count, fit, write."""
    options = parse()
    collections = {
        "openapi": openapi_tools(options.data / "openapi"),
        "toolbench_g1": toolbench_tools(options.data / "toolbench_g1" / "corpus.jsonl"),
    }
    origin: dict[str, object] = {
        "tools": {name: len(tools) for name, tools in collections.items()},
        **made("relevance", digest(options.data), options.seed),
    }
    background = word_shares([tool for tools in collections.values() for tool in tools])
    rng = Random(options.seed)
    samples = [
        sample
        for drawn in (documented_samples, undocumented_samples)
        for name, tools in collections.items()
        for sample in drawn(name, tools, background, rng)
    ]
    fitted: dict[str, object] = {
        kind: fit([s for s in samples if s.match.is_documented == documented], documented)
        for kind, documented in (("documented", True), ("undocumented", False))
    }
    for name, content in ((BACKGROUND, {"shares": background}), (WEIGHTS, fitted)):
        text = json.dumps(content | origin, indent=1) + "\n"
        (options.root / name).write_text(text, encoding="utf-8")
    sys.stdout.write(json.dumps(fitted, indent=2) + "\n")


def fit(samples: Sequence[Sample], documented: bool) -> dict[str, object]:
    """Weights of the raw features, and the threshold, of documented tools on toolkits left out."""
    values = np.array([s.match.features() if documented else s.match.words() for s in samples])
    wrong = np.array([sample.is_irrelevant for sample in samples])
    held_out = left_out_odds(values, wrong, [sample.toolkit for sample in samples])
    judged = np.array([s.source == "openapi" for s in samples])
    threshold = float(np.quantile(held_out[~wrong & judged], 1 - FALSE_ALARMS))
    if not documented:
        threshold = math.log(wrong.mean() / (1 - wrong.mean()))
    weights, offset = logistic(values, wrong)
    return {
        "weights": dict(
            zip(FEATURES if documented else WORDS, weights.round(4).tolist(), strict=True)
        ),
        "offset": round(offset, 4),
        "threshold": round(threshold, 4),
        "relevant": int((~wrong).sum()),
        "irrelevant": int(wrong.sum()),
        "false alarms, left out": round(float((held_out[~wrong] > threshold).mean()), 4),
        "recall, left out": round(float((held_out[wrong] > threshold).mean()), 4),
    }


def left_out_odds(values: Array, wrong: npt.NDArray[np.bool_], toolkits: Sequence[str]) -> Array:
    """Log-odds of each sample by weights that were fitted without its toolkit."""
    folds = np.array([hashlib.sha256(name.encode()).digest()[1] % FOLDS for name in toolkits])
    odds = np.zeros(len(values))
    for fold in range(FOLDS):
        weights, offset = logistic(values[folds != fold], wrong[folds != fold])
        odds[folds == fold] = values[folds == fold] @ weights + offset
    return odds


def logistic(values: Array, wrong: npt.NDArray[np.bool_]) -> tuple[Array, float]:
    """Weights and offset for values as they are, fitted on standardised ones."""
    from sklearn.linear_model import LogisticRegression

    mean, scale = values.mean(axis=0), values.std(axis=0) + 1e-9
    curve = LogisticRegression(C=STRENGTH, max_iter=2_000).fit((values - mean) / scale, wrong)
    weights = curve.coef_[0] / scale
    return weights, float(curve.intercept_[0] - weights @ mean)


def digest(data: Path) -> str:
    """SHA-256 of all files read."""
    content = hashlib.sha256()
    files = sorted(path for path in (data / "openapi").rglob("*") if path.is_file())
    for path in (*files, data / "toolbench_g1" / "corpus.jsonl"):
        content.update(f"{path.relative_to(data)}\0".encode())
        content.update(hashlib.sha256(path.read_bytes()).digest())
    return content.hexdigest()


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the data sets")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--root", type=Path, default=PACKAGE, help="folder of the rooms")
    return parser.parse_args()


if __name__ == "__main__":
    main()
