"""The planner without a model."""

import pytest

from fakes import param, request, tool
from gretel.contracts.ranking import Message, Request
from gretel.contracts.tool import HttpBinding, Parameter, SecurityScheme, Tool, VirtualBinding
from gretel.contracts.trial import CallPlan, Refusal
from gretel.nodes.plan.deterministic import DeterministicPlanner
from lanes import every
from service_tools import plan_of, required, values

PLANNER = DeterministicPlanner()
CODE = "^[A-Z]{3}$"


JOURNEYS = [
    ("Find me a one-way flight from Lisbon to Oslo for next Tuesday.", "LIS", "OSL", "2026-11-24"),
    ("Berlin → Tokyo, 3 March", "BER", "HND", "2027-03-03"),
    ("Book a flight to Paris from London on 5 May 2027 for two adults", "LHR", "CDG", "2027-05-05"),
    ("I need to get to Chicago tomorrow, leaving from Boston", "BOS", "ORD", "2026-11-21"),
    ("any flights SFO to JFK on 2026-12-24?", "SFO", "JFK", "2026-12-24"),
    ("fly from san francisco to new york in 3 days", "SFO", "JFK", "2026-11-23"),
]
NAMES = [
    ("from", "to", "date"),
    ("origin", "destination", "departure_date"),
    ("fly_from", "fly_to", "dateFrom"),
    ("departureAirport", "arrivalAirport", "outboundDate"),
    ("originLocationCode", "destinationLocationCode", "departureDate"),
]


@pytest.mark.parametrize(("text", "start", "end", "date"), JOURNEYS)
@pytest.mark.parametrize("names", NAMES)
async def test_journeys_by_code(
    text: str, start: str, end: str, date: str, names: tuple[str, str, str]
) -> None:
    result = await plan_of(
        text,
        required(names[0], "IATA code of the airport", pattern=CODE),
        required(names[1], "IATA code of the airport", pattern=CODE),
        required(names[2], format="date"),
    )
    assert values(result) == {names[0]: start, names[1]: end, names[2]: date}


async def test_a_schema_that_knows_metropolitan_codes_gets_them() -> None:
    text = "Flights from London to New York tomorrow"
    places = ["LON", "NYC", "PAR"]
    by_enum = await plan_of(text, required("origin", enum=places), required("to", enum=places))
    assert values(by_enum) == {"origin": "LON", "to": "NYC"}
    about = "IATA or metropolitan code, e.g. NYC"
    by_word = await plan_of(text, required("origin", about), required("destination", about))
    assert values(by_word) == {"origin": "LON", "destination": "NYC"}


async def test_a_city_slot_gets_the_name() -> None:
    result = await plan_of(
        "From Rome to Vienna on 1 December",
        required("departure_city"),
        required("arrival_city"),
        required("day", "DD/MM/YYYY"),
    )
    expected = {"departure_city": "Rome", "arrival_city": "Vienna", "day": "01/12/2026"}
    assert values(result) == expected


async def test_what_nobody_said_is_refused_by_name() -> None:
    result = await plan_of(
        "Find me a one-way flight from Lisbon to Oslo for next Tuesday.",
        required("carrier_code", "IATA airline code, e.g. UA"),
        required("origin", "IATA code"),
        required("destination", "IATA code"),
    )
    assert isinstance(result, Refusal)
    assert result.reason == "missing_required"
    assert [field.name for field in result.missing] == ["carrier_code"]
    assert "carrier_code" in result.detail
    assert result.confidence > 0.8


async def test_one_date_does_not_serve_both_ends_of_a_stay() -> None:
    stay = (required("city"), required("check_in", format="date"))
    leave = required("check_out", "Day of leaving", format="date")
    full = await plan_of("A room in Rome, check in March 3 and check out March 9", *stay, leave)
    assert values(full) == {"city": "Rome", "check_in": "2027-03-03", "check_out": "2027-03-09"}
    half = await plan_of("A room in Rome for March 3", *stay, leave)
    assert isinstance(half, Refusal)
    assert [field.name for field in half.missing] == ["check_out"]


