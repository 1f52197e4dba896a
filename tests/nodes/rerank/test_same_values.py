"""Tools that took the same words of a request: what answered, or took more, stands before."""

import asyncio

import pytest

from fakes import SERVER, failed, succeeded, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.ranking import Request
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Argument, CallPlan, FailureKind, Outcome, Trial
from gretel.nodes.rerank.evidence import EvidenceReranker

TEXT = "Until when is session s.Committee valid?"
CODE, WORD = (22, 33), (14, 21)


def called(
    tool_id: str,
    rank: int,
    score: float,
    outcome: Outcome,
    *spans: tuple[int, int],
    sure: float = 0.6,
) -> Trial:
    values = {
        f"value{n}": Argument(value=TEXT[a:b], source="request", span=(a, b), confidence=sure)
        for n, (a, b) in enumerate(spans or (CODE,))
    }
    plan = CallPlan(tool_id=ToolId(tool_id), arguments=values)
    return trial(tool_id, rank, planned=plan, executed=outcome).model_copy(
        update={"retrieval_score": score}
    )


def order(*trials: Trial, servers: tuple[str, str] = (SERVER, SERVER)) -> list[str]:
    tools = [tool(t.tool_id, server=s) for t, s in zip(trials, servers, strict=True)]
    asked = Request(text=TEXT, today="2026-01-01")
    ranking = asyncio.run(EvidenceReranker(Catalog.from_tools(tools)).rerank(asked, trials))
    return [str(each.tool_id) for each in ranking.tools]


@pytest.mark.parametrize("kind", ["rejected_arguments", "error_in_body"])
def test_a_failure_stands_behind_the_sibling_that_answered_to_the_same_value(
    kind: FailureKind,
) -> None:
    author = called("Pads.author", 1, 0.5, failed(kind, "request"))
    session = called("Pads.session", 2, 0.02, succeeded())
    assert order(author, session) == ["Pads.session", "Pads.author"]


def test_a_failure_with_another_value_or_of_another_toolkit_is_weighed_alone() -> None:
    refused = failed("rejected_arguments", "request")
    author = called("Pads.author", 1, 0.5, refused)
    other = called("Pads.session", 2, 0.02, succeeded(), WORD)
    assert order(author, other) == ["Pads.author", "Pads.session"]
    foreign = called("Maps.session", 2, 0.02, succeeded())
    servers = (SERVER, "https://maps.example")
    assert order(author, foreign, servers=servers) == ["Pads.author", "Maps.session"]


def test_what_no_value_causes_is_weighed_alone() -> None:
    author = called("Pads.author", 1, 0.9, failed("timeout"))
    session = called("Pads.session", 2, 0.02, succeeded())
    assert order(author, session) == ["Pads.author", "Pads.session"]


def test_a_true_answer_that_there_are_none_is_no_failure() -> None:
    none = succeeded("[]").model_copy(update={"status": "empty", "says_none": True})
    author = called("Pads.author", 1, 0.9, none)
    session = called("Pads.session", 2, 0.02, succeeded())
    assert order(author, session) == ["Pads.author", "Pads.session"]


@pytest.mark.parametrize("kind", ["rejected_arguments", "server_error"])
def test_a_failure_with_a_doubtful_value_stands_behind_the_sibling_that_answered(
    kind: FailureKind,
) -> None:
    author = called("Pads.author", 1, 0.5, failed(kind), WORD, sure=0.2)
    session = called("Pads.session", 2, 0.1, succeeded())
    assert order(author, session) == ["Pads.session", "Pads.author"]
    surer = called("Pads.author", 1, 0.9, failed(kind), WORD)
    assert order(surer, session) == ["Pads.author", "Pads.session"]


def test_a_failure_that_no_value_causes_is_not_the_doubtful_values() -> None:
    author = called("Pads.author", 1, 0.9, failed("timeout"), WORD, sure=0.2)
    session = called("Pads.session", 2, 0.02, succeeded())
    assert order(author, session) == ["Pads.author", "Pads.session"]


def test_what_took_all_that_its_sibling_did_and_more_stands_before() -> None:
    pad = called("Pads.pad", 1, 0.5, succeeded())
    session = called("Pads.session", 2, 0.02, succeeded(), CODE, WORD)
    assert order(pad, session) == ["Pads.session", "Pads.pad"]


def test_what_took_the_same_with_less_doubt_stands_before() -> None:
    pad = called("Pads.pad", 1, 0.5, succeeded())
    session = called("Pads.session", 2, 0.1, succeeded(), sure=0.97)
    assert order(pad, session) == ["Pads.session", "Pads.pad"]


@pytest.mark.parametrize(
    ("name", "outcome", "spans", "server"),
    [
        ("Pads.session", succeeded(), (WORD,), SERVER),
        ("Maps.session", succeeded(), (CODE, WORD), "https://maps.example"),
        ("Pads.session", failed("drift"), (CODE, WORD), SERVER),
    ],
    ids=["something else", "another toolkit", "not answered"],
)
def test_taking_more_tells_siblings_that_answered_apart_and_no_others(
    name: str, outcome: Outcome, spans: tuple[tuple[int, int], ...], server: str
) -> None:
    pad = called("Pads.pad", 1, 0.8, succeeded())
    other = called(name, 2, 0.02, outcome, *spans)
    assert order(pad, other, servers=(SERVER, server)) == ["Pads.pad", name]


def test_a_further_value_that_is_in_doubt_is_none() -> None:
    doubted = Argument(value="session", source="request", span=WORD, confidence=0.2)
    pad = called("Pads.pad", 1, 0.8, succeeded())
    session = called("Pads.session", 2, 0.02, succeeded())
    assert isinstance(session.plan, CallPlan)
    plan = session.plan.model_copy(update={"arguments": {**session.plan.arguments, "q": doubted}})
    assert order(pad, session.model_copy(update={"plan": plan})) == ["Pads.pad", "Pads.session"]
