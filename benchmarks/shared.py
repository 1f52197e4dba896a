"""What several benchmarks do alike: requests drawn, retrievers asked, documents read, tables."""

import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

from gretel.catalog import Catalog
from gretel.contracts.errors import CatalogError
from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.datasets.judged import JudgedRequest
from gretel.datasets.reading import read_lines
from gretel.evaluation.measures.measures import MeasureTable, measure
from gretel.nodes.retrieve.merging import split

AT_ONCE = 64
"""Requests for which a retriever is asked in one call."""


def numbers(text: str) -> list[int]:
    """`7-16`, `10,20`."""
    ends = [part.split("-") for part in text.split(",")]
    return [number for end in ends for number in range(int(end[0]), int(end[-1]) + 1)]


def drawn(
    requests: Sequence[JudgedRequest], limit: int | None, seed: int = 7
) -> Sequence[JudgedRequest]:
    """At most `limit` of the requests, by lot, where there are more; by their ids."""
    by_id = sorted(requests, key=lambda each: each.request_id)
    if limit is None or limit >= len(by_id):
        return by_id
    return random.Random(seed).sample(by_id, limit)


async def retrieved(
    retriever: Retriever, requests: Sequence[JudgedRequest], *, k: int = 20, parts: bool = False
) -> dict[str, list[ToolId]]:
    """The first `k` tools of each request; `parts`: of its parts, as `split` finds them."""
    run: dict[str, list[ToolId]] = {}
    for start in range(0, len(requests), AT_ONCE):
        batch = requests[start : start + AT_ONCE]
        queries = [RetrievalQuery(text=request.text) for request in batch]
        asked = [split(query) for query in queries] if parts else queries
        found = await retriever.retrieve(asked, k=k)
        for request, candidates in zip(batch, found.candidates, strict=True):
            run[request.request_id] = [candidate.tool_id for candidate in candidates]
    return run


def judged(run: dict[str, list[ToolId]], requests: Iterable[JudgedRequest]) -> MeasureTable:
    """The measures of a run, by the right tools of these requests."""
    return measure(run, {request.request_id: request.gold for request in requests})


def over_seeds(tables: Iterable[MeasureTable], name: str) -> dict[str, float]:
    """Of each request, the mean over the seeds in which it is measured."""
    values: dict[str, list[float]] = {}
    for table in tables:
        for request, value in table.values[name].items():
            values.setdefault(request, []).append(value)
    return {request: fmean(own) for request, own in values.items()}


def held_out(catalog: Catalog, count: int, seed: int) -> tuple[Catalog, set[ToolId]]:
    """The catalogue without `count` of its tools, which are drawn, and their ids."""
    tools = sorted(catalog, key=lambda tool: tool.tool_id)
    hidden = {tool.tool_id for tool in random.Random(seed).sample(tools, count)}
    return Catalog.from_tools([tool for tool in tools if tool.tool_id not in hidden]), hidden


def write_beir(folder: Path, catalog: Catalog, requests: Sequence[JudgedRequest]) -> None:
    """Write a folder in BEIR layout, whose judgements are those to learn from."""
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    _write(folder / "corpus.jsonl", [tool.model_dump_json() for tool in catalog])
    queries = [json.dumps({"_id": each.request_id, "text": each.text}) for each in requests]
    _write(folder / "queries.jsonl", queries)
    pairs = [
        (each.request_id, catalog[tool].external_id) for each in requests for tool in each.gold
    ]
    write_qrels(folder, "train", [f"{request}\t{tool}\t1" for request, tool in pairs])


def write_qrels(folder: Path, name: str, rows: Sequence[str]) -> None:
    """Write the judgements `name` of a folder in BEIR layout."""
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    _write(folder / "qrels" / f"{name}.tsv", ["query-id\tcorpus-id\tscore", *rows])


def _write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def documents(index: Path) -> Iterator[Tool]:
    """The operations of all OpenAPI documents of an index that can be read."""
    for _, row in read_lines(index):
        try:
            yield from Catalog.from_openapi(index.parent / str(row["file"]))
        except CatalogError:
            continue


def file_digest(path: Path) -> str:
    """The first letters of a file's SHA-256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


PLACES = f"{'':32}{'n':>5}{'first':>7}{'three':>7}{'ten':>7}{'MRR':>8}"
"""The head of a table of `place_row`."""


def place_row(name: str, ranks: Sequence[int]) -> str:
    """How often the right tool is first, in three, in ten, and MRR within ten; 0: not found."""
    within = (sum(0 < rank <= depth for rank in ranks) for depth in (1, 3, 10))
    mrr = sum(1 / rank for rank in ranks if 0 < rank <= 10) / len(ranks)
    return f"{name:32}{len(ranks):5}" + "".join(f"{each:7}" for each in within) + f"{mrr:8.3f}"
