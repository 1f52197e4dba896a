"""Of rule and model, the surer value is taken; what a model made up counts as unmet."""

import pytest

from fakes import FakePlanner, param, refusal, request, tool
from gretel.contracts.trial import Argument, ArgumentSource, CallPlan, PlanResult
from gretel.nodes.plan.weighed import WeighedPlanner, weighed

TOOL = tool(
    "Sky.search",
    params=[param("to", required=True), param("day", {"type": "string", "enum": ["mon", "tue"]})],
)


def value(said: str, source: ArgumentSource, confidence: float) -> Argument:
    return Argument(value=said, source=source, confidence=confidence)


def call(**arguments: Argument) -> CallPlan:
    return CallPlan(tool_id=TOOL.tool_id, arguments=arguments)


RULES = call(to=value("Oslo", "request", 0.7))
DOUBTED = call(to=value("Oslo", "request", 0.4))
LACKING = refusal(TOOL.tool_id, "to")


@pytest.mark.parametrize(
    ("rules", "said", "trust", "to"),
    [
        (RULES, call(to=value("Rome", "request", 1.0)), {"request": 0.9}, "Rome"),
        (RULES, call(to=value("Rome", "request", 1.0)), {"request": 0.6}, "Oslo"),
        (RULES, call(to=value("Rome", "invented", 0.3)), {}, "Oslo"),
        (RULES, call(to=value("Rome", "request", 1.0)), {}, "Oslo"),
        (DOUBTED, call(to=value("Rome", "request", 1.0)), {}, "Rome"),
        (LACKING, call(to=value("Rome", "request", 1.0)), {}, "Rome"),
        (LACKING, call(to=value("Rome", "request", 1.0)), {"request": 0.6}, "Rome"),
        (LACKING, call(to=value("Rome", "request", 1.0)), {"request": 0.4}, None),
        (LACKING, call(to=value("Rome", "invented", 0.3)), {}, None),
        (RULES, LACKING, {}, "Oslo"),
    ],
)
def test_the_surer_value_is_taken(
    rules: PlanResult,
    said: PlanResult,
    trust: dict[ArgumentSource, float],
    to: str | None,
) -> None:
    plan = weighed(rules, said, TOOL, trust)

    assert (plan.values() if isinstance(plan, CallPlan) else {}).get("to") == to
    if to is None:
        assert plan == rules


def test_a_value_that_both_have_keeps_what_the_rules_know_of_it() -> None:
    assert weighed(RULES, call(to=value("Oslo", "request", 1.0)), TOOL, {"request": 1.0}) == RULES


def test_an_invented_value_that_is_trusted_counts_as_unmet() -> None:
    plan = weighed(LACKING, call(to=value("Rome", "invented", 0.3)), TOOL, {"invented": 0.9})

    assert isinstance(plan, CallPlan)
    assert (plan.unmet, plan.confidence) == (("to",), 0.9)


def test_values_that_break_the_schema_leave_the_plan_of_the_rules() -> None:
    wrong = call(to=value("Oslo", "request", 1.0), day=value("sun", "request", 1.0))

    assert weighed(RULES, wrong, TOOL, {"request": 1.0}) == RULES


async def test_the_planner_asks_both() -> None:
    rules, model = FakePlanner({"Sky.search": RULES}), FakePlanner({"Sky.search": RULES})

    assert await WeighedPlanner(rules, model).plan(request("to Oslo"), TOOL) == RULES
    assert (len(rules.calls), len(model.calls)) == (1, 1)
