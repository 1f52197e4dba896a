"""What the fixed retriever finds by queries that stand beside a request."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool
from gretel.nodes.retrieve.merging import DEPTH, merge_queries
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from gretel.nodes.retrieve.stage.retriever import StagedRetriever
from gretel.nodes.retrieve.stage.switches import CandidateStage
from gretel.nodes.rewrite.queries import beside
from gretel.training.masstool.first import Asked
from gretel.training.masstool.measures import MEASURES, measures_of

_AT_ONCE = 64
"""Texts that the retriever is asked for in one call."""


class Measured(NamedTuple):
    """Of one request."""

    ndcg: float
    """nDCG@5."""
    recall: float
    """R@5."""

    @property
    def reward(self) -> float:
        """Their mean."""
        return fmean(self)


class Search:
    """The semantic retriever behind the candidate stage, as a graph asks it; never trained."""

    def __init__(self, tools: Sequence[Tool], index: Path, encoder: str | None) -> None:
        """Over `tools`; the folder `index` keeps vectors of their texts."""
        catalog = Catalog.from_tools(tools)
        semantic = asyncio.run(SemanticRetriever.build(catalog, model=encoder, index=index))
        self._retriever = StagedRetriever(semantic, catalog, CandidateStage())
        self._place = {tool.tool_id: place for place, tool in enumerate(tools)}
        self._requests: dict[str, tuple[Candidate, ...]] = {}

    def measured(
        self, asked: Asked, queries: Sequence[Sequence[str]], weight: float
    ) -> list[Measured]:
        """What is found of each request by its own queries beside it, merged as the graph does."""
        ways = self.ways(asked, queries, [weight])
        return [each for (each,) in ways]

    def ways(
        self, asked: Asked, queries: Sequence[Sequence[str]], weights: Sequence[float]
    ) -> list[list[Measured]]:
        """As `measured`, with each of several weights."""
        self._know(asked.texts)
        lines = list(dict.fromkeys(line for own in queries for line in own))
        found = dict(zip(lines, self._found(lines), strict=True))
        rows = zip(asked.texts, asked.gold, queries, strict=True)
        return [
            [self._one(text, gold, {line: found[line] for line in own}, each) for each in weights]
            for text, gold, own in rows
        ]

    def _one(
        self,
        text: str,
        gold: Sequence[int],
        found: Mapping[str, tuple[Candidate, ...]],
        weight: float,
    ) -> Measured:
        queries = beside(text, list(found), "rewrite")
        lists = [self._requests[text], *(found[each.text] for each in queries[1:])]
        merged = merge_queries(queries, Retrieval(candidates=tuple(lists)), weight=weight)
        hits = [self._place[each.tool_id] in gold for each in merged[:5]]
        values = dict(zip(MEASURES, measures_of(hits, len(gold)), strict=True))
        return Measured(values["nDCG@5"], values["R@5"])

    def _know(self, texts: Sequence[str]) -> None:
        """Keep what requests find: they are asked again in every round."""
        new = [text for text in dict.fromkeys(texts) if text not in self._requests]
        self._requests.update(zip(new, self._found(new), strict=True))

    def _found(self, texts: Sequence[str]) -> list[tuple[Candidate, ...]]:
        found: list[tuple[Candidate, ...]] = []
        for start in range(0, len(texts), _AT_ONCE):
            part = [RetrievalQuery(text=text) for text in texts[start : start + _AT_ONCE]]
            found += asyncio.run(self._retriever.retrieve(part, k=DEPTH)).candidates
        return found
