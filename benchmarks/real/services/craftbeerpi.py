"""CraftBeerPi: kettles, fermenters and recipes of a small brewery; nothing is wired to it."""

import httpx
from seeds.craftbeerpi_rows import FILES, SETTINGS, VALUES, sensor_log
from service import Place, Service, Wheels

PORT = 8711
# It would listen on every address of the machine.
START = """import functools
from aiohttp import web
web.run_app = functools.partial(web.run_app, host="127.0.0.1")
from cbpi.cli import main
main()"""


def _prepare(place: Place) -> None:
    SERVICE.run(place, *_cbpi(place), "setup")
    for name, text in FILES.items():
        place.written(f"config/{name}", text)
    for sensor in VALUES:
        place.written(f"logs/sensor_{sensor}.log", sensor_log(sensor))
    settings = place.data / "config/config.yaml"
    place.written("config/config.yaml", settings.read_text().replace("8000", str(place.port)))


def _cbpi(place: Place) -> list[str]:
    folders = ["-c", str(place.data / "config"), "-l", str(place.data / "logs")]
    return [place.program("python"), "-c", START, *folders]


def _seed(client: httpx.Client) -> None:
    """Its settings, then what the sensors last said; this GET is how they say it."""
    for name, value in SETTINGS.items():
        client.put(f"/config/{name}/", json={"value": value}).raise_for_status()
    for sensor, (key, value) in VALUES.items():
        client.get(f"/httpsensor/{key}/{value}").raise_for_status()
        client.get(f"/sensor/{sensor}").raise_for_status()


SERVICE = Service(
    name="craftbeerpi",
    part="develop_f",
    install=Wheels("craftbeerpi"),
    port=PORT,
    prepare=_prepare,
    command=lambda place: [*_cbpi(place), "start"],
    environment=lambda _: {"TZ": "UTC"},
    ready="/api/doc/swagger.json",
    document="/api/doc/swagger.json",
    seed=_seed,
)
