"""Two tools that took the same words of a request: the one that answered stands before."""

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
    tool_id: str, rank: int, score: float, outcome: Outcome, span: tuple[int, int] = CODE
) -> Trial:
    value = Argument(value="s.Committee", source="request", span=span, confidence=0.6)
    plan = CallPlan(tool_id=ToolId(tool_id), arguments={"id": value})
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
