"""What trials add to retrieval, over many fault seeds, as means ± standard deviation.

    python benchmarks/trials/evidence.py --data DIR --out FOLDER --seeds 30-39 [--half dev|report]
        [--depths 10,20] [--units toolkit,tool] [--rates 0,10,20,30,40,50] [--llm-rerank]
        [--world values|kind] [--values benchmarks/trials/values/NAME.jsonl]

Every combination of depth, unit, rate and seed is a run of its own in FOLDER, as `gretel evaluate`
writes it; a finished one is not done again. Candidates and plans do not depend on faults and are
made once for all seeds. Without `--rates` the default mix is taken as it is; a rate scales it, in
percent of all tools. In the world `values` a right tool knows the request's right values, and a
wrong one those that chance gives it; `kind` takes all. `oracle` knows the broken tools, and neither
which are right nor which know a value; `reached` is the share of its gain over
`retrieval` that `full` has, of the means over all seeds, and the least of any one seed where the
oracle gains with each of them. `oracle, called` knows what is broken of the tools that were called:
of those that policy keeps from being called, because they may change something, no pipeline can
learn it. `between`: where the gain or the share above it lies for 95 of 100
sets of as many requests, drawn from these with replacement, each with all its seeds.
`recognised`: of the answers without content and those off the point the share that was taken for
semantic mismatch, and the same of answers of tools that nothing was wrong with (false alarms);
`unknown`: of the answers to values that the tool did not know the share taken for any failure.
`plain-rule` orders the same trials without weighing: clear failures last, refusals slightly down.
`--llm-rerank` puts that pipeline beside them, with a scripted model on loopback that keeps every
order: it shows that the protocol works, and no figure of it is that of a model.
"""

import argparse
import asyncio
import math
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

import numpy as np
from remembering import remembering
from scipy import stats
from shared import numbers

from gretel.catalog.document import as_list, as_object, as_text
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import ToolId
from gretel.datasets.loading import Dataset, load_dataset
from gretel.datasets.reading import read_lines
from gretel.evaluation.measures.measures import measure
from gretel.evaluation.mock.faults import DEFAULT_FAULTS, FaultUnit, Mix, scaled
from gretel.evaluation.runs.compare import read_run
from gretel.evaluation.runs.evaluate import Evaluation
from gretel.evaluation.runs.folder import ROWS, is_finished, read_metrics
from gretel.evaluation.runs.right_values import choose_world
from gretel.evaluation.runs.settings import Pipeline, RunSettings
from gretel.graph.compose import compose
from gretel.graph.parts import Parts
from gretel.llm.model import StructuredModel
from gretel.llm.sending import ModelLimits
from llm_server import LlmServer

PIPELINES: tuple[Pipeline, ...] = ("retrieval", "plain-rule", "no-simulation", "full", "oracle")
TRIED: tuple[Pipeline, ...] = ("plain-rule", "full")
MEASURES = ("nDCG@5", "R@5", "Pass@5")
DRAWS = 2_000

Measures = Mapping[str, Mapping[str, float]]
"""Pipeline → measure → mean of one run."""


Values = Mapping[str, Mapping[str, float]]
"""Measure → request → value of one run and pipeline."""


class Run(NamedTuple):
    """What a finished run is printed by."""

    measures: Measures
    recognition: Mapping[str, Mapping[str, float]]
    """Fault → called, semantic_mismatch, …; `ok`: nothing was wrong."""
    folder: Path


class Group(NamedTuple):
    """What stands in one table: all its runs differ in the seed alone."""

    depth: int
    unit: FaultUnit
    rate: float | None
    """In percent; None: the default mix as it is."""

    @property
    def name(self) -> str:
        """`d10-tool-default`, `d10-tool-30`."""
        return f"d{self.depth}-{self.unit}-{'default' if self.rate is None else f'{self.rate:g}'}"

    @property
    def mix(self) -> Mix:
        """Its faults."""
        if self.rate is None:
            return DEFAULT_FAULTS
        return scaled(DEFAULT_FAULTS, self.rate)


@asynccontextmanager
async def scripted(wanted: bool) -> AsyncIterator[StructuredModel | None]:
    """A model on loopback that leaves every order as it is shown."""
    if not wanted:
        yield None
        return
    with LlmServer() as server:
        model = server.model(limits=ModelLimits())
        try:
            yield model
        finally:
            await model.aclose()


async def evaluate(dataset: Dataset, options: argparse.Namespace) -> None:
    """Make every run that is missing, and print the tables."""
    parts = remembering(compose(dataset.catalog, index=options.out / "index", repin=True))
    try:
        async with scripted(options.llm_rerank) as model:
            for group in groups(options):
                runs = [
                    await one(dataset, parts, model, group, seed, options) for seed in options.seeds
                ]
                show(group, runs)
                print(f"  {'recognised':19}{recognised([run.recognition for run in runs])}")
    finally:
        await parts.aclose()


