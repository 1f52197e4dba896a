"""What ToolGen does beyond its table: invalid tools, equality, time, new tools, need.

    gretel train toolgen --data DIR/metatool_toole --out ART
    python benchmarks/toolgen/toolgen.py invalid [--data DIR --artifact ART] [--decodes 100000]
    python benchmarks/toolgen/toolgen.py equality [--base FOLDER] [--texts 50]
    python benchmarks/toolgen/toolgen.py latency [--base FOLDER] [--repeat 60]
    python benchmarks/toolgen/toolgen.py new --data DIR --out FOLDER [--seeds 7] [--requests 3000]
    python benchmarks/toolgen/toolgen.py need --data DIR --artifact ART

`invalid`: how many decodes name what is no permitted tool: of scores by lot, of scores that favour
what is not permitted, and of no numbers, under random masks and all modes; the same of tools that
are several words each, by a narrow search; and, of an artefact, how often its model, asked for any
token that it has, says no tool first (training requests).
`equality`: the best five of one pass against a constrained beam search of one step by `generate`.
`latency`: one request against one bare forward pass of the same tokens by the same model, and
against a beam search of five beams and two steps, with 199 and with 47,000 tools; and the same
tools as three words each.
`new`: 20 tools are held out with all requests that name one; a model is trained on so many of the
others, and the tools are added: nDCG of requests for them, beside the semantic retriever, and what
that costs the others (test_single); and the time that one tool takes to be added.
`need`: AUROC of `needs_tool`: test_single against the held-out half of ToolDet.
"""

import argparse
import asyncio
import math
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch
from shared import held_out, judged, numbers, retrieved, write_beir

from gretel.catalog import Catalog
from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import RetrievalQuery
from gretel.contracts.tool import ToolId
from gretel.datasets.loading import JudgedRequest, load_dataset, load_no_tool
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.retrieve.toolgen.artifact import read_artifact
from gretel.nodes.retrieve.toolgen.coded import CodedModel, opened
from gretel.nodes.retrieve.toolgen.codes import Codebook
from gretel.nodes.retrieve.toolgen.decoding import Decoding, Mode, shares, taken
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.nodes.retrieve.toolgen.retriever import ToolGenRetriever
from gretel.nodes.retrieve.toolgen.rows import Rows
from gretel.nodes.retrieve.toolgen.slots import RESERVED, Slot, Slots
from gretel.nodes.retrieve.toolgen.trie import CodeTrie, as_scores, search

FOLDER, QRELS = "metatool_toole", "test_single"
HIDDEN = 20
MANY = 47_000
FEW = 199
MODES: tuple[Mode, ...] = ("topk", "nucleus", "sample")
NO_NUMBERS = (math.nan, math.inf, -math.inf, 1e38, -1e38)
TEXT = "I want to book a table for four people tonight, somewhere near the harbour, {}"


def invalid(options: argparse.Namespace) -> None:
    """Print how many decodes named no permitted tool, with and without the constraint."""
    drawn, wrong, done, slots = random.Random(7), 0, 0, 400
    while done < options.decodes:
        scores = torch.randn(200, slots, generator=torch.Generator().manual_seed(done)) * 5
        scores[:, :RESERVED] += drawn.choice((0, 100))
        for _ in range(drawn.randrange(5)):
            scores[:, drawn.randrange(slots)] = drawn.choice(NO_NUMBERS)
        permitted = drawn.sample(range(RESERVED, slots), drawn.randrange(slots - RESERVED))
        how = Decoding(mode=drawn.choice(MODES), seed=done)
        found = taken(shares(scores, permitted), permitted, drawn.randrange(1, 20), how)
        good = frozenset(permitted)
        wrong += sum(
            not {each.slot for each in row} <= good or len({e.slot for e in row}) != len(row)
            for row in found
        )
        done += len(found)
    print(f"{done} decodes by lot: {wrong} invalid", flush=True)
    wrong = sum(_coded(number) for number in range(options.decodes))
    print(f"{options.decodes} decodes of codes by lot: {wrong} invalid", flush=True)
    if options.artifact is None:
        return
    model = opened(read_artifact(options.artifact))
    texts = [r.text for r in load_dataset(options.data / FOLDER, qrels="train").requests[:500]]
    firsts = [_first(model, text) for text in texts]
    no_tool = sum(token < model.base.vocabulary + RESERVED for token in firsts)
    print(f"whole vocabulary, {len(texts)} training requests: {no_tool} do not name a tool first")


