"""Reducers and the pieces of state that merge."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from gretel.contracts.budget import Budget, Usage
from gretel.nodes.spending import remaining, total
from gretel.nodes.state import merge_notes, merge_trials

TRIALS = st.lists(
    st.builds(lambda name, n: {"tool_id": name, "n": n}, st.sampled_from("abc"), st.integers(0, 1))
)


@given(TRIALS, TRIALS)
def test_merging_trials_twice_changes_nothing(old: list[dict], new: list[dict]) -> None:
    once = merge_trials(old, new)
    assert merge_trials(once, new) == once
    assert [t["tool_id"] for t in once] == sorted({t["tool_id"] for t in old + new})


def test_the_order_of_arrival_does_not_matter() -> None:
    parts = [[{"tool_id": name}] for name in "abc"]
    merged = set()
    for order in permutations(parts):
        result: list[dict] = []
        for part in order:
            result = merge_trials(result, part)
        merged.add(str(result))
    assert len(merged) == 1


def test_notes_keep_their_first_place() -> None:
    assert merge_notes(["a", "b"], ["b", "c"]) == ["a", "b", "c"]


def _usage(**fields: float | None) -> dict:
    return Usage.model_validate(fields).model_dump(mode="json")


def test_an_unknown_price_makes_the_total_unknown() -> None:
    known = _usage(llm_calls=1, money_usd=0.5)
    assert total({"a": known, "b": _usage(ms=3)}).money_usd == 0.5
    assert total({"a": known, "b": _usage(llm_calls=1)}).money_usd is None


def test_what_was_spent_is_taken_off_and_shared() -> None:
    spent = {"plan:a:1": _usage(llm_calls=1, prompt_tokens=60, completion_tokens=20, tool_calls=2)}
    left = remaining(Budget(tokens=200, calls=3), spent, shares=4)
    assert (left.tokens, left.calls) == (30, 1)
    unlimited = remaining(Budget(), spent)
    assert (unlimited.tokens, unlimited.calls, unlimited.money_usd) == (None, None, None)
