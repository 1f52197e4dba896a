"""Queries that a language model writes, beside the request alone: as it came, and trained.

    python benchmarks/retrieval/generative.py --data DIR --work DIR --base MODEL [--only NAME]
        [--on NAME] [--seeds 7,8,9] [--limit N] [--learn N] [--requests N] [--rounds N]
        [--samples N] [--held N] [--kinds SFT aligned] [--device cpu] [--artefact DIR]

For each collection that is learnt, and each seed, MODEL is trained by the first stage alone, and by
both. On the report requests of that collection, and of others of which no tool was learnt: R@5,
nDCG@5 and Completeness@5 of the request alone, of what MODEL writes as it came (zero-shot), and of
both trained ones (`rewriting.py` has the query vector); with meaning alone, with words alone, and
with the whole candidate stage; the queries alone (share 1), beside the request with fixed
shares, and with the share that the training chose. Gains are those on the request alone (and of
both stages on the first), a mean over the seeds, with interval and p (as `gretel compare`). Then
the reward after each round, milliseconds of a request, minutes of training (since it was last cut
off), and what was written where it helped and harmed most.

`--artefact` measures one that is there, and trains nothing (with one seed, and no first stage).
`--work` keeps artefacts, vectors and texts: the same command goes on where it was cut off. Nothing
is chosen on a report set. Weights that learnt from toollens are none: it is only reported on.
"""

import argparse
import asyncio
import hashlib
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import arazzo_split
from retrieval import MEASURES, remember_vectors
from rewriting import HALVES, Task, learnt_folder
from shared import AT_ONCE, drawn, judged, numbers, over_seeds

from gretel.contracts.ranking import Retrieval, RetrievalQuery
from gretel.contracts.tool import ToolId
from gretel.datasets.loading import Dataset, JudgedRequest, load_dataset
from gretel.evaluation.measures.measures import MeasureTable
from gretel.evaluation.measures.significance import paired
from gretel.graph.compose import compose
from gretel.nodes.retrieve.merging import DEPTH, merge_queries
from gretel.nodes.rewrite.generative.artifact import read_artifact
from gretel.nodes.rewrite.generative.bases import open_base
from gretel.nodes.rewrite.generative.rewriter import opened
from gretel.nodes.rewrite.generative.writer import Writer
from gretel.nodes.rewrite.queries import beside
from gretel.training.generative.settings import STAGES, Settings, Source
from gretel.training.generative.train import train
from gretel.training.masstool.data import read_examples
from gretel.training.masstool.train import take_threads

SHARES = (0.05, 0.3, 1.0)
"""Of the queries: as of any rewriter, as while they are rewarded, and alone."""
KINDS: Mapping[str, tuple[str, ...]] = {"SFT": STAGES[:1], "aligned": STAGES}
"""By their stages."""
SHOWN = 3
"""Requests of each kind that are shown."""

METATOOL = Task("metatool_toole", "train", None, "test_single")
TOOLBENCH = Task("toolbench_g1", "test_solvable", "dev", "test_solvable", "report")
ARAZZO = Task("arazzo", "train", None, "test")
STRANGERS = (
    Task("sealtools", "", None, "test_in_domain"),
    Task("toollens", "", None, "test"),
    ARAZZO,
)
"""Reported on by what learnt from metatool, as toolbench_g1 is: none of their tools was learnt."""
TRAININGS: Mapping[Task, tuple[Task, ...]] = {
    METATOOL: (METATOOL, *STRANGERS, TOOLBENCH),
    TOOLBENCH: (TOOLBENCH,),
    ARAZZO: (ARAZZO,),
}


class Said(NamedTuple):
    """What a writer wrote for some requests."""

    lines: Mapping[str, tuple[str, ...]]
    """Queries by request."""
    milliseconds: float
    """Of a request, written beside others."""
    ended: float
    """Share that came to an end."""


class Row(NamedTuple):
    """One kind of rewriter, once a seed."""

    name: str
    said: tuple[Said, ...]
    chosen: tuple[float, ...]
    """Shares that the trainings chose; none where nothing was trained."""


class Measuring(NamedTuple):
    """Report requests of a collection."""

    task: Task
    dataset: Dataset
    requests: tuple[JudgedRequest, ...]
    options: argparse.Namespace

    @property
    def index(self) -> Path:
        """Where vectors of its tools are kept."""
        place: Path = self.options.work / "index" / self.task.folder
        return place


def opened_task(task: Task, options: argparse.Namespace) -> Measuring:
    """The report requests of a collection, `--limit` at most."""
    dataset = load_dataset(source(task, options), qrels=task.reported, half=task.reported_half)
    requests = tuple(drawn(dataset.requests, options.limit))
    return Measuring(task, dataset, requests, options)


def source(task: Task, options: argparse.Namespace) -> Path:
    """The folder of a collection: arazzo is split by vendor."""
    folder: Path = options.data / task.folder
    if task is not ARAZZO:
        return folder
    halved: Path = options.work / "split" / task.folder
    if not (halved / "qrels" / "test.tsv").is_file():
        arazzo_split.split(folder, halved, 7)
    return halved


