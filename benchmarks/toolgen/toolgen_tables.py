"""Tables of ToolGen: entry nodes side by side, stages, sizes of catalogues, documents, language.

    python benchmarks/toolgen/toolgen_tables.py row --data DIR --of toollens --out FOLDER
    python benchmarks/toolgen/toolgen_tables.py stages --data DIR --of metatool_toole --out FOLDER
    python benchmarks/toolgen/toolgen_tables.py sizes --data DIR --out FOLDER --sizes 100,400
    python benchmarks/toolgen/toolgen_tables.py updates --data DIR --artifact ART
    python benchmarks/toolgen/toolgen_tables.py language --data DIR --artifact ART

`row`: what the semantic retriever, a bi-encoder, MassTool and ToolGen reach on the report part of a
collection, after learning from the same requests; the bi-encoder for as many seconds of a processor
as ToolGen took. `--ways` names some of them; `--requests` how many are learnt at most.
`stages`: ToolGen with memorisation alone, retrieval alone, and both.
`sizes`: so many tools that requests of Seal-Tools' two parts name, by turns, and the requests whose
tools are all among them; above 4,076 tools arazzo's 15,646, its requests halved by operation.
`updates`: learnt tools lose half of the words of their description, and get them back.
`language`: perplexity of an artefact's base before and after its training, on requests that are
no part of any training and on its tools' documents.

The collections: metatool_toole (train, test_single), toollens (train, test), sealtools (dev,
test_in_domain), toolbench_g1 (halves of toolkits, test_solvable).
"""

import argparse
import asyncio
import hashlib
import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch
from shared import judged as measures_of
from shared import numbers, retrieved

from gretel.catalog import Catalog
from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.datasets.loading import Dataset, JudgedRequest, load_dataset, load_no_tool
from gretel.evaluation.measures.compat import compat_measures
from gretel.evaluation.measures.measures import measure
from gretel.files import write_whole
from gretel.nodes.retrieve.encoding.encoder import Encoder
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.merging import split
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.retrieve.semantic.signals import dense_text
from gretel.nodes.retrieve.toolgen.artifact import read_artifact
from gretel.nodes.retrieve.toolgen.coded import opened
from gretel.nodes.retrieve.toolgen.retriever import ToolGenRetriever
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Asked
from gretel.training.toolgen.settings import PRESETS, Coding, Settings, Source
from gretel.training.toolgen.train import train

SEED = 7
DEV = 0.1
PARTS = {
    "metatool_toole": ("train", "test_single"),
    "toollens": ("train", "test"),
    "sealtools": ("dev", "test_in_domain"),
    "toolbench_g1": ("test_solvable", "test_solvable"),
}
WAYS = ("semantic", "toolgen", "biencoder", "masstool")
NAMES = ("nDCG@1", "nDCG@3", "nDCG@5", "R@5")
TIMED = 60
"""Requests, one at a time, of which the median time is told."""
SEAL = 4_076
"""Tools of Seal-Tools."""
UPDATED = 20
READ, CUT = 100, 96
"""Texts whose perplexity is measured, and tokens of each, at most."""


class Part(NamedTuple):
    """What is learnt, and what is reported."""

    examples: Examples
    report: Dataset


def part(data: Path, name: str, most: int) -> Part:
    """A collection: at most so many requests of its learning part, by lot, and its report part."""
    halves = name == "toolbench_g1"
    learn, report = PARTS[name]
    known = load_dataset(data / name, qrels=learn, half="dev" if halves else None)
    judged = load_dataset(data / name, qrels=report, half="report" if halves else None)
    return Part(_examples(known.catalog, known.requests, known.digest, most), judged)


