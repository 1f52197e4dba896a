"""What a trained MassTool does beyond its table: need, new tools, latency.

    gretel train masstool --data DIR/toollens --no-tool DIR/tooldet/negatives.jsonl --out ART
    python benchmarks/masstool/masstool.py need --data DIR --artifact ART --out PAGE.html
    python benchmarks/masstool/masstool.py latency --data DIR --artifact ART [--repeat 200]
    python benchmarks/masstool/masstool.py new --data DIR --out FOLDER [--seeds 7,8,9]

`need`: AUROC of `needs_tool` on requests that it was not trained on: ToolLens test against the
held-out half of ToolDet; MetaTool's awareness set and ToolBench's requests, of which it saw none.
With them the share of tool requests in each tenth of the probability (reliability), drawn in PAGE.
`latency`: one retrieval against its encoder alone, at the artefact's size and with 47,000 tools.
`new`: a tenth of the tools is held out with all requests that name one of them, a model is trained
without, and the tools are added: recall of the new tools, beside the semantic retriever over all
tools; and what that costs requests for the others, beside the same model without the new tools.
The encoder is tuned anew for each seed.
"""

import argparse
import asyncio
import json
import random
import shlex
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import torch
from shared import held_out, judged, numbers, retrieved, write_beir

from gretel.catalog import Catalog
from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import RetrievalQuery
from gretel.contracts.tool import ToolId
from gretel.datasets.loading import JudgedRequest, load_dataset, load_no_tool
from gretel.evaluation.report.charts import LineChart, Point, Series, line_chart
from gretel.evaluation.report.page import write_chart_page
from gretel.nodes.retrieve.masstool.artifact import read_artifact
from gretel.nodes.retrieve.masstool.reader import Opened, Reader
from gretel.nodes.retrieve.masstool.retriever import MassToolRetriever
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.retrieve.stage.retriever import StagedRetriever
from gretel.nodes.retrieve.stage.switches import CandidateStage

MANY = 47_000
SHARE = 0.1


async def needs(retriever: MassToolRetriever, texts: Sequence[str]) -> np.ndarray:
    """The probability that each request needs a tool."""
    found = [await retriever.retrieve([RetrievalQuery(text=text)], k=1) for text in texts]
    return np.array([retrieval.needs_tool for retrieval in found], dtype=float)


async def need(options: argparse.Namespace) -> None:
    """Print AUROC and reliability of three pairs."""
    from sklearn.metrics import roc_auc_score

    data = options.data
    lens = load_dataset(data / "toollens")
    retriever = await MassToolRetriever.open(options.artifact, lens.catalog)
    prompts = load_no_tool(data / "tooldet" / "negatives.jsonl", half="report")
    rows = _rows(data / "metatool_awareness" / "awareness.jsonl")
    g1 = load_dataset(data / "toolbench_g1", qrels="test_solvable")
    pairs = {
        "ToolLens test / ToolDet held out": (_texts(lens.requests), _texts(prompts)),
        "metatool_awareness": (
            [row["query"] for row in rows if row["needs_tool"]],
            [row["query"] for row in rows if not row["needs_tool"]],
        ),
        "toolbench_g1 / ToolDet held out": (_texts(g1.requests), _texts(prompts)),
    }
    charts = []
    for name, (needing, others) in pairs.items():
        chances = np.concatenate([await needs(retriever, texts) for texts in (needing, others)])
        labels = np.arange(len(chances)) < len(needing)
        area = roc_auc_score(labels, chances)
        title = f"{name}: {len(needing)} / {len(others)} requests, AUROC {area:.4f}"
        print(title)
        charts.append(_reliability(chances, labels, title))
    made = {"command": shlex.join(["python", *sys.argv]), "artefact": str(options.artifact)}
    text = "Share of requests that need a tool, where the model gave this probability."
    write_chart_page(charts, options.out, title="Reliability of needs_tool", text=text, made=made)


def _reliability(chances: np.ndarray, labels: np.ndarray, title: str) -> LineChart:
    """By tenths of the probability, printed and drawn: how many requests, and how many ask."""
    tenth = np.minimum((chances * 10).astype(int), 9)
    points = []
    for number in sorted(set(tenth.tolist())):
        own = tenth == number
        points.append(Point(chances[own].mean(), labels[own].mean()))
        print(f"  {points[-1].x:.2f}: {points[-1].y:.2f} of {own.sum()}", end="")
    print()
    even = tuple(Point(point.x, point.x) for point in points)
    chart = line_chart(
        title,
        [Series("mean", tuple(points)), Series("calibrated", even)],
        x_label="probability that a tool is needed, mean of a tenth",
        y_label="share that needs one",
        y_range=(0.0, 1.0),
    )
    assert chart is not None
    return chart


async def latency(options: argparse.Namespace) -> None:
    """Print medians of one request, and their ratios to the encoder alone."""
    lens = load_dataset(options.data / "toollens")
    texts = random.Random(7).sample(_texts(lens.requests), options.repeat)
    artifact = read_artifact(options.artifact)
    retriever = await MassToolRetriever.open(options.artifact, lens.catalog)
    opened = Opened.of(artifact)
    encode = await _median(texts, lambda text: asyncio.to_thread(opened.backbone.encode, [text]))
    whole = await _median(texts, lambda text: _retrieve(retriever, text))
    size = f"{len(artifact.pool.gold)} known requests"
    print(f"encoder alone: {encode:.1f} ms")
    print(f"{size}, {len(artifact.texts)} tools: {whole:.1f} ms, {whole / encode:.2f} x")
    more = await _median(texts, lambda text: _retrieve(_widened(retriever, opened), text))
    print(f"{size}, {MANY} tools: {more:.1f} ms, {more / encode:.2f} x")


