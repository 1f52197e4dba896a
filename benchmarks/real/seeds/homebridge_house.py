"""A house: its bridges, plugins, rooms, users and backups, as Homebridge keeps them in files."""

import json
from typing import Any

MAIN, PLANTS, BLINDS, CAMERA = "0E3A5C7B9D11", "0E3A5C7B9D22", "0E3A5C7B9D33", "0E3A5C7B9D44"
USERS = (  # id, login, name, administrator
    (1, "wanda", "Wanda Ostrow", True),
    (2, "bruno", "Bruno Ostrow", False),
    (3, "sitter", "Cat sitter", False),
)


def coloned(device: str) -> str:
    """As an address: `0E:3A:…`."""
    return ":".join(device[at : at + 2] for at in range(0, 12, 2))


PLUGINS = (  # name, title, version, what it does, alias, its settings
    ("homebridge-pot-plants", "Pot Plants", "2.3.1", "Soil sensors in flower pots", "PotPlants",
     {"dryBelow": {"type": "integer", "title": "Dry below (%)", "default": 20}}),
    ("homebridge-roller-blinds", "Roller Blinds", "1.8.0", "Roller blinds by radio", "RollerBlinds",
     {"gateway": {"type": "string", "title": "Address of the gateway"}}),
    ("homebridge-hallway-lamps", "Hallway Lamps", "0.9.4", "Lamps that fade", "HallwayLamps",
     {"fadeSeconds": {"type": "number", "title": "Fade (s)", "default": 1.5}}),
    ("homebridge-doorbell-cam", "Doorbell Cam", "3.0.2", "A camera at the gate", "DoorbellCam",
     {"quiet": {"type": "boolean", "title": "Quiet at night"}}),
)  # fmt: skip
CHANGES = {
    "homebridge-pot-plants": "# 2.3.1\n- The fern is no longer reported dry after watering\n",
    "homebridge-roller-blinds": "# 1.8.0\n- Blinds stop halfway in strong wind\n",
    "homebridge-hallway-lamps": "# 0.9.4\n- Fading no longer flickers below 10 %\n",
    "homebridge-doorbell-cam": "# 3.0.2\n- Fewer false rings from the ash tree\n",
}


def plugins() -> dict[str, dict[str, str]]:
    """The files of each plugin; private, so that no registry is asked about them."""
    return {
        name: {
            "package.json": json.dumps(
                {
                    "name": name,
                    "displayName": title,
                    "version": version,
                    "description": about,
                    "private": True,
                    "keywords": ["homebridge-plugin"],
                    "engines": {"homebridge": ">=1.8.0"},
                }
            ),
            "config.schema.json": json.dumps(
                {
                    "pluginAlias": alias,
                    "pluginType": "platform",
                    "singular": True,
                    "schema": {"type": "object", "properties": settings},
                }
            ),
            "CHANGELOG.md": CHANGES[name],
        }
        for name, title, version, about, alias, settings in PLUGINS
    }


def config(port: int) -> dict[str, Any]:
    """Homebridge's own file."""
    own = {"platform": "config", "name": "House UI", "port": port, "host": "127.0.0.1"}
    own |= {"auth": "form", "sessionTimeout": 28800, "tempUnits": "c"}
    return {
        "bridge": {
            "name": "Ostrow House",
            "username": coloned(MAIN),
            "port": 51826,
            "pin": "482-19-607",
            "advertiser": "avahi",
            "bind": ["enp3s0"],
        },
        "ports": {"start": 52100, "end": 52150},
        "disabledPlugins": ["homebridge-doorbell-cam"],
        "accessories": [],
        "platforms": [
            own | {"plugins": {"hideUpdatesFor": ["homebridge-hallway-lamps"]}},
            {
                "platform": "PotPlants",
                "name": "Plants",
                "dryBelow": 25,
                "_bridge": {"username": coloned(PLANTS), "port": 52101, "name": "Plant bridge"},
            },
            {
                "platform": "RollerBlinds",
                "name": "Blinds",
                "gateway": "192.0.2.40",
                "_bridge": {"username": coloned(BLINDS), "port": 52102, "name": "Blind bridge"},
            },
            {"platform": "HallwayLamps", "name": "Lamps", "fadeSeconds": 3},
        ],
    }


BACKUPS: tuple[
    tuple[int, dict[str, Any]], ...
] = (  # the moment in milliseconds, what was otherwise then
    (1795500000000, {"disabledPlugins": []}),
    (1795240800000, {"ports": {"start": 52000, "end": 52050}}),
    (1794981600000, {"platforms": []}),
)
ARCHIVES = (
    "homebridge-backup-0E3A5C7B9D11.1795584300000.tar.gz",
    "homebridge-backup-0E3A5C7B9D11.1795497900000.tar.gz",
)
STARTUP = {"debugMode": True, "keepOrphans": False, "insecureMode": False, "env": {}}
LOG = """[11/24/2026, 6:58:02 AM] [House UI] Homebridge UI started
[11/24/2026, 7:02:11 AM] [Plants] The fern in the bathroom is dry (14 %)
[11/24/2026, 7:30:45 AM] [Blinds] Kitchen blind stopped at 40 %, wind
[11/24/2026, 9:12:30 PM] [Lamps] Stair lamp did not answer
"""


def pairings() -> dict[str, dict[str, Any]]:
    """What each bridge says of its pairing."""
    rows = (  # device, name, category, code, with how many phones
        (MAIN, "Ostrow House", 2, "482-19-607", 2),
        (PLANTS, "Plant bridge", 2, "731-40-552", 1),
        (BLINDS, "Blind bridge", 2, "205-88-914", 0),
        (CAMERA, "Gate camera", 17, "669-03-271", 1),
    )
    return {
        device: {
            "displayName": name,
            "category": category,
            "pincode": code,
            "signSk": "00",
            "signPk": "00",
            "pairedClients": {f"phone-{number}": "00" for number in range(phones)},
            "setupID": device[-4:],
            "configVersion": 7,
        }
        for device, name, category, code, phones in rows
    }


def cached() -> dict[str, list[dict[str, Any]]]:
    """Accessories that Homebridge has kept, by file."""
    rows = (  # file, plugin, platform, name, number of it
        ("cachedAccessories", "homebridge-hallway-lamps", "HallwayLamps", "Hall lamp", 1),
        ("cachedAccessories", "homebridge-hallway-lamps", "HallwayLamps", "Stair lamp", 2),
        (f"cachedAccessories.{PLANTS}", "homebridge-pot-plants", "PotPlants", "Fern", 3),
        (f"cachedAccessories.{PLANTS}", "homebridge-pot-plants", "PotPlants", "Lemon tree", 4),
        (f"cachedAccessories.{BLINDS}", "homebridge-roller-blinds", "RollerBlinds", "Kitchen", 5),
    )
    found: dict[str, list[dict[str, Any]]] = {}
    for file, plugin, platform, name, number in rows:
        accessory = {
            "plugin": plugin,
            "platform": platform,
            "displayName": name,
            "UUID": f"4c1d7f2e-90ab-4e56-8d3c-00000000000{number}",
            "category": 5,
            "context": {},
            "services": [],
        }
        found.setdefault(file, []).append(accessory)
    return found


LAYOUT = {
    "wanda": [
        {"name": "Hallway", "services": [{"customName": "Hall lamp", "onDashboard": True}]},
        {"name": "Bathroom", "services": [{"customName": "Fern", "onDashboard": False}]},
        {"name": "Kitchen", "services": [{"customName": "Blind", "onDashboard": True}]},
    ],
}
