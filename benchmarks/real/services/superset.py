"""Superset: charts and dashboards of a town's swimming pools, over a SQLite file."""

from seeds.tokens import signed
from service import Place, Service, Wheels

PORT = 18743
SIGNING = "of-a-benchmark-on-loopback-that-holds-invented-data-and-nothing-else"
END_OF_2035 = 2_082_758_399
SETTINGS = """SECRET_KEY = "{signing}"
SQLALCHEMY_DATABASE_URI = "sqlite:///{data}/superset.db"
# Without these, its own database and the one of the pools may not be SQLite.
PREVENT_UNSAFE_DB_CONNECTIONS = False
WTF_CSRF_ENABLED = False
TALISMAN_ENABLED = False
FEATURE_FLAGS = {{"TAGGING_SYSTEM": True, "ALERT_REPORTS": True}}
"""


def token() -> str:
    """What logging in as ines would answer, valid until the end of 2035."""
    begun = 1_760_000_000
    claims = {
        "fresh": True,
        "iat": begun,
        "jti": "0f6a3e52-4a27-4d0e-9d53-6c1f5b1e7a20",
        "type": "access",
        "sub": "1",
        "nbf": begun,
        "csrf": "2a7d6f80-8b31-4c52-a4a5-1d2e3f405162",
        "exp": END_OF_2035,
    }
    return signed(SIGNING, claims)


def _prepare(place: Place) -> None:
    place.written("superset_config.py", SETTINGS.format(signing=SIGNING, data=place.data))
    superset = place.program("superset")
    SERVICE.run(place, superset, "db", "upgrade")
    SERVICE.run(place, superset, "init")
    SERVICE.seeded(place, "superset_rows.py")


def _command(place: Place) -> list[str]:
    return [place.program("superset"), "run", "-h", "127.0.0.1", "-p", str(place.port)]


SERVICE = Service(
    name="superset",
    part="develop_f",
    install=Wheels("superset"),
    port=PORT,
    prepare=_prepare,
    command=_command,
    environment=lambda place: {
        "SUPERSET_HOME": str(place.data),
        "SUPERSET_CONFIG_PATH": str(place.data / "superset_config.py"),
        "FLASK_APP": "superset.app:create_app()",
        "TZ": "UTC",
    },
    ready="/health",
    document="/api/v1/_openapi",
    credential=token(),
    header="Authorization: Bearer",
)
