"""MassTool takes new tools and new examples, and a retrieval sees one state of them."""

import asyncio
from collections.abc import Sequence

import pytest

from fakes import tool
from gretel.catalog.digest import tool_digest
from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.artifact.cold import KEPT, together
from gretel.nodes.retrieve.masstool.retriever import WARM, Example, MassToolRetriever
from gretel.nodes.retrieve.semantic.retriever import SemanticRetriever
from masstool_models import DETECTS, by_text, retriever_of

FERRY = tool("Ferry.search", "Search ferries between two ports.")
CROSSING = "search ferries between two ports"


@pytest.fixture
def many(tools: list[Tool]) -> list[Tool]:
    """Enough tools that a newcomer may be missed among the first ten."""
    more = [tool(f"Shop{n}.item", f"Sells item number {n} of a shop.") for n in range(14)]
    return [*tools, *more]


@pytest.fixture
def retriever(many: list[Tool]) -> MassToolRetriever:
    return retriever_of(many)


async def retrieve(retriever: MassToolRetriever, *texts: str, k: int = 10) -> Retrieval:
    return await retriever.retrieve([RetrievalQuery(text=text) for text in texts], k=k)


async def found(retriever: MassToolRetriever, text: str, k: int = 10) -> dict[ToolId, Candidate]:
    return {one.tool_id: one for one in (await retrieve(retriever, text, k=k)).candidates[0]}


@pytest.mark.slow
async def test_what_served_a_like_request_comes_first(retriever: MassToolRetriever) -> None:
    best = (await retrieve(retriever, "please: Weather forecast of a town.")).candidates[0][0]

    assert best.tool_id == "Sky.get_forecast"
    assert set(best.parts) == {"share", "vote", "nearest"}
    assert best.parts["nearest"] > 0.8
    assert 0.9 < best.parts["share"] <= 1
    assert 0 < best.parts["vote"] <= 1


async def test_a_new_tool_is_reachable_and_waits_behind_what_is_sure(
    retriever: MassToolRetriever,
) -> None:
    await retriever.add([FERRY])
    reached = (await found(retriever, CROSSING))[FERRY.tool_id]

    assert reached.parts.keys() == {"hybrid"}
    assert reached.digest == tool_digest(FERRY)


def candidate(name: str, score: float, rank: int) -> Candidate:
    return Candidate(tool_id=ToolId(name), score=score, rank=rank)


def order(own: Sequence[float], new: Sequence[tuple[str, int]], k: int = 10) -> list[str]:
    known = [candidate(f"own.{n}", score, n + 1) for n, score in enumerate(own)]
    newcomers = [candidate(name, 0.9, rank) for name, rank in new]
    merged = together(known, newcomers, k, {})
    assert list(merged) == sorted(merged, key=lambda one: (-one.score, one.tool_id))
    assert [one.rank for one in merged] == list(range(1, len(merged) + 1))
    assert all(0 <= one.score <= 1 for one in merged)
    return [one.tool_id.removeprefix("own.") for one in merged]


def test_a_newcomer_never_goes_before_a_sure_tool_of_the_first_places() -> None:
    assert KEPT == 3
    assert order([0.9, 0.8, 0.7, 0.6], [("new.a", 1)]) == ["0", "1", "2", "new.a", "3"]


def test_a_newcomer_takes_its_place_before_tools_that_are_not_sure() -> None:
    assert order([0.9, 0.4, 0.3], [("new.a", 1)]) == ["0", "new.a", "1", "2"]
    assert order([0.4, 0.3, 0.2], [("new.a", 2)]) == ["0", "new.a", "1", "2"]
    assert order([0.4, 0.3], [("new.z", 1), ("new.a", 2)]) == ["new.z", "new.a", "0", "1"]


def test_newcomers_fill_the_end() -> None:
    assert order([0.1], [("new.z", 8), ("new.a", 9)]) == ["0", "new.z", "new.a"]
    assert order([], [("new.z", 1), ("new.a", 2)]) == ["new.z", "new.a"]
    assert order([0.9, 0.8], [("new.z", 1)], k=2) == ["0", "1"]


def test_tools_of_equal_score_stay_in_order_beside_a_newcomer() -> None:
    assert order([0.4, 0.4, 0.4], [("zoo.a", 2)]) == ["0", "zoo.a", "1", "2"]


async def test_a_tool_is_ranked_by_use_from_its_third_example(
    retriever: MassToolRetriever,
) -> None:
    await retriever.add([FERRY])
    examples = [Example(text, tuple(served)) for text, served in by_text([FERRY])]
    await retriever.add_examples(examples[: WARM - 1])
    assert "hybrid" in (await found(retriever, CROSSING))[FERRY.tool_id].parts
    await retriever.add_examples(examples[WARM - 1 :])
    used = (await found(retriever, CROSSING))[FERRY.tool_id]

    assert "vote" in used.parts
    assert used.rank == 1
    assert used.digest == tool_digest(FERRY)


async def test_a_tool_may_go_and_come_again(retriever: MassToolRetriever) -> None:
    before = await found(retriever, "weather forecast", k=100)
    sky = ToolId("Sky.get_forecast")
    await retriever.remove([sky, ToolId("un.known")])
    assert sky not in await found(retriever, "weather forecast", k=100)
    await retriever.add([tool(sky, "Weather forecast of a city.")])

    assert list(await found(retriever, "weather forecast", k=100)) == list(before)


