"""Ranking measures against a table worked out by hand, and against their definitions."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gretel.contracts.errors import InputError
from gretel.contracts.tool import ToolId
from gretel.evaluation.measures.measures import DEPTHS, functioning_gold, measure


def tools(text: str) -> frozenset[ToolId]:
    return frozenset(map(ToolId, text))


GOLD = {"q1": tools("ab"), "q2": tools("c"), "q3": tools("def")}
RUNS: dict[str, list[ToolId]] = {
    "q1": [ToolId(name) for name in "axb"],
    "q2": [ToolId(name) for name in "xyzc"],
    "unjudged": [ToolId("a")],
}
"""q3 has no ranking: its run failed, or abstained."""
FUNCTIONING = {"q1": tools("ax"), "q2": tools("yz"), "q3": tools("d")}

BY_HAND = {
    "R@1": (1 / 2, 0, 0),
    "R@3": (1, 0, 0),
    "R@5": (1, 1, 0),
    "nDCG@1": (1, 0, 0),
    "nDCG@3": (1.5 / (1 + 1 / math.log2(3)), 0, 0),
    "nDCG@5": (1.5 / (1 + 1 / math.log2(3)), 1 / math.log2(5), 0),
    "P@1": (1, 0, 0),
    "P@5": (2 / 5, 1 / 5, 0),
    "RR": (1, 1 / 4, 0),
    "Judged@3": (2 / 3, 0, 0),
    "Judged@5": (2 / 3, 1 / 4, 0),
    "Completeness@1": (0, 0, 0),
    "Completeness@3": (1, 0, 0),
    "Completeness@5": (1, 1, 0),
    "Pass@1": (1, None, 0),
    "Viable@1": (1, 0, 0),
    "Viable@3": (2 / 3, 2 / 3, 0),
    "Viable@20": (2 / 3, 2 / 4, 0),
}
"""Of q1, q2, q3; None where the measure is not defined."""


@pytest.mark.parametrize("name", BY_HAND)
def test_values_are_those_worked_out_by_hand(name: str) -> None:
    table = measure(RUNS, GOLD, FUNCTIONING)
    wanted = {q: v for q, v in zip(GOLD, BY_HAND[name], strict=True) if v is not None}
    assert table.values[name] == pytest.approx(wanted)
    assert table.means[name] == pytest.approx(sum(wanted.values()) / len(wanted))


def test_every_judged_request_counts_where_nothing_was_ranked() -> None:
    table = measure({}, GOLD, FUNCTIONING)
    assert set(table.means.values()) == {0.0}
    assert len(table.values["nDCG@5"]) == 3


def test_without_functioning_there_is_no_pass_and_no_viable() -> None:
    assert not [name for name in measure(RUNS, GOLD).values if name.startswith(("Pass", "Viable"))]


def test_the_order_is_the_ranking_s_and_not_the_ids() -> None:
    gold = {"q": tools("b")}
    assert measure({"q": [ToolId("b"), ToolId("a")]}, gold).means["RR"] == 1
    assert measure({"q": [ToolId("a"), ToolId("b")]}, gold).means["RR"] == 0.5


def test_a_right_tool_that_was_not_retrieved_lowers_ndcg() -> None:
    """One of three right tools in front is no perfect ranking."""
    found = measure({"q": [ToolId("a")]}, {"q": tools("abc")}).means["nDCG@5"]
    assert found == pytest.approx(1 / (1 + 1 / math.log2(3) + 1 / 2))


@pytest.mark.parametrize(
    ("runs", "gold", "said"),
    [
        ({}, {"q": frozenset()}, "has no right tool"),
        ({"q": [ToolId("a")] * 2}, {"q": tools("a")}, "a tool twice"),
    ],
)
def test_what_cannot_be_measured_is_refused(runs: Any, gold: Any, said: str) -> None:
    with pytest.raises(InputError, match=f"^q: .*{said}"):
        measure(runs, gold)


def test_judging_on_what_functions_leaves_out_what_has_nothing_left() -> None:
    assert functioning_gold(GOLD, FUNCTIONING) == {"q1": tools("a"), "q3": tools("d")}


IDS = st.lists(st.integers(0, 40).map(lambda n: ToolId(f"t{n}")), max_size=30, unique=True)


@given(IDS, IDS.filter(bool))
def test_recall_and_precision_keep_to_their_definitions(
    ranking: list[ToolId], gold: list[ToolId]
) -> None:
    means = measure({"q": ranking}, {"q": frozenset(gold)}).means
    for k in DEPTHS:
        hits = len(set(ranking[:k]) & set(gold))
        assert means[f"R@{k}"] == pytest.approx(hits / len(gold))
        assert means[f"P@{k}"] == pytest.approx(hits / k)
        assert means[f"Completeness@{k}"] == (means[f"R@{k}"] == 1)
    recalls = [means[f"R@{k}"] for k in DEPTHS]
    assert recalls == sorted(recalls)
