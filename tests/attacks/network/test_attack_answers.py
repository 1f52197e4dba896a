"""Hostile answers: bombs, lies, broken protocols; each ends in one outcome that says why."""

import pytest
from arena import BUDGET, HASTY, Arena
from hostile_answers import BODIES, HEADS

from lanes import every

ENDLESS = {
    "endless": "timeout",
    "slow-body": "timeout",
    "informational": "protocol",
    "slow-head": "timeout",
    "slow-header": "timeout",
    "slow-status": "timeout",
    "slow-chunks": "timeout",
    "slow-chunk-size": "timeout",
    "slow-gzip": "timeout",
    "slow-trailers": "timeout",
    "half-answer": "timeout",
    "endless-head": "protocol",
    "endless-informational-head": "protocol",
    "flood": "protocol",
    "endless-chunks": "protocol",
    "endless-empty-gzip": "protocol",
    "tcp_cut": "connection",
}


@pytest.mark.parametrize("name", every(4, BODIES))
async def test_a_hostile_body(name: str, arena: Arena) -> None:
    outcome = await arena.answer_of(name)
    arena.assert_judged(outcome, BODIES[name].expected)
    assert outcome.bytes_decoded <= BUDGET.bytes_decoded


@pytest.mark.parametrize("name", every(3, HEADS))
async def test_a_hostile_head(name: str, arena: Arena) -> None:
    arena.assert_judged(await arena.answer_of(name), HEADS[name].expected)


@pytest.mark.parametrize("name", every(4, ENDLESS))
async def test_an_answer_that_does_not_end(name: str, arena: Arena) -> None:
    budget = HASTY if ENDLESS[name] == "timeout" else BUDGET
    arena.assert_judged(await arena.answer_of(name, budget=budget), ENDLESS[name])


@pytest.mark.parametrize("limit", [0, 1, 10])
async def test_the_wire_is_capped(limit: int, arena: Arena) -> None:
    outcome = await arena.answer_of("ok", budget=BUDGET.model_copy(update={"bytes_wire": limit}))
    arena.assert_judged(outcome, "protocol")
    assert outcome.failure is not None and "on the wire" in outcome.failure.detail


async def test_the_decoded_bytes_are_capped_apart(arena: Arena) -> None:
    outcome = await arena.answer_of(
        "fine-gzip", budget=BUDGET.model_copy(update={"bytes_decoded": 5})
    )
    arena.assert_judged(outcome, "protocol")
    assert outcome.failure is not None and "decoded" in outcome.failure.detail


async def test_the_whole_of_a_compressed_answer_is_read(arena: Arena) -> None:
    outcome = await arena.answer_of("deflate-to-the-last-step")
    assert outcome.bytes_decoded == len('{"a": ""}') + 4 * 65_536 - 9 + len("end")
