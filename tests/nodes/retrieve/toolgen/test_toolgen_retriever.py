"""ToolGen as the entry node: tools that come, change and go."""

import asyncio

import pytest
import torch

from fakes import tool
from gretel.contracts.ranking import RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.artifact.manifest import Calibration
from gretel.nodes.retrieve.toolgen.artifact import Artifact
from gretel.nodes.retrieve.toolgen.decoding import Decoding
from gretel.nodes.retrieve.toolgen.known import placed
from gretel.nodes.retrieve.toolgen.retriever import ToolGenRetriever
from gretel.nodes.retrieve.toolgen.slots import NONE
from toolgen_models import retriever_of, untrained

FLIGHT, HOTEL, RAIL = (ToolId(name) for name in ("Air.search", "Hotels.find", "Rail.trains"))


@pytest.fixture
def tools() -> list[Tool]:
    return [
        tool(FLIGHT, "Search one-way flights between two airports."),
        tool(HOTEL, "Find a hotel in a city."),
        tool(RAIL, "Trains between cities."),
    ]


@pytest.fixture
def retriever(tools: list[Tool]) -> ToolGenRetriever:
    return retriever_of(tools)


async def ids(retriever: ToolGenRetriever, text: str, k: int = 10) -> list[ToolId]:
    (found,) = (await retriever.retrieve([RetrievalQuery(text=text)], k=k)).candidates
    return [candidate.tool_id for candidate in found]


async def test_decoding_names_only_tools_that_are_permitted(retriever: ToolGenRetriever) -> None:
    (every,) = await retriever.decode(["a flight"], k=9)
    (allowed,) = await retriever.decode(["a flight"], k=9, allow=[HOTEL, ToolId("No.body")])
    (denied,) = await retriever.decode(["a flight"], k=9, deny=[HOTEL])
    (none,) = await retriever.decode(["a flight"], k=9, allow=[])

    assert {each.tool_id for each in every} == {FLIGHT, HOTEL, RAIL}
    assert sum(each.share for each in every) == pytest.approx(1)
    assert [each.tool_id for each in allowed] == [HOTEL]
    assert {each.tool_id for each in denied} == {FLIGHT, RAIL}
    assert none == []


async def test_every_mode_names_tools(retriever: ToolGenRetriever) -> None:
    for how in (Decoding(mode="chain"), Decoding(mode="nucleus"), Decoding(mode="sample")):
        (found,) = await retriever.decode(["a flight"], k=2, how=how)

        assert 1 <= len(found) <= 2


async def test_a_removed_tool_is_not_decoded_either(retriever: ToolGenRetriever) -> None:
    await retriever.remove([FLIGHT])
    (found,) = await retriever.decode(["a flight"], k=9, allow=[FLIGHT, HOTEL])

    assert [each.tool_id for each in found] == [HOTEL]


async def test_other_tools_score_as_before_when_one_comes(retriever: ToolGenRetriever) -> None:
    before = retriever._model.texts(["a flight to Oslo"]).scores
    await retriever.add([tool("Ferry.search", "Search ferries between two ports.")])
    after = retriever._model.texts(["a flight to Oslo"]).scores

    assert after.shape[1] == before.shape[1] + 1
    assert torch.equal(after[:, :-1], before)


async def test_a_learnt_tool_that_says_something_else_stays_learnt(
    retriever: ToolGenRetriever,
) -> None:
    before = retriever._model.rows.out.clone()
    await retriever.add([tool(HOTEL, "Rooms for a night.")])
    slots = retriever._seen.slots
    place = slots.by_id()[HOTEL]

    assert slots.at(place).status == "trained"
    assert len(retriever._model.rows) == len(before)
    assert not torch.equal(retriever._model.rows.out[place], before[place])
    await retriever.add([tool(HOTEL, "Find a hotel in a city.")])
    torch.testing.assert_close(retriever._model.rows.out[place], before[place])


async def test_another_owners_tool_takes_nothing_over(retriever: ToolGenRetriever) -> None:
    other = tool(HOTEL, "Find a hotel in a city.", server="https://elsewhere.example")
    await retriever.add([other])
    slots = retriever._seen.slots

    assert slots.at(slots.by_id()[HOTEL]).status == "new"
    assert HOTEL in await ids(retriever, "a hotel")


async def test_a_renamed_tool_keeps_what_was_learnt_of_it(retriever: ToolGenRetriever) -> None:
    before = retriever._model.rows.out.clone()
    new = tool("Stays.find", "Find a hotel in a city.")
    await retriever.rename(HOTEL, new)
    slots = retriever._seen.slots
    (found,) = await retriever.decode(["a hotel"], k=9, allow=[HOTEL])

    assert slots.at(slots.by_id()[new.tool_id]).status == "trained"
    assert len(retriever._model.rows) == len(before)
    assert [each.tool_id for each in found] == [new.tool_id]
    assert HOTEL not in await ids(retriever, "a hotel")


async def test_needs_are_told_where_they_were_learnt(tools: list[Tool]) -> None:
    assert (await retrieve_one(retriever_of(tools))) is None
    artifact = untrained(tools)
    update = {"calibration": Calibration(detects=True)}
    learnt = Artifact(
        artifact.manifest.model_copy(update=update),
        artifact.rows,
        artifact.middle,
        artifact.weights,
        artifact.texts,
    )
    from gretel.catalog import Catalog

    retriever = ToolGenRetriever(learnt, Catalog.from_tools(tools))
    middle = await retrieve_one(retriever)
    retriever._model.rows.out[NONE] = 0
    retriever._model.rows.bias[NONE] = 1e3

    assert middle is not None
    assert 0 < middle <= 1
    assert await retrieve_one(retriever) == pytest.approx(0, abs=1e-6)


async def retrieve_one(retriever: ToolGenRetriever) -> float | None:
    return (await retriever.retrieve([RetrievalQuery(text="hello")], k=3)).needs_tool


async def test_many_at_once_say_what_one_says(retriever: ToolGenRetriever) -> None:
    texts = ["a flight", "a hotel", "trains to Oslo", "x"] * 3
    alone = [await ids(retriever, text) for text in texts]

    assert await asyncio.gather(*(ids(retriever, text) for text in texts)) == alone


@pytest.mark.parametrize(
    ("learnt", "sure", "places"),
    [
        (2.0, True, [("T.high", 1), ("T.low", 2)]),
        # Where the model is sure of nothing, the semantic retriever gives the first place, too.
        (4.0, False, [("T.low", 1), ("T.high", 2)]),
    ],
)
def test_a_newcomer_takes_the_better_of_two_places(
    learnt: float, sure: bool, places: list[tuple[str, int]]
) -> None:
    from gretel.contracts.ranking import Candidate

    new = {ToolId("T.high"): 5, ToolId("T.low"): 6}
    scores = torch.tensor([0.0, 0, 0, learnt, 1.0, 3.0, -9.0])
    found = [Candidate(tool_id=ToolId("T.low"), score=0.9, rank=1)]
    come = placed(new, [3, 4], scores, Calibration(), found, 3, sure=sure)

    assert [(each.tool_id, each.rank) for each in come] == places