async def test_a_new_tool_may_go_and_come_again(retriever: MassToolRetriever) -> None:
    await retriever.add([FERRY])
    assert FERRY.tool_id in await found(retriever, CROSSING)
    await retriever.remove([FERRY.tool_id])
    assert FERRY.tool_id not in await found(retriever, CROSSING, k=100)
    await retriever.add([FERRY])
    assert FERRY.tool_id in await found(retriever, CROSSING)


async def test_a_tool_with_another_text_has_another_digest(retriever: MassToolRetriever) -> None:
    changed = tool("Sky.get_forecast", "Tells how the sea is.")
    await retriever.add([changed])

    assert (await found(retriever, "weather", k=100))[changed.tool_id].digest == tool_digest(
        changed
    )


async def test_all_candidates_carry_their_digest(
    retriever: MassToolRetriever, many: list[Tool]
) -> None:
    digests = {one.tool_id: tool_digest(one) for one in many}

    reached = await found(retriever, "a city", k=100)
    assert {name: one.digest for name, one in reached.items()} == digests


@pytest.mark.parametrize(
    "example",
    [
        Example("a request", (ToolId("no.tool"),)),
        Example("a request", (ToolId("Bank.convert"), ToolId("no.tool"))),
        Example("a request", ()),
        Example(" ", (ToolId("Bank.convert"),)),
    ],
)
async def test_an_example_must_name_a_request_and_tools_that_are_here(
    retriever: MassToolRetriever, example: Example
) -> None:
    good = Example("change my money", (ToolId("Bank.convert"),))
    before = await retrieve(retriever, "change my money")
    with pytest.raises(InputError, match=r"examples\[1\]"):
        await retriever.add_examples([good, example])

    assert await retrieve(retriever, "change my money") == before


async def test_a_tool_that_is_gone_takes_no_example(retriever: MassToolRetriever) -> None:
    await retriever.remove([ToolId("Bank.convert")])

    with pytest.raises(InputError, match="Bank.convert"):
        await retriever.add_examples([Example("change money", (ToolId("Bank.convert"),))])


async def test_no_tools_and_no_examples_change_nothing(retriever: MassToolRetriever) -> None:
    before = await retrieve(retriever, "a city")
    await retriever.add([])
    await retriever.add_examples([])
    await retriever.remove([])

    assert await retrieve(retriever, "a city") == before


async def test_an_example_counts_at_once(retriever: MassToolRetriever) -> None:
    odd = "my grandmother's brass kettle whistles"
    before = (await found(retriever, odd, k=100))[ToolId("Bank.convert")]
    await retriever.add_examples([Example(odd, (ToolId("Bank.convert"),))])
    after = (await found(retriever, odd, k=100))[ToolId("Bank.convert")]

    assert after.rank == 1
    assert before.parts["nearest"] < 0.9
    assert after.parts["nearest"] == pytest.approx(1.0, abs=1e-3)


async def test_the_need_is_told_only_where_it_was_learnt(many: list[Tool]) -> None:
    asked = ("a city", "money")
    assert (await retrieve(retriever_of(many), *asked)).needs_tool is None
    knowing = retriever_of(many, calibration=DETECTS)
    alone = [(await retrieve(knowing, text)).needs_tool for text in asked]
    needs = [need for need in alone if need is not None]

    assert all(0 < need < 1 for need in needs)
    assert (await retrieve(knowing, *asked)).needs_tool == pytest.approx(max(needs))


async def test_parts_of_a_request_say_nothing_of_the_need(many: list[Tool]) -> None:
    knowing = retriever_of(many, calibration=DETECTS)
    parts = [RetrievalQuery(text="a city", origin="part")]

    assert (await knowing.retrieve(parts, k=3)).needs_tool is None


@pytest.mark.slow
async def test_a_retrieval_sees_one_state_while_tools_come(retriever: MassToolRetriever) -> None:
    ferries = [tool(f"Ferry{n}.search", f"Search ferries, line {n}.") for n in range(6)]

    async def come() -> None:
        for one in ferries:
            await retriever.add([one])
            examples = [Example(text, tuple(served)) for text, served in by_text([one])]
            await retriever.add_examples(examples)

    async def ask() -> list[Retrieval]:
        return [await retrieve(retriever, CROSSING, CROSSING) for _ in range(12)]

    _, *asked = await asyncio.gather(come(), ask(), ask())

    for retrieval in (retrieval for several in asked for retrieval in several):
        first, second = retrieval.candidates
        assert first == second
        assert len(first) == 10
        assert all(one.digest for one in first)
    reached = await found(retriever, CROSSING, k=8)
    assert {one.tool_id for one in ferries} <= set(reached)


async def test_a_tool_that_comes_while_newcomers_are_first_read_is_found(
    many: list[Tool], monkeypatch: pytest.MonkeyPatch
) -> None:
    retriever = retriever_of(many)
    await retriever.add([tool("Train.search", "Search trains between two towns.")])
    build = SemanticRetriever.build
    late = [FERRY]

    async def slow(*args: object, **settings: object) -> SemanticRetriever:
        made = await build(*args, **settings)
        if late:
            await retriever.add([late.pop()])
        return made

    monkeypatch.setattr(SemanticRetriever, "build", slow)
    await retrieve(retriever, CROSSING)

    assert FERRY.tool_id in await found(retriever, CROSSING)
