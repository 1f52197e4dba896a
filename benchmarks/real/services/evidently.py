"""Evidently: how a bakery watches its models; its own Python makes the data."""

from service import Place, Service, Wheels

PORT = 18764


def _prepare(place: Place) -> None:
    SERVICE.seeded(place, "evidently_shell.py", str(place.data / "bakery"))


def _command(place: Place) -> list[str]:
    where = ("--workspace", str(place.data / "bakery"))
    address = ("--host", "127.0.0.1", "--port", str(place.port))
    return [place.program("evidently"), "ui", *where, *address]


SERVICE = Service(
    name="evidently",
    part="report",
    install=Wheels("evidently"),
    port=PORT,
    prepare=_prepare,
    command=_command,
    environment=lambda _: {"DO_NOT_TRACK": "1", "TZ": "UTC", "PYTHONHASHSEED": "0"},
    ready="/api/version",
    document="/schema/openapi.json",
)
