"""Notebooks and files of a shore laboratory, by path: text, cells of a notebook, or bytes."""

import base64
from typing import TypeAlias

Cells: TypeAlias = tuple[str, ...]
"""One that begins with `#` and a blank is text, the others are code."""

NOTEBOOKS: dict[str, Cells] = {
    "surveys/2026-09-limpets.ipynb": (
        "# Limpets, September 2026\nCounted by Ines Okafor at Gull Rock and Mill Sands.",
        "import csv\nrows = list(csv.DictReader(open('data/limpets.csv')))",
        "sum(int(row['count']) for row in rows)",
    ),
    "surveys/2026-10-anemones.ipynb": (
        "# Beadlet anemones, October 2026\nCounted by Pavel Novak. Pool 7 was dry on the 12th.",
        "import csv\nrows = list(csv.DictReader(open('data/anemones.csv')))",
        "max(rows, key=lambda row: int(row['count']))['pool']",
    ),
    "surveys/crab-traps.ipynb": (
        "# Crab traps\nTraps 1 to 6, emptied each Friday by Mei Tan.",
        "caught = {1: 4, 2: 0, 3: 7, 4: 2, 5: 5, 6: 1}\nsum(caught.values())",
    ),
    "tides/harmonics.ipynb": (
        "# Harmonics of the north gauge\nM2 amplitude 1.84 m, S2 amplitude 0.61 m.",
        "from tidetools import fit\nfit('gauge-north.csv')",
    ),
    "reports/autumn.ipynb": (
        "# Autumn report\nTo be handed in to the harbour board on 30 November 2026.",
        "deadline = '2026-11-30'",
    ),
    "reports/old/spring.ipynb": ("# Spring report\nHanded in on 28 May 2026 by Ines Okafor.",),
    "teaching/week1.ipynb": ("# Week 1\nReading a tide table.", "2.1 + 1.84"),
    "teaching/week2.ipynb": ("# Week 2\nCounting within a quadrat.", "25 / 0.25"),
}
TEXTS: dict[str, str] = {
    "README.md": "# Shore lab\n\nAsk Mei Tan (mei@shore.example) before you move anything.\n",
    "surveys/data/limpets.csv": (
        "site,date,count\nGull Rock,2026-09-04,118\nGull Rock,2026-09-18,131\n"
        "Mill Sands,2026-09-05,42\nMill Sands,2026-09-19,39\n"
    ),
    "surveys/data/anemones.csv": (
        "pool,date,count\n3,2026-10-11,17\n4,2026-10-11,26\n7,2026-10-12,0\n9,2026-10-12,8\n"
    ),
    "surveys/data/sites.json": (
        '{"Gull Rock": {"lat": 58.31, "lon": 6.64}, "Mill Sands": {"lat": 58.29, "lon": 6.71}}\n'
    ),
    "tides/gauge-north.csv": (
        "time,level_m\n2026-10-01T00:00Z,1.12\n2026-10-01T06:00Z,2.96\n2026-10-01T12:00Z,1.07\n"
    ),
    "tides/tidetools.py": (
        '"""Fits the two great tides."""\n\n\n'
        "def fit(path):\n    return {'M2': 1.84, 'S2': 0.61}\n"
    ),
    "reports/draft-letter.txt": (
        "Dear harbour board,\n\nthe north gauge was silent from 3 to 5 October.\n\nPavel Novak\n"
    ),
    "teaching/roster.txt": "week 1: Ines Okafor\nweek 2: Mei Tan\nweek 3: nobody yet\n",
}
BYTES: dict[str, bytes] = {
    "reports/logo.png": base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    ),
}
CONFIG: dict[str, dict[str, object]] = {
    "notebook": {"Notebook": {"autosave_interval": 90}, "CodeCell": {"tab_size": 2}},
    "tree": {"hide_extensions": [".pyc", ".tmp"], "sort_by": "modified"},
    "common": {"theme": "harbour-dark", "load_extensions": {"tide-clock": True}},
}
