"""What trials could not show speaks neither for a tool nor against it."""

import asyncio
from itertools import permutations

import pytest

from fakes import SERVER, failed, failure, plan, refusal, request, succeeded, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.tool import McpBinding, Tool, ToolId
from gretel.contracts.trial import Argument, CallPlan, FailureKind, Outcome, Trial
from gretel.nodes.rerank.evidence import EvidenceReranker
from gretel.nodes.rerank.failures import failure_weight
from gretel.nodes.rerank.unshown import Unshown, unshown

QUESTION, ORDER = "Which notes are there?", "Delete the note, please."


def kept_from(kind: FailureKind = "unsafe_method") -> Outcome:
    return Outcome(status="unavailable", source="none", failure=failure(kind, "ours"))


def mcp(tool_id: str) -> Tool:
    server, name = tool_id.split(".")
    return tool(tool_id).model_copy(update={"binding": McpBinding(server=server, tool=name)})


def http(tool_id: str, method: str = "GET") -> Tool:
    return tool(tool_id, method=method, server=SERVER)


def empty(fault: str = "tool") -> Outcome:
    cause = failure("empty", fault)
    return Outcome(status="empty", source="executed", failure=cause)


NONE = succeeded("[]").model_copy(update={"says_none": True})


def found(
    *trials: Trial, tools: list[Tool] | None = None, asked: bool | None = False
) -> list[Unshown]:
    catalog = Catalog.from_tools(tools or [http(each.tool_id) for each in trials])
    hidden = unshown(trials, catalog, asked)
    return [hidden[each.tool_id] for each in trials]


@pytest.mark.parametrize("kind", ["unsafe_method", "host_not_allowed", "missing_credential"])
def test_a_tool_that_reads_is_credited_where_it_was_kept_from_trying(kind: FailureKind) -> None:
    (hidden,) = found(trial("Notes.list", executed=kept_from(kind)), tools=[mcp("Notes.list")])
    assert hidden == Unshown(credit=1.0)


@pytest.mark.parametrize(("asked", "credit"), [(False, 0.0), (None, 0.0), (True, 1.0)])
def test_a_tool_that_changes_something_is_credited_where_a_change_is_asked_for(
    asked: bool | None, credit: float
) -> None:
    kept = trial("Notes.delete", executed=kept_from())
    (hidden,) = found(kept, tools=[http("Notes.delete", "DELETE")], asked=asked)
    assert hidden.credit == credit


@pytest.mark.parametrize(
    ("name", "credit"),
    [
        ("harbour.harbour_list_tides", 1.0),
        ("harbour.harbourShowTides", 1.0),
        ("harbour.harbour_delete_tide", 0.0),
        ("harbour.harbour_moor", 0.0),
        ("list.list_items", 1.0),
    ],
)
def test_the_name_of_its_server_in_front_of_an_mcp_tool_is_no_verb(
    name: str, credit: float
) -> None:
    (hidden,) = found(trial(name, executed=kept_from()), tools=[mcp(name)])
    assert hidden.credit == credit


def test_an_mcp_tool_whose_name_says_neither_may_be_the_change_that_is_asked_for() -> None:
    moor = trial("Notes.frobnicate", executed=kept_from())
    (hidden,) = found(moor, asked=True, tools=[mcp("Notes.frobnicate")])
    assert hidden.credit == 1.0


def test_nothing_is_credited_that_is_not_known_to_read_was_not_reached_or_has_no_call() -> None:
    odd = trial("Notes.frobnicate", executed=kept_from())
    assert found(odd, tools=[mcp("Notes.frobnicate")]) == [Unshown()]
    spent = trial("Notes.list", executed=kept_from("budget_spent"))
    assert found(spent) == [Unshown()]
    unplanned = Outcome(status="refused", source="none")
    lacking = trial("Notes.list", planned=refusal("Notes.list", "id"), executed=unplanned)
    assert found(lacking) == [Unshown()]


def test_where_nothing_of_a_toolkit_answers_each_shares_the_blame_with_the_others() -> None:
    trials = [
        trial("Notes.list", 1, executed=NONE),
        trial("Notes.get", 2, executed=empty("request")),
        trial("Notes.find", 3, executed=failed("error_in_body")),
        trial("Maps.get", 4, executed=succeeded()),
    ]
    listed, got, sought, other = found(*trials)
    assert listed.mute == got.mute == sought.mute == pytest.approx(2 / 3)
    assert listed.credit == got.credit == listed.mute, "an answer of nothing is an answer"
    assert sought.credit == 0
    assert other == Unshown()


def test_one_answer_of_a_toolkit_leaves_the_blame_with_those_that_gave_none() -> None:
    trials = [trial("Notes.list", 1, executed=succeeded()), trial("Notes.get", 2, executed=empty())]
    assert found(*trials) == [Unshown(), Unshown()]


