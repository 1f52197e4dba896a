"""The candidate stage of the product beside itself with parts switched off.

    python benchmarks/retrieval/retrieval.py --data DIR [--only NAME] [--limit N] [--index DIR]
        [--dev]

For each collection: nDCG@5, R@5 and Completeness@5 over every judged request, and the median
milliseconds of one retrieval without the encoder, whose vectors all rows share. No row knows what
is asked for beyond the request's text.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from shared import drawn, judged

from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import RetrievalQuery
from gretel.contracts.tool import ToolId
from gretel.datasets.loading import Half, JudgedRequest, load_dataset
from gretel.graph.compose import compose
from gretel.nodes.retrieve.encoding.encoder import Embeddings, Encoder, Matrix
from gretel.nodes.retrieve.stage.switches import CandidateStage


class Judgements(NamedTuple):
    """Part of a collection."""

    folder: str
    qrels: str
    half: Half | None = None
    fitted_on: bool = False
    """Whether the product was fitted or developed on these requests."""

    def __str__(self) -> str:
        return " ".join([self.folder, self.qrels, *([f"{self.half} half"] if self.half else [])])


COLLECTIONS = (
    Judgements("toolbench_g1", "test_solvable", "dev", fitted_on=True),
    Judgements("toolbench_g1", "test_solvable", "report"),
    Judgements("sealtools", "dev", fitted_on=True),
    Judgements("sealtools", "test_in_domain"),
    Judgements("livemcp", "test"),
    Judgements("arazzo", "test", fitted_on=True),
    Judgements("metatool_toole", "test_single"),
    Judgements("metatool_toole", "test_multi"),
    Judgements("toollens", "test"),
)
STAGES: Mapping[str, CandidateStage] = {
    "dense half alone": CandidateStage(fusion="dense", split=False),
    "sparse half alone": CandidateStage(fusion="sparse", split=False),
    "splitting off": CandidateStage(split=False),
    "coherence off": CandidateStage(coherence="none"),
    "without toolkits": CandidateStage(coherence="parts"),
    "shapes off": CandidateStage(shape=False),
    "all on": CandidateStage(),
}
VECTORS: dict[tuple[str, str], tuple[Matrix, ...]] = {}
"""Both embeddings of requests and of their parts, by the encoder's name and the text."""
DEPTH = 10
"""Candidates asked for, as `gretel select` does."""
MEASURES = ("nDCG@5", "R@5", "Completeness@5")


async def compare(judgements: Judgements, options: argparse.Namespace) -> None:
    """Print the rows of one collection."""
    folder = options.data / judgements.folder
    dataset = load_dataset(folder, qrels=judgements.qrels, half=judgements.half)
    requests = drawn(dataset.requests, options.limit, options.seed)
    seen = ", developed on" if judgements.fitted_on else ""
    print(f"\n{judgements}: {len(requests)} requests, {len(dataset.catalog)} tools{seen}, ", end="")
    print(f"data {dataset.digest[:12]}, catalogue {dataset.catalog.digest[:12]}")
    index = None if options.index is None else options.index / judgements.folder
    for name, stage in STAGES.items():
        parts = compose(dataset.catalog, candidates=stage, index=index)
        run, took = await retrieved(parts.retriever, requests)
        means = judged(run, requests).means
        figures = "".join(f"  {each} {means[each]:.4f}" for each in MEASURES)
        print(f"  {name:18}{figures}  {took:5.1f} ms", flush=True)


def remember_vectors() -> None:
    """From now on the encoder looks into `VECTORS` first."""
    encode = Encoder.embeddings

    def embeddings(encoder: Encoder, texts: Sequence[str]) -> Embeddings:
        name = encoder.name
        if unknown := [text for text in texts if (name, text) not in VECTORS]:
            rows = zip(*encode(encoder, unknown), strict=True)
            VECTORS.update(zip(((name, text) for text in unknown), rows, strict=True))
        both = zip(*(VECTORS[name, text] for text in texts), strict=True)
        return Embeddings(*(np.stack(rows) for rows in both))

    Encoder.embeddings = embeddings  # type: ignore[method-assign]


async def retrieved(
    retriever: Retriever, requests: Sequence[JudgedRequest]
) -> tuple[dict[str, list[ToolId]], float]:
    """The candidates of each request, and the median time of one."""
    run: dict[str, list[ToolId]] = {}
    times: list[float] = []
    for request in requests:
        query = RetrievalQuery(text=request.text)
        await retriever.retrieve([query], k=DEPTH)  # what it encodes is remembered
        start = time.perf_counter()
        found = await retriever.retrieve([query], k=DEPTH)
        times.append(time.perf_counter() - start)
        run[request.request_id] = [candidate.tool_id for candidate in found.candidates[0]]
    return run, median(times) * 1_000


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument(
        "--only", choices=sorted({each.folder for each in COLLECTIONS}), help="one collection"
    )
    parser.add_argument("--limit", type=int, help="draw that many requests of each")
    parser.add_argument("--index", type=Path, help="keep the embeddings in this folder")
    parser.add_argument("--seed", type=int, default=7, help="of --limit")
    parser.add_argument("--dev", action="store_true", help="only what was developed on")
    options = parser.parse_args()
    remember_vectors()
    print("command: python", " ".join(sys.argv), f"(seed {options.seed})")
    for judgements in COLLECTIONS:
        wanted = options.only in (None, judgements.folder)
        if wanted and (judgements.fitted_on or not options.dev):
            asyncio.run(compare(judgements, options))


if __name__ == "__main__":
    main()
