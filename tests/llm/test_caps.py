"""Bounded replies: every request says how long its reply may be, and a cut reply is unusable."""

from contextlib import aclosing
from dataclasses import replace

import pytest
from adding import MESSAGES, SCHEMA, asked, even

from gretel.contracts.errors import BudgetSpent, ModelReplyError, ServiceBusy
from gretel.contracts.record import JsonObject
from gretel.llm.form import THINKING_TOKENS
from gretel.llm.ledger import Price, collect_usage
from gretel.llm.model import open_model
from gretel.llm.size import FLOOR, LONGEST_CHARS, reply_tokens
from llm_server import HANG, QUICK, Call, LlmServer, Reply, good, status, text

RAMBLES = text('{"sum": "' + "and so on " * 2_000)
USAGE = {"prompt_tokens": 100, "completion_tokens": FLOOR, "total_tokens": 100 + FLOOR}


async def test_a_request_carries_its_cap_and_a_reply_that_rambles_ends_there(
    llm: LlmServer,
) -> None:
    llm.keeps_cap = True
    llm.script("add", RAMBLES)

    with pytest.raises(ModelReplyError, match=f"reply was cut at its cap of {FLOOR} tokens"):
        await asked(llm.model())

    assert [call.cap for call in llm.requests] == [FLOOR], "what is cut would be cut again"


async def test_a_reply_that_is_whole_at_its_cap_is_taken(llm: LlmServer) -> None:
    llm.script("add", good({"sum": 2}, finish="length", usage=USAGE))

    assert await asked(llm.model()) == 2
    assert len(llm.requests) == 1


@pytest.mark.parametrize(
    ("caps", "sent"),
    [
        (("max_tokens", "max_completion_tokens"), ["max_tokens"] * 2),
        (("max_completion_tokens",), ["max_completion_tokens"] * 2),
        ((), [None] * 2),
    ],
    ids=["both", "the newer", "none"],
)
async def test_the_name_of_the_cap_is_found_once(
    llm: LlmServer, caps: tuple[str, ...], sent: list[str | None]
) -> None:
    llm.caps = caps
    llm.script("add", good({"sum": 2}))
    model = llm.model()

    assert [await asked(model), await asked(model)] == [2, 2]

    names = [call.body.keys() & {"max_tokens", "max_completion_tokens"} for call in llm.requests]
    assert names == [{name} - {None} for name in sent]
    assert len(llm.rejected) == 2 - len(caps)
    assert all("response_format" in call.body for call in llm.requests), (
        "its format is not at fault"
    )


async def test_a_cap_too_high_beside_one_prompt_is_left_out_there_alone(llm: LlmServer) -> None:
    llm.script("add", good({"sum": 2}))
    model = llm.model()
    async with aclosing(model):
        await model.reply(MESSAGES, SCHEMA, even, step="add")
        llm.caps = ()
        assert await model.reply(MESSAGES, SCHEMA, even, step="add") == 2
        llm.caps = ("max_tokens", "max_completion_tokens")
        assert await model.reply(MESSAGES, SCHEMA, even, step="add") == 2

    assert [call.cap for call in llm.requests] == [FLOOR, None, FLOOR]


async def test_a_cap_that_is_not_kept_is_called_by_its_other_name(llm: LlmServer) -> None:
    more = {"prompt_tokens": 100, "completion_tokens": 5 * FLOOR, "total_tokens": 1_000}
    llm.script("add", good({"sum": 2}, usage=more), good({"sum": 4}))
    model = llm.model()

    assert [await asked(model), await asked(model)] == [2, 4]

    assert "max_tokens" in llm.requests[0].body
    assert "max_completion_tokens" in llm.requests[1].body


THOUGHTS = {
    "nothing written": Reply("", finish="length", usage=USAGE),
    "told by its usage": text(
        '{"sum',
        finish="length",
        usage=USAGE | {"completion_tokens_details": {"reasoning_tokens": FLOOR - 2}},
    ),
    "thought aloud": text("<think>One and one", finish="length", usage=USAGE),
}


@pytest.mark.parametrize("thought", THOUGHTS.values(), ids=THOUGHTS)
async def test_a_model_that_thinks_first_gets_room_for_it(llm: LlmServer, thought: Reply) -> None:
    def reply(call: Call) -> Reply:
        return good({"sum": 2}) if (call.cap or 0) > FLOOR else thought

    llm.script("add", reply)
    model = llm.model()

    assert [await asked(model), await asked(model)] == [2, 2]
    assert [call.cap for call in llm.requests] == [FLOOR, *[FLOOR + THINKING_TOKENS] * 2]


async def test_thought_without_end_is_cut_in_the_end(llm: LlmServer) -> None:
    llm.script("add", THOUGHTS["nothing written"])

    with pytest.raises(ModelReplyError, match=r"cut at its cap"):
        await asked(llm.model())

    assert len(llm.requests) == 2