def _coded(number: int) -> bool:
    """Whether a decode of codes by lot, narrow and permitted in part, names another tool."""
    drawn = random.Random(number)
    made = {tuple(drawn.randrange(6) for _ in range(3)) for _ in range(60)}
    trie = CodeTrie(dict(enumerate(sorted(made), RESERVED)))
    every = sorted(trie.slots.tolist())
    permitted = drawn.sample(every, drawn.randrange(1, len(every)))
    seeds = torch.Generator().manual_seed(number)

    def step(parents: Sequence[int], _: Sequence[int]) -> torch.Tensor:
        scores = torch.randn(len(parents), 6, generator=seeds) * 5
        scores[:, drawn.randrange(6)] = drawn.choice(NO_NUMBERS)
        return scores

    open_to = trie.only(permitted)
    found = search(open_to, step([0], [0])[0], step, width=4)
    scores = as_scores(open_to, found, RESERVED + len(every))[None]
    how = Decoding(mode=drawn.choice(MODES), seed=number)
    named = [e.slot for e in taken(shares(scores, permitted), permitted, 9, how)[0]]
    return not set(named) <= set(permitted) or len(set(named)) != len(named)


def _first(model: ToolModel, text: str) -> int:
    batch = model.base.batch(model.base.prompts([text]))
    with model.extension.scoring("all", batch.last), torch.inference_mode():
        return int(model.base.forward(batch)[0, 0].argmax())


def equality(options: argparse.Namespace) -> None:
    """Print whether both ways find the same tools in the same order."""
    model, permitted = _widened(options.base, FEW), list(range(RESERVED, RESERVED + FEW))
    same, apart = 0, 0.0
    for number in range(options.texts):
        (found,) = model.decode([TEXT.format(number)], permitted, 5, Decoding())
        slots, chances = _beams(model, TEXT.format(number), permitted, steps=1)
        same += [each.slot for each in found] == slots
        apart = max(apart, *(abs(e.share - c) for e, c in zip(found, chances, strict=True)))
    print(f"{same} of {options.texts} texts: the same five tools in the same order")
    print(f"largest difference of a probability: {apart:.1e}")


def _beams(
    model: ToolModel, text: str, permitted: Sequence[int], *, steps: int
) -> tuple[list[int], list[float]]:
    """Five beams of `generate`, as the reference code searches: a tool, then an end."""
    base = model.base
    (prompt,) = base.prompts([text])
    tokens = [base.vocabulary + slot for slot in permitted]
    own = base.tokenizer.eos_token_id
    end = 0 if own is None else own
    with model.extension.scoring("all"), model.extension.counted(), torch.inference_mode():
        made = base.model.generate(
            input_ids=torch.tensor([prompt]),
            attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
            prefix_allowed_tokens_fn=lambda _, ids: tokens if len(ids) == len(prompt) else [end],
            num_beams=5,
            num_return_sequences=5,
            min_new_tokens=steps,
            max_new_tokens=steps,
            do_sample=False,
            length_penalty=0.0,
            renormalize_logits=True,
            output_scores=True,
            return_dict_in_generate=True,
            pad_token_id=end,
            eos_token_id=None,
            repetition_penalty=1.0,
        )
    slots = (made.sequences[:, len(prompt)] - base.vocabulary).tolist()
    return slots, made.sequences_scores.exp().tolist()


def _widened(base: str | None, tools: int) -> ToolModel:
    """A model with as many tools, whose rows are by lot."""
    model = CausalModel(base)
    drawn = torch.Generator().manual_seed(7)
    shapes = ((model.d_out,), (), (model.d_in,), (model.d_out,))
    rows = [0.1 * torch.randn(RESERVED + tools, *each, generator=drawn) for each in shapes]
    if not model.has_bias:
        rows[1].zero_()
    widened = ToolModel(model, Rows(*rows))
    widened.hold()  # as an artefact's model is when it is opened
    return widened


