"""changedetection.io: watches web pages; its data folder is written as it writes it itself."""

import json
import uuid

from service import Place, Service, Wheels

PORT = 18604
KEY = "5b0a1c9e4d7f42638a9b0c1d2e3f4a5b"
NEVER = {"weeks": 520, "days": None, "hours": None, "minutes": None, "seconds": None}
TAGS = {"suppliers": "Suppliers", "events": "Events", "rules": "Regulations"}
# key: (title, url, tags, paused, muted, (moment, text)…)
WATCHES: dict[str, tuple[str, str, list[str], bool, bool, list[tuple[int, str]]]] = {
    "paper": (
        "Stationers Guild paper prices",
        "https://stationers.example/prices",
        ["suppliers"],
        False,
        False,
        [
            (1790841600, "Laid paper A4: 18.40 EUR\nKraft paper A3: 22.00 EUR\n"),
            (1791446400, "Laid paper A4: 19.10 EUR\nKraft paper A3: 22.00 EUR\n"),
            (
                1792051200,
                "Laid paper A4: 19.10 EUR\nKraft paper A3: 21.50 EUR\nCotton A4: sold out\n",
            ),
        ],
    ),
    "fair": (
        "Bergen autumn book fair",
        "https://fair.example/bergen/programme",
        ["events"],
        False,
        False,
        [
            (1790928000, "Opening: 3 October, 10:00\nHall B: closed\n"),
            (1791532800, "Opening: 3 October, 09:30\nHall B: children's books\n"),
        ],
    ),
    "ferry": (
        "Ferry timetable Askøy",
        "https://ferries.example/askoy",
        ["events"],
        True,
        False,
        [(1791014400, "First ferry 06:20, last ferry 23:50\n")],
    ),
    "customs": (
        "Customs duty on printed matter",
        "https://customs.example/duty/4901",
        ["rules"],
        False,
        True,
        [],
    ),
    "ink": (
        "Printer ink stock",
        "https://suppliers.example/ink/black-500ml",
        ["suppliers"],
        False,
        False,
        [(1791100800, "Black ink 500 ml: in stock, 14 pieces\n")],
    ),
}


def identifier(key: str) -> str:
    """A fixed UUID for a watch or a tag."""
    made = uuid.uuid5(uuid.NAMESPACE_URL, f"gretel-real/changedetection/{key}")
    return str(uuid.UUID(bytes=made.bytes, version=4))


def _prepare(place: Place) -> None:
    settings = {
        "app_guid": identifier("app"),
        "settings": {
            "requests": {"time_between_check": NEVER},
            "application": {
                "api_access_token": KEY,
                "api_access_token_enabled": True,
                "notification_urls": ["json://127.0.0.1:9/hooks/page-changed"],
                "schema_version": 33,
                "all_paused": True,
            },
        },
    }
    place.written("changedetection.json", json.dumps(settings))
    for key, title in TAGS.items():
        tag = {"uuid": identifier(key), "title": title, "date_created": 1790755200}
        place.written(f"{identifier(key)}/tag.json", json.dumps(tag))
    for key in WATCHES:
        _write_watch(place, key)


def _write_watch(place: Place, key: str) -> None:
    title, url, tags, paused, muted, snapshots = WATCHES[key]
    folder = identifier(key)
    watch = {
        "uuid": folder,
        "url": url,
        "title": title,
        "tags": [identifier(tag) for tag in tags],
        "paused": paused,
        "notification_muted": muted,
        "date_created": 1790755200,
        "last_checked": max([moment for moment, _ in snapshots], default=0),
        "check_count": len(snapshots),
        "fetch_backend": "html_requests",
        "processor": "text_json_diff",
    }
    place.written(f"{folder}/watch.json", json.dumps(watch))
    if snapshots:
        for moment, text in snapshots:
            place.written(f"{folder}/{moment}.txt", text)
        lines = [f"{moment},{moment}.txt\n" for moment, _ in snapshots]
        place.written(f"{folder}/history.txt", "".join(lines))


def _command(place: Place) -> list[str]:
    program = place.program("changedetection.io")
    return [program, "-d", str(place.data), "-h", "127.0.0.1", "-p", str(place.port)]


SERVICE = Service(
    name="changedetection",
    part="develop_e",
    install=Wheels("changedetection"),
    port=PORT,
    base="/api/v1",
    prepare=_prepare,
    command=_command,
    environment=lambda _: {"LOGGER_LEVEL": "WARNING", "FETCH_WORKERS": "1"},
    ready="/api/v1/systeminfo",
    document="/api/v1/full-spec",
    syntax="yaml",
    credential=KEY,
    header="x-api-key",
)
