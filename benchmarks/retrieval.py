"""Retrieval of the product beside its own halves and two plain fusions of them.

    python benchmarks/retrieval.py --data DIR [--only NAME] [--limit N] [--index DIR]

For each collection: nDCG@5, R@5 and Completeness@5, over every judged request. The rankings come
from `SemanticRetriever.retrieve` over the whole catalogue; the halves order the same candidates by
their `dense` and `sparse` parts.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from gretel.contracts.ranking import Candidate, RetrievalQuery
from gretel.contracts.tool import ToolId
from gretel.evaluation.datasets import JudgedRequest, load_dataset
from gretel.evaluation.measures import measure
from gretel.nodes.retrievers.semantic import SemanticRetriever

COLLECTIONS = {
    "toolbench_g1": "test_solvable",
    "metatool_toole": "test_single",
    "sealtools": "test_in_domain",
    "livemcp": "test",
}
DEPTH = 5
MEASURES = ("nDCG@5", "R@5", "Completeness@5")
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


async def compare(folder: Path, qrels: str, options: argparse.Namespace) -> None:
    """Print the rows of one collection."""
    dataset = load_dataset(folder, qrels=qrels)
    index = None if options.index is None else options.index / folder.name
    retriever = await SemanticRetriever.build(dataset.catalog, index=index)
    requests = drawn(dataset.requests, options)
    runs: dict[str, dict[str, list[ToolId]]] = {system: {} for system in SYSTEMS}
    for request in requests:
        query = RetrievalQuery(text=request.text)
        found = (await retriever.retrieve([query], k=len(dataset.catalog))).candidates[0]
        for system, score in SYSTEMS.items():
            runs[system][request.request_id] = first(score(found))
    print(
        f"\n{folder.name} {qrels}: {len(requests)} requests, {len(dataset.catalog)} tools, ", end=""
    )
    print(f"data {dataset.digest[:12]}, catalogue {dataset.catalog.digest[:12]}")
    gold = {request.request_id: request.gold for request in requests}
    for system, run in runs.items():
        means = measure(run, gold).means
        print(f"  {system:16}" + "".join(f"  {name} {means[name]:.4f}" for name in MEASURES))


def first(scores: Scores) -> list[ToolId]:
    """The best `DEPTH`, ties by tool_id."""
    return [ToolId(tool) for tool in sorted(scores, key=lambda tool: (-scores[tool], tool))[:DEPTH]]


def drawn(
    requests: tuple[JudgedRequest, ...], options: argparse.Namespace
) -> tuple[JudgedRequest, ...]:
    """At most `--limit` of the requests."""
    if options.limit is None or options.limit >= len(requests):
        return requests
    by_id = sorted(requests, key=lambda request: request.request_id)
    return tuple(random.Random(options.seed).sample(by_id, options.limit))


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
            asyncio.run(compare(options.data / name, qrels, options))


if __name__ == "__main__":
    main()
