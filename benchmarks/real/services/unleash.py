"""Unleash: feature flags; with a PostgreSQL of its own, seeded through its own API."""

from seeds import postgres
from seeds.unleash_rows import TOKENS, seed
from service import NodePackages, Place, Service

PORT = 18721
DATABASE = 18722
KEY = "*:*.6f1c0d9a51f84c0f8f6b9f2f0c7e4a1d"


def _prepare(place: Place) -> None:
    postgres.script(
        place, DATABASE, f"node {place.home}/node_modules/unleash-server/dist/server.js"
    )


def _environment(place: Place) -> dict[str, str]:
    return {
        "NODE_ENV": "production",
        "DATABASE_URL": f"postgres://service@127.0.0.1:{DATABASE}/postgres",
        "DATABASE_SSL": "false",
        "HTTP_HOST": "127.0.0.1",
        "HTTP_PORT": str(place.port),
        "ENABLE_OAS": "true",
        "INIT_ADMIN_API_TOKENS": KEY,
        "INIT_CLIENT_API_TOKENS": ",".join(each[3] for each in TOKENS if each[1] == "client"),
        "INIT_FRONTEND_API_TOKENS": ",".join(each[3] for each in TOKENS if each[1] == "frontend"),
        "CHECK_VERSION": "false",
        "SEND_TELEMETRY": "false",
        "LOG_LEVEL": "warn",
    }


SERVICE = Service(
    name="unleash",
    part="develop_c",
    install=NodePackages("unleash"),
    port=PORT,
    prepare=_prepare,
    command=postgres.started,
    environment=_environment,
    ready="/health",
    document="/docs/openapi.json",
    seed=seed,
    credential=KEY,
    header="Authorization",
)