def test_a_tool_that_is_tried_alone_has_nobody_to_share_with() -> None:
    alone = trial("Notes.list", 1, executed=empty())
    other = trial("Notes.get", 2, executed=kept_from())
    assert found(alone, other)[0] == Unshown()


def said(tool_id: str, *, span: tuple[int, int] = (8, 16)) -> CallPlan:
    value = Argument(value="KRAB0037", source="request", span=span, confidence=0.9)
    return CallPlan(tool_id=ToolId(tool_id), arguments={"id": value})


def test_a_toolkit_is_blamed_where_another_has_an_answer_for_the_same_values() -> None:
    trials = [
        trial("Notes.get", 1, planned=said("Notes.get"), executed=empty("request")),
        trial("Notes.find", 2, planned=said("Notes.find"), executed=empty()),
        trial("Notes.list", 3, executed=NONE),
        trial("Maps.get", 4, planned=said("Maps.get"), executed=succeeded()),
    ]
    got, sought, listed, _ = found(*trials)
    assert got == sought == Unshown(), "the values are the other's"
    assert listed.mute == pytest.approx(2 / 3), "it was asked for none of them"
    elsewhere = trial("Maps.get", 4, planned=said("Maps.get", span=(0, 5)), executed=succeeded())
    assert found(*trials[:3], elsewhere)[0].mute == pytest.approx(2 / 3)
    silent = trial("Maps.get", 4, planned=said("Maps.get"), executed=empty())
    assert found(*trials[:3], silent)[0].mute == pytest.approx(2 / 3)


def test_the_order_of_trials_changes_nothing() -> None:
    trials = [
        trial("Notes.list", 1, executed=NONE),
        trial("Notes.get", 2, executed=empty()),
        trial("Maps.get", 3, executed=kept_from()),
    ]
    catalog = Catalog.from_tools(http(each.tool_id) for each in trials)
    seen = [unshown(each, catalog, False) for each in permutations(trials)]
    assert all(each == seen[0] for each in seen)


@pytest.mark.parametrize("kind", ["empty", "irrelevant", "error_in_body", "drift"])
def test_a_failure_that_its_whole_toolkit_shows_weighs_little(kind: FailureKind) -> None:
    broken = trial("Notes.get", executed=failed(kind))
    assert failure_weight(broken) < -2
    assert failure_weight(broken, 0.75) > -0.4


@pytest.mark.parametrize("kind", ["auth", "connection", "timeout"])
def test_a_failure_that_no_call_can_cause_is_not_shared(kind: FailureKind) -> None:
    broken = trial("Notes.get", executed=failed(kind))
    assert failure_weight(broken, 0.75) == failure_weight(broken)


def order(*trials: Trial, tools: list[Tool], text: str = QUESTION) -> list[str]:
    reranker = EvidenceReranker(Catalog.from_tools(tools))
    ranking = asyncio.run(reranker.rerank(request(text), trials))
    return [ranked.tool_id for ranked in ranking.tools]


def scored(found: Trial, score: float) -> Trial:
    return found.model_copy(update={"retrieval_score": score})


def taking(tool_id: str) -> CallPlan:
    said = Argument(value="notes", source="request", span=(6, 11), confidence=0.6)
    return plan(tool_id).model_copy(update={"arguments": {"what": said}, "tool_id": tool_id})


def test_a_tool_of_another_toolkit_does_not_pass_for_being_allowed_alone() -> None:
    """An MCP tool that read the request best, and was not called; behind it one that was."""
    right = scored(trial("Notes.list", 1, planned=taking("Notes.list"), executed=kept_from()), 0.3)
    wrong = scored(trial("Shop.search", 2, planned=taking("Shop.search")), 0.2)
    tools = [mcp("Notes.list"), http("Shop.search")]
    assert order(right, wrong, tools=tools) == ["Notes.list", "Shop.search"]


def test_what_changes_keeps_its_place_before_what_read_where_a_change_is_asked_for() -> None:
    write = scored(trial("Notes.delete", 1, executed=kept_from()), 0.3)
    read = scored(trial("Notes.get", 2), 0.25)
    tools = [http("Notes.delete", "DELETE"), http("Notes.get")]
    assert order(write, read, tools=tools, text=ORDER)[0] == "Notes.delete"
    assert order(write, read, tools=tools)[0] == "Notes.get"


def test_a_service_that_holds_nothing_yet_keeps_its_tools_before_those_of_another() -> None:
    ours = [ToolId(f"Notes.list{each}") for each in ("Notes", "Books", "Tags")]
    empties = [
        scored(trial(each, rank, executed=NONE), 0.3 - rank / 50)
        for rank, each in enumerate(ours, 1)
    ]
    other = scored(trial("Shop.health", 4), 0.15)
    tools = [http(each) for each in (*ours, "Shop.health")]
    assert order(*empties, other, tools=tools) == [*ours, "Shop.health"]