@pytest.mark.parametrize(
    ("limits", "cap"),
    [
        ({"max_reply": 40}, 40),
        ({"max_reply": 5_000}, FLOOR),
        ({"max_tokens": 60}, 60 - 5),
        ({"max_money_usd": 0.001}, 99),
    ],
    ids=["a setting", "a higher one", "tokens", "money"],
)
async def test_a_reply_gets_no_more_than_the_budget_leaves(
    llm: LlmServer, limits: dict[str, float], cap: int
) -> None:
    llm.script("add", good({"sum": 2}))
    prices = {"test": Price(prompt_usd=2.0, completion_usd=10.0)}

    with collect_usage(**limits):  # type: ignore[arg-type]
        await asked(llm.model(prices=prices))

    assert llm.requests[0].cap == cap


async def test_a_model_may_be_opened_with_a_cap_of_the_users(llm: LlmServer) -> None:
    llm.script("add", good({"sum": 2}))

    with collect_usage(max_reply=100):
        await asked(llm.model(limits=replace(QUICK, reply_tokens=40)))

    assert llm.requests[0].cap == 40


@pytest.mark.parametrize("limits", [{"max_tokens": 10}, {"max_money_usd": 0.0001}])
async def test_a_budget_that_leaves_no_reply_sends_nothing(
    llm: LlmServer, limits: dict[str, float]
) -> None:
    prices = {"test": Price(prompt_usd=2.0, completion_usd=10.0)}

    with collect_usage(**limits), pytest.raises(BudgetSpent):  # type: ignore[arg-type]
        await asked(llm.model(prices=prices))

    assert llm.requests == []


@pytest.mark.parametrize(("own", "cap"), [(None, FLOOR), (30, 30), (9_000, FLOOR)])
async def test_a_given_models_own_cap_holds_where_it_is_lower(
    llm: LlmServer, own: int | None, cap: int
) -> None:
    from langchain_openai import ChatOpenAI

    llm.script("add", good({"sum": 2}))
    chat = ChatOpenAI(
        model="test", base_url=llm.url, api_key=llm.api_key, max_tokens=own, max_retries=0
    )

    assert await asked(open_model(chat)) == 2
    assert llm.requests[0].cap == cap


@pytest.mark.slow
async def test_what_ran_into_its_time_is_tried_once_more_and_no_oftener(llm: LlmServer) -> None:
    llm.script("add", HANG)

    with pytest.raises(ServiceBusy, match="no answer in time"):
        await asked(llm.model(limits=replace(QUICK, request_s=0.2, attempts=9)))

    assert len(llm.requests) == 2


async def test_an_endpoint_that_answered_once_is_busy_when_it_is_gone() -> None:
    with LlmServer() as server:
        server.script("add", good({"sum": 2}))
        model = server.model(limits=replace(QUICK, attempts=1))
        async with aclosing(model):
            assert await model.reply(MESSAGES, SCHEMA, even, step="add") == 2
            server.script("add", Reply(raw=b"<html>", headers={"content-type": "text/html"}))
            with pytest.raises(ServiceBusy, match="not a chat completion"):
                await model.reply(MESSAGES, SCHEMA, even, step="add")


async def test_cached_tokens_are_booked_where_the_provider_reports_them(llm: LlmServer) -> None:
    usage = {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105}
    llm.script(
        "add", good({"sum": 2}, usage=usage | {"prompt_tokens_details": {"cached_tokens": 64}})
    )

    with collect_usage() as ledger:
        await asked(llm.model())

    assert (ledger.usage.prompt_tokens, ledger.usage.cached_tokens) == (100, 64)


async def test_too_many_requests_are_the_endpoints_own_trouble(llm: LlmServer) -> None:
    llm.script("add", status(429))

    with pytest.raises(ServiceBusy):
        await asked(llm.model(limits=replace(QUICK, attempts=1)))


def words(most: int | None) -> JsonObject:
    text: JsonObject = {"type": "string"} if most is None else {"type": "string", "maxLength": most}
    return {"type": "object", "properties": {"said": text}}


def test_the_cap_grows_with_what_the_schema_admits() -> None:
    short, long, endless = (reply_tokens(words(most)) for most in (20, 900, None))

    assert FLOOR == short < long < endless
    assert reply_tokens(words(10**9)) == endless <= FLOOR + LONGEST_CHARS
    listed: JsonObject = {"type": "array", "items": words(80), "maxItems": 50}
    assert reply_tokens({"type": "object", "properties": {"all": listed}}) > 50 * 80 / 4
    assert reply_tokens({"type": "object", "properties": {"any": {}}}) >= FLOOR
