"""How a run of an agent is held against right calls: `benchmarks/agent/agent_measures.py`."""

import sys
from pathlib import Path
from typing import Any

import pytest

from fakes import param, plan, refusal, succeeded, tool
from gretel.catalog import Catalog
from gretel.contracts.agent import AgentResult, AgentStep
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import PlanResult
from gretel.datasets.judged import GoldCall, JudgedRequest

sys.path.append(str(Path(__file__).resolve().parents[3] / "benchmarks" / "agent"))

from agent_measures import AgentRun, measure_runs, score_run

TOOLS = [tool("Kit.a", params=["to", param("day")]), tool("Kit.b")]
CATALOG = Catalog.from_tools(TOOLS)
A = ToolId("Kit.a")
ASKED = JudgedRequest("q", "Go.", frozenset({A}), gold_calls=(GoldCall(A, {"to": "Oslo"}),))


def run(*plans: PlanResult, **result: Any) -> AgentRun:
    steps = tuple(
        AgentStep(number=n, tool_id=each.tool_id, plan=each, outcome=succeeded(), observation="")
        for n, each in enumerate(plans, 1)
    )
    ended = {"answer": "x", "gave_up": False, "reason": "finished", **result}
    return score_run(AgentResult(steps=steps, **ended), ASKED, CATALOG)


@pytest.mark.parametrize(
    ("plans", "chosen", "first", "right", "exact", "served"),
    [
        ([plan("Kit.a", to="Oslo")], True, True, ("to",), True, True),
        ([plan("Kit.b"), plan("Kit.a", to="Oslo")], True, False, ("to",), True, True),
        ([plan("Kit.a", to="Rome"), plan("Kit.a", to="oslo")], True, True, ("to",), True, True),
        ([plan("Kit.a", to="Oslo", day="1")], True, True, ("to",), False, True),
        ([plan("Kit.a", to="Rome")], True, True, (), False, False),
        ([refusal("Kit.a", "to")], True, True, (), False, False),
        ([plan("Kit.b")], False, False, (), False, False),
        ([], False, False, (), False, False),
    ],
)
def test_the_best_call_of_a_right_tool_counts(
    plans: list[PlanResult],
    chosen: bool,
    first: bool,
    right: tuple[str, ...],
    exact: bool,
    served: bool,
) -> None:
    found = run(*plans)
    (call,) = found.calls
    assert (found.chosen, found.first, call.right, call.exact) == (chosen, first, right, exact)
    assert found.served is served and call.wanted == ("to",)


@pytest.mark.parametrize("ended", [{"gave_up": True}, {"reason": "steps_spent"}])
def test_what_did_not_end_of_itself_with_an_answer_served_nothing(ended: dict[str, Any]) -> None:
    found = run(plan("Kit.a", to="Oslo"), **ended)
    assert (found.finished, found.served) == (False, False)


def test_every_request_counts() -> None:
    found = measure_runs([run(plan("Kit.a", to="Oslo")), run(gave_up=True)])
    assert (found.n, found.values, found.chosen, found.arguments) == (2, 2, 0.5, 0.5)
    assert (found.finished, found.served, found.steps) == (0.5, 0.5, 0.5)
    assert measure_runs([]).chosen is None
