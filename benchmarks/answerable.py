"""How well `Retrieval.answerable` tells requests that a catalogue serves from those it does not.

    python benchmarks/answerable.py --data DIR [--threshold P] [--index DIR] [--limit N]

Held-out material only: nothing here was fitted on. `metatool_awareness` says which requests need
a tool; `tooldet` holds prompts of a public chat log that need none (without a licence: measured
on, never copied). Printed for each pair: AUROC, and at the threshold the share of answerable
requests that would get no tool (false abstention) and of others that would (false offer).
"""

import argparse
import asyncio
import json
import random
import sys
from pathlib import Path

from gretel.catalog import Catalog
from gretel.contracts.ranking import RetrievalQuery
from gretel.nodes.retrievers.semantic import SemanticRetriever


async def chances(retriever: SemanticRetriever, texts: list[str]) -> list[float]:
    """`answerable` of each text; a text that cannot be judged counts as answerable."""
    found = [await retriever.retrieve([RetrievalQuery(text=text)], k=5) for text in texts]
    return [1.0 if each.answerable is None else each.answerable for each in found]


def show(name: str, positive: list[float], negative: list[float], threshold: float) -> None:
    """One row."""
    better = sum((yes > no) + (yes == no) / 2 for yes in positive for no in negative)
    auroc = better / (len(positive) * len(negative))
    abstained = sum(chance < threshold for chance in positive) / len(positive)
    offered = sum(chance >= threshold for chance in negative) / len(negative)
    print(
        f"  {name:44} {len(positive):5} {len(negative):5}  AUROC {auroc:.3f}  "
        f"false abstention {abstained:.3f}  false offer {offered:.3f}"
    )


async def measure(options: argparse.Namespace) -> None:
    """Print all rows."""
    data: Path = options.data
    aware = rows(data / "metatool_awareness" / "awareness.jsonl")
    needed, idle = (
        [str(row["query"]) for row in aware if row["needs_tool"] is need] for need in (True, False)
    )
    chat = drawn([str(row["query"]) for row in rows(data / "tooldet" / "negatives.jsonl")], options)
    for name, qrels in (("metatool_toole", "test_single"), ("toolbench_g1", "test_solvable")):
        catalog = Catalog.from_jsonl(data / name / "corpus.jsonl")
        index = None if options.index is None else options.index / name
        retriever = await SemanticRetriever.build(catalog, index=index)
        served = await chances(retriever, drawn(judged(data / name, qrels), options))
        at = options.threshold
        show(f"{name} {qrels} / tooldet", served, await chances(retriever, chat), at)
        if name == "metatool_toole":
            unserved = await chances(retriever, idle)
            show(f"{name} {qrels} / awareness no", served, unserved, at)
            show("awareness yes / awareness no", await chances(retriever, needed), unserved, at)


def judged(folder: Path, qrels: str) -> list[str]:
    """The texts of all judged requests."""
    lines = (folder / "qrels" / f"{qrels}.tsv").read_text(encoding="utf-8").splitlines()[1:]
    names = {line.split("\t")[0] for line in lines}
    return [str(row["text"]) for row in rows(folder / "queries.jsonl") if row["_id"] in names]


def drawn(texts: list[str], options: argparse.Namespace) -> list[str]:
    """At most `--limit` of the texts."""
    return random.Random(options.seed).sample(texts, min(options.limit, len(texts)))


def rows(path: Path) -> list[dict[str, object]]:
    """The rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--threshold", type=float, default=0.16, help="abstain below this")
    parser.add_argument("--limit", type=int, default=500, help="requests drawn of each kind")
    parser.add_argument("--index", type=Path, help="keep the embeddings in this folder")
    parser.add_argument("--seed", type=int, default=7, help="of --limit")
    options = parser.parse_args()
    print("command: python", " ".join(sys.argv))
    asyncio.run(measure(options))


if __name__ == "__main__":
    main()
