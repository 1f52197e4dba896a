"""Directus: tables with an API; with a PostgreSQL of its own, seeded through its own API."""

from seeds import postgres
from seeds.directus_rows import KEY, seed
from service import NodePackages, Place, Service

PORT = 18726
DATABASE = 18727


def _prepare(place: Place) -> None:
    for name in ("uploads", "extensions", "templates"):
        (place.data / name).mkdir()
    program = f"node {place.home}/node_modules/directus/cli.js"
    postgres.script(place, DATABASE, f'bash -c "{program} bootstrap && exec {program} start"')


def _environment(place: Place) -> dict[str, str]:
    return {
        "NODE_ENV": "production",
        "HOST": "127.0.0.1",
        "PORT": str(place.port),
        "PUBLIC_URL": place.url,
        "DB_CLIENT": "pg",
        "DB_HOST": "127.0.0.1",
        "DB_PORT": str(DATABASE),
        "DB_DATABASE": "postgres",
        "DB_USER": "service",
        "DB_PASSWORD": "unused",
        "KEY": "8f3c7d52-1f0e-4b8c-9a53-6d1f6a6d0b11",
        "SECRET": "secret-of-the-benchmark-secret-of-the-benchmark",
        "ADMIN_EMAIL": "admin@museum.example.com",
        "ADMIN_PASSWORD": "museum-admin-password",
        "ADMIN_TOKEN": KEY,
        "TELEMETRY": "false",
        "CACHE_ENABLED": "false",
        "WEBSOCKETS_ENABLED": "false",
        "STORAGE_LOCATIONS": "local",
        "STORAGE_LOCAL_ROOT": str(place.data / "uploads"),
        "EXTENSIONS_PATH": str(place.data / "extensions"),
        "LOG_LEVEL": "warn",
    }


SERVICE = Service(
    name="directus",
    part="develop_c",
    install=NodePackages("directus"),
    port=PORT,
    prepare=_prepare,
    command=postgres.started,
    environment=_environment,
    ready="/server/health",
    document="/server/specs/oas",
    seed=seed,
    credential=KEY,
    header="Authorization: Bearer",
)
