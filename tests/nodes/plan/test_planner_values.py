"""Values that stand in a request in other words than the schema's own."""

import os
import subprocess
import sys

import pytest

from fakes import param, tool
from gretel.contracts.ranking import Message, Request
from gretel.contracts.tool import Parameter
from gretel.contracts.trial import CallPlan, Refusal
from gretel.nodes.plan.deterministic import DeterministicPlanner
from gretel.nodes.plan.mentions.currencies import currency_named
from gretel.nodes.plan.mentions.document import read_document
from gretel.nodes.plan.mentions.patterns import pattern_mentions
from gretel.nodes.plan.mentions.phrases import is_count
from gretel.nodes.plan.slots.slot import legend
from service_tools import plan_of, required, values

PLANNER = DeterministicPlanner()
TEXT, WHOLE, TRUTH = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}


LIMIT = param("limit", "integer", description="Maximum number of results")


@pytest.mark.parametrize(
    ("text", "query", "limit"),
    [("give me 5 cat GIFs", "cat GIFs", 5), ("show me 10 lasagne recipes", "lasagne recipes", 10)],
)
async def test_a_count_is_a_limit_and_no_query(text: str, query: str, limit: int) -> None:
    asked = required("q", "Search query")
    assert values(await plan_of(text, asked, LIMIT)) == {"q": query, "limit": limit}
    assert values(await plan_of(text, asked)) == {"q": query}


@pytest.mark.parametrize(
    ("text", "name", "number"),
    [
        ("a hotel in Rome for two nights", "nights", 2),
        ("a hotel in Rome for 2 nights", "nights", 2),
        ("a table in Rome for three adults", "numAdults", 3),
        ("a room for two guests", "number_of_guests", 2),
        ("summarise two pages", "page", None),
    ],
)
async def test_a_number_before_its_noun_is_that_count(
    text: str, name: str, number: int | None
) -> None:
    counted = values(await plan_of(text, param(name, "integer")))
    assert counted == ({} if number is None else {name: number})


async def test_counts_that_are_needed_are_not_read_in_the_order_of_the_tool() -> None:
    names = [required(each, type="number") for each in ("deaths", "assists", "kills")]
    plan = await plan_of("the ratio for 5 kills, 3 assists and 2 deaths", *names)
    assert values(plan) == {"deaths": 2, "assists": 3, "kills": 5}


@pytest.mark.parametrize(
    ("text", "counted"),
    [("find 12 Monkeys", False), ("find 12 films", True), ("seat 12 is taken", False)],
)
def test_what_is_a_count(text: str, counted: bool) -> None:
    tokens = read_document(Request(text=text, today="2026-11-20")).tokens
    assert is_count(tokens, 1) is counted


CODES = ["USD", "EUR", "GBP"]


async def test_a_currency_is_read_by_its_name() -> None:
    text = "convert 150 EUR to dollars"
    target = required("currency", "Target currency", enum=CODES)
    amount = required("amount", "Amount to convert", type="number")
    assert values(await plan_of(text, amount, target)) == {"amount": 150, "currency": "USD"}
    ends = required("from", enum=CODES), required("to", enum=CODES)
    assert values(await plan_of(text, amount, *ends)) == {
        "amount": 150,
        "from": "EUR",
        "to": "USD",
    }


async def test_a_currency_is_read_by_its_sign() -> None:
    sides = required("base", "Base currency"), required("target", "Target currency")
    assert values(await plan_of("how much is £20 in euros", *sides)) == {
        "base": "GBP",
        "target": "EUR",
    }
    small = required("currency", "fiat currency", enum=["usd", "eur"])
    assert values(await plan_of("price of gold in dollars", small)) == {"currency": "usd"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("$", "USD"),
        ("Swiss francs", "CHF"),
        ("yen", "JPY"),
        ("EUR", "EUR"),
        ("eur", ""),
        ("won", ""),
        ("real", ""),
        ("brazilian real", "BRL"),
        ("apples", ""),
    ],
)
def test_names_of_currencies(text: str, code: str) -> None:
    assert currency_named(text) == code


