"""Measures of planned calls and of abstention."""

import pytest

from gretel.contracts.record import JsonValue
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Argument, CallPlan, Refusal
from gretel.datasets.judged import GoldCall
from gretel.evaluation.measures.abstention import Chance, measure_abstention
from gretel.evaluation.measures.calls import PlannedCall, measure_calls, same_value, score_call

TOOL = ToolId("flights.search")
REFUSAL = Refusal(tool_id=TOOL, reason="missing_required", detail="no date")
REQUIRED = frozenset({"origin", "date"})


def plan(**values: JsonValue) -> CallPlan:
    arguments = {k: Argument(value=v, source="request") for k, v in values.items()}
    return CallPlan(tool_id=TOOL, arguments=arguments)


def call(*left_open: str, **values: JsonValue) -> GoldCall:
    return GoldCall(TOOL, values, frozenset(left_open))


@pytest.mark.parametrize(
    ("given", "gold", "same"),
    [
        ("oslo", "Oslo.", True),
        ("“Oslo”", "Oslo", True),
        ("New  York", "new york", True),
        ("1,500", 1500.0, True),
        (2, "2", True),
        (None, "None", False),
        ("Oslo", "Bergen", False),
        (["b", "a"], ["a", "b"], True),
        (["a"], ["a", "b"], False),
        ("a", ["a"], False),
        ({"x": 1, "more": 2}, {"x": 1}, True),
        ({}, {"x": 1}, False),
    ],
)
def test_values_are_compared_by_what_they_say(
    given: JsonValue, gold: JsonValue, same: bool
) -> None:
    assert same_value(given, gold) is same


def test_a_right_call_is_exact() -> None:
    gold = call(origin="SFO", date="2025-06-01", cabin="economy")
    score = score_call(plan(origin="SFO", date="2025-06-01", cabin="Economy"), [gold], REQUIRED)
    wanted = tuple(sorted(REQUIRED))
    assert score == PlannedCall(
        tool_id=TOOL, complete=True, exact=True, wanted=wanted, right=wanted
    )


@pytest.mark.parametrize(
    "values",
    [
        {"origin": "SFO", "date": "2025-06-01"},
        {"origin": "SFO", "date": "2025-06-01", "cabin": "first"},
        {"origin": "SFO", "date": "2025-06-01", "cabin": "economy", "bags": 2},
    ],
    ids=["too little", "wrong", "too much"],
)
def test_optional_arguments_count_for_exactness_alone(values: dict[str, JsonValue]) -> None:
    gold = call(origin="SFO", date="2025-06-01", cabin="economy")
    score = score_call(plan(**values), [gold], REQUIRED)
    assert set(score.right) == REQUIRED
    assert not score.exact


def test_a_value_left_open_may_be_anything_and_is_not_counted() -> None:
    score = score_call(plan(origin="SFO", date="any"), [call("date", origin="SFO")], REQUIRED)
    assert score.exact
    assert score.wanted == ("origin",)


def test_the_best_of_several_right_calls_is_compared() -> None:
    golds = [call(origin="SFO", date="1"), call(origin="LAX", date="2")]
    assert score_call(plan(origin="LAX", date="2"), golds, REQUIRED).exact


def test_a_refusal_has_nothing_right() -> None:
    score = score_call(REFUSAL, [call(origin="SFO", date="1")], REQUIRED)
    assert (score.complete, score.refused, score.exact) == (True, REFUSAL.reason, False)
    assert (set(score.wanted), score.right) == (REQUIRED, ())


def test_an_empty_right_call_is_met_by_an_empty_plan_only() -> None:
    assert score_call(plan(), [call()], frozenset()).exact
    assert not score_call(REFUSAL, [call()], frozenset()).exact


def test_measures_of_many_calls() -> None:
    gold = [call(origin="SFO", date="1")]
    scores = [
        score_call(plan(origin="SFO", date="1"), gold, REQUIRED),
        score_call(plan(origin="SFO", date="2"), gold, REQUIRED),
        score_call(REFUSAL, gold, REQUIRED),
        score_call(REFUSAL, [], REQUIRED),
        score_call(plan(origin="SFO"), [], REQUIRED),
    ]
    measures = measure_calls(scores)
    assert (measures.complete, measures.incomplete, measures.values) == (3, 2, 6)
    assert measures.arguments == pytest.approx(3 / 6)
    assert measures.exact == pytest.approx(1 / 3)
    assert measures.false_refusals == pytest.approx(1 / 3)
    assert measures.refusal_precision == pytest.approx(1 / 2)
    assert measures.refusal_recall == pytest.approx(1 / 2)


def test_nothing_to_divide_by_is_none() -> None:
    assert measure_calls([]) == (None, None, None, None, None, 0, 0, 0)
    assert measure_abstention([], threshold=0.5) == (None, None, None, 0, 0)


def test_abstention_at_a_threshold() -> None:
    chances = [Chance(0.9, True), Chance(0.5, True), Chance(0.2, True)]
    chances += [Chance(0.5, False), Chance(0.1, False)]
    measures = measure_abstention(chances, threshold=0.5)
    assert measures.false_offers == pytest.approx(1 / 2)
    assert measures.false_abstentions == pytest.approx(1 / 3)
    # pairs won: 2, 1.5 and 1 of 2 each
    assert measures.auroc == pytest.approx(4.5 / 6)
    assert (measures.served, measures.others) == (3, 2)
