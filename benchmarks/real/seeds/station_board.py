"""A board of epics, stories and tasks: a society restores a railway's old station."""

import sqlite3
from pathlib import Path

_TABLES = """
CREATE TABLE projects (id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT,
  created_at TEXT, updated_at TEXT);
CREATE TABLE epics (id TEXT PRIMARY KEY, project_id TEXT, title TEXT NOT NULL, description TEXT,
  priority TEXT DEFAULT 'P2', status TEXT DEFAULT 'todo', created_at TEXT, updated_at TEXT);
CREATE TABLE stories (id TEXT PRIMARY KEY, epic_id TEXT, title TEXT NOT NULL, description TEXT,
  status TEXT DEFAULT 'todo', created_at TEXT, updated_at TEXT);
CREATE TABLE tasks (id TEXT PRIMARY KEY, story_id TEXT, title TEXT NOT NULL,
  status TEXT DEFAULT 'todo', task_type TEXT, estimate_hours REAL, description TEXT,
  context_summary TEXT, working_files TEXT, blockers TEXT, handoff_notes TEXT,
  progress_percent INTEGER DEFAULT 0, actual_hours REAL, created_at TEXT, updated_at TEXT,
  created_by TEXT, activity_summary TEXT, source TEXT DEFAULT 'human',
  needs_rework INTEGER DEFAULT 0, work_in_progress TEXT, wip_updated_at TEXT);
CREATE TABLE task_activity (id TEXT PRIMARY KEY, task_id TEXT NOT NULL, activity_type TEXT,
  description TEXT, old_value TEXT, new_value TEXT, actor TEXT, created_at TEXT);
CREATE TABLE task_dependencies (id TEXT PRIMARY KEY, task_id TEXT NOT NULL,
  depends_on_task_id TEXT NOT NULL, dependency_type TEXT DEFAULT 'blocks', created_at TEXT);
CREATE TABLE task_handoffs (task_id TEXT PRIMARY KEY, status TEXT NOT NULL,
  summary TEXT NOT NULL, files_changed TEXT, full_details TEXT, created_at TEXT,
  compacted_at TEXT);
"""
_DAY = "2026-10-05T08:00:00Z"
_EPICS = """
epic-7c1e40aa|Make the roof safe|Slates, gutters and the iron canopy before the winter|P0|\
in_progress
epic-2b9d5f13|Waiting room|Floor, benches, stove and ticket window as in 1911|P1|in_progress
epic-e04a8872|Signal box|Levers and windows; open to visitors in May|P2|todo
epic-91f3c6d0|Opening day|Invitations, permits, brass band|P3|todo
epic-50bb7e29|Survey|Drawings and photographs of the building as found|P1|done
"""
_STORIES = """
story-3f21ab90|epic-7c1e40aa|Slates on the north side|Replace 140 broken slates|in_progress
story-a8d07c54|epic-7c1e40aa|Iron canopy|Rust, rivets and paint|todo
story-66be19f2|epic-2b9d5f13|Tiled floor|Lift, clean and lay the tiles again|in_progress
story-d4502e7b|epic-2b9d5f13|Cast-iron stove|Have it lit by December|todo
story-0c97f3a1|epic-e04a8872|Lever frame|Twelve levers, four of them stuck|todo
story-b1e68d35|epic-91f3c6d0|Paperwork|Permit, insurance, programme|todo
story-f87a2c06|epic-50bb7e29|Measured drawings|All four fronts at 1:50|done
"""
_TASKS = """
task-1a4c9e02|story-3f21ab90|Order 140 Welsh slates|done|chore|2|\
From the Penrhos quarry, size 20 by 10|100
task-5be7d318|story-3f21ab90|Put up the scaffolding|done|chore|16|North side only|100
task-c90f2a67|story-3f21ab90|Nail the slates|in_progress|feature|60|\
Copper nails, from the eaves up|45
task-83d6b1f4|story-3f21ab90|Renew the lead flashing|todo|feature|18|Around both chimneys|0
task-e2750c9d|story-a8d07c54|Blast the rust off the canopy|blocked|chore|24|\
Sand blasting in the yard|10
task-0f68ab3c|story-a8d07c54|Replace missing rivets|todo|bug|20|23 are missing|0
task-b75e41d9|story-a8d07c54|Paint the canopy|todo|feature|30|Two coats, dark green|0
task-49c0f7e6|story-66be19f2|Lift and number the tiles|done|chore|22|612 tiles in crates|100
task-d813a25b|story-66be19f2|Clean off the old mortar|review|chore|35|Vinegar bath, then brush|90
task-2e96cf70|story-66be19f2|Lay the new screed|in_progress|feature|28|Lime screed, 5 cm|20
task-7a05e8b3|story-d4502e7b|Have the flue inspected|blocked|test|3|The sweep wants a liner|0
task-f43b96c8|story-d4502e7b|Find a replacement grate|todo|spike|6|Any No. 4 by Harkness|0
task-9c2d70e5|story-0c97f3a1|Free lever 7|todo|bug|8|Rusted through at the pivot|0
task-6ed814af|story-0c97f3a1|Grease the frame|todo|chore|4|Graphite grease|0
task-bb39f056|story-b1e68d35|Apply for the event permit|todo|chore|3|At the district office|0
task-38e7c1d2|story-b1e68d35|Ask the brass band|todo|chore|1|They want to know by February|0
task-a6f0925c|story-f87a2c06|Draw the street front|done|docs|12|1:50, ink|100
task-04dbe87f||Buy a new kettle|archived|chore|1|Somebody gave us one|0
"""
_BLOCKERS = {
    "task-e2750c9d": "The yard's permit for sand blasting has not come",
    "task-7a05e8b3": "The sweep is ill until 7 December",
}
_NEEDS = """
task-83d6b1f4|task-c90f2a67
task-0f68ab3c|task-e2750c9d
task-b75e41d9|task-0f68ab3c
task-d813a25b|task-49c0f7e6
task-f43b96c8|task-7a05e8b3
task-6ed814af|task-9c2d70e5
"""
_ACTIVITY = """
task-c90f2a67|progress|Rows 1 to 9 are nailed|Ottilie|2026-11-14T15:20:00Z
task-c90f2a67|note|The box of nails was short by two kilos|Ottilie|2026-11-18T09:05:00Z
task-d813a25b|decision|No acid, vinegar only|Bram|2026-11-03T11:40:00Z
task-2e96cf70|progress|First bay laid, must rest ten days|Bram|2026-11-20T16:00:00Z
task-e2750c9d|note|Rang the district office again|Ottilie|2026-11-23T10:15:00Z
"""
_HANDOFFS = """
task-d813a25b|PASS|612 tiles are clean, 31 broken|["tiles/list.ods"]|\
Broken ones: row C, crates 4 and 9
task-e2750c9d|BLOCKED|A test patch is done, the rest waits|["canopy/patch.jpg"]|\
The iron is sound below
task-49c0f7e6|PASS|All tiles are numbered and crated|["tiles/plan.pdf"]|\
Crates 1 to 26 stand in the lamp room
"""


