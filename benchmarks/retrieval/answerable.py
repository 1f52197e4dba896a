"""How well the default retriever tells requests that a catalogue serves from those it does not.

    python benchmarks/retrieval/answerable.py --data DIR [--threshold P] [--limit N] [--index DIR]

For the development and the report half of each pair: AUROC, and at the threshold the share of
served requests that would get no tool (false abstention) and of the others that would (false
offer); then that share where the pair's own threshold loses 1, 3, 5 and 10 % of the served.
`metatool_awareness` says which requests need a tool; `tooldet` holds prompts of a public chat log
that need none (without a licence: measured on, never copied). "Strangers" are requests for tools
of the other catalogue: they need a tool that this one lacks. Figures of development halves are of
requests that the models were fitted on.
"""

import argparse
import asyncio
import hashlib
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gretel.contracts.ranking import RetrievalQuery
from gretel.datasets.halves import half_of
from gretel.datasets.loading import Half, load_dataset, load_no_tool
from gretel.datasets.no_tool import read_prompts
from gretel.evaluation.measures.abstention import Chance, measure_abstention
from gretel.nodes.context import ABSTAIN_BELOW
from gretel.nodes.retrieve.need.judge import FittedJudge
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever

CATALOGUES = {
    "metatool_toole": {"dev": "train", "report": "test_single"},
    "toolbench_g1": {"dev": "test_solvable", "report": "test_solvable"},
}
"""Folder, and the judgements of either half."""


LOST = (0.01, 0.03, 0.05, 0.1)
"""Shares of the served requests, for the curve."""


class Measured:
    """A catalogue's retriever, with what it said of each text."""

    def __init__(self, retriever: SemanticRetriever, judge: FittedJudge, threshold: float) -> None:
        self._retriever = retriever
        self._judge = judge
        self._threshold = threshold
        self._known: dict[str, float] = {}

    async def row(self, name: str, served: Sequence[str], others: Sequence[str]) -> None:
        """Print the measures of one pair, and a digest of its texts."""
        chances = [Chance(await self._chance(text), served=True) for text in served]
        chances += [Chance(await self._chance(text), served=False) for text in others]
        found = measure_abstention(chances, threshold=self._threshold)
        digest = hashlib.sha256("\0".join([*served, "", *others]).encode()).hexdigest()[:12]
        print(
            f"{name:58} {found.served:5} {found.others:5} {found.auroc:7.3f}"
            f" {found.false_abstentions:10.3f} {found.false_offers:7.3f}"
            f" {curve(chances)}  {digest}",
            flush=True,
        )

    async def _chance(self, text: str) -> float:
        """`answerable`; a text that cannot be judged counts as answerable."""
        if text not in self._known:
            query = RetrievalQuery(text=text)
            retrieval = await self._retriever.retrieve([query], k=1)
            found = await self._judge.judge([query], retrieval)
            self._known[text] = 1.0 if found.answerable is None else found.answerable
        return self._known[text]


async def measure(options: argparse.Namespace) -> None:
    """Print all rows."""
    heads = ("served / others", "n", "n", "AUROC", "false abst", "offers")
    at = " ".join(f"{f'at {lost:.0%}':>6}" for lost in LOST)
    print("{:58} {:>5} {:>5} {:>7} {:>10} {:>7}".format(*heads), at, " digest")
    for name, other in (tuple(CATALOGUES), tuple(CATALOGUES)[::-1]):
        catalog = load_dataset(options.data / name, qrels=CATALOGUES[name]["report"]).catalog
        index = None if options.index is None else options.index / name
        retriever = await SemanticRetriever.build(catalog, index=index)
        measured = Measured(retriever, FittedJudge(catalog), options.threshold)
        for half in ("dev", "report"):
            served = requests(name, half, options)
            chat = no_tool("tooldet/negatives", half, options)
            await measured.row(f"{name} {half} / tooldet {half}", served, chat)
            await measured.row(f"{name} {half} / strangers", served, requests(other, half, options))
            if name == "metatool_toole":
                prompts = no_tool("metatool_awareness/awareness", half, options)
                await measured.row(f"{name} {half} / awareness no {half}", served, prompts)
                aware = needed(options.data, half)
                await measured.row(f"awareness yes {half} / awareness no {half}", aware, prompts)


def curve(chances: Sequence[Chance]) -> str:
    """Share of the others that is offered where a threshold loses each of `LOST` of the served."""
    served = [each.answerable for each in chances if each.served]
    others = np.array([each.answerable for each in chances if not each.served])
    return " ".join(f"{(others >= np.quantile(served, lost)).mean():6.3f}" for lost in LOST)


def requests(name: str, half: Half, options: argparse.Namespace) -> list[str]:
    """Texts of one half of a collection."""
    dataset = load_dataset(options.data / name, qrels=CATALOGUES[name][half], half=half)
    return drawn([request.text for request in dataset.requests], options)


def no_tool(name: str, half: Half, options: argparse.Namespace) -> list[str]:
    """Texts of one half that need no tool."""
    found = load_no_tool(options.data / f"{name}.jsonl", half=half)
    return drawn([request.text for request in found], options)


def needed(data: Path, half: Half) -> list[str]:
    """Texts of one half of metatool_awareness that need a tool."""
    rows = read_prompts(data / "metatool_awareness" / "awareness.jsonl")
    return [row.text for row in rows if row.needs_tool and half_of(row.prompt_id) == half]


def drawn(texts: list[str], options: argparse.Namespace) -> list[str]:
    """At most `--limit` of the texts."""
    return random.Random(options.seed).sample(texts, min(options.limit, len(texts)))


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--threshold", type=float, default=ABSTAIN_BELOW, help="abstain below this")
    parser.add_argument("--limit", type=int, default=1_000, help="requests drawn of each kind")
    parser.add_argument("--index", type=Path, help="keep the embeddings in this folder")
    parser.add_argument("--seed", type=int, default=7, help="of --limit")
    options = parser.parse_args()
    print("command: python", " ".join(sys.argv), f"(threshold {options.threshold})")
    asyncio.run(measure(options))


if __name__ == "__main__":
    main()
