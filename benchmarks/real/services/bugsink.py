"""Bugsink: errors of programs; its own shell and ingestion make the data."""

from service import HERE, Place, Service, Wheels

PORT = 18605
TOKEN = "7d1f0c3b5a924e6f8a1b2c3d4e5f60718293a4b5"
SETTINGS = """from bugsink.settings.default import *  # noqa
SECRET_KEY = "of-a-benchmark-on-loopback-that-holds-invented-data"
DATABASES["default"]["NAME"] = "{data}/db.sqlite3"
DATABASES["snappea"]["NAME"] = "{data}/snappea.sqlite3"
SNAPPEA = {{"TASK_ALWAYS_EAGER": True}}
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
ALLOWED_HOSTS = ["*"]
TIME_ZONE = "UTC"
BUGSINK = {{
    "BASE_URL": "http://127.0.0.1:{port}",
    "INGEST_STORE_BASE_DIR": "{data}/ingestion",
    "PHONEHOME": False,
}}
"""


def _prepare(place: Place) -> None:
    place.written("bugsink_conf.py", SETTINGS.format(data=place.data, port=place.port))
    _manage(place, "migrate", "--verbosity=0")
    _manage(place, "migrate", "--verbosity=0", "--database=snappea")
    _manage(place, "shell", "--command", (HERE / "seeds" / "bugsink_shell.py").read_text())


def _manage(place: Place, *arguments: str) -> None:
    SERVICE.run(place, place.program("bugsink-manage"), *arguments)


def _command(place: Place) -> list[str]:
    address = f"127.0.0.1:{place.port}"
    return [place.program("gunicorn"), "--bind", address, "--threads", "4", "bugsink.wsgi"]


SERVICE = Service(
    name="bugsink",
    part="develop",
    install=Wheels("bugsink"),
    port=PORT,
    prepare=_prepare,
    command=_command,
    environment=lambda place: {"PYTHONPATH": str(place.data), "SEED_TOKEN": TOKEN},
    ready="/api/canonical/0/schema/",
    document="/api/canonical/0/schema/?format=json",
    credential=TOKEN,
    header="Authorization: Bearer",
)
