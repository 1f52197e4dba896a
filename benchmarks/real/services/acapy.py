"""ACA-Py: the digital licences of a guild of mountain guides; its own Python makes the data."""

import json

from service import Place, Service, Wheels

PORT = 18761
INBOUND = 18762
KEY = "guild-admin-key-for-tests-4f7b19c2"
LAUNCHER = """import sys

from aries_cloudagent.__main__ import script_main
from aries_cloudagent.admin.server import AdminServer

begin = AdminServer.start


async def start(server):
    # One of its GETs ends it, and whatever is asked after that would fail.
    async def stay():
        server.app._state["ready"] = True

    server.conductor_stop = stay
    await begin(server)


AdminServer.start = start
sys.exit(script_main())
"""
WALLET = {
    "wallet.type": "askar",
    "wallet.name": "guild",
    "wallet.key": "8kq2Zg5wB6vXq8cH1nJmT4yRz7uLd3fSpVeAaCtKxQWE",
    "default_endpoint": f"http://guild.example:{INBOUND}",
    "default_label": "Hartwick Mountain Guides' Guild",
    "ledger.disabled": True,
}


def _prepare(place: Place) -> None:
    place.written("launcher.py", LAUNCHER)
    SERVICE.seeded(place, "acapy_shell.py", json.dumps(WALLET))


def _command(place: Place) -> list[str]:
    return [
        *(place.program("python"), str(place.data / "launcher.py"), "start", "--no-ledger"),
        *("--admin", "127.0.0.1", str(place.port), "--admin-api-key", KEY),
        *("--inbound-transport", "http", "127.0.0.1", str(INBOUND)),
        *("--outbound-transport", "http"),
        *("--endpoint", str(WALLET["default_endpoint"]), "--label", str(WALLET["default_label"])),
        *("--wallet-type", "askar", "--wallet-name", "guild"),
        *("--wallet-key", str(WALLET["wallet.key"])),
    ]


SERVICE = Service(
    name="acapy",
    part="report",
    install=Wheels("acapy"),
    port=PORT,
    prepare=_prepare,
    command=_command,
    environment=lambda _: {"TZ": "UTC"},
    ready="/status/ready",
    document="/api/docs/swagger.json",
    credential=KEY,
    header="X-API-Key",
)
