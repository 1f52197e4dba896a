"""What was pasted or written for a machine arrives as it stands: JSON, markup, moments, codes."""

import pytest

from fakes import param
from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan, Refusal
from service_tools import made, plan_of, planned, values

MODEL = made("Predict with a model", needs="json", json={"type": "object"})
BORN: JsonObject = {"type": "string", "description": "For example: `2008-03-01T13:00:00+08:00`"}
CHART = made("A chart of a birth", needs="born", born=BORN)
ZULU: JsonObject = {"type": "string", "description": "Format: YYYY-MM-DDTHH:mm:ssZ"}
USAGE = made("Usage", needs="start_date", start_date=ZULU)
EPOCH = made("Load", needs="since", since={"type": "integer", "description": "Unix timestamp"})
MOON = made("A lunar chart", needs="lunar_date", lunar_date="string")
PRICES = made("Prices of a share", needs="fromdate todate", fromdate="string", todate="string")
COSTS = made(
    "Costs",
    needs="start_date",
    start_date={"type": "string", "format": "date", "description": "Use this format: YYYY-MM-…"},
)
FRAME = made("Click in a frame", needs="frame_selector", frame_selector="string")
SCRIPT = made("Run a script", needs="script", script="string")
SITEMAP = made("Parse a sitemap", needs="content", content="string")
NODES = made("Nodes", needs="ids", ids={"type": "string", "description": "Comma separated ids"})
FILES = made(
    "Search a set of files",
    "/sets/{id}",
    id={"type": "string", "description": "ID of the set on the SQL server"},
)
TRACK = made("Play", needs="uri", uri="string")
LOOKUP = made("Look up a place", needs="jurisdiction_id", jurisdiction_id="string")
PHONE = made("Check a number", needs="phone_number", phone_number="string")
COLOURS = made("Names", needs="words", words="string")
SPOT = made(
    "Places",
    needs="lat long",
    lat={"type": "string", "description": "The latitude"},
    long={"type": "string", "description": "The longitude"},
)
PAGE = made("Markup of a page", url={"type": "string"}, js={"type": "boolean", "default": True})
PAYMENT = made("A payment", "/payments/{paymentId}", paymentId="string")


@pytest.mark.parametrize(
    ("text", "asked", "arguments"),
    [
        ('the forecast for {"data": [[31, 0]]}, please', MODEL, {"json": {"data": [[31, 0]]}}),
        ("Born 1995-07-20T23:30:00+08:00", CHART, {"born": "1995-07-20T23:30:00+08:00"}),
        ("since 2026-10-01T02:00:00+02:00", USAGE, {"start_date": "2026-10-01T00:00:00Z"}),
        ("usage since 2026-10-01", USAGE, {"start_date": "2026-10-01T00:00:00Z"}),
        ("load since 1970-01-01T01:00:00+01:00", EPOCH, {"since": 0}),
        ("he was born 2000-5-5 12:00:00", MOON, {"lunar_date": "2000-5-5 12:00:00"}),
        ("20240601 until 20240630", PRICES, {"fromdate": "20240601", "todate": "20240630"}),
        ("costs from 2024-06-30", COSTS, {"start_date": "2024-06-30"}),
        ("close what is in iframe#consent", FRAME, {"frame_selector": "iframe#consent"}),
        (
            "How many rows? document.querySelectorAll('tr').length should tell.",
            SCRIPT,
            {"script": "document.querySelectorAll('tr').length"},
        ),
        (
            "is it valid: <set><loc>https://b.example/1</loc></set>",
            SITEMAP,
            {"content": "<set><loc>https://b.example/1</loc></set>"},
        ),
        ("Are 8403b-42c2,9a177-0889 in?", NODES, {"ids": "8403b-42c2,9a177-0889"}),
        ("Are 4411002;4411003 in?", NODES, {"ids": "4411002;4411003"}),
        ("is it in Fileset:::7c9e6679?", FILES, {"id": "Fileset:::7c9e6679"}),
        ("play spotify:track:4iV5W9uYE", TRACK, {"uri": "spotify:track:4iV5W9uYE"}),
        (
            "what is ocd-place/country:us/state:ks/council?",
            LOOKUP,
            {"jurisdiction_id": "ocd-place/country:us/state:ks/council"},
        ),
        ("Is 0176 123456789 right?", PHONE, {"phone_number": "0176 123456789"}),
        ("Start out from green,leaf.", COLOURS, {"words": "green,leaf"}),
        ("I stand at 59.858, 17.646.", SPOT, {"lat": "59.858", "long": "17.646"}),
        ("https://a.example/x with scripts off (js false)", PAGE, {"js": False}),
        (
            "Has 58923-001, the one-off transfer, been settled?",
            PAYMENT,
            {"paymentId": "58923-001"},
        ),
    ],
)
async def test_what_was_written_for_a_machine_arrives_whole(
    text: str, asked: Tool, arguments: dict[str, JsonValue]
) -> None:
    found = values(await planned(text, asked))
    assert {name: found.get(name) for name in arguments} == arguments


