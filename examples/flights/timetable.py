"""Made-up flights between real airports: the data behind the flight providers."""

import unicodedata
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from math import asin, cos, radians, sin, sqrt
from random import Random

import airportsdata

AIRLINES = {
    "AA": "American Airlines",
    "AF": "Air France",
    "B6": "JetBlue",
    "BA": "British Airways",
    "DL": "Delta Air Lines",
    "EK": "Emirates",
    "LH": "Lufthansa",
    "NH": "All Nippon Airways",
    "UA": "United Airlines",
}
HUBS = {
    "BJS": "PEK",
    "BUE": "EZE",
    "CHI": "ORD",
    "LON": "LHR",
    "MIL": "MXP",
    "MOW": "SVO",
    "NYC": "JFK",
    "OSA": "KIX",
    "PAR": "CDG",
    "RIO": "GIG",
    "ROM": "FCO",
    "SAO": "GRU",
    "SEL": "ICN",
    "SHA": "PVG",
    "STO": "ARN",
    "TYO": "HND",
    "WAS": "IAD",
    "YMQ": "YUL",
    "YTO": "YYZ",
}
"""Metropolitan codes of IATA, and the airport that stands for each."""


@dataclass(frozen=True)
class Flight:
    """One flight of one day."""

    carrier: str
    flight_number: str
    origin: str
    destination: str
    departure: datetime
    arrival: datetime
    stops: int
    price_usd: float


def find_airport(place: str) -> str | None:
    """The airport of a code or city name; None for a place without one.

    `SFO` is itself, `NYC` its hub, `New York` and `new york city` the city's airport.
    """
    code = place.strip().upper()
    if code in HUBS or code in _airports():
        return HUBS.get(code, code)
    return _by_city().get(_folded(place.split(",")[0]))


def flights_of(
    origin: str, destination: str, day: date, *, seed: int, carrier: str | None = None
) -> list[Flight]:
    """The flights of a day between two airports, cheapest first: three to six of them.

    With a `carrier`, all of them are that airline's.
    """
    rng = Random(f"{seed}/{origin}/{destination}/{day}/{carrier}")
    distance = _distance_km(origin, destination)
    found = []
    for _ in range(rng.randint(3, 6)):
        airline = carrier or rng.choice(sorted(AIRLINES))
        stops = int(distance > 2000 and rng.random() < 0.4)
        start = datetime.combine(day, time(rng.randint(6, 21), rng.choice((0, 15, 30, 45))))
        minutes = round(35 + distance / 13.5 + 80 * stops)
        found.append(
            Flight(
                carrier=airline,
                flight_number=f"{airline}{rng.randint(100, 2999)}",
                origin=origin,
                destination=destination,
                departure=start,
                arrival=start + timedelta(minutes=minutes),
                stops=stops,
                price_usd=round(39 + distance * rng.uniform(0.05, 0.11), 2),
            )
        )
    return sorted(found, key=lambda flight: flight.price_usd)


@cache
def _airports() -> dict[str, airportsdata.Airport]:
    return airportsdata.load("IATA")


@cache
def _by_city() -> dict[str, str]:
    """City names to airports; the hub where a city has one, else the first code."""
    cities: dict[str, str] = {}
    for code in [*HUBS.values(), *sorted(_airports())]:
        cities.setdefault(_folded(_airports()[code]["city"]), code)
    return cities


def _folded(city: str) -> str:
    letters = unicodedata.normalize("NFKD", city).encode("ascii", "ignore").decode()
    return letters.casefold().strip().removesuffix(" city")


def _distance_km(origin: str, destination: str) -> float:
    """Great-circle distance."""
    a, b = _airports()[origin], _airports()[destination]
    lat_a, lat_b = radians(a["lat"]), radians(b["lat"])
    half_lat, half_lon = (lat_b - lat_a) / 2, radians(b["lon"] - a["lon"]) / 2
    return 12742 * asin(sqrt(sin(half_lat) ** 2 + cos(lat_a) * cos(lat_b) * sin(half_lon) ** 2))
