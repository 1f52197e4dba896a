import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrievers.coherence import FEATURES, Coherence, features, log_odds
from gretel.nodes.retrievers.coherent import CoherentRetriever

TOOLS = [
    tool(f"{toolkit}.{operation}", "Does things.")
    for toolkit, operation in (("kit", "a"), ("kit", "b"), ("lone", "x"), ("sole", "y"))
]
PART_ONE, PART_TWO = "find the first thing.", "find another thing."


class Scored:
    """Answers each text with its scores, highest first; keeps what it was asked."""

    def __init__(
        self, scores: Mapping[str, Mapping[str, float]], named: Sequence[str] = ()
    ) -> None:
        self._scores = scores
        self._named = named
        self.asked: list[RetrievalQuery] = []

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        self.asked += queries
        return Retrieval(
            candidates=tuple(self._found(self._scores[query.text], k) for query in queries),
            answerable=0.5,
        )

    def _found(self, scores: Mapping[str, float], k: int) -> tuple[Candidate, ...]:
        ordered = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:k]
        return tuple(
            Candidate(
                tool_id=ToolId(name),
                score=score,
                rank=rank,
                parts={"exact": float(name in self._named)},
            )
            for rank, (name, score) in enumerate(ordered, 1)
        )

    async def add(self, tools: Sequence[Tool]) -> None:
        raise NotImplementedError

    async def remove(self, ids: Sequence[ToolId]) -> None:
        raise NotImplementedError


async def order(retriever: CoherentRetriever, text: str, k: int = 10) -> list[str]:
    found = await retriever.retrieve([RetrievalQuery(text=text)], k=k)
    return [candidate.tool_id for candidate in found.candidates[0]]


def coherent(retriever: Scored, *, split: bool = True, toolkits: bool = True) -> CoherentRetriever:
    return CoherentRetriever(retriever, Catalog.from_tools(TOOLS), split=split, toolkits=toolkits)


async def test_a_tool_gains_from_others_of_its_toolkit() -> None:
    scores = {"one need": {"kit.a": 0.8, "lone.x": 0.32, "kit.b": 0.3, "sole.y": 0.1}}

    assert (await order(coherent(Scored(scores)), "one need"))[:2] == ["kit.a", "kit.b"]
    assert (await order(coherent(Scored(scores), toolkits=False), "one need"))[:2] == [
        "kit.a",
        "lone.x",
    ]


async def test_votes_put_no_tool_before_a_better_one_of_its_toolkit() -> None:
    scores = {"one need": {"kit.a": 0.9, "kit.b": 0.2, "lone.x": 0.5}}

    assert await order(coherent(Scored(scores)), "one need") == ["kit.a", "kit.b", "lone.x"]


async def test_tools_of_their_own_toolkits_keep_their_order() -> None:
    scores = {"one need": {"kit.a": 0.5, "lone.x": 0.4, "sole.y": 0.3}}

    assert await order(coherent(Scored(scores)), "one need") == ["kit.a", "lone.x", "sole.y"]


async def test_a_tool_that_the_catalogue_lacks_is_alone() -> None:
    scores = {"one need": {"kit.a": 0.5, "kit.gone": 0.4, "lone.x": 0.3}}

    assert await order(coherent(Scored(scores)), "one need") == ["kit.a", "kit.gone", "lone.x"]


async def test_a_tool_that_serves_a_part_comes_before_one_that_serves_none() -> None:
    text = f"{PART_ONE} {PART_TWO}"
    scores = {
        text: {"kit.a": 0.6, "sole.y": 0.30, "lone.x": 0.28},
        PART_ONE: {"kit.a": 0.9, "sole.y": 0.1, "lone.x": 0.1},
        PART_TWO: {"lone.x": 0.9, "sole.y": 0.1, "kit.a": 0.1},
    }
    retriever = Scored(scores)

    assert (await order(coherent(retriever), text))[:2] == ["kit.a", "lone.x"]
    assert [(query.text, query.origin) for query in retriever.asked] == [
        (text, "request"),
        (PART_ONE, "part"),
        (PART_TWO, "part"),
    ]
    assert (await order(coherent(Scored(scores), split=False), text))[:2] == ["kit.a", "sole.y"]