@pytest.mark.parametrize(
    ("text", "parameter", "value"),
    [
        ("Activate SIM card ID 'DMpXWjZBXF7X'", required("sim_card_id", "ID of the card"),
         "DMpXWjZBXF7X"),
        ("The patient is 65 years old and weighs 78 kilograms",
         required("weight", "Weight of the patient in kilograms", type="number"), 78),
        ("How long is a 5 km run?", required("distance", "Distance in meters", type="number"),
         5000),
        ("Mail the report to jane@example.org", required("email"), "jane@example.org"),
        ("Is www.example.com up?", required("url", format="uri"), "www.example.com"),
        ("Locate 192.168.10.6", required("ip"), "192.168.10.6"),
        ("Play the song 'Shape of You'", required("song_name", "Name of the song"),
         "Shape of You"),
        ("Translate it into Spanish", required("language", "ISO 639-1 code"), "es"),
        ("Holidays in Germany", required("country_code", "ISO alpha-2 code"), "DE"),
        (
            "Holidays in Germany",
            required("country", "ISO 3166-1 alpha-2 code (in any case, made upper case)."),
            "DE",
        ),
        ("Holidays in Germany", required("country", "Country code, e.g. us or gb"), "de"),
        ("Prices in euros: 40 EUR", required("currency", "ISO code"), "EUR"),
        ("Films released in 1999", required("year", type="integer"), 1999),
    ],
)  # fmt: skip
async def test_a_single_value(text: str, parameter: Parameter, value: object) -> None:
    assert values(await plan_of(text, parameter)) == {parameter.name: value}


async def test_choices() -> None:
    cabin = required("cabin", enum=["economy", "premium_economy", "business", "first"])
    direct = param("include_vegetarian", "boolean", description="Vegetarian meals")
    both = await plan_of("Business class and include vegetarian meals", cabin, direct)
    assert values(both) == {"cabin": "business", "include_vegetarian": True}
    without = await plan_of("Premium economy without vegetarian meals", cabin, direct)
    assert values(without) == {"cabin": "premium_economy", "include_vegetarian": False}
    assert isinstance(await plan_of("Just get me there", cabin), Refusal)


async def test_lists_and_objects() -> None:
    symbols = param("genres", {"type": "array", "items": {"type": "string"}}, required=True)
    result = await plan_of("Films of the genres horror, comedy and drama", symbols)
    assert values(result) == {"genres": ["horror", "comedy", "drama"]}
    years = {"type": "integer"}
    span = {
        "type": "object",
        "properties": {"startYear": years, "endYear": years},
        "required": ["startYear", "endYear"],
    }
    period = param("period", span, required=True)  # type: ignore[arg-type]
    result = await plan_of("Sales from 2010 to 2020", period)
    assert values(result) == {"period": {"startYear": 2010, "endYear": 2020}}


async def test_facts_come_first_and_are_marked() -> None:
    asked = request("From Rome to Vienna", origin="San Francisco", userId="u-7")
    result = await plan_of(
        asked, required("origin", "IATA code"), required("user_id"), required("to", "IATA code")
    )
    assert values(result) == {"origin": "SFO", "user_id": "u-7", "to": "VIE"}
    sources = {name: argument.source for name, argument in result.arguments.items()}
    assert sources == {"origin": "context", "user_id": "context", "to": "request"}


async def test_a_fact_that_breaks_the_schema_gives_way_to_what_is_said() -> None:
    ship = required("imo", pattern=r"^IMO\d{7}$")
    said = await plan_of(request("Details of IMO9321483", imo=3), ship)
    assert values(said) == {"imo": "IMO9321483"}
    unsaid = await plan_of(request("Details of my ship", imo=3), ship)
    assert isinstance(unsaid, Refusal)
    assert "does not match" in unsaid.detail


async def test_facts_are_told_apart_by_names_of_any_script() -> None:
    asked = request("Go", **{"国家": "Peru", "城市": "Lima", "trend": "-"})
    result = await plan_of(
        asked, required("城市"), required("国家"), required("trend", enum=["+", "-"])
    )
    assert values(result) == {"城市": "Lima", "国家": "Peru", "trend": "-"}