async def test_nothing_else_is_filled_from_json_that_was_pasted() -> None:
    said = 'Score {"user": "ben", "limit": 5} for me'
    body = param("body", "object", required=True)
    found = await plan_of(said, body, param("limit", "integer"), param("user"))

    assert values(found) == {"body": {"user": "ben", "limit": 5}}
    assert isinstance(found, CallPlan)
    start, end = found.arguments["body"].span or (0, 0)
    assert said[start:end] == '{"user": "ben", "limit": 5}'


@pytest.mark.parametrize(
    ("said", "schema"),
    [
        ('Score {"user": "ben"} or {"user": "ada"}', {"type": "object"}),
        ('Score {"user": "ben"', {"type": "object"}),
        ('Score {"user": NaN}', {"type": "object", "properties": {"user": {"type": "string"}}}),
        ("Score " + '[{"a":' * 5_000, {"type": "object"}),
        ('Score {"user": "ben"}', {"type": "object", "required": ["name"]}),
    ],
    ids=["two", "open", "no JSON", "deep", "another object"],
)
async def test_json_that_cannot_be_meant_is_none(said: str, schema: JsonObject) -> None:
    assert isinstance(await plan_of(said, param("body", schema, required=True)), Refusal)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("What has user_name jkoch altered?", {"user_name": "jkoch"}),
        ("Which areas lie below it? parent emea.", {"parent": "emea"}),
        ("Who is on tour assignee=1877?", {"assignee": "1877"}),
        ("What does the user_name field hold?", {}),
        ("Which areas has the parent organised?", {}),
    ],
)
async def test_a_parameters_own_name_stands_before_its_value(
    text: str, arguments: dict[str, JsonValue]
) -> None:
    found = await plan_of(text, param("user_name"), param("parent"), param("assignee"))
    assert values(found) == arguments


SIZES = made(
    "Sizes of machines",
    "/{service_code}/{region_code}/sizes",
    service_code="string",
    region_code="string",
)
RIGHTS = made(
    "Who may use a command",
    "/{application_id}/{guild_id}/{command_id}",
    application_id="string",
    guild_id="string",
    command_id="string",
)


@pytest.mark.parametrize(
    ("text", "asked", "arguments"),
    [
        (
            "What can I rent on aws-ec2 in eu-west-1?",
            SIZES,
            {"service_code": "aws-ec2", "region_code": "eu-west-1"},
        ),
        (
            "May Ana use command 1045671 of app 9988776 in guild 8123409?",
            RIGHTS,
            {"application_id": "9988776", "guild_id": "8123409", "command_id": "1045671"},
        ),
    ],
    ids=["a region by its form", "what people shorten"],
)
async def test_steps_of_a_path_find_their_codes(
    text: str, asked: Tool, arguments: dict[str, JsonValue]
) -> None:
    assert values(await planned(text, asked)) == arguments


async def test_a_name_is_over_before_an_adverb_and_begins_behind_a_verb() -> None:
    realm = made("Actions of a realm", "/{realm}/actions", realm="string")
    person = made("A person", needs="firstName lastName", firstName="string", lastName="string")
    harbour = await planned("What has not been switched into harbour yet?", realm)
    assert values(harbour) == {"realm": "harbour"}
    found = await planned("Put Noor Haddad, born 1980, into the address book", person)
    assert values(found) == {"firstName": "Noor", "lastName": "Haddad"}


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("strikes from 600 to 700, please", {"strike_lower": 600, "strike_upper": 700}),
        ("something between 36.2 and 41.5", {"strike_lower": 36.2, "strike_upper": 41.5}),
        ("something from 700 to 600", {}),
        ("compare 36.2 and 41.5", {}),
    ],
)
async def test_the_only_range_has_both_ends(text: str, arguments: dict[str, JsonValue]) -> None:
    found = await plan_of(text, param("strike_lower", "number"), param("strike_upper", "number"))
    assert values(found) == arguments


async def test_a_word_is_the_name_of_a_thing_and_not_its_id() -> None:
    ports = (param("device"), param("device_id"))
    said = "The server db-lyon-03 has two. Where do they go? Device db-lyon-03."
    assert values(await plan_of(said, *ports)) == {"device": "db-lyon-03"}


async def test_what_a_verb_moves_away_has_no_name_away() -> None:
    gone = made("Delete a collection", "/collections/{collection_id}", collection_id="string")
    found = await planned("We never filled b7u2k, please throw the whole collection away.", gone)
    assert values(found) == {"collection_id": "b7u2k"}


async def test_money_is_no_number_of_results() -> None:
    found = await plan_of("List wines for up to 18 dollars", param("limit", "integer"))
    assert values(found) == {}
