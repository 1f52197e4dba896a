"""A small data set and a light retriever; `python small_runs.py RUN SIZE` evaluates them into RUN.

With two numbers more it is killed while it writes; see `killed_at`.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import HttpBinding, Response, Tool, ToolId
from gretel.datasets.judged import Dataset, JudgedRequest
from gretel.evaluation.runs.evaluate import Evaluation
from gretel.evaluation.runs.journal import Journal
from gretel.evaluation.runs.settings import RunSettings

THINGS = ("weather", "flight", "hotel", "train", "museum", "concert", "recipe", "stock")
VERBS = ("find", "list", "book")
FAULTS: dict[Any, float] = {"dead": 10, "empty": 10, "irrelevant": 10, "rate_limit": 20}
"""Without `timeout`, which takes seconds."""


class WordRetriever:
    """Retrieves by shared words; keeps the texts that it was asked."""

    def __init__(self, catalog: Catalog) -> None:
        self._tools = {each.tool_id: set(each.description.lower().split()) for each in catalog}
        self.asked: list[str] = []

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        self.asked += [query.text for query in queries]
        return Retrieval(
            candidates=tuple(self._found(query.text, k) for query in queries), answerable=0.9
        )

    def _found(self, text: str, k: int) -> tuple[Candidate, ...]:
        words = set(text.lower().split())
        scores = {each: len(words & own) / len(own) for each, own in self._tools.items()}
        best = sorted(scores, key=lambda each: (-scores[each], each))[:k]
        return tuple(
            Candidate(tool_id=each, score=scores[each], rank=rank)
            for rank, each in enumerate(best, start=1)
        )

    async def add(self, tools: Sequence[Tool]) -> None:
        raise NotImplementedError

    async def remove(self, ids: Sequence[ToolId]) -> None:
        raise NotImplementedError


def small_catalog() -> Catalog:
    return Catalog.from_tools(
        tool(
            f"{thing}.{verb}",
            f"{verb} a {thing} in some city",
            params=["city"] if verb != "list" else [],
            binding=HttpBinding(method="GET", path=f"/{thing}/{verb}"),
            response=Response(example={thing: f"A {thing}", "city": "Oslo", "price": 12}),
            external_id=f"doc {thing} {verb}",
        )
        for thing in THINGS
        for verb in VERBS
    )


def small_dataset(size: int = 24) -> Dataset:
    """`size` requests, each with one or two right tools."""
    requests = tuple(
        JudgedRequest(
            request_id=f"q {number}",
            text=f"{VERBS[number % 3]} a {thing} in Oslo or Paris number {number}",
            gold=frozenset({ToolId(f"{thing}.{VERBS[number % 3]}"), ToolId(f"{thing}.find")}),
        )
        for number in range(size)
        for thing in [THINGS[number % len(THINGS)]]
    )
    return Dataset("small", small_catalog(), requests, f"digest {size}", ())


def small_evaluation(size: int = 24, **options: Any) -> Evaluation:
    """An evaluation of `small_dataset`; `options` are fields of it or of its settings."""
    data = options.pop("dataset", None) or small_dataset(size)
    fields = RunSettings.model_fields.keys() - {"retriever", "model"}
    given = {name: options.pop(name) for name in fields if name in options}
    model = options.get("model")
    settings = RunSettings.model_validate(
        {
            "retriever": "words",
            "model": model.name if model else None,
            "pipelines": ("retrieval", "no-simulation", "full", "oracle"),
            "faults": FAULTS,
            "fault_unit": "tool",
            "depth": 6,
            **given,
        }
    )
    options.setdefault("retriever", WordRetriever(data.catalog))
    return Evaluation(data, settings, **options)


def killed_at(line: int, percent: int) -> None:
    """This process dies when so much of a line is written, counted over all journals."""
    append, left = Journal.append, iter(range(line - 1, -1, -1))

    def dying(self: Journal, text: str) -> None:
        if next(left):
            append(self, text)
            return
        whole = f"{text}\n".encode()
        os.write(self._file, whole[: len(whole) * percent // 100])
        os.kill(os.getpid(), signal.SIGKILL)

    Journal.append = dying  # type: ignore[method-assign]


if __name__ == "__main__":
    if sys.argv[3:]:
        killed_at(*map(int, sys.argv[3:]))
    asyncio.run(small_evaluation(int(sys.argv[2]), workers=3).run(Path(sys.argv[1])))