def within(task: Task, options: argparse.Namespace) -> argparse.Namespace:
    """The options, with the folder in which the collection lies."""
    return argparse.Namespace(**{**vars(options), "data": source(task, options).parent})


def trained(task: Task, stages: tuple[str, ...], seed: int, options: argparse.Namespace) -> Path:
    """The artefact of a training, which is gone on with where it was cut off."""
    if options.artefact:
        place: Path = options.artefact
        return place
    given = {"requests": options.requests, "rounds": options.rounds, "held": options.held}
    update = {name: value for name, value in given.items() if value is not None}
    update |= {"samples": options.samples} if options.samples else {}
    settings = Settings(stages=stages, seed=seed).model_copy(update=update)
    digest = hashlib.sha256(settings.model_dump_json().encode()).hexdigest()[:12]
    out: Path = options.work / f"{task.folder}-{'-'.join(stages)}-{digest}"
    examples = read_examples(learnt_folder(task, within(task, options)), seed=seed)
    start = time.perf_counter()
    train(examples, settings, Source(options.base, None, options.device), out, tell)
    took = out / "minutes.json"
    if not took.exists():
        took.write_text(json.dumps((time.perf_counter() - start) / 60), "utf-8")
    return out


def tell(done: int, total: int, what: str) -> None:
    """Say what a training does, where it is done with something."""
    if done == total or what.startswith(("epoch", "before")):
        print(f"    {what} ({done} of {total})", file=sys.stderr, flush=True)


@cache
def plain_writer(base: str, device: str) -> Writer:
    """The base as it came."""
    return Writer(open_base(base, device=device))


def said(writer: Writer | Path, each: Measuring) -> Said:
    """What is written for the report requests; kept in `--work`."""
    options = each.options
    name = options.base if isinstance(writer, Writer) else read_artifact(writer).manifest.digest
    key = json.dumps([name, each.dataset.digest, sorted(one.request_id for one in each.requests)])
    path = options.work / "texts" / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(_written(writer, each)), "utf-8")
    lines, milliseconds, ended = json.loads(path.read_text("utf-8"))
    return Said({name: tuple(own) for name, own in lines.items()}, milliseconds, ended)


def _written(writer: Writer | Path, each: Measuring) -> Said:
    """An untrained model is taken at its lines even where it came to no end."""
    plain = isinstance(writer, Writer)
    open_writer = (
        writer
        if isinstance(writer, Writer)
        else opened(read_artifact(writer), device=each.options.device)
    )
    take_threads()
    start = time.perf_counter()
    found = open_writer.write([request.text for request in each.requests])
    took = (time.perf_counter() - start) * 1_000 / len(each.requests)
    rows = zip(each.requests, found, strict=True)
    lines = {row.request_id: tuple(one.lines if plain else one.queries) for row, one in rows}
    return Said(lines, took, sum(one.ended for one in found) / len(found))


async def retrieved(
    each: Measuring, half: str, lines: Mapping[str, Sequence[str]]
) -> dict[str, tuple[list[RetrievalQuery], Retrieval]]:
    """What is found by each request and its queries."""
    stage = HALVES[half]
    retriever = compose(each.dataset.catalog, candidates=stage, index=each.index).retriever
    found: dict[str, tuple[list[RetrievalQuery], Retrieval]] = {}
    for start in range(0, len(each.requests), AT_ONCE):
        part = each.requests[start : start + AT_ONCE]
        queries = [beside(one.text, lines[one.request_id], "rewrite") for one in part]
        flat = [query for own in queries for query in own]
        rest = iter((await retriever.retrieve(flat, k=DEPTH)).candidates)
        for one, own in zip(part, queries, strict=True):
            lists = tuple(next(rest) for _ in own)
            found[one.request_id] = (own, Retrieval(candidates=lists))
    return found


def merged(
    each: Measuring,
    found: Mapping[str, tuple[list[RetrievalQuery], Retrieval]],
    share: float,
) -> MeasureTable:
    """With that share of the queries."""
    run: dict[str, list[ToolId]] = {}
    for name, (queries, retrieval) in found.items():
        best = merge_queries(queries, retrieval, weight=share)
        run[name] = [one.tool_id for one in best[:10]]
    return judged(run, each.requests)


def print_gains(name: str, before: Sequence[MeasureTable], tables: Sequence[MeasureTable]) -> None:
    """A row: means over the seeds, and the gain on what was there before."""
    cells = []
    for each in MEASURES:
        values = over_seeds(tables, each)
        found = paired(over_seeds(before, each), values)
        mean = sum(values.values()) / len(values)
        low, high = found.ci.low, found.ci.high
        gain = f"{found.difference:+.4f} ({low:+.4f} to {high:+.4f}) p {found.p_value:.4f}"
        cells.append(f"{each} {mean:.4f} {gain}")
    print(f"    {name:22} {'  '.join(cells)}", flush=True)