def _examples(
    catalog: Catalog, requests: Sequence[JudgedRequest], digest: str, most: int
) -> Examples:
    tools = tuple(sorted(catalog, key=lambda tool: tool.tool_id))
    place = {tool.tool_id: n for n, tool in enumerate(tools)}
    rows = [r for r in requests if r.gold and r.gold <= place.keys()]
    rows = random.Random(f"{SEED} drawn").sample(rows, min(most, len(rows)))
    held = max(1, round(DEV * len(rows)))
    parts = [
        Asked(
            tuple(row.text for row in some),
            tuple(tuple(sorted(place[name] for name in row.gold)) for row in some),
        )
        for some in (rows[held:], rows[:held])
    ]
    made = hashlib.sha256(f"{digest} {most} {catalog.digest}".encode()).hexdigest()
    return Examples(catalog, tools, parts[0], parts[1], (), (), made)


def _settings(options: argparse.Namespace, **changes: object) -> Settings:
    update: dict[str, object] = {"seed": SEED, **changes}
    for name in ("epochs", "memorize_epochs", "codes"):
        if getattr(options, name, None):
            update[name] = getattr(options, name)
    return PRESETS[options.preset].model_copy(update=update)


class Clock:
    """Seconds of a processor that a training takes: beside its folder, so that one that was cut off
    counts what it took before.
    """

    def __init__(self, out: Path) -> None:
        """Go on with what was spent on the folder `out`."""
        self._file = out.with_suffix(".seconds")
        before = float(self._file.read_text()) if self._file.is_file() else 0.0
        self._start = time.process_time() - before

    def spent(self) -> float:
        """Until now; written down."""
        seconds = time.process_time() - self._start
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._file, str(seconds))
        return seconds


def _trained(examples: Examples, settings: Settings, base: str | None, out: Path) -> float:
    """Train to `out`; seconds of the processor that it took."""
    clock = Clock(out)

    def told(done: int, total: int, what: str) -> None:
        seconds = clock.spent()
        if "epoch" in what:
            print(f"    {what} ({seconds:.0f} s)", flush=True)

    train(examples, settings, Source(base), out, told)
    return clock.spent()


def row(options: argparse.Namespace) -> None:
    """Print a line a way."""
    found = part(options.data, options.of, options.requests)
    size, learnt = len(found.examples.tools), len(found.examples.train.texts)
    print(
        f"{options.of}: {size} tools, {learnt} requests learnt, {len(found.report.requests)} asked"
    )
    print(f"learnt {found.examples.digest[:12]}, reported {found.report.digest[:12]}, seed {SEED}")
    spent = 60.0 * options.minutes
    for way in options.ways:
        if way == "semantic":
            _told(way, found.report, asyncio.run(SemanticRetriever.build(found.report.catalog)))
        elif way == "toolgen":
            spent = _toolgen(
                options, found, options.out / f"{options.of}-{options.codes or 'atomic'}"
            )
        elif way == "biencoder":
            _bi_encoder(found, spent)
        else:
            _masstool(found, options.out / f"{options.of}-masstool")


def _toolgen(options: argparse.Namespace, found: Part, out: Path, **changes: object) -> float:
    spent = _trained(found.examples, _settings(options, **changes), options.base, out)
    retriever = asyncio.run(ToolGenRetriever.open(out, found.report.catalog))
    name = " ".join(["toolgen", options.codes or "atomic", *map(str, changes.values())])
    _told(name, found.report, retriever, spent, bytes_of(out))
    return spent


def _masstool(found: Part, out: Path) -> None:
    from gretel.nodes.retrieve.masstool.retriever import MassToolRetriever
    from gretel.training.masstool import train as masstool

    clock = Clock(out)

    def told(*_: object) -> None:
        clock.spent()

    masstool.train(found.examples, masstool.Settings(), out, told)
    spent = clock.spent()
    retriever = asyncio.run(MassToolRetriever.open(out, found.report.catalog))
    _told("masstool", found.report, retriever, spent, bytes_of(out))


def bytes_of(artifact: Path) -> int:
    """Of all files of an artefact."""
    return sum(file.stat().st_size for file in artifact.iterdir() if file.is_file())


def _told(
    name: str, report: Dataset, retriever: Retriever, spent: float = 0.0, size: int = 0
) -> None:
    """Print what a retriever reaches on the report part, and how long it takes."""
    parts = isinstance(retriever, SemanticRetriever)
    run = asyncio.run(retrieved(retriever, report.requests, parts=parts))
    _line(name, report, run, spent, milliseconds(retriever, report), size)


