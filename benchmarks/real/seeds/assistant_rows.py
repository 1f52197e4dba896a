"""Run by the assistant's own Python: projects, to-dos, events and documents, with fixed ids."""

import json
import sqlite3

PLAIN = "2026-09-01T08:00:00"
NOT_YET = None


def task(number, title, status, priority, due):
    """Of a project."""
    return {
        "id": f"task-{number}",
        "title": title,
        "status": status,
        "priority": priority,
        "due_date": due,
        "created_at": PLAIN,
        "updated_at": PLAIN,
    }


def project(key, name, words, status, priority, progress, tasks, tags, notes, start, end):
    """With its tasks."""
    return {
        "id": key,
        "name": name,
        "description": words,
        "status": status,
        "priority": priority,
        "progress": progress,
        "tasks": tasks,
        "tags": tags,
        "notes": notes,
        "start_date": start,
        "end_date": end,
        "created_at": PLAIN,
        "updated_at": PLAIN,
    }


def todo(key, title, priority, due, tags, done=NOT_YET):
    """Open where it was never done."""
    return {
        "id": key,
        "title": title,
        "priority": priority,
        "due_date": due,
        "completed": done is not NOT_YET,
        "completed_at": done,
        "created_at": PLAIN,
        "tags": tags,
    }


def event(key, title, start, end, place, people):
    """Of the calendar."""
    return {
        "id": key,
        "title": title,
        "start_time": start,
        "end_time": end,
        "location": place,
        "attendees": people,
        "created_at": PLAIN,
    }


def document(key, title, words, kind, mime, size, tags, link):
    """A reference to a file that lies elsewhere."""
    return {
        "id": key,
        "title": title,
        "description": words,
        "file_path": "",
        "document_type": kind,
        "mime_type": mime,
        "size_bytes": size,
        "tags": tags,
        "external_url": link,
        "created_at": PLAIN,
        "updated_at": PLAIN,
    }


PROJECTS = [
    project(
        "prj-boathouse",
        "Boathouse roof",
        "New slates for the boathouse before winter",
        "in_progress",
        "high",
        60,
        [
            task(1, "Order 400 slates", "done", "high", "2026-09-20T12:00:00"),
            task(2, "Rent scaffolding", "in_progress", "urgent", "2026-11-27T12:00:00"),
            task(3, "Ask the insurance about storm damage", "blocked", "medium", None),
        ],
        ["house", "winter"],
        "Henrik has the key to the boathouse.",
        "2026-09-01T00:00:00",
        "2026-12-05T00:00:00",
    ),
    project(
        "prj-cookbook",
        "Family cookbook",
        "Grandmother's recipes, typed up and printed for the reunion",
        "in_progress",
        "medium",
        35,
        [
            task(4, "Scan the handwritten cards", "done", "medium", None),
            task(5, "Find out what a 'cup' meant in 1954", "todo", "low", None),
        ],
        ["family"],
        "",
        "2026-08-15T00:00:00",
        "2027-06-01T00:00:00",
    ),
    project(
        "prj-choir",
        "Choir trip to Lisbon",
        "Twelve singers, four days in May",
        "on_hold",
        "medium",
        10,
        [task(6, "Compare ferry and train", "todo", "medium", "2027-01-15T12:00:00")],
        ["choir", "travel"],
        "Waiting for the conductor's dates.",
        None,
        None,
    ),
    project(
        "prj-allotment",
        "Allotment fence",
        "",
        "completed",
        "low",
        100,
        [],
        ["garden"],
        "Cost 3,180 kroner in the end.",
        "2026-04-01T00:00:00",
        "2026-05-20T00:00:00",
    ),
]
TODOS = [
    todo("todo-passport", "Renew passport", "urgent", "2026-11-30T12:00:00", ["papers"]),
    todo("todo-dentist", "Call the dentist", "medium", "2026-12-02T09:00:00", ["health"]),
    todo("todo-boiler", "Have the boiler serviced", "high", "2026-12-10T12:00:00", ["house"]),
    todo("todo-library", "Return library books", "low", "2026-10-12T18:00:00", [], PLAIN),
    todo("todo-gift", "Gift for Oda's 40th", "medium", "2026-10-30T12:00:00", [], PLAIN),
]
EVENTS = [
    event(
        "evt-osteopath",
        "Osteopath",
        "2026-12-01T10:00:00",
        "2026-12-01T10:45:00",
        "Nygata 14",
        [],
    ),
    event(
        "evt-roofers",
        "Roofers on site",
        "2026-12-03T07:30:00",
        "2026-12-03T16:00:00",
        "Boathouse",
        ["Henrik", "Sunniva Roofing"],
    ),
    event(
        "evt-concert",
        "Advent concert",
        "2026-12-13T18:00:00",
        "2026-12-13T20:00:00",
        "St Olav's church",
        ["Oda", "Lisbet"],
    ),
    event(
        "evt-reunion",
        "Family reunion",
        "2027-06-19T12:00:00",
        "2027-06-20T17:00:00",
        "Skarholm",
        ["Oda", "Henrik", "Lisbet"],
    ),
]
DOCUMENTS = [
    document(
        "doc-quote",
        "Roofer's quote",
        "Slates and two days of work, 48,900 kroner",
        "pdf",
        "application/pdf",
        81234,
        ["house", "money"],
        "https://cloud.example/house/quote.pdf",
    ),
    document(
        "doc-insurance",
        "House insurance policy",
        "Number HX-20418, storm damage above 4,000 kroner",
        "pdf",
        "application/pdf",
        220417,
        ["house", "papers"],
        "https://cloud.example/house/policy.pdf",
    ),
    document(
        "doc-setlist",
        "Set list of the Advent concert",
        "Nine pieces, the last one with the children",
        "text",
        "text/plain",
        1312,
        ["choir"],
        "https://cloud.example/choir/setlist.txt",
    ),
]
STATUS = {
    "name": "Tove Aasen",
    "current_location": {"city": "Fjordside", "country": "Norway"},
    "laptop_details": {"os": "Debian 12", "model": "Framework 13"},
    "last_updated": PLAIN,
    "active_projects": ["prj-boathouse", "prj-cookbook"],
    "notes": "Away from 21 to 27 December, no phone.",
}


def main() -> None:
    """Write the tables that the server makes at its first start."""
    from src.server import db  # its own code makes the tables

    with sqlite3.connect(db.db_path) as connection:
        connection.execute("UPDATE user_status SET data = ?", (json.dumps(STATUS),))
        for table, rows in (
            ("projects", PROJECTS),
            ("todos", TODOS),
            ("calendar_events", EVENTS),
            ("documents", DOCUMENTS),
        ):
            connection.executemany(
                f"INSERT INTO {table} VALUES (?, ?)", [(row["id"], json.dumps(row)) for row in rows]
            )


if __name__ == "__main__":
    main()