@pytest.mark.parametrize(
    "carrier", [required("carrier_code", "IATA airline code", pattern="^[A-Z0-9]{2}$"),
                required("carrier_code", "Id of the carrier")],
)  # fmt: skip
async def test_a_word_inside_another_is_no_code(carrier: Parameter) -> None:
    result = await plan_of("Find a one-way flight to Oslo", carrier)
    assert isinstance(result, Refusal)
    assert result.reason == "missing_required"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("a one-way ticket", []),
        ("zero-emission cars", []),
        ("a one-week trip", [1]),
        ("a two-week trip", [2]),
        ("all-in-one", []),
    ],
)
def test_numbers_in_hyphenated_words(text: str, numbers: list[int]) -> None:
    found = [m.value for m in pattern_mentions(text, 0) if m.kind == "number"]
    assert [value.number for value in found] == numbers  # type: ignore[union-attr]


async def test_a_member_that_is_a_day() -> None:
    days = required("date", enum=["2027-01-02", "2027-01-03"])
    assert values(await plan_of("A class on January 3rd", days)) == {"date": "2027-01-03"}
    past = required("date", enum=["2023-01-02", "2023-01-03"])
    assert values(await plan_of("A class on January 3rd", past)) == {"date": "2023-01-03"}
    assert isinstance(await plan_of("A class on January 3rd, 2025", past), Refusal)


async def test_a_member_that_is_a_range() -> None:
    ages = required("ageGroup", "Age group of the child", enum=["3-5", "6-8", "9-12"])
    found = await plan_of("A painting class for my 7-year-old", ages)
    assert values(found) == {"ageGroup": "6-8"}
    assert isinstance(await plan_of("A painting class in room 7", ages), Refusal)


async def test_on_and_off_are_meant_by_what_is_done() -> None:
    state = required("power_state", enum=["on", "off"])
    assert values(await plan_of("Turn the heating off now", state)) == {"power_state": "off"}
    assert isinstance(await plan_of("What is on tonight?", state), Refusal)


async def test_an_address_that_answers_a_question_is_taken() -> None:
    asked = Request(
        text="https://example.com/voice22.wav",
        messages=(Message(role="assistant", content="Which one should I use?"),),
        today="2026-11-20",
    )
    found = await plan_of(asked, required("url", "The url of the audio file"))
    assert values(found) == {"url": "https://example.com/voice22.wav"}


async def test_different_kinds_are_all_kinds() -> None:
    names = ["Facebook", "Twitter"]
    schema = {"type": "array", "items": {"type": "string", "enum": names}}
    platforms = param("platforms", schema, required=True)  # type: ignore[arg-type]
    found = await plan_of("Trends over different social media platforms", platforms)
    assert values(found) == {"platforms": names}


async def test_numbers_that_a_legend_explains() -> None:
    ages = required("age_group", "Age group (1 for child, 2 for teenager)", type="integer")
    assert values(await plan_of("Strategies for teenagers", ages)) == {"age_group": 2}


@pytest.mark.parametrize(
    ("description", "known"),
    [
        ("0 = metric, 1 = imperial", {0: "metric", 1: "imperial"}),
        ("from 1 (1 = worst, 10 = best)", {}),
        ("e.g. 7 for a week", {}),
        ("", {}),
    ],
)
def test_legends(description: str, known: dict[int, str]) -> None:
    assert legend(description) == known


def nested(name: str, properties: dict[str, object], *needed: str) -> Parameter:
    schema = {"type": "object", "properties": properties, "required": list(needed)}
    return param(name, schema, required=True)  # type: ignore[arg-type]


async def test_a_switch_is_meant_by_its_object_or_a_kindred_word() -> None:
    wind = {"type": "object", "properties": {"speed": TRUTH}, "required": ["speed"]}
    details = nested("details", {"wind": wind}, "wind")
    assert values(await plan_of("Tell me about the wind", details)) == {
        "details": {"wind": {"speed": True}}
    }
    vpn = nested("settings", {"autoReconnect": TRUTH}, "autoReconnect")
    found = await plan_of("A VPN with automatic reconnection", vpn)
    assert values(found) == {"settings": {"autoReconnect": True}}
    assert isinstance(await plan_of("A VPN, please", vpn), Refusal)


