"""Entry nodes side by side: semantic, MassTool and ToolGen, before and after trials on a hard mock.

    python benchmarks/toolgen/toolgen_entries.py --data DIR --out FOLDER
        [--of toollens,metatool_toole] [--ways semantic,masstool,toolgen] [--smol BASE]
        [--limit 300]

Each way learns from the same requests (`toolgen_tables.py` draws them), with the settings of its
row there; `smol`, which `--smol` adds, is SmolLM2 with adapters, an epoch of each stage. Then
`gretel evaluate --world values --faults default` scores the pipelines `retrieval` and `full` on
requests of the report part, drawn by their ids. The command goes on where it was cut short.

Neither collection names right values: the tools of metatool_toole take no parameters, and of
toollens what a right tool knows is drawn as for any other, which `--values` says to the command.
Printed are the measures over requests that have a right tool that works, minutes of a processor (of
a training that was cut off, repeated steps too), milliseconds of one for each request to the entry
node alone, and bytes.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch
from toolgen_tables import PARTS, SEED, TIMED, Clock, part

from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import RetrievalQuery
from gretel.datasets.judged import Dataset
from gretel.evaluation.mock.known_values import may_be_unknown
from gretel.evaluation.runs.folder import is_finished, read_metrics
from gretel.files import write_whole
from gretel.nodes.retrieve.masstool.retriever import MassToolRetriever
from gretel.nodes.retrieve.merging import split
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.retrieve.toolgen.retriever import ToolGenRetriever
from gretel.training.masstool import train as masstool
from gretel.training.masstool.data import Examples
from gretel.training.toolgen.settings import PRESETS, Source
from gretel.training.toolgen.train import train as toolgen

PIPELINES = ("retrieval", "full")
MEASURES = ("nDCG@1", "nDCG@5", "R@5")
WAYS = ("semantic", "masstool", "toolgen")


class Learnt(NamedTuple):
    """Requests that are learnt, at most, and epochs of memorisation and of requests."""

    requests: int
    memorize: int
    retrieve: int


LEARNT: Mapping[str, Learnt] = {
    "metatool_toole": Learnt(3_000, 1, 2),
    "toollens": Learnt(4_000, 2, 2),
}


def trained(way: str, examples: Examples, own: Learnt, smol: str | None, out: Path) -> float:
    """Train to the folder `out`, which may be begun; seconds of a processor, all in all."""
    clock = Clock(out)

    def told(done: int, total: int, what: str) -> None:
        clock.spent()
        if "epoch" in what:
            print(f"    {what}", file=sys.stderr, flush=True)

    if way == "masstool":
        masstool.train(examples, masstool.Settings(), out, told)
    else:
        epochs = {"memorize_epochs": own.memorize, "epochs": own.retrieve}
        if way == "smol":
            epochs = {"memorize_epochs": 1, "epochs": 1}
        preset = PRESETS["smol" if way == "smol" else "cpu-tiny"]
        settings = preset.model_copy(update={"seed": SEED, **epochs})
        toolgen(examples, settings, Source(smol if way == "smol" else None), out, told)
    return clock.spent()


def milliseconds(way: str, report: Dataset, artifact: Path) -> float:
    """Of a processor, the median of requests to the entry node alone, one at a time."""
    opened: Mapping[str, Callable[[], Any]] = {
        "semantic": lambda: SemanticRetriever.build(report.catalog),
        "masstool": lambda: MassToolRetriever.open(artifact, report.catalog),
    }
    found: Retriever = asyncio.run(
        opened.get(way, lambda: ToolGenRetriever.open(artifact, report.catalog))()
    )
    times = []
    for request in report.requests[:TIMED]:
        query = RetrievalQuery(text=request.text)
        asked = [split(query) if way == "semantic" else query]
        start = time.process_time()
        asyncio.run(found.retrieve(asked, k=5))
        times.append(1_000 * (time.process_time() - start))
    return statistics.median(times)


def no_values(report: Dataset, path: Path) -> list[str]:
    """Options that name an annotation without values, where right tools look something up."""
    pairs = [
        {"query": request.request_id, "tool": report.catalog[tool].external_id, "arguments": {}}
        for request in report.requests
        for tool in sorted(request.gold)
        if may_be_unknown(report.catalog[tool])
    ]
    if not pairs:
        return []
    write_whole(path, "".join(f"{json.dumps(pair)}\n" for pair in pairs))
    return ["--values", str(path)]


def evaluated(options: argparse.Namespace, name: str, way: str, values: list[str]) -> Any:
    """The content of `metrics.json` of a way's run, which goes on where it was cut short."""
    run: Path = options.out / f"{name}-{way}-run"
    if not is_finished(run):
        artifact = [] if way == "semantic" else ["--artifact", str(options.out / f"{name}-{way}")]
        kind = "toolgen" if way == "smol" else way
        command = [
            *(sys.executable, "-m", "gretel", "evaluate", "--data", str(options.data / name)),
            *("--qrels", PARTS[name][1], "--retriever", kind, *artifact),
            *("--pipeline", ",".join(PIPELINES), "--world", "values", *values),
            *("--faults", "default", "--seed", str(SEED), "--limit", str(options.limit)),
            *("--out", str(run), "--json"),
        ]
        print("  gretel", *command[3:], file=sys.stderr, flush=True)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return read_metrics(run)


def line(options: argparse.Namespace, name: str, way: str) -> None:
    """Train, evaluate and print one way on one collection; what is done is not done again."""
    own = LEARNT[name]
    found, artifact = part(options.data, name, own.requests), options.out / f"{name}-{way}"
    kept, size = artifact.with_suffix(".json"), 0
    if not kept.is_file():
        spent = 0.0
        if way != "semantic":
            spent = trained(way, found.examples, own, options.smol, artifact)
            size = sum(file.stat().st_size for file in artifact.iterdir() if file.is_file())
        took = {"seconds": spent, "ms": milliseconds(way, found.report, artifact), "bytes": size}
        write_whole(kept, json.dumps(took))
    took = json.loads(kept.read_text())
    values = no_values(found.report, options.out / f"{name}-values.jsonl")
    metrics = evaluated(options, name, way, values)
    said = " | ".join(
        ", ".join(f"{metrics['measures'][each][measure]:.3f}" for measure in MEASURES)
        for each in PIPELINES
    )
    asked = f"{metrics['n'] - metrics['n_without_gold']} of {metrics['n']}"
    print(
        f"| {name}, {asked} | {way} | {said} | {took['seconds'] / 60:.1f} | "
        f"{took['ms']:.0f} | {took['bytes'] / 1e6:.1f} | learnt {found.examples.digest[:12]}, "
        f"reported {found.report.digest[:12]} |",
        flush=True,
    )


def main() -> None:
    """Print a line for each way and collection."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--out", type=Path, required=True, help="folder of trainings and runs")
    parser.add_argument("--of", type=lambda text: text.split(","), default=list(LEARNT))
    parser.add_argument("--ways", type=lambda text: text.split(","), default=list(WAYS))
    parser.add_argument("--smol", metavar="BASE", help="adds ToolGen over SmolLM2 in this folder")
    parser.add_argument("--limit", type=int, default=300, help="requests of each report part")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    ways = [*options.ways, *(["smol"] if options.smol else [])]
    print("| requests | entry node | retrieval | full | minutes | ms | MB | data |")
    for name in options.of:
        for way in ways:
            line(options, name, way)
    print("command:", "python", *sys.argv)


if __name__ == "__main__":
    main()
