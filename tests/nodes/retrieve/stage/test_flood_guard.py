"""Tools that came after the catalogue was pinned share every fifth place, from the first."""

from collections.abc import Sequence

import pytest

from fakes import FakeRetriever, tool
from gretel.catalog import Catalog
from gretel.contracts.protocols import Retriever
from gretel.contracts.ranking import Candidate, Retrieval, RetrievalQuery
from gretel.contracts.tool import Tool, ToolId
from gretel.nodes.retrieve.stage import retriever as stage
from gretel.nodes.retrieve.stage.flood import PLACES
from gretel.nodes.retrieve.stage.pins import Pins
from gretel.nodes.retrieve.stage.pool import Found
from gretel.nodes.retrieve.stage.retriever import StagedRetriever
from gretel.nodes.retrieve.stage.switches import CandidateStage

OWN = [tool(f"Own{number % 4}.o{number:02}") for number in range(20)]


def flood(count: int, toolkits: int) -> list[Tool]:
    return [tool(f"Flood{number % toolkits}.f{number:02}") for number in range(count)]


def pins(later: Sequence[Tool]) -> Pins:
    made = Pins()
    made.add(OWN)
    made.add([*OWN, *later])
    return made


def guarded(
    inner: Retriever, later: Sequence[Tool], switches: CandidateStage | None = None
) -> StagedRetriever:
    """The stage over `inner`, whose `later` tools came after the first were pinned."""
    catalog = Catalog.from_tools([*OWN, *later])
    return StagedRetriever(inner, catalog, switches or CandidateStage(), pins(later))


async def retrieved(
    *orders: Sequence[Tool], later: Sequence[Tool] = (), k: int = 10
) -> list[list[Candidate]]:
    """What becomes of candidates in those orders, one query each."""
    texts = [f"query {number}" for number in range(len(orders))]
    known = dict(zip(texts, ([each.tool_id for each in order] for order in orders), strict=True))
    inner = FakeRetriever([*OWN, *later], known)
    retriever = guarded(inner, later)
    found = await retriever.retrieve([RetrievalQuery(text=text) for text in texts], k=k)
    return [list(each) for each in found.candidates]


def ids(found: Sequence[Candidate]) -> list[ToolId]:
    return [candidate.tool_id for candidate in found]


@pytest.mark.parametrize("toolkits", [1, 5, 20])
@pytest.mark.parametrize("k", [1, 5, 10, 20])
async def test_a_flood_gets_one_place_of_five(toolkits: int, k: int) -> None:
    later = flood(20, toolkits)
    (found,) = await retrieved([*later, *OWN], later=later, k=k)

    names = ids(found)
    assert len(names) == k == len(set(names))
    for end in range(1, k + 1):
        taken = sum(name.startswith("Flood") for name in names[:end])
        assert taken <= (end - 1) // PLACES + 1
    own = [name for name in names if name.startswith("Own")]
    assert own == [each.tool_id for each in OWN][: k - (k + 4) // 5]


async def test_each_query_stands_alone() -> None:
    later = flood(6, 2)
    orders = [[*later[:3], *OWN], [*OWN[:8], *later[3:]], OWN]
    together = await retrieved(*orders, later=later, k=12)

    assert together == [(await retrieved(order, later=later, k=12))[0] for order in orders]


async def test_without_later_tools_nothing_changes() -> None:
    inner = FakeRetriever(OWN, {"query 0": [each.tool_id for each in OWN]})
    (plain,) = (await inner.retrieve([RetrievalQuery(text="query 0")], k=7)).candidates

    known = pins(())
    pinned = [each.model_copy(update={"digest": known.digest(each.tool_id)}) for each in plain]
    assert await retrieved(OWN, k=7) == [pinned]


@pytest.mark.parametrize(("place", "given"), [(0, 0), (1, 5), (4, 5), (5, 5), (6, 10)])
async def test_a_later_tool_comes_first_or_waits(place: int, given: int) -> None:
    later = flood(1, 1)
    (found,) = await retrieved([*OWN[:place], *later, *OWN[place:]], later=later, k=12)

    assert ids(found).index(later[0].tool_id) == given
    assert [candidate.parts.get("later") for candidate in found].count(1.0) == 1


async def test_nothing_is_lost_and_scores_descend() -> None:
    later = flood(6, 3)
    order = [*later[:4], *OWN[:3], *later[4:]]
    (found,) = await retrieved(order, later=later, k=20)

    assert sorted(ids(found)) == sorted(each.tool_id for each in order)
    scores = [candidate.score for candidate in found]
    assert scores == sorted(scores, reverse=True)
    assert [candidate.rank for candidate in found] == list(range(1, len(order) + 1))


async def test_tools_of_equal_scores_stay_before_those_that_have_to_wait() -> None:
    later = flood(3, 1)
    level = Level([*later, *OWN])
    retriever = guarded(level, later)
    (found,) = (await retriever.retrieve([RetrievalQuery(text="x")], k=23)).candidates

    assert [candidate.score for candidate in found] == sorted(
        (c.score for c in found), reverse=True
    )
    assert sum(name.startswith("Flood") for name in ids(found)[:5]) <= 1


async def test_where_only_later_tools_are_left_their_order_stands() -> None:
    later = flood(8, 2)
    (found,) = await retrieved(later, later=later, k=8)

    assert ids(found) == [each.tool_id for each in later]


async def test_more_tools_of_a_known_toolkit_are_a_flood_too() -> None:
    more = [tool(f"Own0.new{number}") for number in range(6)]
    (found,) = await retrieved([*more, *OWN], later=more, k=5)

    assert [".new" in name for name in ids(found)].count(True) == 1


async def test_what_came_later_takes_no_part_in_the_order_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever scores candidates in view of each other does not see it, nor lacks what it hides."""
    later = flood(60, 3)
    text = "find the first thing. find another thing."
    everything = [each.tool_id for each in (*later, *OWN)]
    parts = ("find the first thing.", "find another thing.")
    inner = FakeRetriever([*later, *OWN], dict.fromkeys((text, *parts), everything))
    seen: list[list[ToolId]] = []

    def watched(coherence: object, whole: Found, *rest: object) -> Found:
        seen.append(ids(whole))
        return whole

    monkeypatch.setattr(stage, "rescored", watched)
    found = await guarded(inner, later).retrieve([RetrievalQuery(text=text)], k=15)

    assert seen == [[each.tool_id for each in OWN]]
    own = [name for name in ids(found.candidates[0]) if name.startswith("Own")]
    assert own == seen[0][:12]


async def test_a_round_asks_the_retriever_once_also_after_tools_were_added() -> None:
    """One call of the retriever is one batch for its encoder."""
    more = flood(3, 1)
    inner = FakeRetriever([*OWN, *more])
    retriever = guarded(inner, ())
    await retriever.retrieve([RetrievalQuery(text="find this thing. find that thing.")], k=5)
    assert len(inner.calls) == 1

    await guarded(inner, more).retrieve([RetrievalQuery(text="find this. And find that.")], k=5)
    assert len(inner.calls) == 2


class Level(FakeRetriever):
    """Finds later tools at 0.9, and all others at 0.5."""

    async def retrieve(self, queries: Sequence[RetrievalQuery], *, k: int) -> Retrieval:
        scores = {name: 0.9 if name.startswith("Flood") else 0.5 for name in self.tools}
        found = [
            Candidate(tool_id=name, score=score, rank=rank)
            for rank, (name, score) in enumerate(scores.items(), 1)
        ]
        return Retrieval(candidates=tuple(tuple(found[:k]) for _ in queries))
