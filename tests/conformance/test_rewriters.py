"""What every `QueryRewriter` promises."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from scripted_models import scripted_model

from fakes import FakeRewriter, failed, refusal, request, tool, trial
from gretel.catalog import Catalog
from gretel.contracts.protocols import QueryRewriter
from llm_server import Call, Reply, good

Make = Callable[[], AbstractAsyncContextManager[QueryRewriter]]


@asynccontextmanager
async def fake() -> AsyncIterator[QueryRewriter]:
    yield FakeRewriter()


@asynccontextmanager
async def llm() -> AsyncIterator[QueryRewriter]:
    from gretel.nodes.rewrite.llm import LlmRewriter

    async with scripted_model(rewrite=imagined) as model:
        yield LlmRewriter(model)


def imagined(call: Call) -> Reply:
    """A model that thinks of another kind of tool once some were tried."""
    return good({"queries": ["other means of travel" if call.block("tried") else "search travel"]})


@asynccontextmanager
async def feedback() -> AsyncIterator[QueryRewriter]:
    from gretel.nodes.rewrite.feedback import FeedbackRewriter

    yield FeedbackRewriter(Catalog.from_tools([tool("Kayak.search_flights")]))


@asynccontextmanager
async def generative() -> AsyncIterator[QueryRewriter]:
    from gretel.nodes.rewrite.generative.rewriter import GenerativeRewriter
    from writer_models import Says

    catalog = Catalog.from_tools([tool("Kayak.search_flights")])
    yield GenerativeRewriter(Says("search flights: Flights of an airline."), 0.3, catalog)


@asynccontextmanager
async def generative_silent() -> AsyncIterator[QueryRewriter]:
    """What it wrote did not help."""
    from gretel.nodes.rewrite.generative.rewriter import GenerativeRewriter

    yield GenerativeRewriter(None, 0.0, Catalog.from_tools([tool("Kayak.search_flights")]))


MAKERS: dict[str, Make] = {
    "fake": fake,
    "llm": llm,
    "feedback": feedback,
    "generative": generative,
    "generative_silent": generative_silent,
}


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Make:
    return MAKERS[request.param]


async def test_there_is_always_a_query(make: Make, text: str) -> None:
    async with make() as rewriter:
        queries = await rewriter.rewrite(request(text))

    assert queries
    assert all(query.origin in ("request", "part", "rewrite") for query in queries)


async def test_feedback_aims_elsewhere(make: Make) -> None:
    tried = [
        trial("Kayak.search_flights", 1, executed=failed("server_error")),
        trial("FlightsPro.search", 2, planned=refusal("FlightsPro.search", "carrier_code")),
    ]
    async with make() as rewriter:
        first = await rewriter.rewrite(request())
        second = await rewriter.rewrite(request(), tried)

    assert second
    assert [query.text for query in second] != [query.text for query in first]
    assert {"feedback"} <= {query.origin for query in second} <= {"request", "feedback"}


async def test_no_trials_are_no_feedback(make: Make) -> None:
    async with make() as rewriter:
        assert await rewriter.rewrite(request(), []) == await rewriter.rewrite(request())
