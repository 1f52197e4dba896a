"""Kinto: records in collections in buckets; boats and berths come through its own API."""

import httpx
from service import Place, Service, Wheels

PORT = 18609
USER = "warden:harbour-test-password"
BUCKET = "/buckets/harbour"
COLLECTIONS: dict[str, dict[str, dict[str, str | int | float | bool]]] = {
    "boats": {
        "albatross": {"name": "Albatross", "owner": "Ruth Solberg", "length_m": 9.4, "berth": "a1"},
        "bluebell": {"name": "Bluebell", "owner": "Amir Haddad", "length_m": 6.2, "berth": "a2"},
        "corsair": {"name": "Corsair", "owner": "Bea Quist", "length_m": 12.8, "berth": "b1"},
        "dolphin": {"name": "Dolphin", "owner": "Ruth Solberg", "length_m": 5.1, "berth": "b2"},
    },
    "berths": {
        "a1": {"pier": "A", "price_eur": 640, "power": True},
        "a2": {"pier": "A", "price_eur": 520, "power": True},
        "b1": {"pier": "B", "price_eur": 810, "power": False},
        "b2": {"pier": "B", "price_eur": 480, "power": False},
        "b3": {"pier": "B", "price_eur": 480, "power": True},
    },
    "incidents": {},
}
GROUPS = {"wardens": ["basicauth:ruth", "basicauth:tomas"], "guests": []}
SETTINGS = """[server:main]
use = egg:waitress
host = 127.0.0.1
port = {port}
[app:main]
use = egg:kinto
kinto.storage_backend = kinto.core.storage.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.includes = kinto.plugins.history
kinto.userid_hmac_secret = of-a-benchmark
kinto.bucket_create_principals = system.Authenticated
kinto.project_name = Harbour records
multiauth.policies = basicauth
[loggers]
keys = root
[handlers]
keys = console
[formatters]
keys = plain
[logger_root]
level = WARNING
handlers = console
[handler_console]
class = StreamHandler
args = (sys.stderr,)
formatter = plain
[formatter_plain]
format = %(message)s
"""


def _prepare(place: Place) -> None:
    place.written("kinto.ini", SETTINGS.format(port=place.port))


def _seed(client: httpx.Client) -> None:
    user, _, password = USER.partition(":")

    def put(path: str, data: dict[str, object]) -> None:
        sent = client.put(path, json={"data": data}, auth=(user, password))
        sent.raise_for_status()

    put(BUCKET, {"title": "Harbour of Fjordside"})
    put("/buckets/archive", {"title": "Records until 2020"})
    for collection, records in COLLECTIONS.items():
        put(f"{BUCKET}/collections/{collection}", {"title": collection.capitalize()})
        for record, values in records.items():
            put(f"{BUCKET}/collections/{collection}/records/{record}", dict(values))
    for group, members in GROUPS.items():
        put(f"{BUCKET}/groups/{group}", {"members": members})


SERVICE = Service(
    name="kinto",
    part="develop_e",
    install=Wheels("kinto"),
    port=PORT,
    base="/v1",
    prepare=_prepare,
    command=lambda place: [place.program("kinto"), "start", "--ini", str(place.data / "kinto.ini")],
    ready="/v1/__heartbeat__",
    document="/v1/__api__",
    seed=_seed,
    credential=USER,
)
