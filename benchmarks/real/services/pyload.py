"""pyLoad: downloads of a survey office; what is queued is held back, so nothing is fetched."""

import hashlib
import sqlite3
from contextlib import closing

import httpx
from seeds.pyload_rows import (
    LINKS,
    PACKAGES,
    PLUGINS,
    QUEUED,
    SETTINGS,
    TABLES,
    USERS,
)
from service import Place, Service, Wheels

PORT = 18754
SECRET = "Qk3vT8yLw0ZsXr5bNd7uHc2pMf9gJa4eKi6oRt1WqVx"
KEY = f"pl_11{SECRET}"
ROUNDS = 100_000
"""How pyLoad hashes a password."""
LAUNCHER = """from pyload.__main__ import main
from pyload.webui.app.blueprints import api_blueprint

# After a hundred calls in a minute it answers 429, and answers would depend on the pace.
function = api_blueprint.rpc
while "count" not in function.__code__.co_freevars:
    function = function.__wrapped__
dict(zip(function.__code__.co_freevars, function.__closure__))["count"].cell_contents = 1_000_000
main()
"""


def _prepare(place: Place) -> None:
    place.written("launcher.py", LAUNCHER)
    settings = SETTINGS.format(port=place.port, folder=place.data / "downloads")
    place.written("user/settings/pyload.cfg", settings)
    place.written("user/settings/plugins.cfg", PLUGINS)
    place.written("user/data/db.version", "5")
    with closing(sqlite3.connect(place.data / "user/data/pyload.db")) as base, base:
        base.executescript(TABLES)
        for number, (name, password, email, role, rights) in enumerate(USERS, 1):
            salt = hashlib.md5(name.encode()).digest()
            hashed = salt + hashlib.pbkdf2_hmac("sha256", password.encode(), salt, ROUNDS)
            base.execute(
                "INSERT INTO users VALUES (?, ?, ?, ?, ?, ?, 'default')",
                (number, name, email, hashed.hex(), role, rights),
            )
        digest = hashlib.sha256(SECRET.encode()).hexdigest()
        key = (1, 1, "statistics", digest, 1_790_000_000_000, 0, 0)
        base.execute("INSERT INTO apikeys VALUES (?, ?, ?, ?, ?, ?, ?)", key)
        base.executemany("INSERT INTO packages VALUES (?, ?, ?, '', ?, ?, ?)", PACKAGES)
        base.executemany("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", LINKS)


def _seed(client: httpx.Client) -> None:
    """Hold everything back, and only then queue what waits in the collector."""
    client.post("/api/pause_server").raise_for_status()
    for package in QUEUED:
        client.post("/api/push_to_queue", params={"package_id": package}).raise_for_status()


def _command(place: Place) -> list[str]:
    folders = (
        *("--userdir", str(place.data / "user")),
        *("--storagedir", str(place.data / "downloads")),
        *("--tempdir", str(place.data / "temporary")),
    )
    return [place.program("python"), str(place.data / "launcher.py"), *folders]


SERVICE = Service(
    name="pyload",
    part="develop_g",
    install=Wheels("pyload"),
    port=PORT,
    prepare=_prepare,
    command=_command,
    environment=lambda _: {"TZ": "UTC"},
    ready="/api/get_server_version",
    document="/api/openapi.json",
    document_login=":".join(USERS[0][:2]),
    seed=_seed,
    credential=KEY,
    header="X-API-Key",
)