def _said_in_words(base: str | None, tools: int) -> ToolModel:
    """A model whose tools are three of 120 words by lot, as residual codes are."""
    drawn, codes = random.Random(7), set[tuple[int, ...]]()
    while len(codes) < tools:
        codes.add(tuple(RESERVED + 40 * n + drawn.randrange(40) for n in range(3)))
    words = _widened(base, 120)
    named = enumerate(sorted(codes))
    slots = Slots(
        tools=tuple(Slot(tool_id=ToolId(f"Kit.n{n}"), digest="", code=code) for n, code in named)
    )
    words.extension.remove()
    return CodedModel(words.base, words.rows, Codebook("residual"), slots)


def latency(options: argparse.Namespace) -> None:
    """Print medians of milliseconds of one processor, and ratios within this run."""
    torch.set_num_threads(1)
    bare = CausalModel(options.base)
    texts = [TEXT.format(number) for number in range(options.repeat)]

    def forward(text: str) -> None:
        batch = bare.batch(bare.prompts([text]))
        with torch.inference_mode():
            bare.model(
                input_ids=batch.tokens,
                attention_mask=batch.mask,
                use_cache=False,
                logits_to_keep=1,
            ) if options.base else bare.forward(batch)

    for tools in (FEW, MANY):
        model, permitted = _widened(options.base, tools), range(RESERVED, RESERVED + tools)

        def one(text: str, model: ToolModel = model, permitted: Any = permitted) -> None:
            model.decode([text], permitted, 5, Decoding())

        def searched(text: str, model: ToolModel = model, permitted: Any = permitted) -> None:
            _beams(model, text, permitted, steps=2)

        coded = _said_in_words(options.base, tools)

        def of_words(text: str, model: ToolModel = coded, permitted: Any = permitted) -> None:
            model.decode([text], permitted, 5, Decoding())

        spent = _medians(texts, forward, one, searched, of_words)
        print(
            f"{tools} tools: bare pass {spent[0]:.1f} ms, one request {spent[1]:.1f} ms "
            f"({spent[1] / spent[0]:.2f} x), five beams of two steps {spent[2]:.1f} ms "
            f"({spent[2] / spent[1]:.1f} x a request), tools of three words {spent[3]:.1f} ms"
        )


def _medians(texts: Sequence[str], *work: Callable[[str], None]) -> list[float]:
    """Of each work, in milliseconds of one processor: what else runs costs wall time alone."""
    spent: list[list[float]] = [[] for _ in work]
    for text in texts:
        for own, do in zip(spent, work, strict=True):
            start = time.process_time()
            do(text)
            own.append(1_000 * (time.process_time() - start))
    return [statistics.median(own[5:]) for own in spent]


async def new(options: argparse.Namespace) -> None:
    """Print nDCG of held-out tools and of the others, a row a seed."""
    for seed in options.seeds:
        await _held_out(options, options.out / f"seed-{seed}", seed)


async def _held_out(options: argparse.Namespace, out: Path, seed: int) -> None:
    asked = load_dataset(options.data / FOLDER, qrels=QRELS)
    known, hidden = held_out(asked.catalog, HIDDEN, seed)
    _train(options, out, known, hidden, seed)
    retriever = await ToolGenRetriever.open(out / "artifact", known)
    warm = [request for request in asked.requests if not request.gold & hidden]
    cold = [request for request in asked.requests if request.gold & hidden]
    before = await _means(retriever, warm)
    spent = []
    for tool_id in sorted(hidden):
        start = time.perf_counter(), time.process_time()
        await retriever.add([asked.catalog[tool_id]])
        ended = time.perf_counter(), time.process_time()
        spent.append([1_000 * (late - early) for early, late in zip(start, ended, strict=True)])
    after, found = await _means(retriever, warm), await _means(retriever, cold)
    semantic = await _means(await SemanticRetriever.build(asked.catalog), cold, parts=True)
    await retriever.remove(sorted(hidden))
    gone = await _means(retriever, cold)
    print(f"seed {seed}: {HIDDEN} new tools, {len(cold)} requests, {len(warm)} for others")
    for name in ("nDCG@1", "nDCG@5"):
        print(
            f"  {name}: new {found[name]:.3f} (semantic {semantic[name]:.3f}, removed again "
            f"{gone[name]:.3f}), others {before[name]:.3f} → {after[name]:.3f}"
        )
    took, own = map(statistics.median, zip(*spent, strict=True))
    print(f"  one tool added in {took:.0f} ms, {own:.0f} ms of a processor", flush=True)