async def one(
    dataset: Dataset,
    parts: Parts,
    model: StructuredModel | None,
    group: Group,
    seed: int,
    options: argparse.Namespace,
) -> Run:
    """One run, which is made where it is missing."""
    world = "" if options.world == "kind" else f"-{options.world}"
    out: Path = options.out / f"{group.name}{world}{'-llm' if model else ''}-s{seed}"
    begin, known = time.perf_counter(), is_finished(out)
    settings = RunSettings(
        pipelines=(*PIPELINES, "llm-rerank") if model else PIPELINES,
        model="scripted" if model else None,
        faults=dict(group.mix),
        fault_unit=group.unit,
        world=options.world,
        seed=seed,
        depth=group.depth,
    )
    evaluation = Evaluation(
        dataset=dataset,
        settings=settings,
        qrels=options.qrels,
        half=options.half,
        limit=options.limit,
        parts=parts,
        values=options.right,
        model=model,
        workers=options.workers,
        command=f"python {' '.join(sys.argv)}",
    )
    await evaluation.run(out)
    spent = "was there" if known else f"{time.perf_counter() - begin:.0f} s"
    print(f"{out.name}: {spent}", file=sys.stderr)
    metrics = read_metrics(out)
    return Run(_tables(metrics["measures"]), _tables(metrics["recognition"]), out)


def _tables(found: JsonValue) -> dict[str, dict[str, float]]:
    return {name: _numbers(as_object(each)) for name, each in as_object(found).items()}


def _numbers(found: Mapping[str, object]) -> dict[str, float]:
    return {name: value for name, value in found.items() if isinstance(value, float | int)}


def show(group: Group, made: Sequence[Run]) -> None:
    """One table: a row a pipeline, and below it what `plain-rule` and `full` gain."""
    runs = [run.measures for run in made]
    print(f"\n{group.name}: {len(runs)} seeds")
    line("", MEASURES)
    for pipeline in runs[0]:
        line(pipeline, (spread([run[pipeline][name] for run in runs]) for name in MEASURES))
    tables = {who: [table(run, who) for run in made] for who in (*TRIED, "retrieval", "oracle")}
    for who in TRIED:
        gains = ([gain(run, who, name) for run in runs] for name in MEASURES)
        line(f"{who} gains", (spread(each, sign="+") for each in gains))
        line("between", gained(tables, who))
    line("full reached", (reached(runs, name) for name in MEASURES))
    line("between", between(tables))
    tables["oracle"] = [within_reach(run) for run in made]
    means = [{name: mean(each[name].values()) for name in MEASURES} for each in tables["oracle"]]
    line("oracle, called", (spread([each[name] for each in means]) for name in MEASURES))
    called = [{**run, "oracle": each} for run, each in zip(runs, means, strict=True)]
    line("full reached of it", (reached(called, name) for name in MEASURES))
    line("between", between(tables))
    if "llm-rerank" in runs[0]:
        print("  llm-rerank: of a scripted model that keeps every order; protocol only")
    for odd in shrinking(runs):
        print(f"  NOT MONOTONE: {odd}")


def line(name: str, cells: Iterable[str]) -> None:
    """One line of a table."""
    print(f"  {name:19}" + "".join(f"{cell:>19}" for cell in cells))


def spread(values: Sequence[float], sign: str = "") -> str:
    """Mean ± standard deviation of the sample."""
    return f"{mean(values):{sign}.4f} ± {stdev(values) if len(values) > 1 else 0.0:.4f}"


def gain(run: Measures, pipeline: str, name: str) -> float:
    """Of one run, over `retrieval`."""
    return run[pipeline][name] - run["retrieval"][name]


def reached(runs: Sequence[Measures], name: str) -> str:
    """Share of the oracle's gain that `full` has; a dash where the oracle gains nothing."""
    full, best = ([gain(run, who, name) for run in runs] for who in ("full", "oracle"))
    if math.isclose(sum(best), 0, abs_tol=1e-9):
        return "–"
    share = f"{sum(full) / sum(best):.1%}"
    if min(best) <= 0:  # a share of nothing says nothing
        return share
    return f"{share} (≥ {min(f / b for f, b in zip(full, best, strict=True)):.0%})"


def table(run: Run, pipeline: str) -> Values:
    """The values of one run."""
    return read_run(run.folder).measured(pipeline).values


def within_reach(run: Run) -> Values:
    """The values of candidates whose broken ones stand last, if a call could have shown that."""
    found = read_run(run.folder)
    called: dict[str, set[ToolId]] = {}
    for _, row in read_lines(run.folder / ROWS):
        trials = map(as_object, as_list(row.get("trials")))
        sent = (t for t in trials if as_object(t.get("executed")).get("source") == "executed")
        called[as_text(row.get("request_id"))] = {ToolId(as_text(t.get("tool_id"))) for t in sent}
    rankings = {
        request: sorted(
            tools, key=lambda tool: tool in called[request] - found.functioning[request]
        )
        for request, tools in found.rankings["retrieval"].items()
    }
    return measure(rankings, found.working, found.functioning).values


