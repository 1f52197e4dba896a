from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langgraph.runtime import Runtime

from fakes import FakeRetriever, tool
from gretel.contracts.errors import InputError
from gretel.contracts.ranking import Message, Request
from gretel.nodes.context import Context
from gretel.nodes.conversation import LONGEST, in_view
from gretel.nodes.request import read_messages
from gretel.nodes.retrieve.node import retrieve_node
from gretel.nodes.state import State

ASKED = Message(role="user", content="What is the weather in Oslo?")
ANSWERED = Message(role="assistant", content="Rain. Shall I book a hotel?")


def request(text: str, *messages: Message) -> Request:
    return Request(text=text, messages=messages, today="2025-01-15")


@pytest.mark.parametrize("text", ["And in Bergen?", "Bergen, please."])
def test_a_follow_up_is_read_behind_what_the_user_said(text: str) -> None:
    seen = in_view(request(text, ASKED, ANSWERED))

    assert seen == f"{ASKED.content}\n{text}"


def test_a_request_that_goes_on_leans_on_it_however_long() -> None:
    text = "And the same for " + ", ".join(["Bergen"] * LONGEST)

    assert in_view(request(text, ASKED)).startswith(ASKED.content)


def test_a_long_request_speaks_for_itself() -> None:
    text = "Find me " + "a very " * LONGEST + "cheap flight."

    assert in_view(request(text, ASKED, ANSWERED)) == text


def test_without_turns_of_the_user_the_request_stands_alone() -> None:
    assert in_view(request("And in Bergen?")) == "And in Bergen?"
    assert in_view(request("And in Bergen?", ANSWERED)) == "And in Bergen?"
    repeated = Message(role="user", content="And in Bergen?")
    assert in_view(request("And in Bergen?", repeated)) == "And in Bergen?"


def test_only_the_latest_turns_are_looked_at() -> None:
    turns = [Message(role="user", content=f"turn {number}") for number in range(9)]

    assert in_view(request("go on", *turns)) == "turn 6\nturn 7\nturn 8\ngo on"


def test_of_a_document_that_was_pasted_the_beginning_is_looked_at() -> None:
    pasted = Message(role="user", content="Translate this. " + "la " * 100_000)

    seen = in_view(request("Into Polish", pasted))

    assert seen.startswith("Translate this.") and seen.endswith("\nInto Polish")
    assert len(seen) < 3_000


async def test_the_retriever_is_asked_in_view_of_the_conversation() -> None:
    retriever = FakeRetriever([tool("weather.forecast")])
    state: State = {"request": "And in Bergen?", "messages": [ASKED.model_dump(mode="json")]}

    await retrieve_node(retriever)(state, runtime=Runtime(context=Context()))

    (call,) = retriever.calls
    assert [query.text for query in call.arguments["queries"]] == [
        f"{ASKED.content}\nAnd in Bergen?"
    ]


PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
CALL = {"name": "weather", "args": {"city": "Oslo"}, "id": "1"}


@pytest.mark.parametrize(
    ("entry", "read"),
    [
        (HumanMessage([{"type": "text", "text": "In Oslo?"}, PICTURE]), ("user", "In Oslo?")),
        (HumanMessage(["In", "Oslo?"]), ("user", "In\nOslo?")),
        (AIMessage([{"type": "reasoning"}], tool_calls=[CALL]), ("assistant", "")),
        (AIMessageChunk([{"type": "text", "text": "Rain."}]), ("assistant", "Rain.")),
        (ToolMessage([{"type": "text", "text": "rain"}], tool_call_id="1"), ("tool", "rain")),
        ({"role": "assistant", "content": None, "tool_calls": [CALL]}, ("assistant", "")),
        ({"role": "assistant", "content": [{"type": "output_text", "text": "Rain."}]},
         ("assistant", "Rain.")),
        ({"role": "developer", "content": "Be short."}, ("system", "Be short.")),
    ],
)  # fmt: skip
def test_turns_are_read_as_models_write_them(entry: Any, read: tuple[str, str]) -> None:
    message = read_messages([entry])[0]

    assert (message.role, message.content) == read


@pytest.mark.parametrize(
    "content", [None, 3, {"text": "x"}, [3], [{"text": "x"}], [{"type": "text", "text": 3}]]
)
def test_what_is_no_content_is_refused(content: Any) -> None:
    with pytest.raises(InputError, match=r"^messages: "):
        read_messages([{"role": "user", "content": content}])
