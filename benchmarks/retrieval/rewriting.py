"""The query vector rewriter beside the request alone, in the candidate stage and in its halves.

    python benchmarks/retrieval/rewriting.py --data DIR --work DIR [--only NAME] [--seeds 7,8,9]
        [--limit N] [--learn N]

For each collection, and each seed of the training: R@5, nDCG@5 and Completeness@5 over its report
requests without and with a rewriter that was trained on its training requests (drawn by `--learn`),
by meaning alone, by words alone and in the whole candidate stage, and the mean gain with interval
and p (as `gretel compare`, of each request's mean over the seeds), the minutes of a training, in
which the first seed encodes what is not kept yet, and the milliseconds that the head adds to a
request.
`--work` keeps vectors and artefacts: a second run encodes and trains nothing anew.

Nothing is chosen on a report set. Weights that learnt from data without a licence (toollens) are
for this measurement alone.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from retrieval import MEASURES, remember_vectors
from shared import drawn, judged, numbers, over_seeds, retrieved, write_qrels

from gretel.datasets.beir import beir_files
from gretel.datasets.loading import Dataset, Half, JudgedRequest, load_dataset
from gretel.evaluation.measures.measures import MeasureTable
from gretel.evaluation.measures.significance import paired
from gretel.graph.compose import compose
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.rewriting.artifact import Calibration, read_artifact
from gretel.nodes.retrieve.rewriting.vector import Known
from gretel.nodes.retrieve.stage.switches import CandidateStage
from gretel.training.data.judged import VectorCache
from gretel.training.masstool.data import read_examples
from gretel.training.rewriting.head import RewriterSettings
from gretel.training.rewriting.train import train

HALVES: Mapping[str, CandidateStage] = {
    "meaning": CandidateStage(fusion="dense", split=False),
    "words": CandidateStage(fusion="sparse", split=False),
    "whole": CandidateStage(),
}
"""Of the candidate stage, and all of it."""


class Task(NamedTuple):
    """What is learnt of a collection, and what is reported."""

    folder: str
    learnt: str
    learnt_half: Half | None
    reported: str
    reported_half: Half | None = None


class Reported(NamedTuple):
    """Report requests, and where vectors of their tools are kept."""

    dataset: Dataset
    requests: Sequence[JudgedRequest]
    index: Path


TASKS = (
    Task("metatool_toole", "train", None, "test_single"),
    Task("toollens", "train", None, "test"),
    Task("sealtools", "dev", None, "test_in_domain"),
    Task("toolbench_g1", "test_solvable", "dev", "test_solvable", "report"),
)


def learnt_folder(task: Task, options: argparse.Namespace) -> Path:
    """The collection with the judgements that may be learnt, `--learn` requests of them at most."""
    source = options.data / task.folder
    place: Path = options.work / f"{task.folder}-{options.learn}"
    place.mkdir(parents=True, exist_ok=True)
    for path in beir_files(source, task.learnt)[:2]:
        if not (place / path.name).exists():
            (place / path.name).symlink_to(path.resolve())
    dataset = load_dataset(source, qrels=task.learnt, half=task.learnt_half)
    requests = sorted(dataset.requests, key=lambda each: each.request_id)
    chosen = random.Random(7).sample(requests, min(options.learn, len(requests)))
    names = {tool.tool_id: tool.external_id or tool.tool_id for tool in dataset.catalog}
    rows = [f"{each.request_id}\t{names[tool]}\t1" for each in chosen for tool in sorted(each.gold)]
    write_qrels(place, "train", rows)
    return place


def trained(task: Task, seed: int, options: argparse.Namespace) -> tuple[Path, float]:
    """The artefact of a seed, and the minutes that its training took, with what it encoded."""
    out = options.work / f"{task.folder}-{options.learn}" / f"seed-{seed}"
    took = out / "minutes.json"
    if not took.exists():
        examples = read_examples(learnt_folder(task, options), seed=seed)
        cache = VectorCache(options.work / "vectors" / task.folder, Encoder(tuned=True))
        start = time.perf_counter()
        train(examples, RewriterSettings(seed=seed), None, out, cache, lambda *_: None)
        took.write_text(json.dumps((time.perf_counter() - start) / 60), "utf-8")
    return out, json.loads(took.read_text("utf-8"))


async def measured(each: Reported, half: str, rewriter: Path | None) -> MeasureTable:
    """What a half of the candidate stage, or all of it, reaches with a rewriter, or without one."""
    retriever = compose(
        each.dataset.catalog,
        candidates=HALVES[half],
        rewriter=rewriter,
        index=each.index,
        repin=True,
    ).retriever
    return judged(await retrieved(retriever, each.requests, k=10), each.requests)


def head_milliseconds(artifact: Path) -> float:
    """The median time that the head takes of one request, as if all its tools were known."""
    read = read_artifact(artifact)
    vectors = read.texts.numpy()
    places = np.arange(len(vectors))
    known = Known(read.head, Calibration(strength=1.0), places, vectors, len(vectors))
    times = []
    for row in vectors[:200]:
        start = time.perf_counter()
        known.change(row[None])
        times.append(time.perf_counter() - start)
    return median(times) * 1_000


async def compared(task: Task, options: argparse.Namespace) -> None:
    """Print the rows of one collection."""
    source = options.data / task.folder
    dataset = load_dataset(source, qrels=task.reported, half=task.reported_half)
    requests = drawn(dataset.requests, options.limit)
    reported = Reported(dataset, requests, options.work / "index" / task.folder)
    artifacts = [trained(task, seed, options) for seed in options.seeds]
    print(f"\n{task.folder} {task.reported}: {len(requests)} requests, data {dataset.digest[:12]}")
    for (artifact, minutes), seed in zip(artifacts, options.seeds, strict=True):
        made = read_artifact(artifact).manifest
        strength, took = made.calibration.strength, head_milliseconds(artifact)
        print(f"  seed {seed}: strength {strength}, {minutes:.1f} min, head {took:.2f} ms")
    for half in HALVES:
        plain = await measured(reported, half, None)
        tables = [await measured(reported, half, artifact) for artifact, _ in artifacts]
        for name in MEASURES:
            found = paired(plain.values[name], over_seeds(tables, name))
            each = " ".join(f"{table.means[name]:.4f}" for table in tables)
            print(
                f"  {half}, {name}: {plain.means[name]:.4f} -> {each}, "
                f"gain {found.difference:.4f} ({found.ci.low:.4f} to {found.ci.high:.4f}), "
                f"p {found.p_value:.4f}",
                flush=True,
            )


def main() -> None:
    """All collections, or one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="folder of vectors and artefacts")
    parser.add_argument("--only", choices=[task.folder for task in TASKS])
    parser.add_argument("--seeds", type=numbers, default=[7, 8, 9])
    parser.add_argument("--limit", type=int, help="report requests, drawn")
    parser.add_argument("--learn", type=int, default=20_000, help="requests that are learnt, drawn")
    options = parser.parse_args()
    remember_vectors()
    for task in TASKS:
        if options.only in (None, task.folder):
            asyncio.run(compared(task, options))


if __name__ == "__main__":
    main()
