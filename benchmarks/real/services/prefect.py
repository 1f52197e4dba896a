"""Prefect: flows of a ferry company, on its own server; nothing of them is ever run."""

import httpx
from service import Place, Service, Wheels

PORT = 18704
VARIABLES = {
    "fuel_price_eur": ("1.42", ["finance"]),
    "ticket_api_region": ("north", ["tickets"]),
    "alert_recipients": (["ruth@ferry.example", "amir@ferry.example"], []),
    "season_end": ("2026-12-18", ["calendar"]),
}
BLOCKS: dict[tuple[str, str], dict[str, object]] = {
    ("local-file-system", "archive-disk"): {"basepath": "/srv/archive"},
    ("local-file-system", "ledger-disk"): {"basepath": "/srv/ledger"},
    ("secret", "ticket-api-key"): {"value": "of-a-benchmark"},
    ("slack-webhook", "ops-channel"): {"url": "https://hooks.slack.example/T0/B0/of-a-benchmark"},
}
AUTOMATION = {
    "name": "Try the staging sync when a run fails",
    "description": "Ruth Solberg reads what it says the next morning.",
    "trigger": {
        "type": "event",
        "posture": "Reactive",
        "expect": ["prefect.flow-run.Failed"],
        "match": {"prefect.resource.id": "prefect.flow-run.*"},
        "threshold": 2,
        "within": 3600,
    },
    "actions": [
        {
            "type": "run-deployment",
            "source": "selected",
            "deployment_id": "d2e1b4cf-6c32-4d8f-8e21-406c9f3b8d02",
        }
    ],
}
TAG_LIMITS = {"database": 4, "printer": 1}
LIMITS = {"ticket-api": (5, 0.0), "weather-api": (2, 0.5)}


def _prepare(place: Place) -> None:
    SERVICE.seeded(place, "prefect_rows.py")


def _command(place: Place) -> list[str]:
    address = ["--host", "127.0.0.1", "--port", str(place.port)]
    return [place.program("prefect"), "server", "start", *address, "--no-services", "--no-ui"]


def _seed(client: httpx.Client) -> None:
    def sent(path: str, data: object) -> None:
        client.post(path, json=data).raise_for_status()

    def got(path: str, data: object) -> str:
        answer = client.post(path, json=data) if data else client.get(path)
        found = answer.raise_for_status().json()
        return str((found[0] if isinstance(found, list) else found)["id"])

    for name, (value, tags) in VARIABLES.items():
        sent("/variables/", {"name": name, "value": value, "tags": tags})
    for (kind, name), data in BLOCKS.items():
        type_id = got(f"/block_types/slug/{kind}", None)
        wanted = {"block_schemas": {"block_type_id": {"any_": [type_id]}}}
        schema_id = got("/block_schemas/filter", wanted)
        ids = {"block_type_id": type_id, "block_schema_id": schema_id}
        sent("/block_documents/", {"name": name, "data": data, **ids})
    for tag, limit in TAG_LIMITS.items():
        sent("/concurrency_limits/", {"tag": tag, "concurrency_limit": limit})
    sent("/automations/", AUTOMATION)
    for name, (limit, decay) in LIMITS.items():
        sent(
            "/v2/concurrency_limits/",
            {"name": name, "limit": limit, "slot_decay_per_second": decay},
        )


SERVICE = Service(
    name="prefect",
    part="develop_d",
    install=Wheels("prefect"),
    port=PORT,
    base="/api",
    prepare=_prepare,
    command=_command,
    environment=lambda place: {
        "PREFECT_HOME": str(place.data),
        "PREFECT_API_URL": f"{place.url}/api",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_LOGGING_LEVEL": "WARNING",
        "DO_NOT_TRACK": "1",
    },
    ready="/api/health",
    document="/api/openapi.json",
    seed=_seed,
)
