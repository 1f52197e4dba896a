"""TiTiler: rasters by the window; a few small ones are made before it starts."""

from service import Place, Service, Wheels

PORT = 18712


def _prepare(place: Place) -> None:
    SERVICE.seeded(place, "titiler_rasters.py", str(place.data))


def _command(place: Place) -> list[str]:
    return [
        place.program("uvicorn"),
        "titiler.application.main:app",
        "--host=127.0.0.1",
        f"--port={place.port}",
        "--log-level=warning",
    ]


SERVICE = Service(
    name="titiler",
    part="develop_b",
    install=Wheels("titiler"),
    port=PORT,
    fixed=True,
    prepare=_prepare,
    command=_command,
    environment=lambda _: {"TITILER_API_TELEMETRY_ENABLED": "false"},
    ready="/healthz",
    document="/api",
)
