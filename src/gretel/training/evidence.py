"""Fits the weights of soft evidence: `python -m gretel.training.evidence --data DIR --runs RUN…`.

Learns from finished runs of `gretel evaluate` on development requests: each row holds what
retrieval believed of every tool, what its trial showed, and which tools were right and working. The
loss is listwise (Cao et al., ICML 2007): of a request's tools each right one should come before all
wrong ones, with the retrieval odds and the weights of failures as they are. Every collection counts
the same: each data set, and each part of the real services for development, whose trials
`benchmarks/real/measure.py --part PART --run RUN` keeps: a mock alone makes too little of what only
a service can know.
The file names the runs that it was made from: `gretel evaluate --data DIR/NAME` with the
`--qrels`, `--half`, `--seed`, `--faults` (`default`, or `none`), `--fault-unit` and `--world` that
stand there (`tool` and `kind` where none do), `--depth 10`, and `--values` where the data set has
no right values of its own. With `--only KIND` the weights of all other kinds stay as they are
shipped, and the file says beside them what that one was fitted on.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gretel.catalog import Catalog
from gretel.catalog.document import as_object, decode
from gretel.catalog.effects.asked import asks_change
from gretel.contracts.errors import InputError
from gretel.contracts.record import JsonObject
from gretel.contracts.trial import Trial
from gretel.datasets.reading import read_json, read_row
from gretel.files import lines_of, open_plain
from gretel.nodes.rerank import weight as product
from gretel.nodes.rerank.evidence import prior_odds, soft_of
from gretel.nodes.rerank.failures import failure_weight
from gretel.nodes.rerank.unshown import unshown
from gretel.nodes.rerank.weight import SOFT, Soft
from gretel.training.listwise import Array

FILE = Path(product.__file__).with_name("evidence.json")
HALVED = frozenset({"toolbench_g1", "callnavi", "acebench_en"})
"""Data sets of which one half is for development alone."""
RIDGE = 0.01
"""Penalty on squared weights. Where each real service is left out in turn, less would put the right
tool first more often, and the mocks, whose wrong tools answer more often, would lose by it."""
UPWARD: frozenset[Soft] = frozenset(SOFT) - {"refused"}
"""Evidence that can only speak for a tool; all other can only speak against it."""


class Ranked(NamedTuple):
    """The tools of one request."""

    base: Array
    """Log-odds of each without soft evidence."""
    soft: Array
    """Soft evidence, a row a tool, a column a name of `SOFT`."""
    right: npt.NDArray[np.bool_]
    """Which serve the request and work."""


Collections: TypeAlias = Mapping[str, Sequence[Ranked]]
"""The requests of all runs by data set; those without a right tool found teach nothing."""


def main() -> None:
    """Fit, print how the weights carry over to a collection left out, and write `FILE`."""
    parser = argparse.ArgumentParser(prog="python -m gretel.training.evidence")
    parser.add_argument("--data", type=Path, required=True, help="Folder of the data sets.")
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="Finished runs.")
    parser.add_argument("--only", choices=SOFT, help="Fit this kind, hold the others.")
    parser.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args()
    collections = read_runs(options.data, options.runs)
    shipped = json.loads(FILE.read_text(encoding="utf-8"))
    held = {n: w for n, w in shipped["weights"].items() if options.only not in (None, n)}
    weights = fit(collections, held)
    about = {
        "runs": [described(run) for run in options.runs],
        "figures": _figures(collections, weights, held),
        "command": "python -m gretel.training.evidence --data DIR --runs RUN…"
        + (f" --only {options.only}" if options.only else ""),
    }
    content: dict[str, Any] = {"weights": dict(zip(SOFT, weights.round(3).tolist(), strict=True))}
    content = {**shipped, **content, options.only: about} if options.only else {**content, **about}
    text = json.dumps(content, indent=2) + "\n"
    options.out.write_text(text, encoding="utf-8")
    sys.stdout.write(text)


def read_runs(data: Path, runs: Sequence[Path]) -> Collections:
    """The requests of `runs`, by data set.

    Raises:
        InputError: a run is not on development requests.
    """
    found: dict[str, list[Ranked]] = {}
    catalogs: dict[Path, Catalog] = {}
    for run in runs:
        name = str(_settings(run)["data"])
        own = run / "corpus.jsonl"
        corpus = own if own.exists() else data / name / own.name
        if corpus not in catalogs:
            catalogs[corpus] = Catalog.from_jsonl(corpus)
        if own.exists():  # services, part by part
            name = f"{name}, {_settings(run)['qrels']}"
        found.setdefault(name, []).extend(_ranked(run, catalogs[corpus]))
    return dict(sorted(found.items()))


def _settings(run: Path) -> JsonObject:
    settings = as_object(read_json(run / "run.json"))
    kept_back = settings["half"] == "report"
    if kept_back or (settings["data"] in HALVED and settings["half"] != "dev"):
        problem = f"{run} has seen requests that are kept for reports"
        raise InputError(problem, field="--runs", remedy="Evaluate with --half dev")
    return settings


def _ranked(run: Path, catalog: Catalog) -> Iterator[Ranked]:
    for row in _rows(run):
        trials = [Trial.model_validate(trial) for trial in row["trials"]]
        right = {str(each) for each in row["gold"]} & {str(each) for each in row["functioning"]}
        hits = np.array([str(trial.tool_id) in right for trial in trials], dtype=np.bool_)
        if not hits.any() or hits.all():
            continue
        hidden = unshown(trials, catalog, asks_change(row["text"]))
        evidence = soft_of(row["text"], trials, catalog, hidden)
        prior = prior_odds(trials)
        base = [prior[t.tool_id] + failure_weight(t, hidden[t.tool_id].mute) for t in trials]
        found = [evidence[t.tool_id] for t in trials]
        yield Ranked(
            base=np.array(base),
            soft=np.array([[each.get(name, 0.0) for name in SOFT] for each in found]),
            right=hits,
        )


def _rows(run: Path) -> Iterator[dict[str, Any]]:
    with open_plain(run / "rows.jsonl") as file:
        for number, line in enumerate(lines_of(file), 1):
            place = f"rows.jsonl:{number}"
            yield read_row(decode(line, place=place), place=place)


def fit(collections: Collections, held: Mapping[str, float] = MappingProxyType({})) -> Array:
    """The weights of `SOFT` with the least loss, some `held`; the same for the same runs."""
    from scipy.optimize import minimize

    free = {name: (0.0, None) if name in UPWARD else (None, 0.0) for name in SOFT}
    bounds = [(held[name], held[name]) if name in held else free[name] for name in SOFT]

    def total(weights: Array) -> float:
        mean = np.mean([loss(requests, weights) for requests in collections.values()])
        return float(mean + RIDGE * weights @ weights)

    found: Array = minimize(total, np.zeros(len(SOFT)), bounds=bounds, method="L-BFGS-B").x
    return found


def loss(requests: Sequence[Ranked], weights: Array) -> float:
    """Mean cross-entropy of choosing each right tool from itself and the wrong ones."""
    return float(np.mean([_loss(one, one.base + one.soft @ weights) for one in requests]))


def _loss(one: Ranked, odds: Array) -> float:
    wrong = np.logaddexp.reduce(odds[~one.right])
    return float(np.mean(np.logaddexp(0.0, wrong - odds[one.right])))


def first_right(requests: Sequence[Ranked], weights: Array) -> float:
    """Mean over requests of the share of right tools that stand before every wrong one."""
    shares = []
    for one in requests:
        odds = one.base + one.soft @ weights
        shares.append(np.mean(odds[one.right] > odds[~one.right].max()))
    return float(np.mean(shares))


def _figures(
    collections: Collections, weights: Array, held: Mapping[str, float]
) -> dict[str, JsonObject]:
    """For each collection, losses without soft evidence, with it, and fitted without the others."""
    none = np.zeros(len(SOFT))
    figures: dict[str, JsonObject] = {}
    for name, own in collections.items():
        others = {other: collections[other] for other in collections if other != name}
        figures[name] = {
            "requests": len(own),
            "loss, no soft evidence": round(loss(own, none), 4),
            "loss": round(loss(own, weights), 4),
            **({"loss, left out": round(loss(own, fit(others, held)), 4)} if others else {}),
            "first, no soft evidence": round(first_right(own, none), 4),
            "first": round(first_right(own, weights), 4),
        }
    return figures


def described(run: Path) -> JsonObject:
    """What a run was made of, and the digest of its rows."""
    settings = _settings(run)
    made = settings["settings"]
    assert isinstance(made, dict)
    digest = hashlib.sha256((run / "rows.jsonl").read_bytes()).hexdigest()
    named = {key: settings[key] for key in ("data", "qrels", "half")}
    made = {key: made[key] for key in ("seed", "faults", "fault_unit", "world") if key in made}
    return {**named, **made, "rows": digest}


if __name__ == "__main__":
    main()
