"""pretalx: two conferences with their proposals, reviews and schedule."""

from service import Place, Service, Wheels

PORT = 18705
TOKEN = "q7w3e9r1t5y2u8i4o6p0a7s3d9f1g5h2j8k4l6z0x7c3v9b1n5m2q8w4e6r0t7y3"
DOCUMENT = "openapi.json"


def _prepare(place: Place) -> None:
    _run(place, "-m", "pretalx", "migrate", "--verbosity=0")
    SERVICE.seeded(place, "pretalx_rows.py")
    made = ["--format", "openapi-json", "--file", str(place.home / DOCUMENT)]
    _run(place, "-m", "pretalx", "spectacular", *made)


def _run(place: Place, *arguments: str) -> None:
    SERVICE.run(place, place.program("python"), *arguments)


def _command(place: Place) -> list[str]:
    address = f"127.0.0.1:{place.port}"
    return [place.program("gunicorn"), "--bind", address, "--threads", "4", "pretalx.wsgi"]


SERVICE = Service(
    name="pretalx",
    part="develop_d",
    install=Wheels("pretalx"),
    port=PORT,
    prepare=_prepare,
    command=_command,
    environment=lambda place: {
        "PRETALX_DATA_DIR": str(place.data),
        "PRETALX_SITE_URL": place.url,
        "PRETALX_LANGUAGE_CODE": "en",
        "DJANGO_SETTINGS_MODULE": "pretalx.settings",
        "SEED_TOKEN": TOKEN,
    },
    ready="/api/events/",
    document=DOCUMENT,
    credential=TOKEN,
    header="Authorization: Token",
)
