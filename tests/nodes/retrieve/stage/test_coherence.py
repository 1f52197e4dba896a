import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.odds import log_odds
from gretel.nodes.retrieve.stage.coherence import FEATURES, Coherence, features
from gretel.nodes.retrieve.stage.retriever import StagedRetriever
from gretel.nodes.retrieve.stage.switches import CandidateStage

TOOLS = [
    tool(f"{toolkit}.{operation}", "Does things.")
    for toolkit, operation in (("kit", "a"), ("kit", "b"), ("lone", "x"), ("sole", "y"))
]
PART_ONE, PART_TWO = "find the first thing.", "find another thing."
BOTH = f"{PART_ONE} {PART_TWO}"


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


async def order(retriever: StagedRetriever, text: str, k: int = 10) -> list[str]:
    found = await retriever.retrieve([RetrievalQuery(text=text)], k=k)
    return [candidate.tool_id for candidate in found.candidates[0]]


def coherent(retriever: Scored, *, toolkits: bool = True) -> StagedRetriever:
    return StagedRetriever(
        retriever,
        Catalog.from_tools(TOOLS),
        CandidateStage(coherence="full" if toolkits else "parts"),
    )


def alike(scores: Mapping[str, float]) -> Mapping[str, Mapping[str, float]]:
    """A request whose parts find the same as the whole."""
    return dict.fromkeys((BOTH, PART_ONE, PART_TWO), scores)


async def test_a_tool_gains_from_others_of_its_toolkit() -> None:
    scores = alike({"kit.a": 0.8, "lone.x": 0.32, "kit.b": 0.3, "sole.y": 0.1})

    assert (await order(coherent(Scored(scores)), BOTH))[:2] == ["kit.a", "kit.b"]
    assert (await order(coherent(Scored(scores), toolkits=False), BOTH))[:2] == ["kit.a", "lone.x"]


async def test_votes_put_no_tool_before_a_better_one_of_its_toolkit() -> None:
    scores = alike({"kit.a": 0.9, "kit.b": 0.3, "lone.x": 0.5})

    assert await order(coherent(Scored(scores)), BOTH) == ["kit.a", "kit.b", "lone.x"]


async def test_tools_of_their_own_toolkits_keep_their_order() -> None:
    scores = alike({"kit.a": 0.5, "lone.x": 0.4, "sole.y": 0.3})

    assert await order(coherent(Scored(scores)), BOTH) == ["kit.a", "lone.x", "sole.y"]


async def test_a_tool_that_the_catalogue_lacks_is_alone() -> None:
    scores = alike({"kit.a": 0.5, "kit.gone": 0.4, "lone.x": 0.45})

    assert await order(coherent(Scored(scores)), BOTH) == ["kit.a", "lone.x", "kit.gone"]


async def test_a_request_without_parts_is_left_as_it_is() -> None:
    retriever = Scored({"one need": {"kit.a": 0.8, "lone.x": 0.32, "kit.b": 0.3}})
    query = [RetrievalQuery(text="one need")]

    assert await coherent(retriever).retrieve(query, k=2) == await retriever.retrieve(query, k=2)


async def test_a_tool_that_serves_a_part_comes_before_one_that_serves_none() -> None:
    scores = {
        BOTH: {"kit.a": 0.6, "sole.y": 0.30, "lone.x": 0.28},
        PART_ONE: {"kit.a": 0.9, "sole.y": 0.1, "lone.x": 0.1},
        PART_TWO: {"lone.x": 0.9, "sole.y": 0.1, "kit.a": 0.1},
    }
    retriever = Scored(scores)

    assert (await order(coherent(retriever), BOTH))[:2] == ["kit.a", "lone.x"]
    assert [(query.text, query.origin) for query in retriever.asked] == [
        (BOTH, "request"),
        (PART_ONE, "part"),
        (PART_TWO, "part"),
    ]


async def test_a_tool_that_only_a_part_finds_joins() -> None:
    scores = {
        BOTH: {"kit.a": 0.6, "sole.y": 0.1},
        PART_ONE: {"kit.a": 0.9},
        PART_TWO: {"lone.x": 0.9},
    }

    assert (await order(coherent(Scored(scores)), BOTH, k=2)) == ["kit.a", "lone.x"]


async def test_a_named_tool_stays_first() -> None:
    scores = alike({"lone.x": 0.6, "kit.a": 0.59, "kit.b": 0.58})

    assert (await order(coherent(Scored(scores)), BOTH))[0] == "kit.a"
    assert (await order(coherent(Scored(scores, named=["lone.x"])), BOTH))[0] == "lone.x"


async def test_each_query_is_scored_for_itself_and_parts_are_not_split_again() -> None:
    scores = {
        BOTH: {"kit.a": 0.6},
        PART_ONE: {"kit.a": 0.9},
        PART_TWO: {"lone.x": 0.9},
        "rewrite": {"sole.y": 0.4},
    }
    retriever = Scored(scores)
    queries = [RetrievalQuery(text=BOTH, origin="part"), RetrievalQuery(text="rewrite")]

    found = await coherent(retriever).retrieve(queries, k=5)

    assert [[c.tool_id for c in each] for each in found.candidates] == [["kit.a"], ["sole.y"]]
    assert retriever.asked == queries
    assert found.answerable == 0.5


def test_shares_say_who_serves_the_parts() -> None:
    own = log_odds([0.8, 0.5, 0.5])
    parts = log_odds([[0.8, 0.2, 0.2], [0.2, 0.2, 0.8]])

    rows = dict(zip(FEATURES, features(own, parts, ["kit", "kit", ""]).T, strict=True))

    several, large, small = math.log(2), 4 / 4.5, 0.25 / 4.5
    mean = np.array([(large + small) / 2, small, (large + small) / 2])
    assert rows["own"] == pytest.approx([math.log(4), 0, 0])
    assert rows["votes"] == pytest.approx(several * np.array([mean[1], mean[0], 0]))
    assert rows["part"] == pytest.approx(several * np.log(0.01 + mean))
    assert rows["own_parts"] == pytest.approx([several * math.log(4), 0, 0])


def test_no_toolkit_is_no_toolkit_in_common() -> None:
    own = log_odds([0.5, 0.5, 0.5])

    assert not features(own, np.stack([own, own]), ["", "", ""])[:, 1].any()


@pytest.mark.parametrize("toolkits", [True, False])
def test_the_request_as_a_whole_always_counts(toolkits: bool) -> None:
    weights = dict(zip(FEATURES, Coherence.load(toolkits=toolkits).coefficients, strict=True))

    assert weights["own"] + math.log(8) * weights["own_parts"] > 0
    assert (weights["votes"] > 0) == toolkits


def test_sure_scores_stay_probabilities() -> None:
    own, kits = log_odds([1.0, 0.0]), ["kit", "kit"]

    chances = Coherence.load().probabilities(features(own, np.stack([own, own]), kits), kits)

    assert np.isfinite(own).all()
    assert ((chances >= 0) & (chances <= 1)).all()
    assert chances[0] > chances[1]
