"""Values that arrive whole, in the slot whose noun, name or prefix says so, and in its own form."""

import pytest

from fakes import param, tool
from gretel.contracts.record import JsonValue
from gretel.contracts.tool import HttpBinding, Tool
from gretel.contracts.trial import CallPlan, Refusal
from service_tools import made, planned, values

PIPE = made("A pipeline", "/pipelines/{pipeline_uuid}", pipeline_uuid="string")
VERSION = made("Advisories for a release", needs="version", version="string")
DRIVER = made(
    "Register a driver", needs="firstname lastname", firstname="string", lastname="string"
)
CHECK = made("Run a check", needs="dictId docId", dictId="integer", docId="integer")
LISTED = made("Members of a list", "/lists/{id}", id="string", max_results="integer")
RECENT = made("What was done", timeframe="string", page_size="integer")
EVENTS = made("Coming events", "/guilds/{guild_id}", guild_id="string", with_user_count="boolean")
SPACE = made("A workspace", needs="workspaceId", workspaceId="string")
MARE = made("Foals of a dam", "/dams/{dam_id}", dam_id="string")
AGENT = made(
    "Keep alive", "/agent/{agentNum}/alive/{aliveTime}", agentNum="integer", aliveTime="integer"
)
OWNED = made(
    "Landlords", "/{shortName}/landlords", needs="token", shortName="string", token="string"
)
SAID_DAY = {"type": "string", "format": "date-time", "description": "First day (yyyy-MM-dd)"}
LEDGER = made("Ledger", needs="startDate", startDate=SAID_DAY)
MADE_DAY = {"type": "string", "examples": ["2025-10-15T13:51:10.068Z"]}
SHOWS = made("New shows", needs="start_date", start_date=MADE_DAY)
EPOCH = {"type": "string", "description": "Timestamp to start from, as Unix seconds"}
LOAD = made("Load of a host", needs="start", start=EPOCH)


@pytest.mark.parametrize(
    ("text", "asked", "arguments"),
    [
        ("Did pipeline {p-880} pass?", PIPE, {"pipeline_uuid": "{p-880}"}),
        ("advisories for version 15.2(4)M11", VERSION, {"version": "15.2(4)M11"}),
        ("new driver Sofie Maes", DRIVER, {"firstname": "Sofie", "lastname": "Maes"}),
        ("dictionary 9 on tender 5519, please", CHECK, {"dictId": 9, "docId": 5519}),
        ("Who is collected in list 84839422?", LISTED, {"id": "84839422"}),
        ("What did I work on in the last 7d?", RECENT, {}),
        ("about the workspace demo@acme.com", SPACE, {"workspaceId": "demo@acme.com"}),
        ("value the mare dam_5037126 for me", MARE, {"dam_id": "dam_5037126"}),
        ("set keepalive to 60 on agent 2", AGENT, {"agentNum": 2, "aliveTime": 60}),
        ("The ledger from 2026-01-01", LEDGER, {"startDate": "2026-01-01"}),
        ("New shows from 2026-12-01", SHOWS, {"start_date": "2026-12-01"}),
        ("load from 1620683817 on", LOAD, {"start": "1620683817"}),
    ],
)
async def test_a_value_is_planned_whole(
    text: str, asked: Tool, arguments: dict[str, JsonValue]
) -> None:
    found = await planned(text, asked)
    assert isinstance(found, CallPlan), found
    assert {name: found.values().get(name) for name in arguments} == arguments
    assert found.values().keys() <= arguments.keys() | {"timeframe"}


async def test_the_name_of_a_parameter_is_no_value() -> None:
    found = await planned("How many are interested in each? Set with_user_count", EVENTS)
    assert isinstance(found, Refusal)
    assert [each.name for each in found.missing] == ["guild_id"]


async def test_a_code_that_begins_like_another_slot_is_not_of_this_one() -> None:
    found = await planned("Which landlords do you have? tk-91af", OWNED)
    assert isinstance(found, Refusal)
    assert "tk-91af" not in [each.value for name, each in found.found.items() if name != "token"]


@pytest.mark.parametrize(("key", "location"), [("X-ListenAPI-Key", "header"), ("api_key", "query")])
async def test_the_key_of_a_service_is_not_asked_of_a_person(key: str, location: str) -> None:
    params = [param(key, required=True, location=location), param("q", required=True)]
    listens = tool("Listen.search", params=params, binding=HttpBinding(method="GET", path="/"))
    assert values(await planned('episodes called "The Whale"', listens)) == {"q": "The Whale"}
    known = await planned('episodes called "The Whale"', listens, **{key: "k-31"})
    assert isinstance(known, CallPlan)
    assert known.values() == {"q": "The Whale", key: "k-31"}
    assert known.facts == (key,)
