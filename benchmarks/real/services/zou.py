"""Zou: the productions of an animation studio, with a PostgreSQL and a pretended Redis."""

import json

from seeds import postgres
from seeds.tokens import signed
from seeds.zou_rows import identified
from seeds.zou_studio import JTI, rows
from service import HERE, Place, Service, Wheels

PORT = 18751
DATABASE = 18752
STORE = 18753
SECRET = "a-secret-of-lantern-moth-pictures-for-tests-only"
TOKEN = signed(
    SECRET,
    {
        "fresh": False,
        "iat": 1767225600,
        "jti": JTI,
        "type": "access",
        "sub": identified("Person/Odile"),
        "nbf": 1767225600,
        "identity_type": "person_api",
    },
)
KEEPER = "from fakeredis import TcpFakeServer; TcpFakeServer(('127.0.0.1', {port})).serve_forever()"


def _prepare(place: Place) -> None:
    made = [[model, _resolved(model, name, values)] for model, name, values in rows()]
    path = place.written("rows.json", json.dumps(made))
    keeper = place.written("keeper.py", KEEPER.format(port=STORE) + "\n")
    python = place.program("python")
    serve = f"{place.program('gunicorn')} --threads 4 -b 127.0.0.1:{place.port} zou.app:app"
    load = f"{python} {HERE / 'seeds' / 'zou_load.py'} {path}"
    native = place.site / "pgserver" / "pginstall"
    command = f"bash -c '{python} {keeper} & sleep 1; {load} && exec {serve}'"
    postgres.script(place, DATABASE, command, native)


def _resolved(model: str, name: str, values: dict[str, object]) -> dict[str, object]:
    """References as ids; a row that has a name has an id of it."""
    found = {
        key: identified(value[1:]) if isinstance(value, str) and value.startswith("@") else value
        for key, value in values.items()
    }
    return {"id": identified(f"{model}/{name}"), **found} if name else found


def _environment(place: Place) -> dict[str, str]:
    return {
        "SECRET_KEY": SECRET,
        "DB_HOST": "127.0.0.1",
        "DB_PORT": str(DATABASE),
        "DB_USERNAME": "service",
        "DB_PASSWORD": "none",
        "DB_DATABASE": "zou",
        "DB_POOL_SIZE": "5",
        "KV_HOST": "127.0.0.1",
        "KV_PORT": str(STORE),
        "PREVIEW_FOLDER": str(place.data / "previews"),
        "TMP_DIR": str(place.data / "tmp"),
        "TZ": "UTC",
    }


SERVICE = Service(
    name="zou",
    part="develop_g",
    install=Wheels("zou"),
    port=PORT,
    prepare=_prepare,
    command=lambda place: ["bash", str(place.data / "run.sh")],
    environment=_environment,
    ready="/data/projects/open",
    document="/openapi.json",
    credential=TOKEN,
    header="Authorization: Bearer",
)
