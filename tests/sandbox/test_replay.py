"""Recorded calls, replayed: judged like live ones, matched by tool and arguments."""

import pytest

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.tool import ToolId
from gretel.contracts.trial import CallResult
from gretel.sandbox.replay import Recording, ReplayExecutor

GEOCODE = tool("Maps.geocode", params=["address"])
CATALOG = Catalog.from_tools([GEOCODE])


def recorded(text: str, **fields: object) -> Recording:
    given = {"tool_id": GEOCODE.tool_id, "arguments": {"address": "Oslo"}, "text": text}
    return Recording.model_validate(given | fields)


async def replayed(*recordings: Recording, **arguments: object) -> CallResult:
    made = plan(GEOCODE.tool_id, **(arguments or {"address": "Oslo"}))
    return await ReplayExecutor(CATALOG, recordings).call(made, budget=Budget())


async def test_an_answer_comes_back_whole() -> None:
    result = await replayed(recorded('{"lat": 59.9}', latency_ms=120.5))
    assert result.body == {"lat": 59.9}
    assert (result.outcome.status, result.outcome.source) == ("succeeded", "replayed")
    assert result.outcome.latency_ms == 120.5
    assert result.outcome.excerpt == '{"lat":59.9}'


@pytest.mark.parametrize(
    ("recording", "status", "kind"),
    [
        (recorded("[]"), "empty", "empty"),
        (recorded(""), "empty", "empty"),
        (recorded("Error: connection refused"), "failed", "error_in_body"),
        (recorded("The site forbids it.", end="error"), "failed", "error_in_body"),
        (recorded("Tool call timed out.", end="timeout"), "failed", "timeout"),
        (recorded("", end="timeout"), "failed", "timeout"),
    ],
)
async def test_recordings_are_judged(recording: Recording, status: str, kind: str) -> None:
    outcome = (await replayed(recording)).outcome
    assert outcome.status == status
    assert outcome.failure is not None and outcome.failure.kind == kind
    assert outcome.source == "replayed"


async def test_an_error_that_names_an_argument_is_the_requests() -> None:
    words = "Input validation error: 'address' is a required property"
    executor = ReplayExecutor(CATALOG, [recorded(words, arguments={}, end="error")])
    outcome = await executor.execute(plan(GEOCODE.tool_id), budget=Budget())
    assert outcome.failure is not None
    assert (outcome.failure.fault, outcome.failure.fields) == ("request", ("address",))


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"address": "Oslo"}, True),
        ({"address": "Rome"}, False),
        ({"address": "Oslo", "n": 1}, False),
    ],
)
async def test_only_the_same_arguments_match(given: dict[str, object], found: bool) -> None:
    result = await replayed(recorded('{"lat": 1}'), **given)
    assert (result.outcome.status == "succeeded") == found


async def test_numbers_match_by_value() -> None:
    one = recorded('{"ok": 1}', arguments={"n": [2.0, {"x": 3}]})
    assert (await replayed(one, n=[2, {"x": 3.0}])).outcome.status == "succeeded"
    assert (await replayed(one, n=[True, {"x": 3}])).outcome.status == "unavailable"


async def test_what_nobody_recorded_is_not_the_tools_fault() -> None:
    outcome = (await replayed()).outcome
    assert (outcome.status, outcome.source) == ("unavailable", "none")
    assert outcome.failure is not None and outcome.failure.fault == "ours"


async def test_a_recording_of_an_unknown_tool_is_not_replayed() -> None:
    stranger = recorded("{}", tool_id="Else.where", arguments={})
    executor = ReplayExecutor(CATALOG, [stranger])
    outcome = await executor.execute(plan(ToolId("Else.where")), budget=Budget())
    assert outcome.status == "unavailable"


async def test_the_first_of_equal_recordings_is_replayed() -> None:
    result = await replayed(recorded('{"n": 1}'), recorded('{"n": 2}'))
    assert result.body == {"n": 1}


async def test_secrets_stay_out_of_the_outcome() -> None:
    outcome = (await replayed(recorded('{"api_key": "abcdefgh12345678"}'))).outcome
    assert "abcdefgh12345678" not in outcome.model_dump_json()