async def test_earlier_turns_count_and_are_marked() -> None:
    asked = Request(
        text="My order number is AB1234.",
        messages=(Message(role="user", content="Where is my parcel? It goes to Oslo."),),
        today="2026-11-20",
    )
    result = await plan_of(asked, required("city", "City it goes to"), required("order_number"))
    assert values(result) == {"city": "Oslo", "order_number": "AB1234"}
    assert result.arguments["city"].source == "message"
    start, end = result.arguments["order_number"].span or (0, 0)
    assert asked.text[start:end] == "AB1234"


async def test_defaults() -> None:
    paging = required("page", type="integer", default=1)
    optional = param("limit", {"type": "integer", "default": 20})
    only = required("format", enum=["json"])
    result = await plan_of("Show the news", paging, optional, only)
    assert values(result) == {"page": 1, "format": "json"}
    sources = {name: argument.source for name, argument in result.arguments.items()}
    assert sources == {"page": "default", "format": "enum"}
    assert result.unmet == ()


async def test_samples_are_for_virtual_tools_only() -> None:
    sample = required("league_id", "Id of the league").model_copy(update={"examples": ("39",)})
    virtual = VirtualBinding(category="Sports", tool_name="football", api_name="standings")
    result = await plan_of("Show me the standings", sample, binding=virtual)
    assert values(result) == {"league_id": "39"}
    assert result.arguments["league_id"].source == "example"
    assert result.unmet == ("league_id",)
    assert result.confidence < 0.5
    assert isinstance(await plan_of("Show me the standings", sample), Refusal)


@pytest.mark.parametrize(
    ("text", "league"),
    [
        ("Show me the standings of league 140", "140"),
        ("Standings, league: pl-2026", "pl-2026"),
    ],
)
async def test_no_sample_is_sent_where_the_request_names_a_value(text: str, league: str) -> None:
    sample = required("league", "Id of the league").model_copy(update={"examples": ("39",)})
    virtual = VirtualBinding(category="Sports", tool_name="football", api_name="standings")
    result = await plan_of(text, sample, binding=virtual)
    assert values(result) == {"league": league}
    assert isinstance(result, CallPlan)
    assert result.unmet == ()


async def test_a_value_beyond_the_limit_is_named() -> None:
    guests = required("guests", "Number of guests", type="integer", minimum=1, maximum=9)
    result = await plan_of("A table for 40 guests", guests)
    assert isinstance(result, Refusal)
    assert result.reason == "invalid_value"
    assert "guests" in result.detail
    assert "40" in result.detail


async def test_credentials_are_left_to_the_sandbox() -> None:
    scheme = SecurityScheme(name="key", kind="apiKey", location="query", parameter="api_key")
    binding = HttpBinding(method="GET", path="/", security=((scheme,),))
    result = await plan_of(
        "Weather in Oslo", required("city"), required("api_key"), binding=binding
    )
    assert values(result) == {"city": "Oslo"}


async def test_the_same_request_gives_the_same_plan() -> None:
    parameters = (required("city"), required("date", format="date"))
    first, second = [
        await DeterministicPlanner().plan(
            request("Weather in Oslo tomorrow"), tool("Sky.forecast", params=parameters)
        )
        for _ in range(2)
    ]
    assert first == second


@pytest.mark.parametrize(
    "text",
    every(
        4,
        [
            "",
            " ",
            "?!",
            "a" * 100_000,
            "1,1.1-" * 20_000,
            "'" * 5_000,
            "下周二从旧金山到纽约的航班",
        ],
    ),
)
async def test_no_text_breaks_it(text: str) -> None:
    flights: Tool = tool("Air.search", params=["origin", param("n", "integer", required=True)])
    result = await PLANNER.plan(request(text), flights)
    assert isinstance(result, CallPlan | Refusal)


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "null"}, {"type": "integer"}]},
        {"type": "array"},
        {"type": "object"},
        {"type": "string", "pattern": "("},
        {"type": "string", "enum": []},
        {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
        {"type": "nonsense"},
        {"enum": [None, {"a": 1}, [2]]},
    ],
)
async def test_no_schema_breaks_it(schema: dict[str, object]) -> None:
    odd = param("odd", schema, required=True)  # type: ignore[arg-type]
    assert isinstance(await plan_of("Give me 3 odd things from Oslo", odd), CallPlan | Refusal)
