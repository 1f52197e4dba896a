"""What a call would take of the request decides which candidates are tried."""

import threading
import time
from collections.abc import Mapping
from typing import Any

import pytest

from fakes import candidate, param, request, tool
from gretel.catalog import Catalog
from gretel.contracts.ranking import Candidate, Request
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import Argument, CallPlan, MissingField, PlanResult, Refusal
from gretel.nodes.plan import deterministic
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.retrieve.stage import planned
from gretel.nodes.retrieve.stage.planned import DEPTH, PlannedOrder

ASKED = request("Is flight LH441 late?")
CODE = (10, 15)
TAKES = {"code": Argument(value="LH441", source="request", span=CODE)}


def calls(name: str, **arguments: Argument) -> CallPlan:
    return CallPlan(tool_id=ToolId(name), arguments=arguments)


def lacks(name: str, **found: Argument) -> Refusal:
    missing = MissingField(tool_id=ToolId(name), name="day")
    return Refusal(
        tool_id=ToolId(name),
        reason="missing_required",
        detail="no day",
        missing=(missing,),
        found=found,
        confidence=0.9,
    )


async def ordered(
    found: list[Candidate], plans: Mapping[str, PlanResult], tools: list[Tool] | None = None
) -> list[Candidate]:
    """`found` where a tool without a plan breaks the planner."""
    catalog = Catalog.from_tools(tools or [tool(each.tool_id) for each in found])

    def plan(_: Request, tool: Tool) -> PlanResult:
        return plans[tool.tool_id]

    return await PlannedOrder(plan, catalog).ordered(ASKED, found)


def scored(*names: str) -> list[Candidate]:
    """Candidates whose scores fall by little."""
    return [
        candidate(name, rank).model_copy(update={"score": 0.5 - rank / 1_000})
        for rank, name in enumerate(names, 1)
    ]


def ids(found: list[Candidate]) -> list[str]:
    return [each.tool_id for each in found]


async def test_a_tool_that_takes_what_is_said_stands_before_one_that_does_not() -> None:
    found = scored("A.list", "A.status")
    after = await ordered(
        found, {"A.list": calls("A.list"), "A.status": calls("A.status", **TAKES)}
    )
    assert ids(after) == ["A.status", "A.list"]
    assert [each.rank for each in after] == [1, 2]


async def test_scores_stay_those_of_the_retriever() -> None:
    found = scored("A.list", "A.status")
    after = await ordered(
        found, {"A.list": calls("A.list"), "A.status": calls("A.status", **TAKES)}
    )
    assert {each.tool_id: each.score for each in after} == {e.tool_id: e.score for e in found}
    assert after[0].parts["planned"] > after[1].parts["planned"] == 0


async def test_a_refusal_stands_behind_but_what_it_would_have_taken_counts() -> None:
    found = scored("A.bare", "A.close", "A.full")
    plans = {
        "A.bare": lacks("A.bare"),
        "A.close": lacks("A.close", **TAKES),
        "A.full": calls("A.full", **TAKES),
    }
    assert ids(await ordered(found, plans)) == ["A.full", "A.close", "A.bare"]


async def test_a_tool_that_the_request_names_stays_first() -> None:
    named = candidate("A.list").model_copy(update={"parts": {"exact": 1.0}, "score": 0.6})
    found = [named, *scored("A.status")]
    after = await ordered(
        found, {"A.list": calls("A.list"), "A.status": calls("A.status", **TAKES)}
    )
    assert ids(after) == ["A.list", "A.status"]


async def test_one_broken_plan_does_not_end_the_others() -> None:
    found = scored("A.broken", "A.status")
    after = await ordered(found, {"A.status": calls("A.status", **TAKES)})
    assert ids(after) == ["A.status", "A.broken"]


async def test_a_busy_machine_plans_the_same_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A selection of before is repeated, whatever else the machine does meanwhile."""
    monkeypatch.setattr(planned, "PLANNING_S", 0.05)
    read: list[str] = []

    def plan(_: Request, tool: Tool) -> PlanResult:
        time.sleep(0.1)  # as long as others have the processor
        read.append(tool.tool_id)
        return calls(tool.tool_id)

    catalog = Catalog.from_tools([tool("A.a"), tool("B.b"), tool("C.c")])
    await PlannedOrder(plan, catalog).ordered(ASKED, scored("A.a", "B.b", "C.c"))
    assert read == ["A.a", "B.b", "C.c"]


async def test_a_first_call_plans_what_later_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though a process's first plan loads places, currencies and models."""
    monkeypatch.setattr(planned, "PLANNING_S", 0.05)
    read: list[str] = []

    def plan(_: Request, tool: Tool) -> PlanResult:
        begun = time.thread_time()
        while not read and time.thread_time() - begun < 0.1:
            pass
        read.append(tool.tool_id)
        return calls(tool.tool_id)

    catalog = Catalog.from_tools([tool("A.a"), tool("B.b"), tool("C.c")])
    await PlannedOrder(plan, catalog).ordered(ASKED, scored("A.a", "B.b", "C.c"))
    assert read == ["A.a", "B.b", "C.c"]


async def test_what_stands_behind_the_depth_stays_as_it_is() -> None:
    found = scored(*(f"A.t{number:02}" for number in range(DEPTH + 5)))
    plans: dict[str, PlanResult] = {name: calls(name) for name in ids(found)}
    plans[found[-1].tool_id] = calls(found[-1].tool_id, **TAKES)
    assert (
        await ordered(found, plans)
        == [
            each.model_copy(update={"parts": {**each.parts, "planned": 0.0}})
            for each in found[:DEPTH]
        ]
        + found[DEPTH:]
    )


async def test_nothing_found_is_nothing_ordered() -> None:
    assert await ordered([], {}, [tool("A.list")]) == []


async def test_a_trial_takes_the_plan_that_was_made_for_the_order(monkeypatch: object) -> None:
    made: list[str] = []
    planner = DeterministicPlanner()
    status = tool("A.status", "Status of a flight.", params=["flight_code"])
    real = deterministic.plan_call

    def counted(*given: object) -> PlanResult:
        made.append("once")
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(deterministic, "plan_call", counted)  # type: ignore[attr-defined]
    await PlannedOrder(planner.planned, Catalog.from_tools([status])).ordered(
        ASKED, [candidate("A.status")]
    )
    plan = await planner.plan(ASKED.model_copy(), status)
    assert made == ["once"]
    assert plan.tool_id == "A.status"


async def test_another_tool_of_that_id_is_planned_anew() -> None:
    planner = DeterministicPlanner()
    before = await planner.plan(ASKED, tool("A.status", params=["flight_code"]))
    after = await planner.plan(ASKED, tool("A.status", params=[param("page", "integer")]))
    assert before != after


async def test_a_refusal_says_what_the_call_would_have_had() -> None:
    day = param("day", {"type": "string", "format": "date"}, required=True)
    status = tool("A.status", "Status.", params=["flight_code", day])
    asked = request("Is flight LH441 late?", flight_code="LH441")
    plan = await DeterministicPlanner().plan(asked, status)
    assert isinstance(plan, Refusal)
    assert {name: each.value for name, each in plan.found.items()} == {"flight_code": "LH441"}


async def test_what_plans_show_is_counted_off_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[threading.Thread] = []

    def evidence(*given: Any) -> Any:
        counted.append(threading.current_thread())
        return planned_evidence(*given)

    planned_evidence = planned.evidence
    monkeypatch.setattr(planned, "evidence", evidence)
    await ordered(scored("A", "B"), {"A": calls("A"), "B": calls("B", **TAKES)})
    assert counted and threading.main_thread() not in counted