def sums(tables: Sequence[Values], name: str) -> dict[str, float]:
    """Of a measure by request, over all seeds; a request counts where one of its tools works."""
    found: dict[str, float] = defaultdict(float)
    for each in tables:
        for request, value in each[name].items():
            found[request] += value
    return dict(sorted(found.items()))


def gained(tables: Mapping[str, Sequence[Values]], who: str) -> Iterator[str]:
    """Of each measure, the interval of the gain over `retrieval`."""
    rng = np.random.default_rng(7)
    for name in MEASURES:
        own, base = sums(tables[who], name), sums(tables["retrieval"], name)
        counts = np.array([sum(q in each[name] for each in tables[who]) for q in own])
        differences = np.array([own[request] - base[request] for request in own])
        drawn = rng.integers(len(own), size=(DRAWS, len(own)))
        means = differences[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        yield f"{low:+.4f} – {high:+.4f}"


def between(tables: Mapping[str, Sequence[Values]]) -> Iterator[str]:
    """Of each measure, the interval of the share; a dash where the oracle may gain nothing."""
    for name in MEASURES:
        base, full, best = (
            list(sums(tables[who], name).values()) for who in ("retrieval", "full", "oracle")
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            drawn = stats.bootstrap(
                (base, full, best),
                lambda base, full, best, axis: share(
                    base.sum(axis), full.sum(axis), best.sum(axis)
                ),
                paired=True,
                vectorized=True,
                n_resamples=DRAWS,
                method="percentile",
                rng=7,
            ).bootstrap_distribution
        some = np.isfinite(drawn)
        low, high = np.quantile(drawn[some], [0.025, 0.975]) if some.any() else (0, 0)
        yield f"{low:.0%} – {high:.0%}" if some.mean() >= 0.975 else "–"


def share(base: np.ndarray, full: np.ndarray, best: np.ndarray) -> np.ndarray:
    """Of the oracle's gain; not a number where the oracle gains nothing."""
    return np.where(best > base, (full - base) / (best - base), np.nan)


def recognised(runs: Sequence[Mapping[str, Mapping[str, float]]]) -> str:
    """Recall of empty and irrelevant answers, and false alarms, over all seeds."""
    said = []
    for kind, name in (("empty", "empty"), ("irrelevant", "irrelevant"), ("ok", "false alarms")):
        called = sum(run.get(kind, {}).get("called", 0) for run in runs)
        taken = sum(run.get(kind, {}).get("semantic_mismatch", 0) for run in runs)
        said.append(f"{name} {taken / called:.1%} of {called:g}" if called else f"{name} –")
    unknown = [run.get("unknown", {}) for run in runs]
    if called := sum(each.get("called", 0) for each in unknown):
        taken = sum(each.get("not_succeeded", 0) for each in unknown)
        said.append(f"unknown {taken / called:.1%} of {called:g}")
    return "  ".join(said)


def shrinking(runs: Sequence[Measures]) -> Iterator[str]:
    """Where a deeper cut finds less, which cannot be."""
    for place, run in enumerate(runs, 1):
        for pipeline in run:
            if run[pipeline]["R@10"] < run[pipeline]["R@5"]:
                yield f"{pipeline} of run {place}"


def groups(options: argparse.Namespace) -> Iterator[Group]:
    """All tables that are asked for."""
    for depth in options.depths:
        for unit in options.units:
            for rate in options.rates or [None]:
                yield Group(depth, unit, rate)


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the data set")
    parser.add_argument("--qrels", default="test_solvable")
    parser.add_argument("--half", choices=("dev", "report"), help="one half; default: all")
    parser.add_argument("--limit", type=int, help="only so many requests")
    parser.add_argument("--out", type=Path, required=True, help="folder of the runs' folders")
    parser.add_argument("--seeds", type=numbers, required=True, help="7-16, or 30,31")
    parser.add_argument("--depths", type=numbers, default=[10])
    parser.add_argument("--units", type=lambda text: text.split(","), default=["toolkit"])
    parser.add_argument("--rates", type=lambda text: [float(each) for each in text.split(",")])
    parser.add_argument("--world", choices=("values", "kind"), help="default: values where known")
    parser.add_argument("--values", type=Path, help="annotation of right values, JSONL")
    parser.add_argument("--llm-rerank", action="store_true", help="with a scripted model")
    parser.add_argument("--workers", type=int, default=16, help="requests under way at once")
    options = parser.parse_args()
    print("command: python", " ".join(sys.argv))
    dataset = load_dataset(options.data, qrels=options.qrels, half=options.half)
    print(f"{dataset.name} {options.qrels} {options.half or 'all'}: ", end="")
    print(f"{len(dataset.requests)} requests, data {dataset.digest[:12]}", end="")
    options.world, options.right, note = choose_world(options.world, dataset, options.values)
    marked = f", right values {options.right.digest[:12]}" if options.right.digest else ""
    print(f", world {options.world}{marked}")
    if note:
        print(f"note: {note}", file=sys.stderr)
    asyncio.run(evaluate(dataset, options))


if __name__ == "__main__":
    main()