def milliseconds(retriever: Retriever, report: Dataset) -> float:
    """Of a processor, the median of requests to the entry node alone, one at a time."""
    times = []
    for request in report.requests[:TIMED]:
        query = RetrievalQuery(text=request.text)
        asked = [split(query) if isinstance(retriever, SemanticRetriever) else query]
        start = time.process_time()
        asyncio.run(retriever.retrieve(asked, k=5))
        times.append(1_000 * (time.process_time() - start))
    return statistics.median(times)


def _line(
    name: str,
    report: Dataset,
    run: dict[str, list[Any]],
    spent: float,
    milliseconds: float,
    size: int = 0,
) -> None:
    gold = {request.request_id: request.gold for request in report.requests}
    means = measure(run, gold).means
    compat = compat_measures(run, {name: dict.fromkeys(own, 1) for name, own in gold.items()})
    said = "  ".join(f"{each} {means[each]:.3f}" for each in NAMES)
    print(
        f"  {name}: {said}  compat:toolgen:nDCG@5 {compat['compat:toolgen:nDCG@5']:.3f}  "
        f"{spent / 60:.1f} min of a processor, {milliseconds:.0f} ms of it a request, "
        f"{size / 1e6:.1f} MB",
        flush=True,
    )


def _bi_encoder(found: Part, seconds: float) -> None:
    """MiniLM, requests against tools' documents (MultipleNegativesRankingLoss), by the clock."""
    model, examples = Encoder().open(), found.examples
    documents = [dense_text(tool) for tool in examples.tools]
    layers = [p for n, p in model.named_parameters() if "embeddings" not in n]
    optimizer = torch.optim.AdamW(layers, 5e-5)
    drawn, start, step = random.Random(f"{SEED} pairs"), time.process_time(), 0
    model.train()
    while (done := (time.process_time() - start) / seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = 5e-5 * min(1.0, (step + 1) / 50) * (1 - done)
        rows = drawn.sample(range(len(examples.train.texts)), min(32, len(examples.train.texts)))
        loss = _pairs_loss(model, examples, documents, rows, drawn)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(layers, 1.0)
        optimizer.step()
        step += 1
    model.eval()
    _by_vectors(found, model, documents, seconds)


def _pairs_loss(
    model: Any, examples: Examples, documents: list[str], rows: list[int], drawn: random.Random
) -> torch.Tensor:
    """Each request's own document against the others of the batch, but for its other tools'."""
    gold = [examples.train.gold[n] for n in rows]
    chosen = [drawn.choice(own) for own in gold]
    asked = _vectors(model, [examples.train.texts[n] for n in rows])
    scores = 20 * asked @ _vectors(model, [documents[n] for n in chosen]).T
    other = torch.tensor(
        [[a in own and n != m for m, a in enumerate(chosen)] for n, own in enumerate(gold)]
    )
    return torch.nn.functional.cross_entropy(
        scores.masked_fill(other, -1e9), torch.arange(len(rows))
    )


def _vectors(model: Any, texts: Sequence[str]) -> torch.Tensor:
    made = model(model.preprocess(list(texts)))["sentence_embedding"]
    return torch.nn.functional.normalize(made, dim=1)


def _by_vectors(found: Part, model: Any, documents: list[str], spent: float) -> None:
    tools = found.examples.tools
    with torch.inference_mode():
        texts = torch.cat([_vectors(model, documents[n : n + 32]) for n in _starts(documents)])
        run, times = {}, []
        for request in found.report.requests:
            start = time.process_time()
            best = (texts @ _vectors(model, [request.text])[0]).topk(min(20, len(tools))).indices
            times.append(1_000 * (time.process_time() - start))
            run[request.request_id] = [tools[n].tool_id for n in best.tolist()]
    _line("biencoder", found.report, run, spent, statistics.median(times))


def _starts(rows: Sequence[object]) -> Iterator[int]:
    yield from range(0, len(rows), 32)


def stages(options: argparse.Namespace) -> None:
    """Print a line for each choice of stages."""
    found = part(options.data, options.of, options.requests)
    print(f"{options.of}: {len(found.examples.train.texts)} requests learnt")
    print(f"learnt {found.examples.digest[:12]}, reported {found.report.digest[:12]}, seed {SEED}")
    for chosen in (("memorize",), ("retrieve",), ("memorize", "retrieve")):
        place = options.out / "-".join(chosen)
        _toolgen(options, found, place, stages=chosen)
        asyncio.run(_remembered(found, place))


async def _remembered(found: Part, place: Path) -> None:
    """How often the first sentence of a tool's document still leads to it."""
    from gretel.training.toolgen.samples import views

    retriever = await ToolGenRetriever.open(place, found.report.catalog)
    tools = found.examples.tools
    first = await retriever.decode([views(tool)[-1] for tool in tools], k=1)
    right = sum(row[0].tool_id == tool.tool_id for row, tool in zip(first, tools, strict=True))
    print(f"    the last view of a document leads to its tool: {right / len(tools):.3f}")


def sizes(options: argparse.Namespace) -> None:
    """Print two lines for each size of the catalogue."""
    for size in options.sizes:
        found = _arazzo(options) if size > SEAL else _seal(options, size)
        tools, learnt = len(found.examples.tools), len(found.examples.train.texts)
        print(f"{tools} tools, {learnt} requests learnt, {len(found.report.requests)} asked")
        print(f"learnt {found.examples.digest[:12]}, reported {found.report.digest[:12]}")
        _told("semantic", found.report, asyncio.run(SemanticRetriever.build(found.report.catalog)))
        _toolgen(options, found, options.out / f"size-{size}-{options.codes}")


def _seal(options: argparse.Namespace, size: int) -> Part:
    """Tools that requests of both parts name, by turns, and others by lot where these are few."""
    whole = [load_dataset(options.data / "sealtools", qrels=name) for name in PARTS["sealtools"]]
    drawn = random.Random(f"{SEED} size")
    orders = [drawn.sample(list(each.requests), len(each.requests)) for each in whole]
    names: dict[ToolId, None] = {}
    for pair in zip(*orders, strict=True):
        for own in pair:
            if len(names) + len(own.gold - names.keys()) <= size:
                names.update(dict.fromkeys(sorted(own.gold)))
    every = sorted(tool.tool_id for tool in whole[0].catalog)
    rest = [name for name in every if name not in names]
    names.update(dict.fromkeys(drawn.sample(rest, max(0, min(size, len(every)) - len(names)))))
    catalog = Catalog.from_tools([tool for tool in whole[0].catalog if tool.tool_id in names])
    known, judged = (tuple(r for r in each.requests if r.gold <= names.keys()) for each in whole)
    digest = hashlib.sha256(f"{whole[1].digest} {catalog.digest}".encode()).hexdigest()
    report = replace(whole[1], catalog=catalog, requests=judged, digest=digest)
    return Part(_examples(catalog, known, whole[0].digest, options.requests), report)


def _arazzo(options: argparse.Namespace) -> Part:
    known = load_dataset(options.data / "arazzo", half="dev")
    report = load_dataset(options.data / "arazzo", half="report")
    return Part(_examples(known.catalog, known.requests, known.digest, options.requests), report)


def updates(options: argparse.Namespace) -> None:
    """Print nDCG of requests for tools whose documents lose half of their words, and after."""
    judged = load_dataset(options.data / options.of, qrels=PARTS[options.of][1])
    asyncio.run(_updated(options.artifact, judged))


async def _updated(artifact: Path, judged: Dataset) -> None:
    retriever = await ToolGenRetriever.open(artifact, judged.catalog)
    learnt = sorted(judged.catalog, key=lambda tool: tool.tool_id)
    chosen = random.Random(f"{SEED} updated").sample(learnt, UPDATED)
    names = {tool.tool_id for tool in chosen}
    asked = [request for request in judged.requests if request.gold & names]
    others = [request for request in judged.requests if not request.gold & names]
    print(f"{UPDATED} tools, {len(asked)} requests for them, {len(others)} for others")
    print(f"reported {judged.digest[:12]}, seed {SEED}")
    for what, tools in (
        ("as they were", []),
        ("half of their words", [_halved(tool) for tool in chosen]),
        ("as they were again", chosen),
    ):
        await retriever.add(tools)
        means = [await _mean(retriever, rows) for rows in (asked, others)]
        print(f"  {what}: nDCG@5 {means[0]:.3f}, others {means[1]:.3f}", flush=True)


def _halved(tool: Tool) -> Tool:
    words = tool.description.split()
    return tool.model_copy(update={"description": " ".join(words[: (len(words) + 1) // 2])})


async def _mean(retriever: Retriever, requests: Sequence[JudgedRequest]) -> float:
    return measures_of(await retrieved(retriever, requests), requests).means["nDCG@5"]


def language(options: argparse.Namespace) -> None:
    """Print perplexities of the base, as it was and as the artefact has it."""
    artifact = read_artifact(options.artifact)
    judged = load_dataset(options.data / options.of, qrels=PARTS[options.of][1])
    prompts = load_no_tool(options.data / "tooldet" / "negatives.jsonl", half="report")
    texts = {
        "prompts of a chat log": [each.text for each in prompts[:READ]],
        "tools' documents": [dense_text(tool) for tool in list(judged.catalog)[:READ]],
    }
    before, after = CausalModel(artifact.manifest.shape.base), opened(artifact).base
    for name, own in texts.items():
        was, now = _perplexity(before, own), _perplexity(after, own)
        print(f"{name} ({len(own)}): perplexity {was:.2f} → {now:.2f}", flush=True)


def _perplexity(base: CausalModel, texts: Sequence[str]) -> float:
    """Of each token behind the ones before it, within the text."""
    lost, tokens = 0.0, 0
    for text in texts:
        read = base.tokenizer(text, split_special_tokens=True, add_special_tokens=False)
        own = torch.tensor([[*base.template.before[:1], *read["input_ids"][:CUT]]])
        with torch.inference_mode():
            logits = base.model(input_ids=own, use_cache=False).logits[0, :-1]
        lost += float(torch.nn.functional.cross_entropy(logits, own[0, 1:], reduction="sum"))
        tokens += own.shape[1] - 1
    return math.exp(lost / tokens)


def main() -> None:
    """Measure what the command line names."""
    works: dict[str, Callable[[argparse.Namespace], None]] = {
        "row": row,
        "stages": stages,
        "sizes": sizes,
        "updates": updates,
        "language": language,
    }
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=works)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--of", choices=PARTS, default="metatool_toole")
    parser.add_argument("--out", type=Path, help="folder of the trainings")
    parser.add_argument("--artifact", type=Path, help="what `row` or `gretel train` wrote")
    parser.add_argument("--base", help="causal language model; else MiniLM of the install")
    parser.add_argument("--preset", choices=PRESETS, default="cpu-tiny")
    parser.add_argument("--requests", type=int, default=3_000, help="learnt, at most")
    parser.add_argument("--epochs", type=int, help="of retrieval")
    parser.add_argument("--memorize-epochs", type=int)
    parser.add_argument("--codes", choices=get_args(Coding), help="else atomic")
    parser.add_argument("--minutes", type=float, default=5.0, help="of a bi-encoder alone")
    parser.add_argument("--sizes", type=numbers, default=[100])
    parser.add_argument("--ways", type=lambda text: text.split(","), default=list(WAYS[:3]))
    options = parser.parse_args()
    if options.what in ("updates", "language"):
        if options.artifact is None:
            parser.error(f"{options.what} takes --artifact")
    elif options.out is None:
        parser.error(f"{options.what} takes --out")
    if options.what == "sizes" and not options.sizes:
        parser.error("sizes takes --sizes")
    torch.set_num_threads(1)
    works[options.what](options)
    print("command:", "python", *sys.argv)


if __name__ == "__main__":
    main()
