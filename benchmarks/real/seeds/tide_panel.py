"""The rest of the tide clock: its panel in TypeScript, what it is set to, and its tests."""

FILES = {
    "README.md": """# Tide clock

Shows high and low water at a harbour on an old station clock. `make run` starts it.

- `tideclock/` reckons the times
- `panel/` draws the face
- `tools/` sends readings to the harbour office
""",
    "pyproject.toml": """[project]
name = "tideclock"
version = "2.4.0"
dependencies = ["numpy", "pyserial"]
""",
    "config/harbours.json": """{
  "vardo": {"latitude": 70.37, "zone": "Europe/Oslo", "offset_minutes": 0},
  "honfleur": {"latitude": 49.42, "zone": "Europe/Paris", "offset_minutes": -25},
  "cuxhaven": {"latitude": 53.87, "zone": "Europe/Berlin", "offset_minutes": 12}
}
""",
    "panel/src/face.ts": """import { Tide, formatHeight } from "./tide";

export const DIAL_RADIUS = 180;

export class ClockFace {
  constructor(private context: CanvasRenderingContext2D) {}

  drawDial(): void {
    this.context.arc(0, 0, DIAL_RADIUS, 0, 2 * Math.PI);
    for (let hour = 0; hour < 12; hour++) {
      this.drawMark(hour);
    }
  }

  drawMark(hour: number): void {
    const angle = (hour / 12) * 2 * Math.PI;
    this.context.moveTo(Math.cos(angle) * DIAL_RADIUS, Math.sin(angle) * DIAL_RADIUS);
  }

  showTide(tide: Tide): void {
    this.context.fillText(formatHeight(tide.metres), 0, 60);
  }
}
""",
    "panel/src/tide.ts": """export interface Tide {
  harbour: string;
  metres: number;
  rising: boolean;
}

export function formatHeight(metres: number): string {
  return metres.toFixed(1) + " m";
}

export async function fetchTide(harbour: string): Promise<Tide> {
  const answer = await fetch(`/api/tide/${harbour}`);
  if (!answer.ok) {
    throw new Error("no tide for " + harbour);
  }
  return answer.json();
}
""",
    "panel/src/main.ts": """import { ClockFace } from "./face";
import { fetchTide } from "./tide";

// TODO: read the harbour from the address bar
const HARBOUR = "cuxhaven";

export async function start(canvas: HTMLCanvasElement): Promise<void> {
  const face = new ClockFace(canvas.getContext("2d")!);
  face.drawDial();
  face.showTide(await fetchTide(HARBOUR));
}
""",
    "tests/test_predict.py": """from datetime import datetime

import pytest
from tideclock.predict import HarbourNotFound, load_harbour, make_predictor


def test_unknown_harbour():
    with pytest.raises(HarbourNotFound):
        load_harbour("atlantis")


def test_high_water_is_later():
    moment = datetime(2026, 11, 1, 12)
    assert make_predictor("vardo").next_high_water(moment) > moment
""",
    "tests/test_hands.py": """from tideclock.hands import StepperMotor


def test_shorter_way():
    motor = StepperMotor("none")
    motor.position = 4000
    assert motor.turn_to(100) == 196
""",
}
