"""Argument planning within a run: right tools, masked twins, and their measures."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from small_runs import small_dataset, small_evaluation

from fakes import FakePlanner, refusal, tool
from gretel.catalog import Catalog
from gretel.contracts.errors import ModelReplyError, ServiceUnreachable
from gretel.contracts.ranking import Message, Request
from gretel.contracts.tool import Tool, ToolId
from gretel.contracts.trial import Argument, CallPlan
from gretel.datasets.judged import GoldCall, JudgedRequest
from gretel.datasets.masking import masked
from gretel.evaluation.runs.planning import Plan, plan_right_tools, planning_measures
from gretel.evaluation.runs.rows import read_rows
from gretel.nodes.plan import node

CITY = ToolId("Kit.city")
TOOL = tool(CITY, params=["day", "city"])
OTHER = tool("Kit.other", params=["city"])
CATALOG = Catalog.from_tools([TOOL, OTHER])


def gold(tool_id: str = CITY, **arguments: Any) -> GoldCall:
    return GoldCall(ToolId(tool_id), arguments)


def said(text: str, *messages: str) -> Request:
    turns = tuple(Message(role="user", content=each) for each in messages)
    return Request(text=text, messages=turns, today="2025-01-15")


def plan(tool_id: str = CITY, **arguments: Any) -> CallPlan:
    return CallPlan(
        tool_id=ToolId(tool_id),
        arguments={k: Argument(value=v, source="request") for k, v in arguments.items()},
    )


def test_one_required_value_is_taken_out_of_all_that_was_said() -> None:
    hidden = masked(said("To Oslo, on Monday", "oslo?"), TOOL, [gold(city="Oslo", day="Monday")])
    assert hidden is not None
    assert hidden.parameter == "city"
    assert (hidden.request.text, hidden.request.messages[0].content) == ("To , on Monday", "?")


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("To Oslo", {"city": "Oslo", "day": "Monday"}),  # a required value is not said
        ("To Oslo on Monday", {"day": "Monday"}),  # none is fixed
        ("To Oslo on Oslo Day", {"city": "Oslo", "day": "Oslo Day"}),  # part of another
        ("To Osloway on Monday", {"city": "Oslo", "day": "Monday"}),  # part of a word
        ("To X on Monday", {"city": "X", "day": "Monday"}),
        ("To ['Oslo'] on Monday", {"city": ["Oslo"], "day": "Monday"}),
    ],
)
def test_what_would_prove_nothing_is_not_masked(text: str, arguments: dict[str, Any]) -> None:
    assert masked(said(text), TOOL, [gold(**arguments)]) is None


def test_a_value_of_one_letter_is_not_masked_where_it_is_the_only_one() -> None:
    assert masked(said("To X"), OTHER, [gold("Kit.other", city="X")]) is None


async def planned(asked: JudgedRequest, planner: Any) -> Any:
    found, _ = await with_notes(asked, partial(node.planned, planner, FakePlanner()))
    return found


async def with_notes(asked: JudgedRequest, plan: Plan) -> Any:
    return await plan_right_tools(asked, asked.to_request(today="2025-01-15"), plan, CATALOG, ())


ASKED = JudgedRequest(
    "q", "To Oslo on Monday", frozenset({CITY}), gold_calls=(gold(city="Oslo", day="Monday"),)
)


async def test_a_pair_and_its_twin_are_measured() -> None:
    """The planner gives one of two values, and does not notice that the city is gone."""
    planner = FakePlanner({CITY: plan(city="Oslo", day="Friday")})
    calls = await planned(ASKED, planner)
    assert [(each.masked, each.complete, each.right) for each in calls] == [
        (None, True, ("city",)),
        ("city", False, ()),
    ]
    assert [call.arguments["request"].text for call in planner.calls] == [
        "To Oslo on Monday",
        "To  on Monday",
    ]
    found = planning_measures([calls])
    assert found["pairs"] == {
        "arguments": 0.5,
        "exact": 0.0,
        "false_refusals": 0.0,
        "refusal_precision": None,
        "refusal_recall": None,
        "complete": 1,
        "incomplete": 0,
        "values": 2,
    }
    twins: Any = found["masked"]
    assert (twins["refusal_recall"], twins["incomplete"], twins["complete"]) == (0.0, 1, 1)


async def test_a_refusal_has_every_value_wrong_and_is_right_where_one_is_missing() -> None:
    calls = await planned(ASKED, FakePlanner({CITY: refusal(CITY, "city")}))
    measures: Any = planning_measures([calls])
    assert measures["pairs"]["arguments"] == 0
    assert measures["pairs"]["false_refusals"] == 1
    assert measures["masked"]["refusal_recall"] == 1
    assert measures["masked"]["refusal_precision"] == 0.5


async def test_an_incomplete_request_is_judged_for_its_right_tools() -> None:
    asked = JudgedRequest("q", "Somewhere", frozenset({CITY}), incomplete=True)
    calls = await planned(asked, FakePlanner({CITY: refusal(CITY, "city")}))
    measures: Any = planning_measures([calls])
    assert measures["pairs"]["refusal_recall"] == 1
    assert measures["masked"]["complete"] == 0


async def test_what_the_catalogue_or_the_data_lacks_is_not_planned() -> None:
    planner = FakePlanner()
    stray = replace(ASKED, gold=frozenset({ToolId("No.such")}), gold_calls=(gold("No.such"),))
    assert await planned(stray, planner) == ()
    assert await planned(replace(ASKED, gold_calls=()), planner) == ()
    assert planner.calls == []
    assert planning_measures([()]) == {}


class Raising:
    """A planner that breaks."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def plan(self, request: Request, tool: Tool) -> Any:
        raise self._error


async def test_a_planner_that_breaks_is_replaced_or_refuses() -> None:
    good = FakePlanner({CITY: plan(city="Oslo", day="Monday")})
    broken_first = partial(node.planned, Raising(ModelReplyError("no JSON")), good)
    found, notes = await with_notes(ASKED, broken_first)
    assert found[0].exact
    assert set(notes) == {f"plan {CITY}: no JSON; planned by rule"}
    broken = await planned(ASKED, Raising(ValueError("oops")))
    assert broken[0].refused == "planner_failed"
    with pytest.raises(ServiceUnreachable):
        await planned(ASKED, Raising(ServiceUnreachable("gone")))


@pytest.mark.slow
async def test_a_run_keeps_plans_of_right_tools_and_measures_them(tmp_path: Path) -> None:
    data = small_dataset(8)
    requests = tuple(
        replace(
            each,
            gold_calls=tuple(
                gold(name, city="Oslo") for name in sorted(each.gold) if "list" not in name
            ),
        )
        for each in data.requests
    )
    dataset = replace(data, requests=requests)
    await small_evaluation(dataset=dataset, depth=2).run(tmp_path)
    rows = read_rows(tmp_path / "rows.jsonl")
    assert all(row.planning for row in rows.values())
    planning = json.loads((tmp_path / "metrics.json").read_text())["planning"]
    assert planning["pairs"]["complete"] == sum(len(each.gold_calls) for each in requests)
    assert 0 <= planning["pairs"]["arguments"] <= 1
    assert planning["masked"]["incomplete"] > 0
    assert rows["q 0"].usage["plan-right"].llm_calls == 0
    bare = small_evaluation(dataset=dataset, pipelines=("retrieval",))
    await bare.run(tmp_path / "bare")
    assert json.loads((tmp_path / "bare" / "metrics.json").read_text())["planning"] == {}