def write(path: Path) -> None:
    """Make the board's database."""
    connection = sqlite3.connect(path)
    connection.executescript(_TABLES)
    project = ("proj-1", "Halt at Wendermere", "The station of 1911", _DAY, _DAY)
    connection.execute("INSERT INTO projects VALUES (?,?,?,?,?)", project)
    for row in _rows(_EPICS):
        values = [row[0], "proj-1", *row[1:], _DAY, _DAY]
        connection.execute("INSERT INTO epics VALUES (?,?,?,?,?,?,?,?)", values)
    for row in _rows(_STORIES):
        connection.execute("INSERT INTO stories VALUES (?,?,?,?,?,?,?)", [*row, _DAY, _DAY])
    for number, row in enumerate(_rows(_TASKS)):
        _write_task(connection, number, row)
    for number, row in enumerate(_rows(_NEEDS)):
        values = [f"dep-{number:08x}", *row, "blocks", _DAY]
        connection.execute("INSERT INTO task_dependencies VALUES (?,?,?,?,?)", values)
    for number, (task, kind, text, who, when) in enumerate(_rows(_ACTIVITY)):
        values = [f"act-{number:08x}", task, kind, text, "", "", who, when]
        connection.execute("INSERT INTO task_activity VALUES (?,?,?,?,?,?,?,?)", values)
    for row in _rows(_HANDOFFS):
        values = [*row, _DAY, ""]
        connection.execute("INSERT INTO task_handoffs VALUES (?,?,?,?,?,?,NULLIF(?, ''))", values)
    connection.commit()
    connection.close()


def _write_task(connection: sqlite3.Connection, number: int, row: list[str]) -> None:
    name, story, title, status, kind, hours, text, done = row
    made = f"2026-10-{number + 5:02}T08:00:00Z"
    connection.execute(
        "INSERT INTO tasks (id, story_id, title, status, task_type, estimate_hours, description,"
        " progress_percent, created_at, updated_at, created_by, blockers)"
        " VALUES (?,NULLIF(?, ''),?,?,?,?,?,?,?,?,'Ottilie',?)",
        (name, story, title, status, kind, hours, text, done, made, made, _BLOCKERS.get(name)),
    )


def _rows(table: str) -> list[list[str]]:
    return [line.split("|") for line in table.strip().splitlines()]
