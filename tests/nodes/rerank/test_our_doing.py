"""A failure by our own plan does not sink the tool, and lets nobody pass who was not tried."""

import asyncio
import math
from typing import Any

import pytest

from fakes import SERVER, failed, failure, refusal, request, succeeded, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.tool import ToolId, VirtualBinding
from gretel.contracts.trial import (
    Argument,
    ArgumentSource,
    CallPlan,
    FailureKind,
    Fault,
    Outcome,
    Trial,
)
from gretel.nodes.rerank.evidence import EvidenceReranker
from gretel.nodes.rerank.failures import (
    EMPTY,
    LEAST_DOUBT,
    NONE_OF,
    broken,
    failure_weight,
    our_doing,
)
from gretel.nodes.rerank.grounding import Grounding
from gretel.nodes.rerank.order import needs
from gretel.nodes.rerank.weight import soft_evidence

BLAMED: list[FailureKind] = ["empty", "irrelevant", "error_in_body", "rejected_arguments", "drift"]
KEPT_IN = Outcome(status="unavailable", source="none", failure=failure("unsafe_method", "ours"))
VIRTUAL = VirtualBinding(category="Bugs", tool_name="bugs", api_name="list")
MADE_UP = Outcome(status="succeeded", source="simulated")


def call(tool_id: str, source: ArgumentSource = "request", **sure: float) -> CallPlan:
    """A call whose values are as sure as that."""
    arguments = {
        name: Argument(value="x", source=source, confidence=each) for name, each in sure.items()
    }
    return CallPlan(tool_id=ToolId(tool_id), arguments=arguments)


def outcome(kind: FailureKind, fault: Fault = "tool", fields: tuple[str, ...] = ()) -> Outcome:
    cause = failure(kind, fault).model_copy(update={"fields": fields})
    status: Any = "empty" if kind == "empty" else "failed"
    return Outcome(status=status, source="executed", failure=cause)


def weighed(plan: CallPlan, executed: Outcome) -> float:
    return failure_weight(trial(plan.tool_id, planned=plan, executed=executed))


@pytest.mark.parametrize("kind", BLAMED)
def test_a_failure_weighs_by_how_sure_the_call_was(kind: FailureKind) -> None:
    weights = [weighed(call("Sky.get", city=sure), outcome(kind)) for sure in (0.1, 0.5, 0.9, 1.0)]
    assert weights == sorted(weights, reverse=True)
    assert -0.3 < weights[0] <= 0 and weights[0] > weights[-1]


def test_the_least_sure_value_counts() -> None:
    both = weighed(call("Sky.get", city=0.2, day=1.0), outcome("empty"))
    assert both == weighed(call("Sky.get", city=0.2), outcome("empty"))


def test_of_the_values_that_a_failure_names_the_others_do_not_count() -> None:
    plan = call("Sky.get", city=0.2, day=1.0)
    assert weighed(plan, outcome("empty", fields=("day",))) < weighed(plan, outcome("empty"))


@pytest.mark.parametrize("kind", ["empty", "irrelevant", "error_in_body"])
def test_a_call_without_values_may_lack_one_that_its_document_does_not_name(
    kind: FailureKind,
) -> None:
    bare = weighed(call("Sky.get"), outcome(kind))
    assert bare == weighed(call("Sky.get", city=1.0), outcome(kind)) > EMPTY + 3
    given = call("Sky.get", "context", city=0.1)
    assert weighed(given, outcome(kind)) == bare, "the caller's own values are no plan of ours"


def test_a_page_without_values_is_gone_and_a_call_that_could_not_be_made_has_no_excuse() -> None:
    assert our_doing(trial("Sky.get", planned=call("Sky.get"), executed=outcome("drift"))) == 0
    rejected = outcome("rejected_arguments", "request")
    assert our_doing(trial("Sky.get", planned=call("Sky.get"), executed=rejected)) == 0


def test_even_sure_values_may_be_unknown_to_a_right_tool() -> None:
    sure = weighed(call("Sky.get", city=1.0), outcome("empty"))
    assert sure == pytest.approx(math.log(LEAST_DOUBT + (1 - LEAST_DOUBT) * math.exp(EMPTY)))


def test_failures_of_access_do_not_depend_on_values() -> None:
    for kind in ("auth", "connection", "protocol"):
        doubtful = trial("Sky.get", planned=call("Sky.get", city=0.1), executed=failed(kind))
        assert our_doing(doubtful) == 0 and broken(doubtful)


def test_a_page_that_is_not_there_is_gone_for_certain_only_where_no_value_was_sent() -> None:
    gone = outcome("drift")
    assert weighed(call("Sky.get", city=0.3), gone) > weighed(call("Sky.get"), gone) + 5


