"""Several queries for one request: how their candidates are merged, beside the request alone.

    python benchmarks/retrieval/merging.py --data DIR [--limit 300] [--seed 7]

What a rewriter may write is imitated without a model, from the harmless to the useless: the
request's sentences, its content words, half of them, the description of the first tool that it
finds, and another request of the set. Each kind stands beside the request, as the rewriter node's
queries do. Rows: nDCG@5 less that of the request alone, for the best score over all queries and for
the mean of log-odds at several weights of what was written. Only development parts are read.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from retrieval import Judgements
from shared import drawn, judged

from gretel.catalog import Catalog
from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import ToolId
from gretel.datasets.judged import JudgedRequest
from gretel.datasets.loading import load_dataset
from gretel.graph.compose import compose
from gretel.nodes.retrieve.merging import WEIGHT, depth_of, merge_queries
from gretel.text.sentences import request_parts
from gretel.text.tokens import content_words

PARTS = (
    Judgements("toolbench_g1", "test_solvable", "dev"),
    Judgements("sealtools", "dev"),
    Judgements("metatool_toole", "train"),
    Judgements("arazzo", "test", "dev"),
    Judgements("callnavi", "test", "dev"),
)
"""Development requests."""
WEIGHTS = (0.02, 0.03, 0.05, 0.1, 0.2)
K = 10
"""Candidates that are tried, as `gretel select` does."""

Written = Callable[[JudgedRequest], Sequence[str]]


def kinds(
    requests: Sequence[JudgedRequest], first: dict[str, ToolId], catalog: Catalog, seed: int
) -> dict[str, Written]:
    """What is written beside each request, by kind."""
    rng = random.Random(seed)
    other = dict(
        zip(
            (each.request_id for each in requests), rng.sample(requests, len(requests)), strict=True
        )
    )
    single: dict[str, Written] = {
        "sentences": lambda asked: request_parts(asked.text),
        "content words": lambda asked: [" ".join(content_words(asked.text))],
        "half of the words": lambda asked: [" ".join(_half(asked, seed))],
        "first tool's text": lambda asked: [catalog[first[asked.request_id]].description],
        "another request": lambda asked: [other[asked.request_id].text],
    }
    return single | {
        "all of them": lambda asked: [text for write in single.values() for text in write(asked)]
    }


def _half(asked: JudgedRequest, seed: int) -> list[str]:
    words = content_words(asked.text)
    kept = random.Random(f"{seed} {asked.request_id}").sample(range(len(words)), len(words) // 2)
    return [words[place] for place in sorted(kept)]


def best_score(retrieval: Retrieval) -> list[Candidate]:
    """The baseline: a tool keeps its best score over all queries."""
    best: dict[ToolId, Candidate] = {}
    for found in (each for per_query in retrieval.candidates for each in per_query):
        if found.tool_id not in best or found.score > best[found.tool_id].score:
            best[found.tool_id] = found
    return sorted(best.values(), key=lambda found: (-found.score, found.tool_id))


async def compare(part: Judgements, options: argparse.Namespace) -> None:
    """Print the rows of one collection."""
    dataset = load_dataset(options.data / part.folder, qrels=part.qrels, half=part.half)
    requests = drawn(dataset.requests, options.limit, options.seed)
    retriever = compose(dataset.catalog).retriever
    alone = {
        each.request_id: (await retriever.retrieve([RetrievalQuery(text=each.text)], k=K))
        for each in requests
    }
    runs = {name: [c.tool_id for c in found.candidates[0]] for name, found in alone.items()}
    own = judged(runs, requests).means["nDCG@5"]
    print(f"\n{part}: {len(requests)} requests,", end=" ")
    print(f"data {dataset.digest[:12]}, the request alone {own:.4f}")
    heads = [f"{weight:8.2f}" for weight in WEIGHTS]
    print(f"  {'beside the request':20}{'best':>8}{''.join(heads)}")
    first = {name: found[0] for name, found in runs.items() if found}
    for kind, write in kinds(requests, first, dataset.catalog, options.seed).items():
        figures = await measured(retriever, requests, write)
        shown = "".join(f"{figure - own:+8.4f}" for figure in figures)
        print(f"  {kind:20}{shown}", flush=True)


async def measured(
    retriever: Retriever, requests: Sequence[JudgedRequest], write: Written
) -> list[float]:
    """NDCG@5 of the best score, then of each weight."""
    runs: list[dict[str, list[ToolId]]] = [{} for _ in (None, *WEIGHTS)]
    for asked in requests:
        texts = [text for text in write(asked) if text.strip()]
        queries = [
            RetrievalQuery(text=asked.text),
            *(RetrievalQuery(text=text, origin="rewrite") for text in texts),
        ]
        found = await retriever.retrieve(queries, k=depth_of(queries, K))
        lists = [best_score(found), *(merge_queries(queries, found, weight=w) for w in WEIGHTS)]
        for run, candidates in zip(runs, lists, strict=True):
            run[asked.request_id] = [candidate.tool_id for candidate in candidates[:K]]
    return [judged(run, requests).means["nDCG@5"] for run in runs]


def main() -> None:
    """Measure every development part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--limit", type=int, default=300, help="requests of each collection")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", choices=[part.folder for part in PARTS])
    options = parser.parse_args()
    print("command: python", " ".join(sys.argv), f"(product weight {WEIGHT})")
    for part in PARTS:
        if options.only in (None, part.folder):
            asyncio.run(compare(part, options))


if __name__ == "__main__":
    main()
