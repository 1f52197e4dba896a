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

from gretel.contracts.ranking import RetrievalQuery
from gretel.evaluation.abstention import Chance, measure_abstention
from gretel.evaluation.datasets import load_dataset, load_needless
from gretel.nodes.retrievers.semantic import SemanticRetriever


async def chances(retriever: SemanticRetriever, texts: list[str], *, served: bool) -> list[Chance]:
    """`answerable` of each text; a text that cannot be judged counts as answerable."""
    found = [await retriever.retrieve([RetrievalQuery(text=text)], k=5) for text in texts]
    return [Chance(1.0 if f.answerable is None else f.answerable, served) for f in found]


def show(name: str, all_chances: list[Chance], threshold: float) -> None:
    """One row."""
    row = measure_abstention(all_chances, threshold=threshold)
    print(
        f"  {name:44} {row.served:5} {row.others:5}  AUROC {row.auroc:.3f}  "
        f"false abstention {row.false_abstentions:.3f}  false offer {row.false_offers:.3f}"
    )


async def measure(options: argparse.Namespace) -> None:
    """Print all rows."""
    data: Path = options.data
    awareness = data / "metatool_awareness" / "awareness.jsonl"
    idle = [request.text for request in load_needless(awareness)]
    needed = [str(row["query"]) for row in rows(awareness) if row["needs_tool"]]
    prompts = load_needless(data / "tooldet" / "negatives.jsonl")
    chat = drawn([request.text for request in prompts], options)
    for name, qrels in (("metatool_toole", "test_single"), ("toolbench_g1", "test_solvable")):
        dataset = load_dataset(data / name, qrels=qrels)
        index = None if options.index is None else options.index / name
        retriever = await SemanticRetriever.build(dataset.catalog, index=index)
        texts = drawn([request.text for request in dataset.requests], options)
        served = await chances(retriever, texts, served=True)
        others = await chances(retriever, chat, served=False)
        show(f"{name} {qrels} / tooldet", served + others, options.threshold)
        if name == "metatool_toole":
            unserved = await chances(retriever, idle, served=False)
            aware = await chances(retriever, needed, served=True)
            show(f"{name} {qrels} / awareness no", served + unserved, options.threshold)
            show("awareness yes / awareness no", aware + unserved, options.threshold)


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
