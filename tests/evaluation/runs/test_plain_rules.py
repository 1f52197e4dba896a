"""The plain rule: what any ranking on evidence has to beat."""

import pytest

from fakes import failed, plan, refusal, succeeded
from gretel.contracts.ranking import Request
from gretel.contracts.trial import FailureKind, Fault, Outcome, PlanResult, Trial
from gretel.evaluation.runs.plain_rules import PlainRule, RetrievalOrder

ASKED = Request(text="Find it", today="2026-01-05")
REFUSED = Outcome(status="refused", source="none")
EMPTY = Outcome(status="empty", source="executed")
UNTRIED = Outcome(status="unavailable", source="none")


def trial(name: str, rank: int, executed: Outcome, made: PlanResult | None = None) -> Trial:
    return Trial(
        tool_id=plan(name).tool_id,
        round=1,
        rank_before=rank,
        retrieval_score=1 / rank,
        plan=made or plan(name),
        executed=executed,
    )


async def order(*trials: Trial) -> str:
    return "".join(place.tool_id for place in (await PlainRule().rerank(ASKED, trials)).tools)


@pytest.mark.parametrize(
    "broken",
    [EMPTY, *(failed(kind) for kind in ("auth", "drift", "irrelevant", "server_error"))],
    ids=lambda each: each.failure.kind if each.failure else each.status,
)
async def test_clear_failures_stand_behind_everything_in_their_own_order(broken: Outcome) -> None:
    trials = [trial("a", 1, broken), trial("b", 2, EMPTY), trial("c", 3, UNTRIED)]
    assert await order(*trials, trial("d", 4, succeeded())) == "cdab"


@pytest.mark.parametrize(
    ("kind", "fault", "transient"),
    [
        ("rate_limit", "tool", False),
        ("timeout", "tool", False),
        ("server_error", "tool", True),
        ("rejected_arguments", "request", False),
        ("connection", "ours", False),
    ],
)
async def test_what_may_pass_or_is_ours_moves_nothing(
    kind: FailureKind, fault: Fault, transient: bool
) -> None:
    outcome = failed(kind, fault)
    assert outcome.failure is not None
    failure = outcome.failure.model_copy(update={"transient": transient})
    first = outcome.model_copy(update={"failure": failure})
    assert await order(trial("a", 1, first), trial("b", 2, succeeded())) == "ab"


async def test_a_refused_tool_moves_behind_the_next_one_alone() -> None:
    refused = trial("a", 1, REFUSED, refusal("a", "city"))
    rest = [trial(name, rank, succeeded()) for rank, name in enumerate("bcd", 2)]
    assert await order(refused, *rest) == "bacd"
    assert await order(refused, trial("b", 2, REFUSED, refusal("b", "city")), *rest[1:]) == "acbd"
    assert await order(trial("b", 2, EMPTY), refused) == "ab"


async def test_the_order_of_trials_changes_nothing_and_nothing_is_lost() -> None:
    trials = [trial(name, rank, succeeded()) for rank, name in enumerate("abcd", 1)]
    assert await order(*reversed(trials)) == "abcd"
    found = (await RetrievalOrder().rerank(ASKED, trials)).tools
    assert [place.rank for place in found] == [1, 2, 3, 4]
    assert (await PlainRule().rerank(ASKED, [])).tools == ()