def test_there_are_none_is_an_answer() -> None:
    none = succeeded("[]").model_copy(update={"says_none": True})
    found = trial("Sky.list", executed=none)
    assert failure_weight(found) == 0 and not broken(found)


def order(
    *trials: Trial, writes: tuple[str, ...] = (), text: str = "Find me a flight."
) -> list[str]:
    tools = [
        tool(each.tool_id, method="POST" if each.tool_id in writes else "GET", server=SERVER)
        for each in trials
    ]
    reranker = EvidenceReranker(Catalog.from_tools(tools))
    ranking = asyncio.run(reranker.rerank(request(text), trials))
    return [ranked.tool_id for ranked in ranking.tools]


def scored(found: Trial, score: float) -> Trial:
    return found.model_copy(update={"retrieval_score": score})


@pytest.mark.parametrize("kind", ["empty", "rejected_arguments", "drift"])
def test_what_was_not_tried_does_not_pass_what_failed_by_our_values(kind: FailureKind) -> None:
    ours = outcome(kind, "request", ("city",))
    right = scored(trial("Sky.get", 1, planned=call("Sky.get", city=0.9), executed=ours), 0.5)
    write = scored(trial("Sky.put", 2, executed=KEPT_IN, simulated=MADE_UP), 0.45)
    assert order(right, write, writes=("Sky.put",)) == ["Sky.get", "Sky.put"]


def test_what_was_not_tried_passes_a_tool_that_is_broken() -> None:
    dead = scored(trial("Sky.get", 1, executed=failed("connection")), 0.5)
    write = scored(trial("Sky.put", 2, executed=KEPT_IN, simulated=MADE_UP), 0.45)
    assert order(dead, write, writes=("Sky.put",)) == ["Sky.put", "Sky.get"]


def test_what_was_not_tried_keeps_a_place_that_it_had_before() -> None:
    ours = outcome("rejected_arguments", "request")
    failing = scored(trial("Sky.get", 2, planned=call("Sky.get", city=0.9), executed=ours), 0.3)
    write = scored(trial("Sky.put", 1, executed=KEPT_IN, simulated=MADE_UP), 0.6)
    assert order(failing, write, writes=("Sky.put",)) == ["Sky.put", "Sky.get"]


def lacking(tool_id: str, score: float) -> Trial:
    unplanned = Outcome(status="refused", source="none")
    return scored(trial(tool_id, 1, planned=refusal(tool_id, "id"), executed=unplanned), score)


def test_what_lacks_a_value_does_not_stand_before_what_did_the_same_without_it() -> None:
    did = scored(trial("Jobs.getFlowByName", 2, planned=call("Jobs.getFlowByName", name=0.9)), 0.3)
    assert order(lacking("Jobs.getFlowById", 0.9), did) == [did.tool_id, "Jobs.getFlowById"]


def test_what_lacks_a_value_keeps_its_place_before_what_does_another_thing() -> None:
    other = scored(trial("Jobs.listWorkers", 2), 0.3)
    assert order(lacking("Jobs.getFlowById", 0.9), other) == ["Jobs.getFlowById", other.tool_id]


def test_there_are_none_does_not_count_as_having_done_it() -> None:
    none = succeeded("[]").model_copy(update={"says_none": True})
    listed = scored(trial("Jobs.listFlows", 2, executed=none), 0.3)
    assert order(lacking("Jobs.getFlowById", 0.9), listed) == ["Jobs.getFlowById", listed.tool_id]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("getFlowById", "list_flows", True),
        ("get_user_by_email", "getUser", True),
        ("getFlow", "getFlowRun", False),
        ("get", "list", False),
    ],
)
def test_two_operations_serve_one_need_where_their_names_name_one_thing(
    one: str, other: str, same: bool
) -> None:
    mine, theirs = needs(tool(f"Jobs.{one}")), needs(tool(f"Jobs.{other}"))
    assert bool(mine and mine == theirs) == same


QUESTION = "What became of issue 17 of the shop?"


def reading(tool_id: str, score: float, *spans: tuple[int, int]) -> Trial:
    """A call that takes these parts of the request."""
    said = {
        f"p{number}": Argument(value="17", source="request", span=span)
        for number, span in enumerate(spans)
    }
    planned = CallPlan(tool_id=ToolId(tool_id), arguments=said)
    return scored(trial(tool_id, 1, planned=planned), score)


def kept_in(tool_id: str, score: float, *spans: tuple[int, int]) -> Trial:
    """The same of a tool that changes something, and so was not called."""
    found = reading(tool_id, score, *spans)
    return found.model_copy(update={"executed": KEPT_IN, "simulated": MADE_UP})


