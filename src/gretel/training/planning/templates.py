"""Made-up calls about journeys, stays, weather and money: kinds that the public sets hardly have.

Deterministic for a seed. Every third call lacks one of its values.
"""

import datetime as dt
import random
from collections.abc import Iterator
from typing import Any

from gretel.contracts.ranking import Request
from gretel.contracts.tool import Parameter, Tool, ToolId
from gretel.nodes.plan.mentions.gazetteer import gazetteer
from gretel.training.planning.cases import Case

MADE_UP = "made"
"""The name of these among the data sets."""
MADE = 500
"""How many stand beside the cases of the data sets."""
_ENDS = [
    ("from", "to"),
    ("origin", "destination"),
    ("departure_city", "arrival_city"),
    ("fly_from", "fly_to"),
    ("departureAirport", "arrivalAirport"),
    ("originLocationCode", "destinationLocationCode"),
    ("source", "target"),
    ("start", "end"),
    ("dep", "arr"),
    ("from_city", "to_city"),
    ("departure_id", "arrival_id"),
]
_DATES = [
    "date", "departure_date", "departureDate", "date_from", "outbound_date", "travel_date", "day",
    "when", "depart", "outboundDate",
]  # fmt: skip
_JOURNEYS = [
    "Find me a {way} flight from {a} to {b} {d}.",
    "I need to fly from {a} to {b} {d}",
    "{a} → {b}, {d}",
    "Which flights go from {a} to {b} {d}? Cheap ones please.",
    "Book a ticket to {b} from {a} {d} for {n} people",
    "Show trains between {a} and {b} {d}",
    "How can I get to {b} {d}? I am leaving from {a}.",
    "flights {a} to {b} {d}",
    "flights to {b}, leaving from {a} {d}",
    "{d} I have to be in {b}; get me there from {a}",
    "Travel to {b} {d}, departing from {a}",
    "Leaving {a} {d}, arriving in {b}: what are my options?",
    "Are there any {way} tickets {d} out of {a} into {b}?",
]
_STAYS = [
    "Find a hotel in {a} from {d} to {e} for {n} guests",
    "I want to stay in {a}, check in {d} and check out {e}",
    "Book a room in {a} between {d} and {e} for {n} adults, please",
    "We are {n} people who need an apartment in {a}; we arrive {d} and leave {e}.",
]
_WEATHER = [
    "What will the weather be like in {a} {d}?",
    "Give me the forecast for {a} {d}",
    "Will it rain in {a} {d}?",
    "weather {a} {d}",
]
_MONEY = [
    "Convert {m} {x} to {y}",
    "How much is {m} {x} in {y}?",
    "I have {m} {x}, what is that in {y} {d}?",
]


def _day(rng: random.Random, today: dt.date) -> tuple[str, dt.date]:
    ahead = rng.randrange(2, 200)
    day = today + dt.timedelta(days=ahead)
    spelled = [
        (f"on {day:%B} {day.day}", day),
        (f"{day.day} {day:%B}", day),
        (f"on {day.isoformat()}", day),
        (f"on {day:%B} {day.day}, {day.year}", day),
        ("tomorrow", today + dt.timedelta(days=1)),
        (f"in {ahead} days", day),
    ]
    weekday = (day.weekday() - today.weekday()) % 7 or 7
    spelled.append((f"next {day:%A}", today + dt.timedelta(days=weekday)))
    return rng.choice(spelled)


def _leaf(name: str, about: str, required: bool = True, **schema: Any) -> Parameter:
    return Parameter(
        name=name,
        wire_name=name,
        location="query",
        required=required,
        json_schema={"type": "string", **schema},
        description=about,
    )


def _date_leaf(rng: random.Random, name: str) -> tuple[Parameter, str]:
    style, about, schema = rng.choice(
        [
            ("%Y-%m-%d", "Date of travel (YYYY-MM-DD)", {}),
            ("%Y-%m-%d", "", {"format": "date"}),
            ("%d/%m/%Y", "Day in the form DD/MM/YYYY", {}),
            ("%Y-%m-%d", "The date, e.g. 2024-05-31", {}),
        ]
    )
    return _leaf(name, about, True, **schema), style


def _tool(operation: str, about: str, *parameters: Parameter) -> Tool:
    return Tool(
        tool_id=ToolId(f"made.{operation}"),
        toolkit="made",
        operation=operation,
        description=about,
        parameters=parameters,
    )


