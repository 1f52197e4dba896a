"""PowerDNS: an authoritative name server; zones and keys come through its own API."""

import sqlite3

import httpx
from service import DebianPackages, Place, Service

PORT = 18603
KEY = "harbour-dns-key"
SERVER = "/servers/localhost"
SERIAL = "2026100501"
NAMES = ["ns1.harbour.example.", "ns2.harbour.example."]
# zone: (account, (name, type, ttl, contents)…)
ZONES: dict[str, tuple[str, list[tuple[str, str, int, list[str]]]]] = {
    "harbour-books.example.": (
        "harbour",
        [
            ("@", "A", 3600, ["192.0.2.10"]),
            ("@", "MX", 3600, ["10 mail.harbour-books.example."]),
            ("@", "TXT", 3600, ['"v=spf1 mx -all"']),
            ("www", "CNAME", 3600, ["harbour-books.example."]),
            ("shop", "A", 300, ["192.0.2.20", "192.0.2.21"]),
            ("mail", "A", 3600, ["192.0.2.25"]),
        ],
    ),
    "lumen-tea.example.": (
        "lumen",
        [
            ("@", "A", 3600, ["198.51.100.7"]),
            ("www", "A", 3600, ["198.51.100.7"]),
            ("@", "MX", 3600, ["20 mx.lumen-tea.example."]),
            ("mx", "A", 3600, ["198.51.100.8"]),
        ],
    ),
    "orchard-clinic.example.": (
        "orchard",
        [
            ("portal", "AAAA", 900, ["2001:db8::15"]),
            ("portal", "A", 900, ["203.0.113.15"]),
            ("_sip._tcp", "SRV", 3600, ["10 60 5060 pbx.orchard-clinic.example."]),
            ("pbx", "A", 3600, ["203.0.113.30"]),
        ],
    ),
    "2.0.192.in-addr.arpa.": (
        "harbour",
        [
            ("10", "PTR", 3600, ["harbour-books.example."]),
            ("25", "PTR", 3600, ["mail.harbour-books.example."]),
        ],
    ),
}
METADATA = {
    "harbour-books.example.": {"ALLOW-AXFR-FROM": ["192.0.2.53"], "ALSO-NOTIFY": ["192.0.2.54"]},
    "lumen-tea.example.": {"ALLOW-AXFR-FROM": ["198.51.100.53"]},
}
TSIG_KEYS = {
    "transfer-key": ("hmac-sha256", "c2VlZGVkLWJ5LWdyZXRlbC1yZWFsLXRyYW5zZmVyLWs="),
    "update-key": ("hmac-sha512", "c2VlZGVkLWJ5LWdyZXRlbC1yZWFsLXVwZGF0ZS1rZXk="),
}
AUTOPRIMARY = {"ip": "192.0.2.53", "nameserver": "ns1.harbour.example", "account": "harbour"}


def _prepare(place: Place) -> None:
    schema = place.home / "usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql"
    connection = sqlite3.connect(place.data / "zones.sqlite3")
    connection.executescript(schema.read_text())
    connection.close()
    settings = {
        "launch": "gsqlite3",
        "gsqlite3-dnssec": "yes",
        "module-dir": place.home / "usr/lib/x86_64-linux-gnu/pdns",
        "gsqlite3-database": place.data / "zones.sqlite3",
        "socket-dir": place.data,
        "local-address": "127.0.0.1",
        "local-port": place.port + 100,
        "server-id": "localhost",
        "autosecondary": "yes",
        "secondary": "no",
        "security-poll-suffix": "",
        "webserver": "yes",
        "webserver-address": "127.0.0.1",
        "webserver-port": place.port,
        "api": "yes",
        "api-key": KEY,
    }
    place.written("pdns.conf", "".join(f"{name}={value}\n" for name, value in settings.items()))


def _command(place: Place) -> list[str]:
    server = place.program("usr/sbin/pdns_server")
    return [server, f"--config-dir={place.data}", "--guardian=no", "--daemon=no"]


def _environment(place: Place) -> dict[str, str]:
    return {"LD_LIBRARY_PATH": str(place.home / "usr/lib/x86_64-linux-gnu")}


def _seed(client: httpx.Client) -> None:
    for zone, (account, records) in ZONES.items():
        client.post(f"{SERVER}/zones", json=_zone(zone, account, records)).raise_for_status()
    for zone, metadata in METADATA.items():
        for kind, values in metadata.items():
            body = {"kind": kind, "metadata": values}
            client.post(f"{SERVER}/zones/{zone}/metadata", json=body).raise_for_status()
    for name, (algorithm, key) in TSIG_KEYS.items():
        body = {"name": name, "algorithm": algorithm, "key": key}
        client.post(f"{SERVER}/tsigkeys", json=body).raise_for_status()
    client.post(f"{SERVER}/autoprimaries", json=AUTOPRIMARY).raise_for_status()


def _zone(
    zone: str, account: str, records: list[tuple[str, str, int, list[str]]]
) -> dict[str, object]:
    """As `POST zones` takes it; no part of the serial is today's date."""
    start = f"{NAMES[0]} hostmaster.harbour.example. {SERIAL} 10800 3600 604800 3600"
    rows = [("@", "SOA", 3600, [start]), ("@", "NS", 3600, NAMES), *records]
    return {
        "name": zone,
        "kind": "Native",
        "account": account,
        "soa_edit_api": "OFF",
        "rrsets": [
            {
                "name": zone if name == "@" else f"{name}.{zone}",
                "type": kind,
                "ttl": ttl,
                "changetype": "REPLACE",
                "records": [{"content": content, "disabled": False} for content in contents],
            }
            for name, kind, ttl, contents in rows
        ],
    }


SERVICE = Service(
    name="powerdns",
    part="develop_e",
    install=DebianPackages(
        "powerdns",
        (
            "pdns-server=4.7.3-2",
            "pdns-backend-sqlite3=4.7.3-2",
            "libluajit-5.1-2",
            "libluajit-5.1-common",
        ),
    ),
    port=PORT,
    base="/api/v1",
    prepare=_prepare,
    command=_command,
    environment=_environment,
    ready="/api/v1/servers",
    document="/api/docs",
    syntax="yaml",
    seed=_seed,
    credential=KEY,
    header="X-API-Key",
)
