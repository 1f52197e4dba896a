"""The flight case under other names: providers, parameters, cities and dates all moved."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from typing import Any

from documents import Document, base_path, read_documents
from providers import BEHAVIOURS, Behaviour, FlightFields

ROLES = ("/kayak", "/skyscanner", "/flightspro")
"""Base paths of the provider that works, the slow one and the one that demands a carrier."""


@dataclass(frozen=True)
class Variant:
    """One telling of the case."""

    request: str
    today: date
    providers: tuple[str, str, str]
    """Titles of the provider that works, the slow one and the demanding one."""
    operations: tuple[str, str, str]
    fields: FlightFields
    """What all three call their parameters."""
    origins: frozenset[str]
    destinations: frozenset[str]
    day: str

    def tool_ids(self) -> tuple[str, str, str]:
        """The tools of the three providers, in the order of `providers`."""
        pairs = zip(self.providers, self.operations, strict=True)
        works, slow, demanding = (f"{title}.{operation}" for title, operation in pairs)
        return works, slow, demanding

    def documents(self) -> list[Document]:
        """The example's documents, with the three providers renamed throughout."""
        return [self._renamed(document) for document in read_documents()]

    def behaviours(self) -> Mapping[str, Behaviour]:
        """How the renamed providers behave: as those of the example, in their own words."""
        moved = dict(BEHAVIOURS)
        for role, title in zip(ROLES, self.providers, strict=True):
            delay = moved.pop(role).delay_ms
            carrier = self.fields.carrier if role == "/flightspro" else None
            fields = FlightFields(
                self.fields.origin, self.fields.destination, self.fields.date, carrier
            )
            moved[f"/{title.lower()}"] = Behaviour(delay, flights=fields)
        return moved

    def _renamed(self, document: Document) -> Document:
        role = base_path(document)
        if role not in ROLES:
            return document
        place = ROLES.index(role)
        renamed: Any = deepcopy(dict(document))
        title = self.providers[place]
        renamed["info"]["title"] = title
        server = renamed["servers"][0]
        server["url"] = server["url"].replace(role, f"/{title.lower()}")
        operation = next(iter(next(iter(renamed["paths"].values())).values()))
        operation["operationId"] = self.operations[place]
        names = self._names(BEHAVIOURS[role].flights)
        for parameter in operation["parameters"]:
            parameter["name"] = names.get(parameter["name"], parameter["name"])
        return renamed

    def _names(self, old: FlightFields | None) -> dict[str, str]:
        assert old is not None
        pairs = {
            old.origin: self.fields.origin,
            old.destination: self.fields.destination,
            old.date: self.fields.date,
            old.carrier: self.fields.carrier,
        }
        return {before: after for before, after in pairs.items() if before and after}


VARIANTS = (
    Variant(
        "Find me a one-way flight from London to Paris for tomorrow.",
        date(2027, 3, 10),
        ("AirHop", "Wingfare", "FlyNow"),
        ("search_flights", "get_flights", "search"),
        FlightFields("departure_airport", "arrival_airport", "departure_date", "airline_code"),
        frozenset({"LON", "LHR", "LGW", "LCY", "STN", "LTN"}),
        frozenset({"PAR", "CDG", "ORY"}),
        "2027-03-11",
    ),
    Variant(
        "I need a flight from Berlin to Madrid on 3 May 2027.",
        date(2027, 3, 10),
        ("Zephyr", "Cirrus", "Stratus"),
        ("findFlights", "listOffers", "searchFlights"),
        FlightFields("originAirport", "destinationAirport", "departureDate", "carrierCode"),
        frozenset({"BER"}),
        frozenset({"MAD"}),
        "2027-05-03",
    ),
    Variant(
        "Show me one-way flights from Chicago to Miami on December 24.",
        date(2026, 11, 20),
        ("Kondor", "Milan", "Sperber"),
        ("suche", "angebote", "fluege"),
        FlightFields("von", "nach", "datum", "fluggesellschaft"),
        frozenset({"CHI", "ORD", "MDW"}),
        frozenset({"MIA"}),
        "2026-12-24",
    ),
    Variant(
        "One-way flight from Lisbon to Amsterdam, the day after tomorrow.",
        date(2026, 12, 30),
        ("Golondrina", "Aguila", "Halcon"),
        ("buscar_vuelos", "ver_vuelos", "buscar"),
        FlightFields("origen", "destino", "fecha", "codigo_aerolinea"),
        frozenset({"LIS"}),
        frozenset({"AMS"}),
        "2027-01-01",
    ),
    Variant(
        "Is there a flight from Toronto to Vancouver next Monday?",
        date(2026, 12, 2),
        ("Hirondelle", "Mouette", "Faucon"),
        ("chercher_vols", "lister_vols", "recherche"),
        FlightFields("depart", "arrivee", "jour", "compagnie"),
        frozenset({"YTO", "YYZ", "YTZ"}),
        frozenset({"YVR"}),
        "2026-12-07",
    ),
    Variant(
        "Get me a flight from SIN to HKG on 2027-01-15.",
        date(2026, 11, 20),
        ("Orbit", "Comet", "Meteor"),
        ("query", "fetch", "lookup"),
        FlightFields("src", "dst", "when", "operator"),
        frozenset({"SIN"}),
        frozenset({"HKG"}),
        "2027-01-15",
    ),
    Variant(
        "List one-way flights from Tokyo to Los Angeles in ten days, please.",
        date(2027, 6, 7),
        ("Tsubame", "Hayabusa", "Kamome"),
        ("search_flights", "get_flights", "search"),
        FlightFields("from_iata", "to_iata", "travel_day", "marketing_carrier"),
        frozenset({"TYO", "HND", "NRT"}),
        frozenset({"LAX"}),
        "2027-06-17",
    ),
)