def _journey(rng: random.Random, today: dt.date) -> tuple[Tool, dict[str, str], str]:
    a, b = rng.sample(_towns(), 2)
    said, day = _day(rng, today)
    start, end = rng.choice(_ENDS)
    codes = rng.random() < 0.6
    date, style = _date_leaf(rng, rng.choice(_DATES))
    about = rng.choice(["IATA code of the {} airport", "{} airport code, e.g. SFO", "{} (IATA)"])
    place = rng.choice(["City of {}", "Name of the {} city", "Where the trip has its {}", ""])
    words = about if codes else place
    schema = rng.choice([{}, {"pattern": "^[A-Z]{3}$"}]) if codes else {}
    extra = [_leaf("adults", "Number of passengers", False, type="integer")]
    tool = _tool(
        rng.choice(["search_flights", "findTrips", "get_offers", "searchFares", "lookup"]),
        rng.choice(["Search one-way flights", "Trips between two places on a day", ""]),
        _leaf(start, words.format("departure"), True, **schema),
        _leaf(end, words.format("arrival"), True, **schema),
        date,
        *(extra if rng.random() < 0.5 else []),
    )
    tables = gazetteer().cities
    airports = {name: tables[name.casefold()][0].airport for name in (a, b)}
    gold = {start: a, end: b, date.name: day.strftime(style)}
    if codes:
        gold |= {start: airports[a], end: airports[b]}
        if rng.random() < 0.3:
            a, b = airports[a], airports[b]
    text = rng.choice(_JOURNEYS).format(
        a=a, b=b, d=said, n=rng.randrange(2, 6), way=rng.choice(["one-way", "direct", "cheap"])
    )
    return tool, gold, text


def _stay(rng: random.Random, today: dt.date) -> tuple[Tool, dict[str, str], str]:
    first = today + dt.timedelta(days=rng.randrange(2, 100))
    last = first + dt.timedelta(days=rng.randrange(1, 9))
    start, end = rng.choice(
        [("check_in", "check_out"), ("checkin_date", "checkout_date"), ("arrival", "departure"),
         ("startDate", "endDate"), ("from_date", "to_date")]
    )  # fmt: skip
    place = rng.choice(["city", "location", "destination", "town"])
    tool = _tool(
        rng.choice(["search_hotels", "findRooms", "availability"]),
        "Hotels with free rooms",
        _leaf(place, rng.choice(["City to stay in", "", "Where the hotel is"])),
        _leaf(start, "First night (YYYY-MM-DD)"),
        _leaf(end, "Day of leaving (YYYY-MM-DD)"),
    )
    town = rng.choice(_towns())
    gold = {place: town, start: first.isoformat(), end: last.isoformat()}
    d, e = (f"{day:%B} {day.day}" for day in (first, last))
    return tool, gold, rng.choice(_STAYS).format(a=town, d=d, e=e, n=rng.randrange(2, 6))


def _forecast(rng: random.Random, today: dt.date) -> tuple[Tool, dict[str, str], str]:
    said, day = _day(rng, today)
    date, style = _date_leaf(rng, rng.choice(["date", "day", "forecast_date"]))
    place = rng.choice(["city", "location", "q", "place", "cityName"])
    tool = _tool(
        rng.choice(["forecast", "getWeather", "daily"]),
        "Weather forecast",
        _leaf(place, rng.choice(["Name of the city", "", "Place to look up"])),
        date,
    )
    town = rng.choice(_towns())
    gold = {place: town, date.name: day.strftime(style)}
    return tool, gold, rng.choice(_WEATHER).format(a=town, d=said)


def _exchange(rng: random.Random, today: dt.date) -> tuple[Tool, dict[str, str], str]:
    start, end = rng.choice([("from", "to"), ("base", "target"), ("from_currency", "to_currency")])
    said, _ = _day(rng, today)
    tool = _tool(
        rng.choice(["convert", "exchange_rate", "latest"]),
        "Currency conversion",
        _leaf(start, "Three-letter currency code to convert from, e.g. USD"),
        _leaf(end, "Three-letter currency code to convert to, e.g. EUR"),
        _leaf("amount", "Amount to convert", type="number"),
    )
    x, y = rng.sample(["USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "INR", "SEK"], 2)
    amount = rng.choice([20, 75, 100, 250, 1200])
    gold = {start: x, end: y, "amount": str(amount)}
    return tool, gold, rng.choice(_MONEY).format(m=amount, x=x, y=y, d=said)


def _towns() -> list[str]:
    ranked = sorted(gazetteer().cities.values(), key=lambda row: -row[1])
    names = dict.fromkeys(p.name for p, size in ranked if p.airport and p.name.isascii())
    return [name for name in names if " City" not in name][:250]


def made_cases(count: int, seed: int) -> Iterator[Case]:
    """`count` calls; a third of them with a required parameter that the request does not answer."""
    rng = random.Random(seed)
    makers = (_journey, _journey, _stay, _forecast, _exchange)
    for number in range(count):
        today = dt.date(2026, 1, 1) + dt.timedelta(days=rng.randrange(300))
        tool, gold, text = rng.choice(makers)(rng, today)
        request = Request(text=text, today=today.isoformat())
        if number % 3 == 0:
            unknown = rng.choice(
                [("carrier_code", "IATA airline code, e.g. UA"), ("user_id", "Id of the user"),
                 ("hotel_id", "Identifier of the hotel"), ("return_date", "YYYY-MM-DD"),
                 ("country", "ISO code of the passport"), ("token", "Session token"),
                 ("flight_number", "Flight number, e.g. UA100"),
                 ("station_id", "Id of the station"),
                 ("booking_reference", "Reference of the booking"), ("flight", ""),
                 ("order_number", "Number of the order"), ("email", "Where to send it")]
            )  # fmt: skip
            if "return_date" not in unknown or len(gold) == 3:
                tool = tool.model_copy(update={"parameters": (*tool.parameters, _leaf(*unknown))})
        yield Case(MADE_UP, f"{seed}/{number}", request, tool, (gold,))
