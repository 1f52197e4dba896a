"""Tokens and money: as the provider says, unknown where it does not, and not beyond a ceiling."""

import asyncio
from dataclasses import replace

import pytest
from adding import MESSAGES, SCHEMA, asked, even

from gretel.contracts.budget import Usage
from gretel.contracts.errors import (
    BudgetSpent,
    ConfigurationError,
    ModelReplyError,
    ServiceUnreachable,
)
from gretel.llm.ledger import Price, collect_usage
from llm_server import DROP, QUICK, LlmServer, good, slow, status, text

PRICES = {"test": Price(prompt_usd=2.0, completion_usd=10.0)}
"""With 100 and 20 tokens a reply costs 0.0004 USD."""


async def test_usage_is_what_the_provider_reports(llm: LlmServer) -> None:
    llm.script("add", text("two"), good({"sum": 2}))

    with collect_usage() as ledger:
        await asked(llm.model(prices=PRICES))

    usage = ledger.usage
    assert (usage.llm_calls, usage.prompt_tokens, usage.completion_tokens) == (2, 200, 40)
    assert usage.money_usd == pytest.approx(0.0008)


async def test_nothing_asked_is_nothing_spent() -> None:
    with collect_usage() as ledger:
        pass

    assert ledger.usage == Usage()


async def test_an_unknown_price_is_not_zero(llm: LlmServer) -> None:
    llm.script("add", good({"sum": 2}))

    with collect_usage() as ledger:
        await asked(llm.model(prices={"other": PRICES["test"]}))

    assert ledger.usage.money_usd is None
    assert ledger.usage.prompt_tokens == 100


async def test_a_reply_without_usage_is_unmetered_and_not_guessed(llm: LlmServer) -> None:
    llm.script("add", good({"sum": 2}, usage=None))

    with collect_usage() as ledger:
        await asked(llm.model(prices=PRICES))

    assert ledger.usage == Usage(llm_calls=1)


async def test_an_error_is_free_and_a_lost_answer_is_not_known(llm: LlmServer) -> None:
    llm.script("add", status(500), good({"sum": 2}))
    with collect_usage() as free:
        await asked(llm.model(prices=PRICES))
    llm.script("add", DROP, good({"sum": 2}))
    with collect_usage() as lost:
        await asked(llm.model(prices=PRICES))

    assert free.usage.llm_calls == 2
    assert free.usage.money_usd == pytest.approx(0.0004)
    assert (lost.usage.llm_calls, lost.usage.money_usd) == (2, None)


async def test_tasks_made_inside_are_counted_and_others_are_not(llm: LlmServer) -> None:
    llm.script("add", slow({"sum": 2}, 0.05))
    model = llm.model()
    outside = asyncio.create_task(asked(model))
    with collect_usage() as ledger:
        await asyncio.gather(*(asked(llm.model()) for _ in range(3)))
    await outside

    assert ledger.usage.llm_calls == 3
    assert len(llm.requests) == 4


async def test_blocks_nest(llm: LlmServer) -> None:
    llm.script("add", good({"sum": 2}))
    model = llm.model()

    with collect_usage() as run:
        with collect_usage() as first:
            await asked(model)
        with collect_usage() as second:
            await asked(model)
            await asked(model)

    calls = [ledger.usage.llm_calls for ledger in (run, first, second)]
    assert calls == [3, 1, 2]


async def test_a_token_ceiling_stops_the_next_request(llm: LlmServer) -> None:
    llm.script("add", good({"sum": 2}))
    model = llm.model()

    with collect_usage(max_tokens=240) as ledger:
        await asked(model)
        await asked(model)
        with pytest.raises(BudgetSpent, match="token limit of 240"):
            await asked(model)

    assert len(llm.requests) == ledger.usage.llm_calls == 2


async def test_no_tokens_no_request(llm: LlmServer) -> None:
    with collect_usage(max_tokens=0), pytest.raises(BudgetSpent):
        await asked(llm.model())

    assert llm.requests == []


async def test_the_repair_round_is_under_the_ceiling_too(llm: LlmServer) -> None:
    llm.script("add", text("two"))

    with collect_usage(max_tokens=110), pytest.raises(BudgetSpent):
        await asked(llm.model())

    assert len(llm.requests) == 1


async def test_an_outer_ceiling_holds_inside(llm: LlmServer) -> None:
    llm.script("add", good({"sum": 2}))
    model = llm.model()

    with collect_usage(max_tokens=110) as run:
        await asked(model)
        with collect_usage() as step, pytest.raises(BudgetSpent):
            await asked(model)

    assert step.usage == Usage()
    assert run.usage.llm_calls == 1


async def test_requests_under_way_hold_their_estimate(llm: LlmServer) -> None:
    long = [message.model_copy(update={"content": "x" * 2_000}) for message in MESSAGES]
    llm.script("add", slow({"sum": 2}, 0.1))
    model = llm.model()

    async def ask_long() -> int:
        return await model.reply(long, SCHEMA, even, step="add")

    with collect_usage(max_tokens=2_500):
        results = await asyncio.gather(*(ask_long() for _ in range(4)), return_exceptions=True)

    assert [type(result) for result in results] == [int, int, BudgetSpent, BudgetSpent]
    assert len(llm.requests) == 2


async def test_without_usage_the_ceiling_counts_the_estimate(llm: LlmServer) -> None:
    long = [message.model_copy(update={"content": "x" * 2_000}) for message in MESSAGES]
    llm.script("add", good({"sum": 2}, usage=None))
    model = llm.model()

    with collect_usage(max_tokens=1_500) as ledger:
        await model.reply(long, SCHEMA, even, step="add")
        with pytest.raises(BudgetSpent):
            await model.reply(long, SCHEMA, even, step="add")

    assert ledger.usage.prompt_tokens == 0


async def test_a_money_ceiling_stops_the_next_request(llm: LlmServer) -> None:
    llm.script("add", good({"sum": 2}))
    model = llm.model(prices=PRICES)

    with collect_usage(max_money_usd=0.0007) as ledger:
        await asked(model)
        await asked(model)
        with pytest.raises(BudgetSpent, match="money limit of 0.0007 USD"):
            await asked(model)

    assert ledger.usage.llm_calls == 2


async def test_a_money_ceiling_without_a_price_is_a_wrong_setting(llm: LlmServer) -> None:
    with collect_usage(max_money_usd=1.0), pytest.raises(ConfigurationError) as caught:
        await asked(llm.model())

    assert caught.value.field == "budget.money_usd"
    assert llm.requests == []


async def test_after_a_request_of_unknown_cost_no_other_is_sent(llm: LlmServer) -> None:
    llm.script("add", DROP)
    model = llm.model(prices=PRICES, limits=replace(QUICK, attempts=1))

    with collect_usage(max_money_usd=1.0):
        with pytest.raises(ServiceUnreachable):
            await asked(model)
        with pytest.raises(BudgetSpent):
            await asked(model)


async def test_a_reply_that_stayed_unusable_was_paid_all_the_same(llm: LlmServer) -> None:
    llm.script("add", text("two"))

    with collect_usage() as ledger, pytest.raises(ModelReplyError):
        await asked(llm.model())

    assert ledger.usage.llm_calls == 2
