"""Signal K: what a sailing boat knows of the waters around it."""

import json
import os

from seeds.signalk_chart import RESOURCES, SOURCES
from seeds.tokens import signed
from service import NodePackages, Place, Service

PORT = 18755
SECRET = "kittiwake-secret-for-tests-only-5d2c8a91f3b04e67"
STORE = "boat/plugin-config-data/resources-provider/resources"
TOKEN = signed(SECRET, {"id": "skipper", "iat": 1767225600})
CHANGED = 1_790_500_000
"""When the first resource was written, in September 2026; each other one an hour after."""
SETTINGS = {
    "interfaces": {"tcp": False, "nmea-tcp": False, "appstore": False},
    "ssl": False,
    "mdns": False,
    "pipedProviders": [],
    "security": {"strategy": "./tokensecurity"},
    "enablePluginLogging": False,
}
SECURITY = {
    "allow_readonly": False,
    "expiration": "NEVER",
    "secretKey": SECRET,
    "users": [{"username": "skipper", "type": "admin", "password": "$2b$04$none"}],
    "devices": [],
    "acls": [],
}
VESSEL = {
    "vessels": {
        "urn:mrn:imo:mmsi:230099999": {"name": "Kittiwake", "mmsi": "230099999"},
    },
    "self": "vessels.urn:mrn:imo:mmsi:230099999",
    "version": "1.0.0",
}

LOOPBACK = """// It has no setting for the address to listen on.
const net = require("net");
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, ...rest) {
  const where = typeof port === "number" ? { port, host: "127.0.0.1" } : port;
  return listen.call(this, where, ...rest);
};
"""


def _prepare(place: Place) -> None:
    place.written("loopback.js", LOOPBACK)
    place.written("boat/settings.json", json.dumps(SETTINGS))
    place.written("boat/security.json", json.dumps(SECURITY)).chmod(0o600)
    place.written("boat/defaults.json", json.dumps(VESSEL))
    place.written("boat/package.json", '{"private": true, "dependencies": {}}')
    plugins = place.data / "boat/node_modules/@signalk"
    plugins.mkdir(parents=True)
    own = place.home / "node_modules/@signalk/resources-provider"
    (plugins / "resources-provider").symlink_to(own)
    plugin = {"enabled": True, "configuration": SOURCES}
    place.written("boat/plugin-config-data/resources-provider.json", json.dumps(plugin))
    for hours, (kind, identifier, content) in enumerate(RESOURCES):
        path = place.written(f"{STORE}/{kind}/{identifier}", json.dumps(content))
        moment = CHANGED + 3600 * hours
        os.utime(path, (moment, moment))


def _command(place: Place) -> list[str]:
    server = place.home / "node_modules/signalk-server/bin/signalk-server"
    preload = str(place.data / "loopback.js")
    return ["node", "-r", preload, str(server), "-c", str(place.data / "boat")]


SERVICE = Service(
    name="signalk",
    part="develop_g",
    install=NodePackages("signalk"),
    port=PORT,
    base="/signalk/v2/api",
    prepare=_prepare,
    command=_command,
    environment=lambda place: {
        "PORT": str(place.port),
        "EXTERNALHOST": "127.0.0.1",
        "NODE_ENV": "production",
        "IS_IN_DOCKER": "false",
        "TZ": "UTC",
    },
    ready="/signalk/v2/api/resources/waypoints",
    document="node_modules/signalk-server/dist/api/resources/openApi.json",
    credential=TOKEN,
    header="Authorization: Bearer",
)