async def test_a_tool_that_only_a_part_finds_joins() -> None:
    text = f"{PART_ONE} {PART_TWO}"
    scores = {
        text: {"kit.a": 0.6, "sole.y": 0.1},
        PART_ONE: {"kit.a": 0.9},
        PART_TWO: {"lone.x": 0.9},
    }

    assert (await order(coherent(Scored(scores)), text, k=2)) == ["kit.a", "lone.x"]


async def test_a_named_tool_stays_first() -> None:
    scores = {"run lone.x": {"lone.x": 0.6, "kit.a": 0.59, "kit.b": 0.58}}
    unnamed, named = Scored(scores), Scored(scores, named=["lone.x"])

    assert (await order(coherent(unnamed), "run lone.x"))[0] == "kit.a"
    assert (await order(coherent(named), "run lone.x"))[0] == "lone.x"


async def test_each_query_is_scored_for_itself_and_parts_are_not_split_again() -> None:
    text = f"{PART_ONE} {PART_TWO}"
    scores = {
        text: {"kit.a": 0.6},
        PART_ONE: {"kit.a": 0.9},
        PART_TWO: {"lone.x": 0.9},
        "rewrite": {"sole.y": 0.4},
    }
    retriever = Scored(scores)
    queries = [RetrievalQuery(text=text, origin="part"), RetrievalQuery(text="rewrite")]

    found = await coherent(retriever).retrieve(queries, k=5)

    assert [[c.tool_id for c in each] for each in found.candidates] == [["kit.a"], ["sole.y"]]
    assert retriever.asked == queries
    assert found.answerable == 0.5


def test_shares_say_who_serves_the_parts() -> None:
    own = log_odds([0.5, 0.5, 0.5])
    parts = log_odds([[0.8, 0.2, 0.2], [0.2, 0.2, 0.8]])

    rows = dict(zip(FEATURES, features(own, parts, ["kit", "kit", ""]).T, strict=True))

    large, small = 4 / 4.5, 0.25 / 4.5
    assert rows["votes"] == pytest.approx([small, (large + small) / 2, 0])
    mean = np.array([(large + small) / 2, small, (large + small) / 2])
    assert rows["part"] == pytest.approx(math.log(2) * np.log(0.01 + mean))
    assert rows["own_parts"] == pytest.approx([0, 0, 0], abs=1e-9)


def test_without_parts_the_request_itself_votes() -> None:
    own = log_odds([0.8, 0.5])

    rows = dict(zip(FEATURES, features(own, own[:0, None], ["kit", "kit"]).T, strict=True))

    assert rows["own"] == pytest.approx([math.log(4), 0])
    assert rows["votes"] == pytest.approx([0.2, 0.8])
    assert not rows["part"].any() and not rows["own_parts"].any()


def test_toolkits_of_one_name_are_told_from_none() -> None:
    own = log_odds([0.5, 0.5, 0.5])

    votes = features(own, own[:0, None], ["", "", ""])[:, 1]

    assert votes == pytest.approx([0, 0, 0])


@pytest.mark.parametrize("toolkits", [True, False])
def test_the_request_as_a_whole_always_counts(toolkits: bool) -> None:
    weights = dict(zip(FEATURES, Coherence.load(toolkits=toolkits).coefficients, strict=True))

    assert weights["own"] + math.log(8) * weights["own_parts"] > 0
    assert (weights["votes"] > 0) == toolkits


def test_sure_scores_stay_probabilities() -> None:
    own = log_odds([1.0, 0.0])

    kits = ["kit", "kit"]
    chances = Coherence.load().probabilities(features(own, own[:0, None], kits), kits)

    assert np.isfinite(own).all()
    assert ((chances > 0) & (chances < 1)).all()
    assert chances[0] > chances[1]
