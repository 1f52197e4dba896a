"""Other people's counting, by hand."""

from math import log2

import pytest

from gretel.evaluation.measures.compat import (
    colt_completeness,
    colt_ndcg,
    colt_recall,
    compat_measures,
    toolgen_ndcg,
)

SECOND, THIRD = 1 / log2(3), 1 / log2(4)
"""What places 2 and 3 gain."""


def test_colt_counts_a_repeated_judgement_again() -> None:
    """Its `grd` holds 2 for a; ranking x a b: hits 0 + 2 + 1 of 3."""
    counts = {"a": 2, "b": 1}
    ranking = ["x", "a", "b", "y", "z"]
    assert colt_recall(ranking, counts, 2) == pytest.approx(2 / 3)
    assert colt_recall(ranking, counts, 3) == 1
    ideal = 1 + SECOND + THIRD
    assert colt_ndcg(ranking, counts, 3) == pytest.approx((2 * SECOND + THIRD) / ideal)
    assert colt_completeness(ranking, counts, 5) == 0


def test_colts_perfect_ranking_exceeds_one() -> None:
    counts = {"a": 2, "b": 1}
    assert colt_ndcg(["a", "b"], counts, 3) == pytest.approx((2 + SECOND) / (1 + SECOND + THIRD))
    assert colt_ndcg(["a", "b"], counts, 3) > 1


def test_without_repeated_judgements_colt_counts_as_all_do() -> None:
    counts = {"a": 1, "b": 1}
    assert colt_completeness(["b", "x", "a"], counts, 3) == 1
    assert colt_completeness(["b", "x", "a"], counts, 2) == 0
    assert colt_recall(["b", "x", "a"], counts, 2) == 0.5
    assert colt_ndcg(["b", "x", "a"], counts, 3) == pytest.approx((1 + THIRD) / (1 + SECOND))


def test_toolgen_forgets_what_was_not_found() -> None:
    """One of three right tools, at rank 1: its script says 1, nDCG@5 is .469."""
    gold = frozenset("abc")
    assert toolgen_ndcg(list("avwxy"), gold, 5) == 1
    assert toolgen_ndcg(list("vaxyz"), gold, 5) == pytest.approx(SECOND)
    assert toolgen_ndcg(list("vaxyz"), gold, 1) == 0
    assert toolgen_ndcg(list("vwxyz") + ["a"], gold, 5) == 0  # its lists have five places


def test_means_go_over_all_judged_requests() -> None:
    found = compat_measures({"q1": ["a"]}, {"q1": {"a": 1}, "q2": {"b": 1}, "none": {}})
    assert found["compat:colt:R@5"] == 0.5
    assert found["compat:toolgen:nDCG@5"] == 0.5
    assert all(name.startswith("compat:") for name in found)
    assert compat_measures({}, {}) == {}
