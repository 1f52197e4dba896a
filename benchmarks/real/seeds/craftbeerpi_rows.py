"""What stands in the brewery at the lighthouse: its files, as CraftBeerPi writes them."""

import json
from datetime import datetime, timedelta
from typing import Any

SETTINGS: dict[str, str | int] = {
    "AUTHOR": "Bea Quist",
    "BREWERY_NAME": "Lighthouse Yard",
    "BoilKettle": "kB9wTq4LrXvZn2MhYs7CdE",
    "MASH_TUN": "kM3pRf8GjWcUa5NxVt6QeH",
    "max_dashboard_number": 3,
    "current_dashboard_number": 2,
    "steps_boil_temp": 98,
}
# sensor: (the key it reports by, its last value)
VALUES: dict[str, tuple[str, int]] = {
    "sM7hKd2PqRzWv4TnXc9BfG": ("mash", 66),
    "sL4jNf6VtYbQa8RmUe3CxH": ("liquor", 78),
    "sF1wGs5ZkJpDc7MnTv2LyB": ("fv1", 19),
    "sF2xHt6AlKqEd8NoUw3MzC": ("fv2", 4),
    "sC9rEv3BnLsFg2PpXy5NaD": ("cellar", 11),
}
MASH, LIQUOR, FV1, FV2, CELLAR = VALUES
SENSORS = {
    MASH: "Mash tun",
    LIQUOR: "Hot liquor",
    FV1: "Fermenter 1",
    FV2: "Fermenter 2",
    CELLAR: "Cellar air",
}
HEATER, ELEMENT, PUMP, STIRRER, GLYCOL1, GLYCOL2 = ACTORS = (
    "aH5dJk8LmWqRt2YvBx7NcF",
    "aE6fLn9PoXrSu3ZwCy8OdG",
    "aP7gMo2QpYsTv4AxDz9PeH",
    "aS8hNp3RqZtUw5ByEa2QfJ",
    "aG1iOq4SrAuVx6CzFb3RgK",
    "aG2jPr5TsBvWy7DaGc4ShL",
)
NAMES = ("Mash heater", "Liquor element", "Wort pump", "Stirrer", "Glycol FV1", "Glycol FV2")
MASH_TUN, LIQUOR_TANK, BOILER = KETTLES = (
    "kM3pRf8GjWcUa5NxVt6QeH",
    "kL2oQe7FiVbTz4MwUs5PdG",
    "kB9wTq4LrXvZn2MhYs7CdE",
)
TANK1, TANK2 = "fV1aXc6DmPqRs8TuWy3ZbE", "fV2bYd7EnQrSt9UvXz4AcF"
PALE, STOUT, SAISON, RYE = (
    "rP4kWm9XtBvCq2LsNy6DeF",
    "rS5lXn2YuCwDr3MtOz7EfG",
    "rZ6mYo3ZvDxEs4NuPa8FgH",
    "rR7nZp4AwEyFt5OvQb9GhJ",
)
ALE_PLAN, LAGER_PLAN = "gA8oAq5BxFzGu6PwRc2HiK", "gL9pBr6CyGaHv7QxSd3IjL"


def _step(number: int, name: str, kind: str, status: str = "I", **props: str) -> dict[str, Any]:
    step = {"id": f"step{number}mN4qRt7VxZb2Dg", "name": name, "type": kind}
    return {**step, "status": status, "props": props, "state_text": "", "state_text2": None}


def _mash(status: str, rests: list[tuple[str, str, str]], boil: str) -> list[dict[str, Any]]:
    """Mash in, the rests, mash out by hand, boil, cool."""
    tun = {"Kettle": MASH_TUN, "Sensor": MASH, "AutoMode": "Yes"}
    steps = [_step(1, "Mash in", "MashInStep", status[0], Temp=rests[0][1], **tun)]
    for number, (name, temp, minutes) in enumerate(rests, 2):
        steps.append(
            _step(number, name, "MashStep", status[number - 1], Temp=temp, Timer=minutes, **tun)
        )
    last = len(steps)
    steps.append(
        _step(last + 1, "Lauter", "NotificationStep", status[last], Notification="Run off")
    )
    steps.append(
        _step(last + 2, "Boil", "BoilStep", status[last + 1], Temp="98", Timer=boil, Kettle=BOILER)
    )
    steps.append(_step(last + 3, "Cool", "CooldownStep", status[last + 2], Temp="20"))
    return steps


def _recipe(
    name: str, author: str, says: str, rests: list[tuple[str, str, str]], boil: str
) -> dict[str, Any]:
    basic = {"name": name, "author": author, "desc": says}
    return {"basic": basic, "steps": _mash("IIIIIIII", rests, boil)}


RECIPES = {
    PALE: _recipe(
        "Lantern Pale Ale",
        "Bea Quist",
        "4.8 %, Cascade late",
        [("Saccharification", "66", "60"), ("Mash out", "76", "10")],
        "60",
    ),
    STOUT: _recipe(
        "Night Watch Stout",
        "Bea Quist",
        "6.1 %, roasted barley",
        [("Protein rest", "52", "15"), ("Saccharification", "68", "60"), ("Mash out", "77", "10")],
        "75",
    ),
    SAISON: _recipe(
        "Dune Saison",
        "Amir Haddad",
        "5.6 %, wheat and coriander",
        [("Ferulic rest", "45", "20"), ("Saccharification", "64", "75")],
        "90",
    ),
    RYE: _recipe(
        "Rye of the Storm",
        "Tomas Falk",
        "5.2 %, a fifth rye",
        [("Beta glucan rest", "40", "20"), ("Saccharification", "67", "60")],
        "60",
    ),
}


