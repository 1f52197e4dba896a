"""WireMock: pretends to be other services; its stubs and its journal come through its own API."""

from seeds.wiremock_rows import seed
from service import NodePackages, Place, Service

PORT = 18724
JAR = "node_modules/wiremock/build/wiremock-standalone-3.13.2.jar"


def _command(place: Place) -> list[str]:
    flags = ["--bind-address", "127.0.0.1", "--port", str(place.port), "--disable-banner"]
    folder = ["--root-dir", str(place.data)]
    return ["java", "-Xmx256m", "-jar", str(place.home / JAR), *flags, *folder]


SERVICE = Service(
    name="wiremock",
    part="develop_c",
    install=NodePackages("wiremock"),
    port=PORT,
    command=_command,
    ready="/__admin/health",
    document="/__admin/docs/swagger",
    seed=seed,
)
