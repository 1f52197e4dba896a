"""The providers of the example: how each behaves beyond what its document says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from operations import Operation, Rejected
from timetable import AIRLINES, Flight, find_airport, flights_of

from gretel.contracts.record import JsonObject, JsonValue

USD_IN = {"USD": 1.0, "EUR": 0.92, "GBP": 0.79}
"""Fixed exchange rates, so that answers repeat."""


@dataclass(frozen=True)
class FlightFields:
    """The parameters by which a flight provider takes a route; its own names for them."""

    origin: str
    destination: str
    date: str
    carrier: str | None = None


@dataclass(frozen=True)
class Behaviour:
    """How one provider behaves beyond its document."""

    delay_ms: float = 40
    """Time before each answer."""
    authorized: bool = True
    """False: 401 to everyone, whatever the document says."""
    empty: bool = False
    """True: valid requests find nothing."""
    flights: FlightFields | None = None
    """Set for a provider that answers from the timetable."""


BEHAVIOURS: Mapping[str, Behaviour] = {
    "/flightspro": Behaviour(
        60, flights=FlightFields("origin", "destination", "date", "carrier_code")
    ),
    "/kayak": Behaviour(60, flights=FlightFields("from", "to", "date")),
    "/skyscanner": Behaviour(450, flights=FlightFields("origin", "destination", "departure_date")),
    "/jetquery": Behaviour(authorized=False),
    "/skydeals": Behaviour(empty=True),
}
"""Behaviour by base path; all others are plain."""


def answering(
    operation: Operation, behaviour: Behaviour, *, today: date, seed: int
) -> Callable[[JsonObject], JsonValue]:
    """What the provider answers to valid arguments."""

    def answer(arguments: JsonObject) -> JsonValue:
        if behaviour.flights is not None:
            found = _found(behaviour.flights, arguments, today=today, seed=seed)
            currency = str(arguments.get("currency", "USD"))
            return _written([_row(flight, currency) for flight in found], operation.answer)
        if behaviour.empty:
            return _written([], operation.answer)
        return operation.made_up(arguments, seed=seed)

    return answer


def _found(fields: FlightFields, arguments: JsonObject, *, today: date, seed: int) -> list[Flight]:
    origin = _airport(fields.origin, arguments)
    destination = _airport(fields.destination, arguments)
    day = date.fromisoformat(str(arguments[fields.date]))
    if origin == destination:
        raise Rejected("same_place", f"'{fields.origin}' and '{fields.destination}' are one place")
    if day < today:
        raise Rejected("date_in_past", f"'{fields.date}': {day} is over")
    carrier = str(arguments[fields.carrier]) if fields.carrier else None
    if carrier is not None and carrier not in AIRLINES:
        raise Rejected("unknown_carrier", f"'{fields.carrier}': no airline has {carrier!r}")
    return flights_of(origin, destination, day, seed=seed, carrier=carrier)


def _airport(name: str, arguments: JsonObject) -> str:
    airport = find_airport(str(arguments[name]))
    if airport is None:
        raise Rejected("unknown_place", f"'{name}': no airport for {arguments[name]!r}")
    return airport


def _written(rows: list[JsonObject], answer: JsonObject) -> JsonObject:
    """The rows as the document words its answer: its list, its fields, their number."""
    written: JsonObject = {}
    properties: Any = answer["properties"]
    for name, schema in properties.items():
        if schema["type"] == "integer":
            written[name] = len(rows)
        else:
            kept = schema["items"]["properties"]
            written[name] = [{k: v for k, v in row.items() if k in kept} for row in rows]
    return written


def _row(flight: Flight, currency: str) -> JsonObject:
    return {
        "flight_number": flight.flight_number,
        "airline": AIRLINES[flight.carrier],
        "from": flight.origin,
        "origin": flight.origin,
        "to": flight.destination,
        "destination": flight.destination,
        "departure": f"{flight.departure.isoformat()}Z",
        "arrival": f"{flight.arrival.isoformat()}Z",
        "duration_minutes": int((flight.arrival - flight.departure).total_seconds() // 60),
        "stops": flight.stops,
        "price": round(flight.price_usd * USD_IN[currency], 2),
        "currency": currency,
        "agent": AIRLINES[flight.carrier],
    }
