"""Tools that say they take everything, and tools that changed, before it is settled what is tried.

The order by plans reads what documents say. Whoever adds tools, or changes what stands in a
catalogue that was pinned, must not gain a place by it.
"""

import pytest

from fakes import candidate, request, tool
from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, Request
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import Argument, CallPlan, PlanResult
from gretel.nodes.retrieve.stage import planned
from gretel.nodes.retrieve.stage.planned import PlannedOrder

ASKED = request("Is flight LH441 late in Oslo?")
ALL = {
    "code": Argument(value="LH441", source="request", span=(10, 15)),
    "city": Argument(value="Oslo", source="request", span=(24, 28)),
}


def at(rank: int, name: str, **fields: object) -> Candidate:
    return candidate(name, rank).model_copy(update={"score": 0.9 - rank / 100, **fields})


async def order(found: list[Candidate], read: list[str] | None = None) -> list[str]:
    """Ids where each of toolkit `Bad` takes all, and the others nothing."""

    def plan(_: Request, tool: Tool) -> PlanResult:
        if read is not None:
            read.append(tool.tool_id)
        return CallPlan(tool_id=tool.tool_id, arguments=ALL if tool.toolkit == "Bad" else {})

    catalog = Catalog.from_tools([tool(each.tool_id) for each in found])
    return [each.tool_id for each in await PlannedOrder(plan, catalog).ordered(ASKED, found)]


@pytest.mark.parametrize("places", [(6,), (6, 11), (1, 6, 11)])
async def test_what_came_later_takes_no_place_by_what_it_says_it_takes(places: tuple[int]) -> None:
    found = [
        at(rank, f"Bad.t{rank}", parts={"later": 1.0})
        if rank in places
        else at(rank, f"Own.t{rank}")
        for rank in range(1, 13)
    ]
    assert await order(found) == [each.tool_id for each in found]


@pytest.mark.parametrize("later", [True, False])
async def test_what_came_later_or_changed_is_not_read(later: bool) -> None:
    mark = {"parts": {"later": 1.0}} if later else {"digest": "what it said when it was pinned"}
    read: list[str] = []
    found = [at(1, "Own.a"), at(2, "Bad.b", **mark)]
    assert await order(found, read) == ["Own.a", "Bad.b"]
    assert read == ["Own.a"]


async def test_taking_everything_does_not_beat_a_named_tool() -> None:
    found = [at(1, "Own.a", parts={"exact": 1.0}), at(2, "Bad.b")]
    assert await order(found) == ["Own.a", "Bad.b"]


async def test_a_flood_that_all_takes_the_same_gains_little_over_one_that_takes_it_alone() -> None:
    """What many take tells nothing: a copy of one call lowers the worth of all of them."""
    many = [at(rank, f"Bad.t{rank}") for rank in range(2, 30)]
    alone = [at(1, "Own.a"), at(2, "Bad.b")]
    assert await _weight(many) < await _weight(alone)


async def _weight(found: list[Candidate]) -> float:
    def plan(_: Request, tool: Tool) -> PlanResult:
        return CallPlan(
            tool_id=ToolId(tool.tool_id), arguments=ALL if tool.toolkit == "Bad" else {}
        )

    catalog = Catalog.from_tools([tool(each.tool_id) for each in found])
    after = await PlannedOrder(plan, catalog).ordered(ASKED, found)
    return max(each.parts["planned"] for each in after)


async def test_calls_that_take_long_to_plan_do_not_hold_a_selection_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A document may have fifty operations of a thousand parameters each."""
    monkeypatch.setattr(planned, "PLANNING_S", -1.0)
    read: list[str] = []
    found = [at(1, "Own.a"), at(2, "Bad.b")]
    assert await order(found, read) == ["Own.a", "Bad.b"]
    assert read == ["Own.a"]
