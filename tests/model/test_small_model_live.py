"""With a real model in the loop: `make model` runs these; nothing else does."""

import os
from collections.abc import AsyncIterator, Iterator

import pytest
from small_model import SmallModel, missing

from fakes import FakeRetriever, param, request, tool
from gretel.catalog import Catalog
from gretel.contracts.calibration import STEPS
from gretel.contracts.errors import ModelReplyError
from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject
from gretel.graph.selector import Selector
from gretel.llm.ledger import collect_usage
from gretel.llm.model import StructuredModel
from gretel.llm.sending import ModelLimits
from model_steps import SEARCH, asking

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("GRETEL_SMALL_MODEL"), reason="make model"),
]
PATIENT = ModelLimits(request_s=300.0, total_s=600.0)
ASK = request("Fly me from SFO to Oslo on 2026-12-01, business class.")
QUESTION = [Message(role="user", content="Tell a story about the sea, as JSON.")]
STORY: JsonObject = {
    "type": "object",
    "properties": {"story": {"type": "string", "minLength": 600, "maxLength": 900}},
    "required": ["story"],
}


@pytest.fixture(scope="module")
def server() -> Iterator[SmallModel]:
    if why := missing():
        pytest.skip(why)
    with SmallModel() as running:
        yield running


@pytest.fixture
async def model(server: SmallModel) -> AsyncIterator[StructuredModel]:
    opened: StructuredModel = server.model(limits=PATIENT, temperature=1.0)
    yield opened
    await opened.aclose()


@pytest.mark.parametrize("step", STEPS)
async def test_a_step_ends_in_a_record_or_a_named_error(model: StructuredModel, step: str) -> None:
    try:
        assert await asking(model, SEARCH)[step](ASK)
    except ModelReplyError as error:
        assert model.name in str(error)
    assert model.form == "a JSON Schema with all its bounds, cap by max_tokens"


async def test_a_reply_is_cut_at_its_cap_and_not_asked_for_again(model: StructuredModel) -> None:
    with collect_usage(max_reply=24) as ledger, pytest.raises(ModelReplyError, match="cut at its"):
        await model.reply(QUESTION, STORY, lambda reply: reply, step="story")

    assert (ledger.usage.llm_calls, ledger.usage.completion_tokens) == (1, 24)


async def test_a_selection_with_the_model_offers_what_one_without_it_does(
    server: SmallModel,
) -> None:
    tools = [SEARCH, tool("Sea.ferries", "Search ferries.", params=[param("city")])]
    offered = []
    for model in (None, server.model()):
        selector = Selector(
            Catalog.from_tools(tools),
            retriever=FakeRetriever(tools),
            model=model,
            calibration="all",
        )
        try:
            selection = await selector.aselect(ASK.text, budget={"wall_s": 60.0})
        finally:
            await selector.aclose()
        offered.append({place.tool_id for place in selection.tools})

    assert offered[0] == offered[1]
