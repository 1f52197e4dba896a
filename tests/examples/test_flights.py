"""The example's documents and its server: every operation loads, answers and checks."""

from collections.abc import Iterator
from datetime import date

import httpx
import jsonschema_rs
import pytest
from documents import base_path, catalogue, read_documents
from openapi_spec_validator import validate
from server import ApiServer
from timetable import find_airport, flights_of

from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Parameter, Tool
from gretel.nodes.simulate.instances import Supply, from_schema
from lanes import every

CATALOG = catalogue(read_documents())
DAY = "2026-11-24"
ROUTE: dict[str, str] = {
    "from": "SFO",
    "to": "NYC",
    "origin": "SFO",
    "destination": "JFK",
    "date": DAY,
    "departure_date": DAY,
    "carrier_code": "UA",
}
UNUSUAL = ("AeroFinder", "JetQuery", "SkyDeals")
FLIGHTS = ("FlightsPro.search", "Kayak.search_flights", "Skyscanner.get_flights")
PLAIN = [
    tool.tool_id for tool in CATALOG if tool.toolkit not in UNUSUAL and tool.tool_id not in FLIGHTS
]


@pytest.fixture(scope="module")
def client(server: ApiServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}", trust_env=False) as opened:
        yield opened


def value_of(parameter: Parameter) -> JsonValue:
    if parameter.examples:
        return parameter.examples[0]
    if "pattern" in parameter.json_schema:
        raise AssertionError(f"{parameter.name} has a pattern and no example")
    return from_schema(parameter.json_schema, Supply(parameter.name), name=parameter.name)


def call(client: httpx.Client, tool: Tool, values: JsonObject) -> httpx.Response:
    assert isinstance(tool.binding, HttpBinding)
    path = httpx.URL(tool.binding.servers[0]).path + tool.binding.path
    sent = {p.name: p.location for p in tool.parameters}
    in_path = {n: str(v) for n, v in values.items() if sent[n] == "path"}
    query = {n: str(v) for n, v in values.items() if sent[n] == "query"}
    body = {n: v for n, v in values.items() if sent[n] == "body"}
    sent_body = body if "body" in sent.values() else None
    return client.request(tool.binding.method, path.format(**in_path), params=query, json=sent_body)


@pytest.mark.parametrize("document", read_documents(), ids=base_path)
def test_documents_are_valid_openapi(document: JsonObject) -> None:
    validate(document)


def test_every_operation_becomes_a_tool() -> None:
    assert not CATALOG.skipped and not CATALOG.notes
    assert len(PLAIN) >= 60
    assert all(tool_id in CATALOG for tool_id in FLIGHTS)


@pytest.mark.parametrize("tool_id", every(6, PLAIN))
def test_every_operation_answers_as_documented(client: httpx.Client, tool_id: str) -> None:
    tool = CATALOG[tool_id]
    answer = call(client, tool, {p.name: value_of(p) for p in tool.parameters if p.required})
    assert answer.is_success, answer.text
    assert answer.json()
    assert tool.response.json_schema
    jsonschema_rs.validate(tool.response.json_schema, answer.json())


@pytest.mark.parametrize("tool_id", every(6, PLAIN))
def test_required_parameters_are_required(client: httpx.Client, tool_id: str) -> None:
    tool = CATALOG[tool_id]
    required = [p for p in tool.parameters if p.required]
    for left_out in (p for p in required if p.location != "path"):
        values = {p.name: value_of(p) for p in required if p is not left_out}
        answer = call(client, tool, values)
        assert answer.status_code == 400
        assert left_out.name in answer.json()["message"]


def flight_values(tool: Tool) -> JsonObject:
    return {p.name: ROUTE[p.name] for p in tool.parameters if p.required}


@pytest.mark.parametrize("tool_id", every(3, FLIGHTS))
def test_flight_providers_find_flights(client: httpx.Client, tool_id: str) -> None:
    tool = CATALOG[tool_id]
    answer = call(client, tool, flight_values(tool))
    assert tool.response.json_schema
    jsonschema_rs.validate(tool.response.json_schema, answer.json())
    rows = next(v for v in answer.json().values() if isinstance(v, list))
    assert rows and all(row["departure"].startswith(DAY) for row in rows)
    assert [row["price"] for row in rows] == sorted(row["price"] for row in rows)


