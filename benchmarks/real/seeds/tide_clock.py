"""The source of an invented clock that shows the tide: the times, in Python."""

FILES = {
    "tideclock/__init__.py": '"""Times of high and low water."""\n\n__version__ = "2.4.0"\n',
    "tideclock/constituents.py": '''"""The waves that a tide is made of."""

import math
from dataclasses import dataclass

SPEEDS = {"M2": 28.984104, "S2": 30.0, "N2": 28.439730, "K1": 15.041069, "O1": 13.943036}


@dataclass(frozen=True)
class Constituent:
    """One wave: its name, height in metres and phase in degrees."""

    name: str
    amplitude: float
    phase: float

    def speed(self) -> float:
        """Degrees an hour."""
        return SPEEDS[self.name]

    def height_at(self, hours: float) -> float:
        """What this wave adds, so many hours after the epoch."""
        return self.amplitude * math.cos(math.radians(self.speed() * hours - self.phase))


def sum_of_waves(waves: list[Constituent], hours: float) -> float:
    """The height of the tide."""
    return sum(wave.height_at(hours) for wave in waves)
''',
    "tideclock/predict.py": '''"""When the water is high and when it is low."""

import json
from datetime import datetime, timedelta
from pathlib import Path

from tideclock.constituents import Constituent, sum_of_waves

EPOCH = datetime(2020, 1, 1)
STEP_MINUTES = 6


class HarbourNotFound(KeyError):
    """No harbour of that name stands in the file."""


class Predictor:
    """Reckons the tides of one harbour."""

    def __init__(self, harbour: str, waves: list[Constituent], offset_minutes: int = 0):
        self.harbour = harbour
        self.waves = waves
        self.offset = timedelta(minutes=offset_minutes)

    def height(self, moment: datetime) -> float:
        """Metres above chart datum."""
        hours = (moment - self.offset - EPOCH).total_seconds() / 3600
        return sum_of_waves(self.waves, hours)

    def next_high_water(self, moment: datetime) -> datetime:
        """The first turn from rising to falling after a moment."""
        # TODO: a spline would find it without walking in steps
        step = timedelta(minutes=STEP_MINUTES)
        while self.height(moment + step) > self.height(moment):
            moment += step
        while self.height(moment + step) <= self.height(moment):
            moment += step
        while self.height(moment + step) > self.height(moment):
            moment += step
        return moment

    def spring_or_neap(self, moment: datetime) -> str:
        """By how far the water rises within a fortnight."""
        heights = [self.height(moment + timedelta(hours=h)) for h in range(0, 25)]
        return "spring" if max(heights) - min(heights) > 3.5 else "neap"


def load_harbour(name: str, path: Path = Path("config/harbours.json")) -> dict:
    """What the file says of a harbour."""
    harbours = json.loads(path.read_text())
    if name not in harbours:
        raise HarbourNotFound(name)
    return harbours[name]


def make_predictor(name: str) -> Predictor:
    """With the waves of the nearest gauge."""
    about = load_harbour(name)
    waves = [Constituent("M2", 1.9, 112.0), Constituent("S2", 0.6, 148.0)]
    return Predictor(name, waves, about["offset_minutes"])
''',
    "tideclock/hands.py": '''"""Moves the hands: one motor for the hour, one for the water."""

import time

from tideclock.predict import Predictor, make_predictor

STEPS_A_TURN = 4096
MAX_SPEED = 600


class StepperMotor:
    """A motor on a serial line."""

    def __init__(self, port: str, steps: int = STEPS_A_TURN):
        self.port = port
        self.steps = steps
        self.position = 0

    def turn_to(self, target: int) -> int:
        """By the shorter way round."""
        way = (target - self.position) % self.steps
        if way > self.steps // 2:
            way -= self.steps
        self.position = target % self.steps
        return way

    def calibrate(self) -> None:
        """Against the magnet at twelve o'clock."""
        # FIXME: loses two steps when the room is below five degrees
        self.position = 0


def angle_of_tide(predictor: Predictor, moment) -> int:
    """In steps; twelve o'clock is high water."""
    wait = predictor.next_high_water(moment) - moment
    return int(STEPS_A_TURN * (1 - wait.total_seconds() / 44_714))


def run(harbour: str, port: str = "/dev/ttyUSB0") -> None:
    """Until somebody pulls the plug."""
    from datetime import datetime

    predictor = make_predictor(harbour)
    motor = StepperMotor(port)
    motor.calibrate()
    while True:
        motor.turn_to(angle_of_tide(predictor, datetime.now()))
        time.sleep(30)
''',
    "tools/report_gauge.py": '''"""Sends the gauge's readings to the harbour office."""

import csv
import os
import urllib.request

OFFICE = os.environ.get("HARBOUR_OFFICE_URL", "http://office.example/readings")
RETRY_LIMIT = 4


def read_gauge(path: str) -> list[dict]:
    """Rows of time and metres."""
    with open(path) as stream:
        return list(csv.DictReader(stream))


def drop_outliers(rows: list[dict], limit: float = 0.8) -> list[dict]:
    """Without jumps that no water makes."""
    kept = []
    for row in rows:
        if not kept or abs(float(row["metres"]) - float(kept[-1]["metres"])) <= limit:
            kept.append(row)
    return kept


def send(rows: list[dict]) -> int:
    """How many tries it took."""
    for attempt in range(1, RETRY_LIMIT + 1):
        try:
            urllib.request.urlopen(OFFICE, data=repr(drop_outliers(rows)).encode())
            return attempt
        except OSError:
            continue
    raise RuntimeError("the office does not answer")
''',
}

LATER = {
    "tideclock/predict.py": (
        """    def spring_or_neap(""",
        """    def tide_range(self, moment: datetime) -> float:
        \"\"\"Between the highest and the lowest water of a day.\"\"\"
        heights = [self.height(moment + timedelta(hours=h)) for h in range(0, 25)]
        return max(heights) - min(heights)

    def spring_or_neap(""",
    ),
    "tideclock/hands.py": (
        "    way = (target - self.position) % self.steps",
        "    target = target % self.steps\n        way = (target - self.position) % self.steps",
    ),
}
"""What the second change replaces, file by file."""