def test_a_question_is_for_what_read_it_and_not_for_what_would_change_it() -> None:
    read, write = reading("Bugs.get", 0.3, (15, 23)), kept_in("Bugs.resolve", 0.9, (15, 23))
    assert order(read, write, writes=("Bugs.resolve",), text=QUESTION)[0] == "Bugs.get"
    told = "Resolve issue 17 of the shop, please."
    assert order(read, write, writes=("Bugs.resolve",), text=told)[0] == "Bugs.resolve"
    german = "Was ist aus dem Vorgang 17 im Laden inzwischen geworden?"
    assert order(read, write, writes=("Bugs.resolve",), text=german)[0] == "Bugs.resolve"


@pytest.mark.parametrize("name", ["Bugs.describe", "Files.get_issue", "Files.reminder"])
def test_what_was_not_tried_does_not_pass_what_answered_with_the_same_values(name: str) -> None:
    """Whatever it would do, and wherever; what stood before it and reads stays there."""
    read, untried = reading("Bugs.get", 0.3, (15, 23)), kept_in(name, 0.9, (15, 23))
    behind = untried.model_copy(update={"rank_before": 2})
    assert order(read, behind, text=QUESTION) == ["Bugs.get", name]
    ahead = read.model_copy(update={"rank_before": 2})
    assert order(ahead, untried, text=QUESTION) == [name, "Bugs.get"]


def test_what_took_more_of_the_request_is_not_put_behind_what_took_less() -> None:
    read = reading("Bugs.get", 0.3, (15, 23))
    write = kept_in("Bugs.note", 0.9, (15, 23), (31, 35))
    assert order(read, write, writes=("Bugs.note",), text=QUESTION)[0] == "Bugs.note"


def test_what_read_nothing_of_the_request_puts_nobody_behind() -> None:
    read, write = reading("Bugs.list", 0.3), kept_in("Bugs.resolve", 0.9, (15, 23))
    assert order(read, write, writes=("Bugs.resolve",), text=QUESTION)[0] == "Bugs.resolve"


def behind(found: Trial) -> Trial:
    return found.model_copy(update={"rank_before": 2})


@pytest.mark.parametrize(
    "other",
    [
        kept_in("Files.reminder", 0.9, (15, 23), (31, 35)),
        lacking("Files.reminder", 0.9),
        scored(trial("Files.reminder", executed=failed("timeout")), 0.99),
    ],
    ids=["not tried", "refused", "timed out"],
)
def test_what_was_behind_an_answer_passes_it_with_an_answer_only(other: Trial) -> None:
    read = reading("Bugs.list", 0.3)
    assert order(read, behind(other), text=QUESTION) == ["Bugs.list", "Files.reminder"]
    assert order(read, other, text=QUESTION) == ["Files.reminder", "Bugs.list"]
    answered = behind(reading("Files.reminder", 0.9, (15, 23)))
    assert order(read, answered, text=QUESTION) == ["Files.reminder", "Bugs.list"]


def test_what_is_to_change_something_passes_an_answer_where_that_is_asked() -> None:
    read, write = reading("Bugs.list", 0.3), behind(kept_in("Bugs.resolve", 0.9, (15, 23)))
    told = "Resolve issue 17 of the shop, please."
    assert order(read, write, writes=("Bugs.resolve",), text=told)[0] == "Bugs.resolve"


def test_refusals_behind_stabletoolbench_show_nothing() -> None:
    """What its documents call required is often not."""
    read, other = reading("Bugs.list", 0.3), behind(lacking("Files.reminder", 0.9))
    tools = [tool(each.tool_id, binding=VIRTUAL) for each in (read, other)]
    ranker = EvidenceReranker(Catalog.from_tools(tools))
    ranking = asyncio.run(ranker.rerank(request(QUESTION), [read, other]))
    assert ranking.tools[0].tool_id == "Files.reminder"


def test_that_there_are_none_says_little_against_a_tool() -> None:
    plan, empty = call("Sky.get", city=0.97), outcome("empty")
    assert weighed(plan, empty) < NONE_OF
    assert weighed(plan, empty.model_copy(update={"says_none": True})) == NONE_OF
    unsure = call("Sky.get", city=0.1)
    assert weighed(unsure, empty.model_copy(update={"says_none": True})) == weighed(unsure, empty)


def test_an_answer_that_names_what_was_left_out_is_as_good_as_a_refusal() -> None:
    rejected = outcome("rejected_arguments", "request", ("sheet",))
    lacking = trial("Sky.get", planned=call("Sky.get"), executed=rejected)
    known = trial("Sky.get", planned=call("Sky.get", sheet=0.9), executed=rejected)
    assert failure_weight(lacking) == 0 and failure_weight(known) < 0
    evidence = soft_evidence(lacking, tool("Sky.get"), Grounding())
    assert evidence["refused"] == 1 and "refused" not in soft_evidence(
        known, tool("Sky.get"), Grounding()
    )
