"""Retrieval of the product beside its own halves and two plain fusions of them.

    python benchmarks/retrieval.py --data DIR [--only NAME] [--limit N] [--index DIR]

For each collection: nDCG@5, R@5 (ir_measures) and Completeness@5 (share of requests with every
right tool among the first five), over every judged request. The rankings come from
`SemanticRetriever.retrieve` over the whole catalogue; the halves order the same candidates by
their `dense` and `sparse` parts.
"""

import argparse
import asyncio
import csv
import hashlib
import json
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import ir_measures
from ir_measures import R, nDCG

from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, RetrievalQuery
from gretel.nodes.retrievers.semantic import SemanticRetriever

COLLECTIONS = {
    "toolbench_g1": "test_solvable",
    "metatool_toole": "test_single",
    "sealtools": "test_in_domain",
    "livemcp": "test",
}
DEPTH = 5
Found = tuple[Candidate, ...]
Scores = dict[str, float]


def by_part(part: str) -> Callable[[Found], Scores]:
    """One half alone."""
    return lambda found: {tool.tool_id: tool.parts[part] for tool in found}


def reciprocal_rank(found: Found) -> Scores:
    """Reciprocal-rank fusion, k = 60 (Cormack et al., SIGIR 2009)."""
    total: Scores = dict.fromkeys((tool.tool_id for tool in found), 0.0)
    for part in ("dense", "sparse"):
        ordered = sorted(found, key=lambda tool: (-tool.parts[part], tool.tool_id))
        for rank, tool in enumerate(ordered, 1):
            total[tool.tool_id] += 1 / (60 + rank)
    return total


def min_max(found: Found) -> Scores:
    """Both halves stretched to [0, 1], added with equal weights."""
    total: Scores = dict.fromkeys((tool.tool_id for tool in found), 0.0)
    for part in ("dense", "sparse"):
        values = [tool.parts[part] for tool in found]
        low, span = min(values), (max(values) - min(values)) or 1.0
        for tool in found:
            total[tool.tool_id] += (tool.parts[part] - low) / span
    return total


SYSTEMS: Mapping[str, Callable[[Found], Scores]] = {
    "dense half": by_part("dense"),
    "sparse half": by_part("sparse"),
    "reciprocal rank": reciprocal_rank,
    "min-max": min_max,
    "ours": lambda found: {tool.tool_id: tool.score for tool in found},
}


async def measure(folder: Path, qrels_name: str, options: argparse.Namespace) -> None:
    """Print the rows of one collection."""
    catalog = Catalog.from_jsonl(folder / "corpus.jsonl")
    index = None if options.index is None else options.index / folder.name
    retriever = await SemanticRetriever.build(catalog, index=index)
    names = {tool.external_id: tool.tool_id for tool in catalog}
    qrels = read_qrels(folder / "qrels" / f"{qrels_name}.tsv", names, options)
    texts = {row["_id"]: row["text"] for row in rows(folder / "queries.jsonl")}
    runs: dict[str, dict[str, Scores]] = {system: {} for system in SYSTEMS}
    for request in qrels:
        query = RetrievalQuery(text=texts[request])
        found = (await retriever.retrieve([query], k=len(catalog))).candidates[0]
        for system, score in SYSTEMS.items():
            runs[system][request] = first(score(found))
    print(f"\n{folder.name} {qrels_name}: {len(qrels)} requests, {len(catalog)} tools, ", end="")
    print(f"data {digest(folder, qrels_name)[:12]}, catalogue {catalog.digest[:12]}")
    for system, run in runs.items():
        print(f"  {system:16}" + "".join(f"  {k} {v:.4f}" for k, v in judge(qrels, run).items()))


def first(scores: Scores) -> Scores:
    """The best `DEPTH`, ties by tool_id; as ranks, since trec_eval breaks ties its own way."""
    ordered = sorted(scores, key=lambda tool: (-scores[tool], tool))[:DEPTH]
    return {tool: 1.0 / rank for rank, tool in enumerate(ordered, 1)}


def judge(qrels: dict[str, dict[str, int]], run: dict[str, Scores]) -> Scores:
    """The three measures of one run."""
    means = ir_measures.calc_aggregate([nDCG @ DEPTH, R @ DEPTH], qrels, run)
    recalls = [found.value for found in ir_measures.iter_calc([R @ DEPTH], qrels, run)]
    complete = sum(recall == 1 for recall in recalls) / len(qrels)
    return {
        "nDCG@5": means[nDCG @ DEPTH],
        "R@5": means[R @ DEPTH],
        "Completeness@5": complete,
    }


def read_qrels(
    path: Path, names: Mapping[str | None, str], options: argparse.Namespace
) -> dict[str, dict[str, int]]:
    """Right tools by request; one that the catalogue lacks stays, and counts as missed."""
    found: dict[str, dict[str, int]] = {}
    with path.open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            tool = names.get(row["corpus-id"], row["corpus-id"])
            found.setdefault(row["query-id"], {})[tool] = int(row["score"])
    if options.limit is None or options.limit >= len(found):
        return found
    chosen = random.Random(options.seed).sample(sorted(found), options.limit)
    return {request: found[request] for request in chosen}


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def digest(folder: Path, qrels_name: str) -> str:
    """SHA-256 of the files that were read."""
    content = hashlib.sha256()
    for name in ("corpus.jsonl", "queries.jsonl", f"qrels/{qrels_name}.tsv"):
        content.update((folder / name).read_bytes())
    return content.hexdigest()


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--only", choices=COLLECTIONS, help="one collection")
    parser.add_argument("--limit", type=int, help="draw that many requests of each")
    parser.add_argument("--index", type=Path, help="keep the embeddings in this folder")
    parser.add_argument("--seed", type=int, default=7, help="of --limit")
    options = parser.parse_args()
    print("command: python", " ".join(sys.argv), f"(seed {options.seed})")
    for name, qrels in COLLECTIONS.items():
        if options.only in (None, name):
            asyncio.run(measure(options.data / name, qrels, options))


if __name__ == "__main__":
    main()
