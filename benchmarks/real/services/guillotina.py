"""Guillotina: the shelf of a choir, with a PostgreSQL; its data is made through its own API."""

import httpx
from seeds import postgres
from seeds.guillotina_rows import (
    ADDONS,
    CHOIR,
    GROUPS,
    ITEMS,
    PASSWORD,
    SETTINGS,
    SHARING,
    USERS,
)
from seeds.tokens import signed
from service import Place, Service, Wheels

PORT = 18765
DATABASE = 18766
SECRET = "choir-secret-for-tests-only-91be0f2c7d5348aa"
TOKEN = signed(SECRET, {"id": "root", "iat": 1767225600, "exp": 4102444800})
LAUNCHER = """import random
import uuid

# Identifiers are random: with a fixed source they are the same wherever this runs.
chance = random.Random(1890)
uuid.uuid4 = lambda: uuid.UUID(int=chance.getrandbits(128), version=4)

from guillotina.commands import command_runner

command_runner()
"""


def _prepare(place: Place) -> None:
    launcher = place.written("launcher.py", LAUNCHER)
    words = {"port": place.port, "secret": SECRET, "password": PASSWORD}
    settings = place.written("choir.yaml", SETTINGS.format(**words, database=DATABASE))
    command = f"{place.program('python')} {launcher} serve -c {settings}"
    postgres.script(place, DATABASE, command, place.site / "pgserver" / "pginstall")


def _seed(client: httpx.Client) -> None:
    _sent(client, "POST", "/db", CHOIR)
    for addon in ADDONS:
        _sent(client, "POST", "/db/choir/@addons", {"id": addon})
    for user in USERS:
        _sent(client, "POST", "/db/choir/users", {"@type": "User", **user})
    for group in GROUPS:
        _sent(client, "POST", "/db/choir/groups", {"@type": "Group", **group})
    for item in ITEMS:
        _sent(client, "POST", "/db/choir", item)
    _sent(client, "POST", "/db/choir/@sharing", SHARING)


def _sent(client: httpx.Client, method: str, path: str, body: object) -> None:
    client.request(method, path, json=body).raise_for_status()


SERVICE = Service(
    name="guillotina",
    part="report",
    install=Wheels("guillotina"),
    port=PORT,
    prepare=_prepare,
    command=lambda place: ["bash", str(place.data / "run.sh")],
    environment=lambda _: {"TZ": "UTC", "PYTHONHASHSEED": "0"},
    ready="/",
    document="/db/choir/@swagger",
    seed=_seed,
    credential=TOKEN,
    header="Authorization: Bearer",
    scheme_credentials={"BASICAUTH": f"root:{PASSWORD}"},
)
