"""Chroma: what a museum of natural history can look for by likeness."""

import signal
import sqlite3
import subprocess
import time
from contextlib import closing, suppress

import httpx
from seeds.chroma_museum import COLLECTIONS, DATABASES, TENANTS, vector
from service import Place, Service, Wheels

PORT = 18757
BUILDING = 18758
"""Where it listens while its rows are made."""
HOLDING = (
    ("databases", "id"),
    ("collections", "id"),
    ("collections", "database_id"),
    ("collection_metadata", "collection_id"),
    ("segments", "collection"),
    ("embeddings_queue", "topic"),
)
"""Where the id of a database or collection stands."""


def _command(place: Place, port: int = PORT) -> list[str]:
    where = ("--path", str(place.data / "store"), "--host", "127.0.0.1", "--port", str(port))
    return [place.program("chroma"), "run", *where]


def _prepare(place: Place) -> None:
    """Its own ids are random, so they are replaced by ours when it has ended."""
    with (place.data / "building.log").open("wb") as log:
        running = subprocess.Popen(_command(place, BUILDING), stdout=log, stderr=log)
    try:
        made = _rows(httpx.Client(base_url=f"http://127.0.0.1:{BUILDING}/api/v2", timeout=60))
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait()
    with closing(sqlite3.connect(place.data / "store" / "chroma.sqlite3")) as base, base:
        base.execute("PRAGMA foreign_keys = OFF")
        for table, column in HOLDING:
            for old, new in made.items():
                base.execute(
                    f"UPDATE {table} SET {column} = replace({column}, ?, ?) WHERE {column} LIKE ?",
                    (old, new, f"%{old}%"),
                )


def _rows(client: httpx.Client) -> dict[str, str]:
    """Makes all; the ids that came out, each with the one that it shall have."""
    for _ in range(240):
        with suppress(httpx.TransportError):
            if client.get("/heartbeat").is_success:
                break
        time.sleep(0.25)
    ids = {}
    for tenant in TENANTS:
        client.post("/tenants", json={"name": tenant}).raise_for_status()
    for tenant, name, wanted in DATABASES:
        path = f"/tenants/{tenant}/databases"
        client.post(path, json={"name": name}).raise_for_status()
        ids[client.get(f"{path}/{name}").json()["id"]] = wanted
    for tenant, database, name, wanted, about, records in COLLECTIONS:
        path = f"/tenants/{tenant}/databases/{database}/collections"
        answer = client.post(path, json={"name": name, "metadata": about})
        ids[answer.raise_for_status().json()["id"]] = wanted
        added = {
            "ids": [key for key, _, _ in records],
            "documents": [text for _, text, _ in records],
            "metadatas": [dict(more) for _, _, more in records],
            "embeddings": [vector(text) for _, text, _ in records],
        }
        client.post(f"{path}/{answer.json()['id']}/add", json=added).raise_for_status()
    return ids


SERVICE = Service(
    name="chroma",
    part="develop_g",
    install=Wheels("chroma"),
    port=PORT,
    prepare=_prepare,
    command=_command,
    environment=lambda _: {"ANONYMIZED_TELEMETRY": "False", "TZ": "UTC"},
    ready="/api/v2/heartbeat",
    document="/openapi.json",
)
