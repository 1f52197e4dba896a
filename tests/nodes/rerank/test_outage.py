"""What the tools of one toolkit say of each other."""

from collections.abc import Sequence
from itertools import permutations

import pytest

from fakes import failed, failure, refusal, request, succeeded, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.trial import FailureKind, Outcome, Trial
from gretel.nodes.rerank.evidence import TIE, EvidenceReranker
from gretel.nodes.rerank.failures import FAILED
from gretel.nodes.rerank.outage import Outage, outages

MADE_UP = Outcome(status="succeeded", source="simulated")
EMPTY = Outcome(status="empty", source="executed", failure=failure("empty"))


def refused(tool_id: str, rank: int = 1) -> Trial:
    executed = Outcome(status="refused", source="none")
    return trial(tool_id, rank, planned=refusal(tool_id, "code"), executed=executed)


def siblings(*kinds: FailureKind) -> list[Trial]:
    return [
        trial(f"Sky.t{number}", executed=failed(kind)) for number, kind in enumerate(kinds, start=1)
    ]


def of(found: Trial, others: Sequence[Trial]) -> Outage:
    trials = [found, *others]
    return outages(trials, Catalog.from_tools(tool(each.tool_id) for each in trials))[found.tool_id]


@pytest.mark.parametrize(
    "kind", ["auth", "connection", "server_error", "drift", "irrelevant", "error_in_body"]
)
def test_an_untried_tool_is_suspect_where_its_siblings_fail_alike(kind: FailureKind) -> None:
    weights = [of(refused("Sky.get"), siblings(*[kind] * count)).weight for count in range(4)]
    assert weights[0] == 0
    assert -TIE < weights[1] < 0
    assert weights[1] - 0.7 > weights[2] > weights[3] + 1.5


def test_two_empty_siblings_are_an_outage() -> None:
    empty = [trial(f"Sky.t{number}", executed=EMPTY) for number in (1, 2)]
    assert of(refused("Sky.get"), empty).failed == 2


def test_kinds_of_one_cause_count_together() -> None:
    assert of(refused("Sky.get"), siblings("auth", "permission")).failed == 2
    assert of(refused("Sky.get"), siblings("connection", "server_error", "protocol")).failed == 3


def test_siblings_that_fail_each_in_its_way_say_little() -> None:
    found = of(refused("Sky.get"), siblings("auth", "drift", "irrelevant"))
    assert found.failed == 0
    assert -TIE < found.weight < 0


def test_one_answer_clears_a_toolkit() -> None:
    answers = trial("Sky.works")
    assert of(refused("Sky.get"), [*siblings("auth", "auth"), answers]).failed == 0
    assert -TIE < of(answers, siblings("auth", "auth")).weight < 0


def test_a_server_that_answers_others_had_rather_a_transient_failure() -> None:
    alone = of(trial("Sky.get", executed=failed("server_error")), [refused("Sky.t1")])
    beside = of(trial("Sky.get", executed=failed("server_error")), [trial("Sky.t1")])
    assert alone == Outage(0)
    assert 0 < beside.weight < -FAILED["server_error"]


@pytest.mark.parametrize("kind", ["auth", "drift", "irrelevant", "error_in_body"])
def test_what_is_no_matter_of_the_server_is_not_forgiven_so(kind: FailureKind) -> None:
    assert of(trial("Sky.get", executed=failed(kind)), [trial("Sky.t1")]).weight <= 0


def test_an_answer_may_be_irrelevant_unseen() -> None:
    answers = trial("Sky.works")
    assert of(answers, siblings("irrelevant", "irrelevant", "irrelevant")).failed == 3
    assert of(answers, siblings("irrelevant")).failed == 0


@pytest.mark.parametrize(
    "call",
    [
        failed("rate_limit"),
        failed("timeout"),
        failed("rejected_arguments", "request"),
        failed("connection", "ours"),
        Outcome(
            status="failed",
            source="executed",
            failure=failure("server_error").model_copy(update={"transient": True}),
        ),
        Outcome(status="empty", source="executed", failure=failure("empty", "request")),
    ],
)
def test_what_passes_and_what_is_not_the_tools_doing_is_no_outage(call: Outcome) -> None:
    others = [trial(f"Sky.t{number}", executed=call, simulated=MADE_UP) for number in range(4)]
    assert of(refused("Sky.get"), others) == Outage(0)


def test_other_toolkits_are_not_touched() -> None:
    assert of(refused("Rail.get"), siblings("auth", "auth", "auth")) == Outage(0)


async def test_a_tool_of_a_dead_toolkit_falls_behind_one_of_a_live_toolkit() -> None:
    dead = siblings("connection", "connection", "connection")
    untried, alive = (
        refused(tool_id).model_copy(update={"retrieval_score": score})
        for tool_id, score in (("Sky.get", 0.5), ("Rail.get", 0.2))
    )
    catalog = Catalog.from_tools(tool(each.tool_id) for each in [*dead, untried, alive])
    reranker = EvidenceReranker(catalog)

    trials = [untried, alive, *dead]
    rankings = [await reranker.rerank(request(), order) for order in permutations(trials)]
    assert all(ranking == rankings[0] for ranking in rankings)
    first, second = rankings[0].tools[:2]
    assert (first.tool_id, second.tool_id) == ("Rail.get", "Sky.get")
    assert second.reason.endswith("its toolkit seems out: 3 other tools of it fail alike")
    assert "toolkit" not in first.reason


async def test_a_lone_failure_is_no_outage() -> None:
    dead, works = siblings("connection")[0], trial("Sky.works", 2, executed=succeeded())
    reranker = EvidenceReranker(Catalog.from_tools(tool(t.tool_id) for t in (dead, works)))
    ranking = await reranker.rerank(request(), [dead, works])
    assert [place.tool_id for place in ranking.tools] == ["Sky.works", "Sky.t1"]
    assert not any("toolkit" in place.reason for place in ranking.tools)
