"""What two calls for the same thing say of each other: who knows it, and who is faster."""

import asyncio

import pytest

from fakes import SERVER, failure, request, succeeded, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Argument, CallPlan, FailureKind, Outcome, Trial
from gretel.nodes.rerank.evidence import EvidenceReranker
from gretel.text.span import Span

ROME, WEEK = (0, 4), (5, 9)


def asked(
    tool_id: str, rank: int, outcome: Outcome, *spans: Span, sure: float = 0.9, score: float = 0.5
) -> Trial:
    """A call that takes these parts of the request."""
    said = {
        f"p{number}": Argument(value="Rome", source="request", span=span, confidence=sure)
        for number, span in enumerate(spans)
    }
    plan = CallPlan(tool_id=ToolId(tool_id), arguments=said)
    found = trial(tool_id, rank, planned=plan, executed=outcome)
    return found.model_copy(update={"retrieval_score": score})


def missed(kind: FailureKind) -> Outcome:
    status = "empty" if kind == "empty" else "failed"
    found = failure(kind, "request")
    return Outcome(status=status, source="executed", failure=found, says_none=kind == "empty")


def order(*trials: Trial) -> list[str]:
    catalog = Catalog.from_tools(tool(each.tool_id, server=SERVER) for each in trials)
    ranking = asyncio.run(EvidenceReranker(catalog).rerank(request("Rome next week"), trials))
    return [ranked.tool_id for ranked in ranking.tools]


@pytest.mark.parametrize("kind", ["empty", "rejected_arguments"])
def test_a_service_that_knows_a_value_stands_before_one_that_does_not(kind: FailureKind) -> None:
    knows = asked("Air.find", 2, succeeded(), ROME, score=0.02)
    unknown = asked("Sky.find", 1, missed(kind), ROME, score=0.9)
    assert order(unknown, knows) == ["Air.find", "Sky.find"]


def test_that_holds_for_what_was_surely_asked_for() -> None:
    knows = asked("Air.find", 2, succeeded(), ROME, score=0.02)
    both = asked("Sky.find", 1, missed("empty"), ROME, WEEK, score=0.9)
    unsure = asked("Sky.find", 1, missed("empty"), ROME, sure=0.3, score=0.9)
    for first in (both, unsure):
        assert order(first, knows) == ["Sky.find", "Air.find"]


def test_of_one_service_an_empty_list_may_be_the_answer() -> None:
    knows = asked("Sky.count", 2, succeeded(), ROME, score=0.02)
    none = asked("Sky.list", 1, missed("empty"), ROME, score=0.9)
    assert order(none, knows) == ["Sky.list", "Sky.count"]


def slow(tool_id: str, rank: int, ms: float, *spans: Span, score: float) -> Trial:
    return asked(tool_id, rank, succeeded(latency_ms=ms), *spans, score=score)


def test_what_takes_longer_of_one_toolkit_is_not_put_behind() -> None:
    slower = slow("Http.delay", 1, 3_000, ROME, score=0.49)
    assert order(slower, slow("Http.get", 2, 20, ROME, score=0.48)) == ["Http.delay", "Http.get"]


@pytest.mark.parametrize(("spans", "score"), [((ROME,), 0.47), ((ROME, WEEK), 0.3)])
def test_of_two_toolkits_the_faster_one_comes_first(spans: tuple[Span, ...], score: float) -> None:
    slower = slow("Sky.find", 1, 3_000, *spans, score=0.49)
    assert order(slower, slow("Air.find", 2, 20, *spans, score=score))[0] == "Air.find"


def test_one_value_that_both_take_does_not_make_them_alike() -> None:
    """Tools for quite other things take a number or a name."""
    slower = slow("Sky.find", 1, 3_000, ROME, score=0.49)
    assert order(slower, slow("Air.find", 2, 20, ROME, score=0.3))[0] == "Sky.find"
