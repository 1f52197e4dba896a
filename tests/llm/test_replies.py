"""Replies that a model gives: usable at once, after one repair, or never."""

import json

import pytest
from adding import asked

from gretel.contracts.errors import ModelReplyError
from lanes import every
from llm_server import LlmServer, Reply, Script, fenced, good, refusal, text

USABLE: dict[str, Script] = {
    "json": good({"sum": 2}),
    "fenced": fenced({"sum": 2}),
    "prose": text('The sum is as follows: {"sum": 2}. Anything else?'),
    "braces before": text('A set {1, 2} gives {"sum": 2}'),
    "thinking": text('<think>{"sum": 4}? No.</think>\n{"sum": 2}'),
    "long finish": good({"sum": 2}, finish="length"),
}

UNUSABLE: dict[str, tuple[Script, str]] = {
    "no json": (text("two"), "not JSON"),
    "broken off": (text('{"sum": 2'), "not JSON"),
    "filtered": (Reply(None, finish="content_filter"), "empty"),
    "null": (Reply(None), "empty"),
    "blank": (text("  \n"), "empty"),
    "list": (text("[2]"), "not JSON"),
    "wrong type": (good({"sum": "two"}), 'sum: "two" is not of type "integer"'),
    "absent": (good({}), '"sum" is a required property'),
    "unknown": (good({"sum": 2, "more": 1}), "more"),
    "odd": (good({"sum": 3}), "3 is odd"),
    "nan": (text('{"sum": NaN}'), "NaN is not JSON"),
    "huge": (text('{"sum": 1' + "0" * 5_000 + "}"), "beyond 64 bits"),
    "deep": (text('{"sum": ' + "[" * 40_000), "nested"),
    "many values": (good({"sum": 2, "more": [0] * 2_500}), "more than 2,500 values"),
    "long": (text('{"sum": 2, "x": "' + "x" * 300_000 + '"}'), "longer than"),
}


@pytest.mark.parametrize("reply", USABLE.values(), ids=USABLE)
async def test_a_usable_reply_is_taken_at_once(llm: LlmServer, reply: Script) -> None:
    llm.script("add", reply)

    assert await asked(llm.model()) == 2
    assert len(llm.requests) == 1


@pytest.mark.parametrize(("reply", "wrong"), every(4, UNUSABLE.values()), ids=UNUSABLE)
async def test_the_repair_round_says_what_was_wrong(
    llm: LlmServer, reply: Script, wrong: str
) -> None:
    llm.script("add", reply, good({"sum": 2}))

    assert await asked(llm.model()) == 2

    first, second = llm.requests
    said = second.body["messages"]
    assert said[:2] == first.body["messages"]
    assert [message["role"] for message in said[2:]] == ["assistant", "user"]
    assert wrong in said[3]["content"]
    assert len(said[2]["content"]) <= 4_000


@pytest.mark.parametrize(("reply", "wrong"), every(3, UNUSABLE.values()), ids=UNUSABLE)
async def test_there_is_one_repair_round_only(llm: LlmServer, reply: Script, wrong: str) -> None:
    llm.script("add", reply)

    with pytest.raises(ModelReplyError, match="openai:test gave no usable reply") as caught:
        await asked(llm.model())

    assert wrong in str(caught.value)
    assert len(llm.requests) == 2


async def test_a_refusal_is_not_argued_with(llm: LlmServer) -> None:
    llm.script("add", refusal("I do not add."))

    with pytest.raises(ModelReplyError, match="refused: I do not add"):
        await asked(llm.model())

    assert len(llm.requests) == 1


async def test_lone_surrogates_do_not_survive(llm: LlmServer) -> None:
    llm.script("add", text('{"sum": 2, "s": "\\ud800"}'), text('{"sum": "\\ud800"}'))

    with pytest.raises(ModelReplyError) as caught:
        await asked(llm.model())

    str(caught.value).encode()
    json.dumps(llm.requests[1].body).encode()


async def test_the_schema_travels_under_the_name_of_the_step(llm: LlmServer) -> None:
    llm.script("other_step", good({"sum": 2}))

    await asked(llm.model(), step="other_step")

    sent = llm.requests[0].body
    assert sent["response_format"]["json_schema"]["name"] == "other_step"
    assert sent["response_format"]["json_schema"]["schema"]["required"] == ["sum"]
    assert (sent["model"], sent["temperature"], sent["stream"]) == ("test", 0.0, False)
