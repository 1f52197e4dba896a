"""Homebridge UI: a house whose lamps, blinds and plants are steered; Homebridge itself is off."""

import gzip
import hashlib
import json

from seeds import homebridge_house as house
from seeds.tokens import signed
from service import NodePackages, Place, Service

PORT = 18756
SECRET = "3f6d0c9b8a7e5d4c2b1a09f8e7d6c5b4a3928170f6e5d4c3b2a190817263544a"
TOKEN = signed(
    SECRET,
    {
        "username": "wanda",
        "name": "Wanda Ostrow",
        "admin": True,
        "instanceId": hashlib.sha256(SECRET.encode()).hexdigest(),
        "iat": 1767225600,
    },
)


def _prepare(place: Place) -> None:
    place.written("hb/.uix-secrets", json.dumps({"secretKey": SECRET}))
    place.written("hb/auth.json", json.dumps([_user(*row) for row in house.USERS]))
    place.written("hb/config.json", json.dumps(house.config(place.port), indent=4))
    place.written("hb/homebridge.log", house.LOG)
    place.written("hb/.uix-hb-service-homebridge-startup.json", json.dumps(house.STARTUP))
    for moment, changes in house.BACKUPS:
        old = house.config(place.port) | changes
        place.written(f"hb/backups/config-backups/config.json.{moment}", json.dumps(old, indent=4))
    for name in house.ARCHIVES:
        path = place.written(f"hb/backups/instance-backups/{name}", "")
        path.write_bytes(gzip.compress(b"\0" * 10240, mtime=0))
    for device, content in house.pairings().items():
        place.written(f"hb/persist/AccessoryInfo.{device}.json", json.dumps(content))
    for name, accessories in house.cached().items():
        place.written(f"hb/accessories/{name}", json.dumps(accessories))
    place.written("hb/accessories/uiAccessoriesLayout.json", json.dumps(house.LAYOUT))
    for plugin, files in house.plugins().items():
        for name, text in files.items():
            place.written(f"plugins/{plugin}/{name}", text)


def _user(number: int, username: str, name: str, admin: bool) -> dict[str, object]:
    """A password that no one knows."""
    salt = hashlib.sha256(username.encode()).hexdigest()
    hashed = hashlib.pbkdf2_hmac("sha512", b"house-password", salt.encode(), 1000, 64).hex()
    about = {"id": number, "username": username, "name": name, "admin": admin}
    return about | {"hashedPassword": hashed, "salt": salt, "otpActive": False}


SERVICE = Service(
    name="homebridge",
    part="develop_g",
    install=NodePackages("homebridge"),
    port=PORT,
    prepare=_prepare,
    command=lambda place: [
        "node",
        str(place.home / "node_modules/homebridge-config-ui-x/dist/bin/standalone.js"),
    ],
    environment=lambda place: {
        "UIX_STORAGE_PATH": str(place.data / "hb"),
        "UIX_CUSTOM_PLUGIN_PATH": str(place.data / "plugins"),
        "UIX_STRICT_PLUGIN_RESOLUTION": "1",
        "TZ": "UTC",
    },
    ready="/api/users",
    document="/swagger-json",
    credential=TOKEN,
    header="Authorization: Bearer",
)
