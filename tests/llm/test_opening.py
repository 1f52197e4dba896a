"""Opening a model: names, keys, endpoints, loops and threads."""

import asyncio
import subprocess
import sys
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest
from adding import MESSAGES, SCHEMA, asked, even

from gretel.contracts.errors import ConfigurationError
from gretel.llm.endpoint import present_key
from gretel.llm.model import open_model
from llm_server import QUICK, LlmServer, good, slow


@pytest.mark.parametrize("name", ["gpt-4o", "anthropic:claude", "openai:", "openai: ", ":x", ""])
def test_a_name_that_opens_nothing(name: str) -> None:
    with pytest.raises(ConfigurationError, match="Write openai:NAME") as caught:
        open_model(name, api_key="k")

    assert caught.value.field == "model"


def test_an_object_that_is_no_chat_model() -> None:
    model: Any = object()
    with pytest.raises(ConfigurationError, match="object is not a chat model"):
        open_model(model)


def test_a_missing_key_has_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY: no API key for openai:test"):
        open_model("openai:test")


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host/v1", "https://", "x"])
def test_a_base_url_that_is_none(url: str) -> None:
    with pytest.raises(ConfigurationError, match="OPENAI_BASE_URL: is not an http"):
        open_model("openai:test", base_url=url, api_key="k")


async def test_key_and_endpoint_come_from_the_environment(
    llm: LlmServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", llm.api_key)
    monkeypatch.setenv("OPENAI_BASE_URL", llm.url)
    llm.script("add", good({"sum": 2}))

    assert await asked(open_model("openai:org/some-model:free")) == 2
    assert llm.requests[0].body["model"] == "org/some-model:free"


async def test_arguments_win_over_the_environment(
    llm: LlmServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "other")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    llm.script("add", good({"sum": 2}))

    assert await asked(llm.model()) == 2


async def test_a_temperature_may_be_left_to_the_model(llm: LlmServer) -> None:
    llm.script("add", good({"sum": 2}))

    await asked(llm.model(temperature=None))

    assert "temperature" not in llm.requests[0].body


async def test_no_more_requests_at_a_time_than_allowed(llm: LlmServer) -> None:
    llm.script("add", slow({"sum": 2}, 0.05))
    model = llm.model(limits=replace(QUICK, concurrency=3))

    async with aclosing(model):
        await asyncio.gather(*(model.reply(MESSAGES, SCHEMA, even, step="add") for _ in range(10)))

    assert len(llm.requests) == 10
    assert llm.peak == 3


def test_one_model_serves_one_loop_after_the_other(llm: LlmServer) -> None:
    llm.keep_alive = True
    llm.script("add", good({"sum": 2}))
    model = llm.model()

    assert [asyncio.run(asked(model)) for _ in range(3)] == [2, 2, 2]


async def test_one_model_serves_loops_at_the_same_time(llm: LlmServer) -> None:
    llm.script("add", slow({"sum": 2}, 0.05))
    model = llm.model()

    sums = await asyncio.gather(
        asked(model), *(asyncio.to_thread(asyncio.run, asked(model)) for _ in range(3))
    )

    assert sums == [2, 2, 2, 2]


async def test_a_closed_model_opens_again(llm: LlmServer) -> None:
    llm.keep_alive = True
    llm.script("add", good({"sum": 2}))
    model = llm.model()

    assert [await asked(model), await asked(model)] == [2, 2]
    await model.aclose()


async def test_langgraph_message_streams_do_not_split_replies(llm: LlmServer) -> None:
    from langgraph.graph import StateGraph
    from typing_extensions import TypedDict

    class State(TypedDict):
        sum: int

    llm.script("add", good({"sum": 2}))
    model = llm.model()

    async def add(state: State) -> State:
        return {"sum": await asked(model)}

    graph = StateGraph(State)
    graph.add_node("add", add)
    graph.set_entry_point("add")
    compiled = graph.compile()
    parts = [
        part async for part in compiled.astream({"sum": 0}, stream_mode=["messages", "values"])
    ]

    assert parts[-1] == ("values", {"sum": 2})
    assert llm.requests[0].body["stream"] is False


NOTHING_BLOCKS = """
import asyncio, sys
from blockbuster import blockbuster_ctx
from gretel.contracts.ranking import Message
from gretel.llm.endpoint import present_key
from gretel.llm.model import open_model

async def main():
    model = open_model("openai:test", base_url=sys.argv[1], api_key=sys.argv[2])
    said = await model.reply(
        [Message(role="user", content="?")], {"type": "object"}, lambda reply: reply, step="add"
    )
    await model.aclose()
    return said

with blockbuster_ctx():
    print(asyncio.run(main()))
"""


@pytest.mark.slow
def test_nothing_blocks_the_event_loop(llm: LlmServer) -> None:
    """`langgraph dev` forbids blocking calls, first of all the import of the client."""
    pytest.importorskip("blockbuster")
    llm.script("add", good({"sum": 2}))

    run = subprocess.run(
        [sys.executable, "-c", NOTHING_BLOCKS, llm.url, llm.api_key],
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.stdout == "{'sum': 2}\n", run.stderr


@pytest.mark.parametrize("key", ["sk-a\nb", "sk-\x00", "sk-\u00e9"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(ConfigurationError, match="no usable key") as raised:
        open_model("openai:test", base_url="http://127.0.0.1:9/v1", api_key=key)
    assert key not in str(raised.value)


@pytest.mark.parametrize("blank", ["\n", "\r\n", " "])
def test_blanks_around_a_key_are_not_sent(blank: str) -> None:
    assert present_key("openai:test", f"{blank}sk-a{blank}") == "sk-a"
