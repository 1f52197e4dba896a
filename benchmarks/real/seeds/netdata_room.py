"""Netdata's collector of a school's server room: what it says is invented and hardly ever moves.

Netdata runs this file itself and reads what it prints: charts first, then values once a second.
"""

import sys
import time

# id: (title, units, family, context, priority, {dimension: (name, value, swing)}, {label: value})
Dimensions = dict[str, tuple[str, int, int]]
CHARTS: dict[str, tuple[str, str, str, str, int, Dimensions, dict[str, str]]] = {
    "room.temperature": (
        *("Temperature in the server room", "Celsius", "climate", "room.temperature", 100),
        {"rack_a": ("rack A", 24, 1), "rack_b": ("rack B", 32, 0), "door": ("door", 19, 1)},
        {"floor": "basement"},
    ),
    "room.humidity": (
        *("Relative humidity of the air", "percentage", "climate", "room.humidity", 110),
        {"air": ("air", 41, 2)},
        {"floor": "basement"},
    ),
    "ups.charge": (
        *("Charge of the batteries", "percentage", "power", "ups.charge", 200),
        {"ups_1": ("UPS 1", 100, 0), "ups_2": ("UPS 2", 38, 0)},
        {"vendor": "voltmark"},
    ),
    "ups.load": (
        *("Load of the power supplies", "percentage", "power", "ups.load", 210),
        {"ups_1": ("UPS 1", 56, 3), "ups_2": ("UPS 2", 47, 2)},
        {"vendor": "voltmark"},
    ),
    "storage.homes": (
        *("Space for the folders of pupils", "GiB", "storage", "storage.space", 300),
        {"used": ("used", 3_686, 0), "free": ("free", 314, 0)},
        {"volume": "homes"},
    ),
    "storage.media": (
        *("Space of films and recordings", "GiB", "storage", "storage.space", 310),
        {"used": ("used", 2_210, 0), "free": ("free", 5_790, 0)},
        {"volume": "media"},
    ),
    "backup.age": (
        *("Hours since the last good backup", "hours", "backup", "backup.age", 400),
        {"homes": ("homes", 7, 0), "grades": ("grades", 53, 0), "mail": ("mail", 9, 0)},
        {"target": "tape"},
    ),
    "mail.queue": (
        *("Letters that wait to be sent", "letters", "mail", "mail.queue", 500),
        {"waiting": ("waiting", 12, 4), "deferred": ("deferred", 3, 0)},
        {"server": "post"},
    ),
    "web.requests": (
        *("Requests to the timetable site", "requests/s", "web", "web.requests", 600),
        {"ok": ("ok", 84, 12), "missing": ("not found", 4, 1), "failed": ("failed", 0, 0)},
        {"server": "timetable"},
    ),
    "printer.toner": (
        *("Toner that is left", "percentage", "printers", "printer.toner", 700),
        {"library": ("library", 62, 0), "staff_room": ("staff room", 8, 0)},
        {"vendor": "inkwell"},
    ),
}
EVERY_S = 1


def _say(*lines: str) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def _charts() -> None:
    for name, (title, units, family, context, priority, dimensions, labels) in CHARTS.items():
        told = f"'{title}' '{units}' '{family}' '{context}'"
        _say(f"CHART '{name}' '' {told} line {priority} 1")
        for key, value in labels.items():
            _say(f"CLABEL '{key}' '{value}' 1")
        _say("CLABEL_COMMIT")
        for dimension, (shown, _, _) in dimensions.items():
            _say(f"DIMENSION '{dimension}' '{shown}' absolute 1 1")


def _values(moment: int) -> None:
    for name, (_, _, _, _, _, dimensions, _) in CHARTS.items():
        sets = [
            f"SET '{dimension}' = {value + (moment % (2 * swing + 1) - swing if swing else 0)}"
            for dimension, (_, value, swing) in dimensions.items()
        ]
        _say(f"BEGIN '{name}'", *sets, "END")


def main() -> None:
    """Until Netdata ends it."""
    _charts()
    while True:
        _values(int(time.time()))
        time.sleep(EVERY_S)


if __name__ == "__main__":
    main()
