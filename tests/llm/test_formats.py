"""Endpoints that know less than OpenAI's: other reply formats, no temperature, streams."""

import pytest
from adding import asked

from gretel.contracts.budget import Usage
from gretel.contracts.errors import ConfigurationError, ModelReplyError, ServiceUnreachable
from gretel.llm.ledger import collect_usage
from gretel.llm.model import StructuredModel, open_model
from llm_server import Call, LlmServer, Reply, fenced, good, refusal, status, text


@pytest.mark.parametrize(
    ("json_mode", "form"), [(True, {"type": "json_object"}), (False, None)], ids=["json", "text"]
)
async def test_a_lesser_format_is_found_once_and_kept(
    llm: LlmServer, json_mode: bool, form: object
) -> None:
    llm.json_schema, llm.json_mode = False, json_mode
    llm.script("add", good({"sum": 2}))
    model = llm.model()

    assert [await asked(model), await asked(model)] == [2, 2]

    assert len(llm.rejected) == (2 if json_mode else 3)
    for call in llm.requests:
        assert call.step == "add"
        assert call.body.get("response_format") == form
        assert '"required": ["sum"]' in call.body["messages"][0]["content"]


async def test_instructions_alone_get_a_fenced_reply_repaired(llm: LlmServer) -> None:
    llm.json_schema = llm.json_mode = False
    llm.script("add", text("two"), fenced({"sum": 2}))

    assert await asked(llm.model()) == 2


async def test_temperature_is_dropped_where_it_is_rejected(llm: LlmServer) -> None:
    def reasoning(call: Call) -> Reply:
        if "temperature" in call.body:
            return status(400, "Unsupported value: 'temperature' does not support 0.0")
        return good({"sum": 2})

    llm.script("add", reasoning)
    model = llm.model()

    assert [await asked(model), await asked(model)] == [2, 2]

    tried = ["temperature" in call.body for call in llm.requests]
    assert tried == [True, False, False]
    assert all(call.body["response_format"]["type"] == "json_schema" for call in llm.requests)


async def test_a_rejection_of_every_format_is_the_questions_fault(llm: LlmServer) -> None:
    llm.script("add", status(400, "the prompt offends"))

    with pytest.raises(ModelReplyError, match="rejected the request with 400.*offends"):
        await asked(llm.model())

    assert len(llm.requests) == 4


async def test_once_accepted_a_format_is_not_doubted(llm: LlmServer) -> None:
    llm.script("add", good({"sum": 2}), status(400), good({"sum": 4}))
    model = llm.model()

    assert await asked(model) == 2
    with pytest.raises(ModelReplyError):
        await asked(model)
    assert await asked(model) == 4
    assert len(llm.requests) == 3


async def test_a_model_that_the_endpoint_does_not_serve(llm: LlmServer) -> None:
    llm.script("add", status(404, "no such model"))

    with pytest.raises(ConfigurationError, match="does not serve openai:test") as caught:
        await asked(llm.model())

    assert caught.value.field == "model"


async def test_a_prompt_beyond_the_context_is_not_sent_again(llm: LlmServer) -> None:
    llm.script("add", status(400, "context_length_exceeded: too long"))

    with pytest.raises(ModelReplyError, match="longer than openai:test can read"):
        await asked(llm.model())

    assert len(llm.requests) == 1


def streaming(llm: LlmServer) -> StructuredModel:
    """A caller's own chat model, which streams."""
    from langchain_openai import ChatOpenAI

    chat = ChatOpenAI(
        model="test",
        base_url=llm.url,
        api_key=llm.api_key,
        streaming=True,
        stream_usage=True,
        max_retries=0,
    )
    return open_model(chat)


@pytest.mark.slow
async def test_a_given_model_may_stream(llm: LlmServer) -> None:
    llm.script("add", good({"sum": 2}))

    with collect_usage() as ledger:
        assert await asked(streaming(llm)) == 2

    assert llm.requests[0].body["stream"] is True
    assert ledger.usage.prompt_tokens == 100


@pytest.mark.slow
async def test_a_streamed_refusal_is_a_refusal(llm: LlmServer) -> None:
    llm.script("add", refusal("I do not add."))

    with pytest.raises(ModelReplyError, match="refused"):
        await asked(streaming(llm))


@pytest.mark.slow
async def test_a_given_model_falls_back_to_instructions(llm: LlmServer) -> None:
    llm.json_schema = False
    llm.script("add", good({"sum": 2}))

    assert await asked(streaming(llm)) == 2
    assert "response_format" not in llm.requests[0].body


async def test_a_given_model_without_structured_output() -> None:
    from langchain_core.language_models import FakeListChatModel

    model = open_model(FakeListChatModel(responses=["Here: {}", '{"sum": 2}']))

    with collect_usage() as ledger:
        assert await asked(model) == 2

    assert model.name == "FakeListChatModel"
    assert ledger.usage == Usage(llm_calls=2)


async def test_a_given_model_retries_by_itself_or_not_at_all(llm: LlmServer) -> None:
    llm.script("add", status(500), good({"sum": 2}))

    with pytest.raises(ServiceUnreachable, match="ChatOpenAI:test kept answering 500"):
        await asked(streaming(llm))

    assert len(llm.requests) == 1