async def compared(each: Measuring, rows: Sequence[Row]) -> None:
    """Print what all rewriters reach on one collection."""
    task, dataset = each.task, each.dataset
    head = f"{task.folder} {task.reported} {task.reported_half or ''}".rstrip()
    print(f"\n  on {head}: {len(each.requests)} requests, data {dataset.digest[:12]}")
    nothing = {request.request_id: () for request in each.requests}
    for half in HALVES:
        plain = merged(each, await retrieved(each, half, nothing), 0.0)
        means = "  ".join(f"{name} {plain.means[name]:.4f}" for name in MEASURES)
        print(f"   {half}: the request alone {means}")
        tuned: dict[float, list[MeasureTable]] = {}
        for row in rows:
            found = [await retrieved(each, half, own.lines) for own in row.said]
            for share in SHARES:
                tables = [merged(each, own, share) for own in found]
                print_gains(f"{row.name}, share {share:g}", [plain], tables)
                if row.name == "aligned" and share in tuned:
                    print_gains("  on SFT", tuned[share], tables)
                if row.name == "SFT":
                    tuned[share] = tables
            if row.chosen and half == "whole":
                pairs = zip(found, row.chosen, strict=True)
                chosen = [merged(each, own, share) for own, share in pairs]
                print_gains(f"{row.name}, {list(row.chosen)}", [plain], chosen)
                for line in shown(each, row.said[0], plain, merged(each, found[0], SHARES[1])):
                    print(f"      {line}")


def shown(each: Measuring, said: Said, plain: MeasureTable, table: MeasureTable) -> Iterator[str]:
    """What was written where it helped most, and where it harmed most."""
    before, after = plain.values["nDCG@5"], table.values["nDCG@5"]
    texts = {request.request_id: request for request in each.requests}
    ordered = sorted(texts, key=lambda name: (before[name] - after[name], name))
    for name in (*ordered[:SHOWN], *ordered[-SHOWN:]):
        gold = ", ".join(sorted(texts[name].gold))
        wrote = " | ".join(said.lines[name])
        yield f"{after[name] - before[name]:+.2f} {texts[name].text[:120]!r} [{gold}] -> {wrote!r}"


def measure_training(task: Task, options: argparse.Namespace) -> None:
    """Train all kinds on one collection, and report on it and on its strangers."""
    kinds = ["aligned"] if options.artefact else options.kinds
    print(f"\nlearnt: {task.folder} {task.learnt} {task.learnt_half or ''}".rstrip())
    artefacts: dict[str, list[Path]] = {}
    for name in kinds:
        artefacts[name] = [trained(task, KINDS[name], seed, options) for seed in options.seeds]
        for seed, place in zip(options.seeds, artefacts[name], strict=True):
            made = read_artifact(place).manifest
            took = place / "minutes.json"
            minutes = (
                f"{json.loads(took.read_text()):.1f} min" if took.exists() else "trained before"
            )
            reached = {
                key: made.made[key] for key in ("sft", "align", "nDCG@5") if key in made.made
            }
            weight = made.calibration.weight
            print(f"  {name}, seed {seed}: weight {weight}, {minutes}, {json.dumps(reached)}")
    for reported in TRAININGS[task]:
        if options.on in (None, reported.folder):
            each = opened_task(reported, options)
            rows = [Row("zero-shot", (said(plain_writer(options.base, options.device), each),), ())]
            for name, places in artefacts.items():
                is_own = reported == task
                chosen = [read_artifact(at).manifest.calibration.weight for at in places]
                texts = tuple(said(at, each) for at in places)
                rows.append(Row(name, texts, tuple(chosen) if is_own else ()))
            for row in rows:
                cost = ", ".join(
                    f"{one.milliseconds:.0f} ms, {one.ended:.3f} ended" for one in row.said
                )
                print(f"  {row.name} on {reported.folder}: {cost}")
            asyncio.run(compared(each, rows))


def main() -> None:
    """All trainings, or one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="folder of all that is kept")
    parser.add_argument("--base", required=True, help="a language model, by folder or name")
    parser.add_argument("--only", choices=[task.folder for task in TRAININGS], help="learnt")
    parser.add_argument(
        "--on",
        choices=sorted({t.folder for own in TRAININGS.values() for t in own}),
        help="reported on",
    )
    parser.add_argument("--seeds", type=numbers, default=[7, 8, 9])
    parser.add_argument("--limit", type=int, help="report requests, drawn")
    parser.add_argument("--learn", type=int, default=20_000, help="judged requests, drawn")
    parser.add_argument("--requests", type=int, help="learnt in a stage")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--samples", type=int)
    parser.add_argument("--held", type=int)
    parser.add_argument("--kinds", nargs="+", choices=[*KINDS], default=[*KINDS])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--artefact", type=Path, help="measure this one")
    options = parser.parse_args()
    remember_vectors()
    print("command: python", " ".join(sys.argv))
    for task in TRAININGS:
        if options.only in (None, task.folder):
            measure_training(task, options)


if __name__ == "__main__":
    main()