@pytest.mark.parametrize("tool_id", every(4, FLIGHTS))
def test_flight_providers_check_their_parameters(client: httpx.Client, tool_id: str) -> None:
    tool = CATALOG[tool_id]
    good = flight_values(tool)
    for name in good:
        missing = {k: v for k, v in good.items() if k != name}
        assert call(client, tool, missing).json()["error"] == "missing_parameter"
    day = next(name for name in good if "date" in name)
    start, end = list(good)[:2]
    assert call(client, tool, {**good, day: "Tuesday"}).json()["error"] == "invalid_parameter"
    assert call(client, tool, {**good, day: "2026-11-19"}).json()["error"] == "date_in_past"
    assert call(client, tool, {**good, end: "QQX"}).json()["error"] == "unknown_place"
    assert call(client, tool, {**good, end: good[start]}).json()["error"] == "same_place"


def test_a_carrier_narrows_the_flights(client: httpx.Client) -> None:
    tool = CATALOG["FlightsPro.search"]
    found = call(client, tool, flight_values(tool)).json()["flights"]
    assert {flight["flight_number"][:2] for flight in found} == {"UA"}
    refused = call(client, tool, {**flight_values(tool), "carrier_code": "ZZ"})
    assert (refused.status_code, refused.json()["error"]) == (400, "unknown_carrier")


@pytest.mark.slow
def test_prices_come_in_the_currency_asked_for(client: httpx.Client) -> None:
    tool = CATALOG["Skyscanner.get_flights"]
    values = flight_values(tool)
    dollars = call(client, tool, values).json()["offers"][0]
    euros = call(client, tool, {**values, "currency": "EUR"}).json()["offers"][0]
    assert euros["currency"] == "EUR" and euros["price"] < dollars["price"]


def test_the_unusual_providers(client: httpx.Client, server: ApiServer) -> None:
    refused = client.get("/jetquery/fares", params=ROUTE)
    assert (refused.status_code, refused.json()["error"]) == (401, "unauthorized")
    route = {"from_city": "San Francisco", "to_city": "New York"}
    assert client.get("/skydeals/deals", params=route).json() == {"deals": []}
    binding = server.catalogue()["AeroFinder.find_flights"].binding
    assert isinstance(binding, HttpBinding)
    with pytest.raises(httpx.ConnectError):
        httpx.get(binding.servers[0], trust_env=False)


def test_the_catalogue_names_the_ports_in_use(server: ApiServer) -> None:
    urls = {httpx.URL(t.binding.servers[0]) for t in server.catalogue() if t.binding.kind == "http"}
    assert {f"{url.host}:{url.port}" for url in urls} == set(server.hosts)


@pytest.mark.slow
def test_answers_depend_on_request_and_seed_alone(client: httpx.Client, server: ApiServer) -> None:
    with (
        ApiServer(today=date(2026, 11, 20)) as again,
        ApiServer(today=date(2026, 11, 20), seed=8) as other,
    ):
        for path in ("/kayak/flights?from=SFO&to=JFK&date=" + DAY, "/coinwatch/trending"):
            answers = [
                httpx.get(f"http://127.0.0.1:{each.port}{path}", trust_env=False).json()
                for each in (server, again, other)
            ]
            assert answers[0] == answers[1] != answers[2]


@pytest.mark.slow
def test_a_stopped_server_frees_its_port() -> None:
    with ApiServer(today=date(2026, 11, 20)) as first:
        port = first.port
    with ApiServer(today=date(2026, 11, 20), port=port) as second:
        assert httpx.get(f"http://127.0.0.1:{second.port}/", trust_env=False).status_code == 404


def test_places_are_found_by_code_and_by_name() -> None:
    assert [find_airport(p) for p in ("SFO", "NYC", "new york city", "São Paulo", "Atlantis")] == [
        "SFO",
        "JFK",
        "JFK",
        "GRU",
        None,
    ]
    first = flights_of("SFO", "JFK", date(2026, 11, 24), seed=7)
    assert first == flights_of("SFO", "JFK", date(2026, 11, 24), seed=7)
    assert all(flight.departure < flight.arrival for flight in first)
