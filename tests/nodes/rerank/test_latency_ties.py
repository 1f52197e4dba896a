"""Of two tools that answer the same need about as well the faster one comes first."""

import asyncio

import pytest

from fakes import SERVER, request, succeeded, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import Argument, CallPlan, Trial
from gretel.nodes.rerank.evidence import EvidenceReranker
from gretel.text.span import Span

ROME, WEEK = (0, 4), (5, 9)


def took(tool_id: str, rank: int, ms: float, *spans: Span, score: float) -> Trial:
    """A success that takes these parts of the request."""
    said = {
        f"p{number}": Argument(value="Rome", source="request", span=span, confidence=0.9)
        for number, span in enumerate(spans)
    }
    plan = CallPlan(tool_id=ToolId(tool_id), arguments=said)
    found = trial(tool_id, rank, planned=plan, executed=succeeded(latency_ms=ms))
    return found.model_copy(update={"retrieval_score": score})


def first(*trials: Trial) -> str:
    catalog = Catalog.from_tools(tool(each.tool_id, server=SERVER) for each in trials)
    ranking = asyncio.run(EvidenceReranker(catalog).rerank(request("Rome next week"), trials))
    return ranking.tools[0].tool_id


def test_what_takes_longer_of_one_toolkit_is_not_put_behind() -> None:
    slower = took("Http.delay", 1, 3_000, ROME, score=0.49)
    assert first(slower, took("Http.get", 2, 20, ROME, score=0.48)) == "Http.delay"


@pytest.mark.parametrize(("spans", "score"), [((ROME,), 0.48), ((ROME, WEEK), 0.3)])
def test_of_two_toolkits_the_faster_one_comes_first(spans: tuple[Span, ...], score: float) -> None:
    slower = took("Sky.find", 1, 3_000, *spans, score=0.49)
    assert first(slower, took("Air.find", 2, 20, *spans, score=score)) == "Air.find"


def test_one_value_that_both_take_does_not_make_them_alike() -> None:
    """Tools for quite other things take a number or a name."""
    slower = took("Sky.find", 1, 3_000, ROME, score=0.49)
    assert first(slower, took("Air.find", 2, 20, ROME, score=0.3)) == "Sky.find"