def _plan(*days: tuple[str, str, str]) -> list[dict[str, Any]]:
    """Steps of a fermentation: name, degrees, days."""
    return [
        {
            "id": f"ferm{number}cD8wRk3TyLm5Np",
            "name": name,
            "type": "FermenterStep",
            "status": "I",
            "endtime": 0,
            "props": {"Temp": temp, "TimerD": length, "TimerH": "0", "TimerM": "0"},
        }
        for number, (name, temp, length) in enumerate(days, 1)
    ]


PLANS = {
    ALE_PLAN: ("Ale, ten days", _plan(("Primary", "19", "7"), ("Cold crash", "3", "3"))),
    LAGER_PLAN: (
        "Lager, five weeks",
        _plan(("Primary", "11", "10"), ("Diacetyl rest", "16", "3"), ("Lagering", "1", "22")),
    ),
}


def _tank(
    tank: str, name: str, brew: str, says: str, sensor: str, cooler: str, target: float, plan: str
) -> dict[str, Any]:
    return {
        "id": tank,
        "name": name,
        "brewname": brew,
        "description": says,
        "sensor": sensor,
        "pressure_sensor": "",
        "heater": "",
        "cooler": cooler,
        "valve": "",
        "type": "Fermenter Hysteresis",
        "target_temp": target,
        "target_pressure": 0,
        "props": {"CoolerOffsetOn": "0.5", "CoolerOffsetOff": "0", "AutoStart": "No"},
        "steps": PLANS[plan][1],
    }


def _kettle(kettle: str, name: str, heater: str, stirrer: str, sensor: str) -> dict[str, Any]:
    return {
        "id": kettle,
        "name": name,
        "heater": heater,
        "agitator": stirrer,
        "sensor": sensor,
        "type": "Hysteresis",
        "target_temp": 0,
        "props": {"OffsetOn": "1", "OffsetOff": "0"},
    }


def _dashboard(*shown: tuple[str, str, str]) -> str:
    """Widgets: kind, name, what they show."""
    elements = [
        {"id": f"w{at}", "type": kind, "name": name, "x": 40 * at, "y": 60, "props": {kind: of}}
        for at, (kind, name, of) in enumerate(shown, 1)
    ]
    return _json({"elements": elements, "pathes": []})


def sensor_log(sensor: str) -> str:
    """One value in ten minutes through the brewing day, 14 November 2026."""
    last = VALUES[sensor][1]
    start = datetime(2026, 11, 14, 8, 0)
    lines = []
    for at in range(36):
        value = last + (at - 35) * (1.5 if sensor in (MASH, LIQUOR) else 0.1)
        lines.append(f"{start + timedelta(minutes=10 * at):%Y-%m-%d %H:%M:%S},{value:.1f}\n")
    return "".join(lines)


def _json(value: object) -> str:
    return json.dumps(value, indent=4, sort_keys=True) + "\n"


FILES = {
    "sensor.json": _json(
        {
            "data": [
                {
                    "id": sensor,
                    "name": name,
                    "type": "HTTPSensor",
                    "props": {"Key": VALUES[sensor][0], "Timeout": "0"},
                }
                for sensor, name in SENSORS.items()
            ]
        }
    ),
    "actor.json": _json(
        {
            "data": [
                {"id": actor, "name": name, "type": "DummyActor", "props": {}}
                for actor, name in zip(ACTORS, NAMES, strict=True)
            ]
        }
    ),
    "kettle.json": _json(
        {
            "data": [
                _kettle(MASH_TUN, "Mash tun", HEATER, STIRRER, MASH),
                _kettle(LIQUOR_TANK, "Hot liquor tank", ELEMENT, "", LIQUOR),
                _kettle(BOILER, "Boil kettle", ELEMENT, PUMP, LIQUOR),
            ]
        }
    ),
    "fermenter_data.json": _json(
        {
            "data": [
                _tank(TANK1, "FV1", "Lantern Pale Ale", "Batch 58", FV1, GLYCOL1, 19, ALE_PLAN),
                _tank(TANK2, "FV2", "Pier Lager", "Batch 55", FV2, GLYCOL2, 4, LAGER_PLAN),
            ]
        }
    ),
    "step_data.json": _json(
        {
            "basic": {"name": "Night Watch Stout", "author": "Bea Quist"},
            "steps": _mash(
                "DDDSIIII",
                [
                    ("Protein rest", "52", "15"),
                    ("Saccharification", "68", "60"),
                    ("Mash out", "77", "10"),
                ],
                "75",
            ),
        }
    ),
    "dashboard/cbpi_dashboard_1.json": _dashboard(
        ("Kettle", "Mash tun", MASH_TUN),
        ("Sensor", "Mash temperature", MASH),
        ("Actor", "Stirrer", STIRRER),
    ),
    "dashboard/cbpi_dashboard_2.json": _dashboard(
        ("Fermenter", "FV1", TANK1), ("Fermenter", "FV2", TANK2), ("Sensor", "Cellar", CELLAR)
    ),
    "dashboard/widgets/lighthouse.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
    "dashboard/widgets/barrel.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
    "upload/beer.xml": "<RECIPES>"
    + "".join(
        f"<RECIPE><NAME>{name}</NAME></RECIPE>"
        for name in ("Harvest Alt", "Fog Horn IPA", "Smoked Porter")
    )
    + "</RECIPES>\n",
    **{f"recipes/{name}.yaml": _json(recipe) for name, recipe in RECIPES.items()},
    **{
        f"fermenterrecipes/{name}.yaml": _json({"basic": {"name": said}, "steps": steps})
        for name, (said, steps) in PLANS.items()
    },
}
