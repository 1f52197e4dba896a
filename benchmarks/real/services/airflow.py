"""Airflow: a dairy's pipelines, their runs and logs; no scheduler, so nothing runs."""

import base64

from seeds.tokens import signed
from service import Place, Service, Wheels

PORT = 18731
SIGNING = "of-a-benchmark-on-loopback-that-holds-invented-data-and-nothing-else-at-all"
END_OF_2035 = 2_082_758_399


def token() -> str:
    """What logging in as odile would answer, valid until the end of 2035."""
    begun = 1_760_000_000
    claims = {
        "sub": "odile",
        "role": "ADMIN",
        "teams": [],
        "aud": "apache-airflow",
        "iat": begun,
        "nbf": begun,
        "exp": END_OF_2035,
    }
    return signed(SIGNING, claims, bits=512)


def _environment(place: Place) -> dict[str, str]:
    return {
        "AIRFLOW_HOME": str(place.data),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__DAGS_FOLDER": str(place.data / "dags"),
        "AIRFLOW__CORE__FERNET_KEY": base64.urlsafe_b64encode(
            b"of-a-benchmark-of-a-benchmark-xy"
        ).decode(),
        "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": "odile:admin",
        "AIRFLOW__API__EXPOSE_CONFIG": "True",
        "AIRFLOW__API__INSTANCE_NAME": "Dairy pipelines",
        "AIRFLOW__API__SECRET_KEY": SIGNING,
        "AIRFLOW__API_AUTH__JWT_SECRET": SIGNING,
        "AIRFLOW__LOGGING__BASE_LOG_FOLDER": str(place.data / "logs"),
        "AIRFLOW__USAGE_DATA_COLLECTION__ENABLED": "False",
    }


def _prepare(place: Place) -> None:
    SERVICE.seeded(place, "airflow_rows.py")


def _command(place: Place) -> list[str]:
    program = place.program("airflow")
    return [
        program,
        "api-server",
        "--host",
        "127.0.0.1",
        "--port",
        str(place.port),
        "--workers",
        "1",
    ]


SERVICE = Service(
    name="airflow",
    part="check",
    install=Wheels("airflow"),
    port=PORT,
    prepare=_prepare,
    command=_command,
    environment=_environment,
    ready="/api/v2/version",
    document="/openapi.json",
    credential=token(),
    header="Authorization: Bearer",
)
