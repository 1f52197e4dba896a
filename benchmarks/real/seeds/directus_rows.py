"""Directus's invented data: a small museum, written through its own API."""

from typing import Any

import httpx

KEY = "museum-token-of-the-benchmark"
Field = tuple[str, str]
# table: (note, fields, rows)
TABLES: dict[str, tuple[str, list[Field], list[tuple[Any, ...]]]] = {
    "artists": (
        "Painters and potters of the collection",
        [("name", "string"), ("born", "integer"), ("country", "string")],
        [
            ("Marit Solheim", 1871, "Norway"),
            ("Jules Caron", 1902, "France"),
            ("Edda Kranz", 1934, "Austria"),
            ("Tiago Faria", 1958, "Portugal"),
        ],
    ),
    "rooms": (
        "Rooms that visitors see",
        [("name", "string"), ("floor", "integer"), ("lux", "integer")],
        [("North hall", 0, 120), ("Blue cabinet", 1, 50), ("Attic", 2, 35)],
    ),
    "artworks": (
        "Everything with an inventory number",
        [
            ("title", "string"),
            ("year", "integer"),
            ("technique", "string"),
            ("insured_eur", "integer"),
            ("artist", "integer"),
            ("room", "integer"),
        ],
        [
            ("Herring boats", 1899, "oil", 48000, 1, 1),
            ("Fog over the sound", 1904, "oil", 61000, 1, 1),
            ("Girl with a lantern", 1931, "pastel", 22500, 2, 2),
            ("Still life with quinces", 1938, "oil", 30500, 2, 2),
            ("Salt glaze jar", 1969, "stoneware", 4200, 3, 3),
            ("Nine bowls", 1975, "stoneware", 6800, 3, 3),
            ("Tide table", 1991, "woodcut", 3900, 4, 1),
        ],
    ),
    "loans": (
        "What other houses have of ours",
        [
            ("artwork", "integer"),
            ("borrower", "string"),
            ("starts", "date"),
            ("ends", "date"),
        ],
        [
            (2, "Kunsthalle Graz", "2026-09-01", "2027-01-15"),
            (5, "Keramikmuseum Bunzlau", "2026-10-05", "2027-03-31"),
            (3, "Musée de Rouen", "2027-02-01", "2027-06-30"),
        ],
    ),
}
RELATIONS = [
    ("artworks", "artist", "artists"),
    ("artworks", "room", "rooms"),
    ("loans", "artwork", "artworks"),
]
ROLES = [
    ("3a6f0c52-7d1e-4b7b-9c55-10d2e8f4a101", "Curator", "palette", "Decides what hangs where"),
    ("9e2d4b18-6c0f-4f3a-8a21-5b7c9d0e1102", "Registrar", "inventory", "Keeps track of loans"),
]
USERS = [
    ("5b1f2c7e-0a4d-4d29-8c11-7f3e9a6b0c01", "Sunniva", "Dahl", 0, "Head of collections"),
    ("c7d8e9f0-1a2b-4c3d-9e4f-5a6b7c8d9e02", "Rachid", "Benali", 1, "Registrar"),
    ("0f9e8d7c-6b5a-4433-8211-a0b1c2d3e403", "Petra", "Vogl", 1, "Assistant"),
]
FOLDERS = [
    ("aa10b2c3-d4e5-4f60-8172-93a4b5c6d701", "Condition reports"),
    ("bb21c3d4-e5f6-4071-9283-a4b5c6d7e802", "Press"),
]
# id, folder, file name, title, text
FILES = [
    (
        "e1a2b3c4-0001-4a5b-8c6d-7e8f90a1b201",
        0,
        "herring-boats-2026.txt",
        "Condition of Herring boats",
        "Herring boats, checked 3 March 2026: one small crack at the lower left.\n",
    ),
    (
        "e1a2b3c4-0002-4a5b-8c6d-7e8f90a1b202",
        0,
        "salt-glaze-jar-2026.txt",
        "Condition of Salt glaze jar",
        "Salt glaze jar, checked 8 September 2026: no damage.\n",
    ),
    (
        "e1a2b3c4-0003-4a5b-8c6d-7e8f90a1b203",
        1,
        "autumn-opening.txt",
        "Autumn opening",
        "The attic opens again on 17 October 2026 at 11:00.\n",
    ),
]
FLOWS = [
    ("d4c3b2a1-1111-4222-8333-444455556601", "Remind of loans that end", "schedule", "inactive"),
    ("d4c3b2a1-1111-4222-8333-444455556602", "Tell the registrar", "manual", "active"),
]
OPERATIONS = [
    ("f7e6d5c4-2222-4333-8444-555566667701", 0, "Find the loans", "item-read", "find"),
    ("f7e6d5c4-2222-4333-8444-555566667702", 1, "Write to the log", "log", "log"),
]
PRESETS = [
    ("artworks", "Most valuable first", "gavel"),
    ("loans", "Loans by end", "event"),
]
COMMENTS = [
    (
        "77aa88bb-3333-4444-8555-666677778801",
        "artworks",
        "5",
        "The lid is in the cupboard of the attic.",
    ),
    ("77aa88bb-3333-4444-8555-666677778802", "artworks", "2", "Graz wants to keep it till spring."),
    ("77aa88bb-3333-4444-8555-666677778803", "loans", "1", "Crate 14 went along."),
]
VERSION = ("spring-label", "Label for spring", "artworks", "3")