async def test_an_object_without_required_properties_gets_what_is_there() -> None:
    drive = {"type": "object", "properties": {"driveId": TEXT}}
    drives = param("drives", {"type": "array", "items": drive}, required=True)  # type: ignore[arg-type,dict-item]
    found = await plan_of("Cool the drive with ID driveA77", drives)
    assert values(found) == {"drives": [{"driveId": "driveA77"}]}
    assert isinstance(await plan_of("Cool it down", drives), Refusal)


@pytest.mark.parametrize(
    ("text", "pattern", "value"),
    [
        ("It expires on 12/25.", r"^(0[1-9]|1[0-2])/\d{2}$", "12/25"),
        ("Open 9:00-16:00 please", r"^\d{1,2}:\d{2}-\d{1,2}:\d{2}$", "9:00-16:00"),
        ("Launches in Q2 2025", r"^\d{4}-Q[1-4]$", "2025-Q2"),
    ],
)
async def test_a_value_by_the_slots_own_pattern(text: str, pattern: str, value: str) -> None:
    found = await plan_of(text, required("expiry", "When", pattern=pattern))
    assert isinstance(found, CallPlan), found
    assert found.values() == {"expiry": value}
    assert found.arguments["expiry"].source == "request"


async def test_a_pattern_that_any_word_meets_finds_nothing() -> None:
    assert isinstance(await plan_of("Hello there", required("x_id", pattern=r"^\w+$")), Refusal)


async def test_a_day_and_its_time_serve_two_parameters() -> None:
    found = await plan_of(
        "Check the pool on May 20th at 9:00 AM",
        required("date", format="date"),
        required("time", "Time of day"),
    )
    assert values(found) == {"date": "2027-05-20", "time": "09:00"}


async def test_a_name_is_known_by_its_introduction() -> None:
    asked = Request(
        text="Yes, book it. My name is Alex Turner.",
        messages=(Message(role="assistant", content='"Green Valley Circle" is free. Book it?'),),
        today="2026-11-20",
    )
    found = await plan_of(asked, required("participant_name", "Name of the person booking"))
    assert values(found) == {"participant_name": "Alex Turner"}


async def test_weeks_are_counted_in_days_where_days_are_wanted() -> None:
    days = required("logDays", "The number of days of logs to analyse", type="integer")
    assert values(await plan_of("Look into the past two weeks", days)) == {"logDays": 14}


async def test_a_clock_as_one_number() -> None:
    time = required("meetingTime", "Time in 24-hour format, e.g., 1400 for 2 PM", type="integer")
    assert values(await plan_of("I have a meeting at 3 PM", time)) == {"meetingTime": 1500}


_SCRIPT = """
import asyncio
from gretel.contracts.ranking import Request
from gretel.contracts.tool import Parameter, Tool
from gretel.nodes.plan.deterministic import DeterministicPlanner
names = {"origin": "The city where the journey of the passengers begins",
         "target": "The town that the passengers want to reach by train or bus"}
leaves = tuple(Parameter(name=n, wire_name=n, location="argument", required=True,
    json_schema={"type": "string"}, description=d) for n, d in names.items())
tool = Tool(tool_id="a.b", toolkit="a", operation="b", description="Journeys", parameters=leaves)
asked = Request(text="Passengers travel from Rome to a town near Oslo", today="2026-11-20")
print(asyncio.run(DeterministicPlanner().plan(asked, tool)).model_dump_json())
"""


@pytest.mark.slow
def test_the_order_of_sets_changes_no_plan() -> None:
    plans = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "12345678"
    }
    assert len(plans) == 1


@pytest.mark.parametrize("answer", ["275.00 EUR", "That is 275 euros.", "Here you are."])
@pytest.mark.parametrize("text", ["And 300?", "And 300 dollars?"])
async def test_a_new_amount_beats_the_one_of_an_answer(answer: str, text: str) -> None:
    code = {"type": "string", "description": "currency code, ISO 4217"}
    names = {"amount": {"type": "number"}, "source": code, "target": code}
    parameters = [param(name, schema, required=True) for name, schema in names.items()]
    turns = (
        Message(role="user", content="Convert 250 dollars into euros"),
        Message(role="assistant", content=answer),
    )
    asked = Request(text=text, messages=turns, today="2026-11-28")
    planned = await PLANNER.plan(asked, tool("bank.convert", params=parameters))
    assert isinstance(planned, CallPlan)
    assert planned.values()["amount"] == 300