def _widened(retriever: MassToolRetriever, opened: Opened) -> MassToolRetriever:
    """The same retriever over `MANY` tools that are all known by use; made once."""
    if len(retriever._seen.ids) < MANY:
        drawn = torch.Generator().manual_seed(7)
        known = opened.reader
        missing = MANY - len(known.texts)
        texts = torch.randn(missing, known.texts.shape[1], generator=drawn)
        texts = torch.cat([known.texts, torch.nn.functional.normalize(texts, dim=1)])
        wide = Reader(known._model, known.pool, texts)
        ids = (*retriever._seen.ids, *(ToolId(f"wide.{n}") for n in range(missing)))
        used = np.array(sorted(range(MANY), key=ids.__getitem__))
        digests = dict.fromkeys(ids, "0")
        retriever._seen = retriever._seen._replace(
            reader=wide, ids=ids, digests=digests, new=frozenset(), used=used
        )
    return retriever


async def _retrieve(retriever: MassToolRetriever, text: str) -> None:
    await retriever.retrieve([RetrievalQuery(text=text)], k=10)


async def _median(texts: Sequence[str], work: Callable[[str], object]) -> float:
    """Milliseconds of the median call, the first ten left out."""
    spent = []
    for text in texts:
        start = time.perf_counter()
        await work(text)  # type: ignore[misc]
        spent.append(1_000 * (time.perf_counter() - start))
    return statistics.median(spent[10:])


async def new(options: argparse.Namespace) -> None:
    """Print recalls of held-out tools and of the others, a row a seed."""
    for seed in options.seeds:
        await _held_out(options.data / "toollens", options.out / f"seed-{seed}", seed)


async def _held_out(data: Path, out: Path, seed: int) -> None:
    lens = load_dataset(data)
    known, hidden = held_out(lens.catalog, round(len(lens.catalog) * SHARE), seed)
    _train(data, out, known, hidden, seed)
    retriever = await MassToolRetriever.open(out / "artifact", known)
    warm = [request for request in lens.requests if not request.gold & hidden]
    cold = [request for request in lens.requests if request.gold & hidden]
    before = await _recalls(retriever, warm)
    await retriever.add([lens.catalog[tool_id] for tool_id in sorted(hidden)])
    after = await _recalls(retriever, warm)
    only_new = [_narrowed(request, hidden) for request in cold]
    found = await _recalls(retriever, only_new)
    raw = await _recalls(await _semantic(lens.catalog), only_new)
    print(
        f"seed {seed}: {len(hidden)} new tools, {len(cold)} requests name one; "
        f"R@10 of new tools {found['R@10']:.4f}, of the semantic retriever {raw['R@10']:.4f}; "
        f"{len(warm)} other requests: "
        + ", ".join(f"{name} {before[name]:.4f} → {after[name]:.4f}" for name in ("R@3", "R@10")),
        flush=True,
    )


def _train(data: Path, out: Path, known: Catalog, hidden: set[ToolId], seed: int) -> None:
    """A model that never saw the hidden tools, nor a request that names one."""
    from gretel.training.masstool.data import read_examples
    from gretel.training.masstool.first import FirstSettings
    from gretel.training.masstool.second import SecondSettings
    from gretel.training.masstool.train import Settings, train

    folder, whole = out / "data", load_dataset(data, qrels="train")
    write_beir(folder, known, [r for r in whole.requests if not r.gold & hidden])
    if not (out / "artifact" / "manifest.json").exists():
        settings = Settings(first=FirstSettings(seed=seed), second=SecondSettings(seed=seed))
        train(read_examples(folder, seed=seed), settings, out / "artifact", lambda *_: None)


def _narrowed(request: JudgedRequest, hidden: set[ToolId]) -> JudgedRequest:
    return JudgedRequest(request.request_id, request.text, request.gold & hidden)


async def _semantic(catalog: Catalog) -> Retriever:
    """As MassTool asks it for tools without examples: split, and each tool scored for itself."""
    found = await SemanticRetriever.build(catalog)
    return StagedRetriever(found, catalog, CandidateStage(coherence="none"))


async def _recalls(retriever: Retriever, requests: Sequence[JudgedRequest]) -> dict[str, float]:
    return judged(await retrieved(retriever, requests), requests).means


def _texts(requests: Sequence[JudgedRequest]) -> list[str]:
    return [request.text for request in requests]


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("need", "latency", "new"))
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--artifact", type=Path, help="folder that `gretel train masstool` wrote")
    parser.add_argument("--out", type=Path, help="need: the page; new: folder of its trainings")
    parser.add_argument("--repeat", type=int, default=200, help="latency: requests")
    parser.add_argument("--seeds", type=numbers, default=[7, 8, 9])
    options = parser.parse_args()
    if options.what != "new" and options.artifact is None:
        parser.error("need and latency take --artifact")
    if options.what != "latency" and options.out is None:
        parser.error("need and new take --out")
    asyncio.run({"need": need, "latency": latency, "new": new}[options.what](options))
    print("command:", "python", *sys.argv)


if __name__ == "__main__":
    main()