def seed(client: httpx.Client) -> None:
    """Everything above."""

    def call(path: str, body: object, method: str = "POST") -> Any:
        answer = client.request(method, path, json=body)
        if not answer.is_success:
            raise SystemExit(f"directus: {method} {path}: {answer.status_code} {answer.text}")
        return answer.json()["data"] if answer.content else None

    for table, (note, fields, _) in TABLES.items():
        key = {
            "field": "id",
            "type": "integer",
            "schema": {"is_primary_key": True, "has_auto_increment": True},
        }
        columns = [{"field": name, "type": kind, "schema": {}, "meta": {}} for name, kind in fields]
        meta = {"note": note, "versioning": table == "artworks"}
        body = {"collection": table, "schema": {}, "meta": meta, "fields": [key, *columns]}
        call("/collections", body)
    for table, field, other in RELATIONS:
        body = {"collection": table, "field": field, "related_collection": other}
        call("/relations", body | {"schema": {"on_delete": "SET NULL"}})
    for table, (_, fields, rows) in TABLES.items():
        names = [name for name, _ in fields]
        for row in rows:
            call(f"/items/{table}", dict(zip(names, row, strict=True)))
    call("/items/artworks/1", {"insured_eur": 52000}, "PATCH")
    _people(call)
    _files(client, call)
    _automation(call)


def _people(call: Any) -> None:
    for key, name, icon, words in ROLES:
        call("/roles", {"id": key, "name": name, "icon": icon, "description": words})
    for key, first, last, role, title in USERS:
        body = {
            "id": key,
            "first_name": first,
            "last_name": last,
            "email": f"{first}.{last}@museum.example.com".lower(),
            "role": ROLES[role][0],
            "title": title,
            "status": "active",
        }
        call("/users", body)
    for table, name, icon in PRESETS:
        call("/presets", {"collection": table, "bookmark": name, "icon": icon})
    for key, table, item, text in COMMENTS:
        call("/comments", {"id": key, "collection": table, "item": item, "comment": text})
    short, name, table, item = VERSION
    body = {"key": short, "name": name, "collection": table, "item": item}
    key = call("/versions", body)["id"]
    call(f"/versions/{key}/save", {"title": "Girl with a lantern (study)"})


def _files(client: httpx.Client, call: Any) -> None:
    for key, name in FOLDERS:
        call("/folders", {"id": key, "name": name})
    for key, folder, name, title, text in FILES:
        data = {"id": key, "folder": FOLDERS[folder][0], "title": title}
        file = {"file": (name, text.encode(), "text/plain")}
        client.post("/files", data=data, files=file).raise_for_status()


def _automation(call: Any) -> None:
    for key, name, trigger, status in FLOWS:
        options = {"cron": "0 6 * * 1"} if trigger == "schedule" else {"collections": ["loans"]}
        body = {"id": key, "name": name, "trigger": trigger, "status": status, "options": options}
        call("/flows", body)
    for number, (key, flow, name, kind, short) in enumerate(OPERATIONS):
        options = {"collection": "loans"} if kind == "item-read" else {"message": "a loan ends"}
        body = {
            "id": key,
            "flow": FLOWS[flow][0],
            "name": name,
            "type": kind,
            "key": short,
            "options": options,
            "position_x": 19 + number,
            "position_y": 1,
        }
        call("/operations", body)
