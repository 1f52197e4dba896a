"""What every `CandidateOrder` promises."""

from collections.abc import Callable

import pytest

from fakes import candidate, request
from gretel.catalog import Catalog
from gretel.contracts.protocols import CandidateOrder
from gretel.contracts.tool import Tool


def planned(tools: list[Tool]) -> CandidateOrder:
    from gretel.nodes.plan.deterministic import DeterministicPlanner
    from gretel.nodes.retrieve.stage.planned import PlannedOrder

    return PlannedOrder(DeterministicPlanner().planned, Catalog.from_tools(tools))


MAKERS = {"planned": planned}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
async def test_it_permutes_and_leaves_scores(
    make: Callable[[list[Tool]], CandidateOrder], tools: list[Tool], text: str
) -> None:
    order = make(tools)
    found = [
        candidate(tool.tool_id, rank).model_copy(update={"score": 1 / (rank + 1)})
        for rank, tool in enumerate(tools, 1)
    ]
    found[3] = found[3].model_copy(update={"parts": {"later": 1.0}})
    after = await order.ordered(request(text), found)
    assert {each.tool_id: each.score for each in after} == {e.tool_id: e.score for e in found}
    assert [each.rank for each in after] == list(range(1, len(found) + 1))
    assert after[3].tool_id == found[3].tool_id, "one that came later keeps its place"
    assert after == await order.ordered(request(text), found)
    assert await order.ordered(request(text), []) == []
    assert order.depth > 0
