"""A request as long as one may be: no rule of the planner reads it in one go while others wait."""

import pytest
from held import held

from fakes import request, tool
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.request import MAX_REQUEST_CHARS

MOST_S = 0.09


@pytest.mark.parametrize("unit", ["as a ", "a, "])
def test_a_long_request_is_planned_in_turns(unit: str) -> None:
    planner, asked = DeterministicPlanner(), tool("Kit.look", "look it up", params=["city"])
    planner.planned(request("find x"), asked)
    long = request((unit * MAX_REQUEST_CHARS)[: MAX_REQUEST_CHARS - 1])
    assert held(lambda: planner.planned(long, asked)) < MOST_S


def test_what_stands_at_the_beginning_of_a_long_request_counts() -> None:
    planner, asked = DeterministicPlanner(), tool("Kit.look", "look it up", params=["page"])
    long = request("Show the second page of it. " + "more words " * 5_000)
    plan = planner.planned(long, asked)
    assert "page" in str(plan)