def _train(
    options: argparse.Namespace, out: Path, known: Catalog, hidden: set[ToolId], seed: int
) -> None:
    """A model that never saw the hidden tools, nor a request that names one."""
    from gretel.training.masstool.data import read_examples
    from gretel.training.toolgen.settings import Settings, Source
    from gretel.training.toolgen.train import train

    folder, whole = out / "data", load_dataset(options.data / FOLDER, qrels="train")
    rows = [r for r in whole.requests if not r.gold & hidden]
    rows = random.Random(f"{seed} drawn").sample(rows, min(options.requests, len(rows)))
    write_beir(folder, known, rows)
    examples = read_examples(folder, seed=seed)
    print(f"seed {seed}: data {examples.digest[:12]}, {len(examples.train.texts)} learnt")
    settings = Settings(seed=seed, epochs=options.epochs)
    train(examples, settings, Source(options.base), out / "artifact", lambda *_: None)


async def _means(
    retriever: Retriever, requests: Sequence[JudgedRequest], *, parts: bool = False
) -> dict[str, float]:
    return judged(await retrieved(retriever, requests, parts=parts), requests).means


async def need(options: argparse.Namespace) -> None:
    """Print AUROC, and what the default threshold declines."""
    from sklearn.metrics import roc_auc_score

    asked = load_dataset(options.data / FOLDER, qrels=QRELS)
    retriever = await ToolGenRetriever.open(options.artifact, asked.catalog)
    others = load_no_tool(options.data / "tooldet" / "negatives.jsonl", half="report")
    chances: list[list[float]] = []
    for requests in (asked.requests, others):
        queries = [RetrievalQuery(text=request.text) for request in requests]
        found = [await retriever.retrieve([query], k=1) for query in queries]
        chances.append([each.needs_tool or 0.0 for each in found])
    labels = [True] * len(chances[0]) + [False] * len(chances[1])
    area = roc_auc_score(labels, [*chances[0], *chances[1]])
    low = [sum(chance < 0.2 for chance in own) / len(own) for own in chances]
    print(f"{len(chances[0])} / {len(chances[1])} requests: AUROC {area:.4f}")
    print(f"under .2: {low[0]:.3f} of those that need a tool, {low[1]:.3f} of the others")


def main() -> None:
    """Measure what the command line names."""
    works = {
        "invalid": invalid,
        "equality": equality,
        "latency": latency,
        "new": new,
        "need": need,
    }
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=works)
    parser.add_argument("--data", type=Path, help="folder of the collections")
    parser.add_argument("--artifact", type=Path, help="folder that `gretel train toolgen` wrote")
    parser.add_argument("--base", help="causal language model; else MiniLM of the install")
    parser.add_argument("--out", type=Path, help="new: folder of its trainings")
    parser.add_argument("--decodes", type=int, default=100_000)
    parser.add_argument("--texts", type=int, default=50, help="equality: how many")
    parser.add_argument("--repeat", type=int, default=60, help="latency: requests")
    parser.add_argument("--requests", type=int, default=3_000, help="new: learnt, at most")
    parser.add_argument("--epochs", type=int, default=1, help="new: of retrieval")
    parser.add_argument("--seeds", type=numbers, default=[7])
    options = parser.parse_args()
    if (options.artifact or options.what in ("new", "need")) and options.data is None:
        parser.error(f"{options.what} takes --data")
    if options.what == "need" and options.artifact is None:
        parser.error("need takes --artifact")
    if options.what == "new" and options.out is None:
        parser.error("new takes --out")
    done = works[options.what](options)
    if done is not None:
        asyncio.run(done)
    print("command:", "python", *sys.argv)


if __name__ == "__main__":
    main()
