"""Restate: durable execution. Nothing is deployed, so its lists are empty."""

from service import NodePackages, Place, Service

PORT = 18602


def _environment(place: Place) -> dict[str, str]:
    return {
        "RESTATE_ADMIN__BIND_ADDRESS": f"127.0.0.1:{place.port}",
        "RESTATE_INGRESS__BIND_ADDRESS": f"127.0.0.1:{place.port + 50}",
        "RESTATE_BIND_ADDRESS": f"127.0.0.1:{place.port + 100}",
        "RESTATE_NODE_NAME": "kitchen-node",
        "RESTATE_CLUSTER_NAME": "bakery-cluster",
        "RESTATE_DISABLE_TELEMETRY": "true",
        "DO_NOT_TRACK": "1",
    }


SERVICE = Service(
    name="restate",
    part="develop_e",
    install=NodePackages("restate"),
    port=PORT,
    command=lambda place: [place.program("restate-server"), "--base-dir", str(place.data / "node")],
    environment=_environment,
    ready="/health",
    document="/openapi",
)
