"""WireMock's invented data: a parcel carrier that is pretended, and who asked it what."""

from typing import Any

import httpx

# id: (name, method, path, status, answer, more)
Stub = tuple[str, str, str, int, object, dict[str, Any]]
STUBS: dict[str, Stub] = {
    "2f6c1d10-4a5e-4b0a-9d51-0c7be1a4f001": (
        "Track a parcel",
        "GET",
        "/carrier/parcels/NO-1182",
        200,
        {"parcel": "NO-1182", "state": "on its way", "depot": "Drammen"},
        {"metadata": {"team": "tracking", "ticket": "SHIP-204"}},
    ),
    "7b0e93c4-15d2-4c8f-8a77-3e2f90d5b002": (
        "Parcel that got lost",
        "GET",
        "/carrier/parcels/NO-9999",
        404,
        {"error": "unknown parcel"},
        {"metadata": {"team": "tracking"}},
    ),
    "c41a8e5f-90b3-4d7e-b6c1-5a9d2e7f3003": (
        "Price of a shipment",
        "POST",
        "/carrier/rates",
        200,
        {"price": 129, "currency": "NOK"},
        {"metadata": {"team": "checkout"}},
    ),
    "d9f2b7a6-3c18-4e05-9b4d-6f8a1c0e4004": (
        "Slow label printer",
        "POST",
        "/carrier/labels",
        201,
        {"label": "label-NO-1182.txt"},
        {"delay": 3000, "priority": 1},
    ),
    "e5b8c3d1-72a4-4f96-8c0e-7d1b9a2f5005": (
        "Carrier is down",
        "GET",
        "/carrier/pickup-times",
        503,
        {"error": "maintenance until 06:00"},
        {"priority": 10},
    ),
    "f0a7d6c2-84e1-4b39-a5f8-8c3e2d1b6006": (
        "Depots",
        "GET",
        "/carrier/depots",
        200,
        ["Drammen", "Bodø", "Molde"],
        {},
    ),
    "1a9e4b7d-5f20-4c63-97d8-9e0b3c4a7007": (
        "Customs form",
        "GET",
        "/carrier/customs/CN23",
        200,
        None,
        {"file": "customs-cn23.json"},
    ),
}
# scenario: (path, (state, next state, answer)…)
SCENARIOS = {
    "Handover at the door": (
        "/carrier/parcels/NO-2040",
        [
            ("Started", "In the van", {"state": "at the depot"}),
            ("In the van", "Delivered", {"state": "in the van"}),
            ("Delivered", "Delivered", {"state": "delivered"}),
        ],
    ),
    "Refund": (
        "/carrier/refunds/R-77",
        [
            ("Started", "Paid", {"state": "requested"}),
            ("Paid", "Paid", {"state": "paid"}),
        ],
    ),
}
FILES = {
    "customs-cn23.json": '{"form": "CN23", "contents": "books", "value": "240 NOK"}\n',
    "label-NO-1182.txt": "TO: Signe Berg, Molde\nPARCEL NO-1182  2.4 kg\n",
    "rates-2026.csv": "zone,up to kg,price\nA,5,129\nB,5,179\nC,5,239\n",
}
ASKED = [
    ("GET", "/carrier/parcels/NO-1182", None),
    ("GET", "/carrier/parcels/NO-1182", None),
    ("POST", "/carrier/rates", {"zone": "A", "kg": 2.4}),
    ("GET", "/carrier/parcels/NO-9999", None),
    ("GET", "/carrier/depots", None),
    ("GET", "/carrier/parcels/NO-2040", None),
    ("GET", "/carrier/parcel/NO-1182", None),
    ("POST", "/carrier/rate", {"zone": "B", "kg": 4}),
    ("GET", "/carrier/refunds/R-78", None),
]


def seed(client: httpx.Client) -> None:
    """Everything above; the last three requests find no stub."""
    for name, text in FILES.items():
        client.put(f"/__admin/files/{name}", content=text).raise_for_status()
    for key, (name, method, path, status, answer, more) in STUBS.items():
        response: dict[str, Any] = {"status": status}
        if "file" in more:
            response["bodyFileName"] = more["file"]
        else:
            response["jsonBody"] = answer
        if "delay" in more:
            response["fixedDelayMilliseconds"] = more["delay"]
        stub: dict[str, Any] = {
            "id": key,
            "name": name,
            "request": {"method": method, "urlPath": path},
            "response": response,
        }
        stub |= {each: more[each] for each in ("metadata", "priority") if each in more}
        client.post("/__admin/mappings", json=stub).raise_for_status()
    for scenario, (path, steps) in SCENARIOS.items():
        for number, (state, following, answer) in enumerate(steps, 1):
            stub = {
                "name": f"{scenario}, step {number}",
                "scenarioName": scenario,
                "requiredScenarioState": state,
                "newScenarioState": following,
                "request": {"method": "GET", "urlPath": path},
                "response": {"status": 200, "jsonBody": answer},
            }
            client.post("/__admin/mappings", json=stub).raise_for_status()
    for method, path, body in ASKED:
        client.request(method, path, json=body)
