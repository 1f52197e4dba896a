"""An animation studio: two productions, their people, assets, shots, tasks and hours.

A row is the name of Zou's own class, what the row is called, and its columns. A value `@Class/name`
is the id of the row of that name; ids are made from names, so they are the same everywhere.
"""

import uuid
from typing import Any

Row = tuple[str, str, dict[str, Any]]


def identified(reference: str) -> str:
    """The id of `Class/name`."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"lantern-moth/{reference}"))


DEPARTMENTS = (("Art", "#C0504D"), ("Modeling", "#4F81BD"), ("Animation", "#9BBB59"))
TYPES = (  # name, short name, department, for what
    ("Concept", "cpt", "Art", "Asset"),
    ("Modeling", "mod", "Modeling", "Asset"),
    ("Layout", "lay", "Animation", "Shot"),
    ("Animation", "ani", "Animation", "Shot"),
    ("Lighting", "lgt", "Art", "Shot"),
)
STATUSES = (  # name, short name, columns
    ("Todo", "todo", {"is_default": True}),
    ("Work in progress", "wip", {"is_wip": True}),
    ("Waiting for approval", "wfa", {"is_feedback_request": True}),
    ("Retake", "retake", {"is_retake": True}),
    ("Done", "done", {"is_done": True}),
)
PEOPLE = (  # first, last, role, department, position, salary a day
    ("Odile", "Marchetti", "admin", "Art", "supervisor", 310),
    ("Tomasz", "Brandl", "manager", "Animation", "lead", 280),
    ("Yuki", "Sandoval", "user", "Animation", "artist", 210),
    ("Piet", "Okonjo", "user", "Animation", "artist", 190),
    ("Hanna", "Virtala", "supervisor", "Modeling", "lead", 260),
    ("Rafael", "Quist", "user", "Art", "artist", 205),
)
PROJECTS = (  # name, code, type, style, start, end, description
    ("The Salt Cartographer", "SALT", "short", "3d", "2026-03-02", "2027-02-26", "Nine minutes"),
    ("Puddle Street", "PUD", "tvshow", "2d", "2026-06-01", "2027-09-30", "Rain, frogs, neighbours"),
)
TEAMS = {
    "The Salt Cartographer": ("Odile", "Tomasz", "Yuki", "Hanna", "Rafael"),
    "Puddle Street": ("Odile", "Piet", "Rafael"),
}
KINDS = ("Character", "Prop", "Environment", "Shot", "Sequence", "Episode", "Scene", "Edit")
ENTITIES: tuple[
    tuple[str, str, str, str, dict[str, Any]], ...
] = (  # name, kind, project, parent, columns
    ("Ines the mapmaker", "Character", "The Salt Cartographer", "", {"description": "Age 60"}),
    ("Brine heron", "Character", "The Salt Cartographer", "", {}),
    ("Sextant", "Prop", "The Salt Cartographer", "", {"description": "Brass, one lens cracked"}),
    ("Salt flats", "Environment", "The Salt Cartographer", "", {}),
    ("SQ010", "Sequence", "The Salt Cartographer", "", {"description": "Arrival at low tide"}),
    ("SQ020", "Sequence", "The Salt Cartographer", "", {"description": "The storm"}),
    ("SH0010", "Shot", "The Salt Cartographer", "SQ010", {"nb_frames": 96}),
    ("SH0020", "Shot", "The Salt Cartographer", "SQ010", {"nb_frames": 142}),
    ("SH0030", "Shot", "The Salt Cartographer", "SQ020", {"nb_frames": 210}),
    (
        "E01",
        "Episode",
        "Puddle Street",
        "",
        {"description": "The leaking roof", "status": "running"},
    ),
    ("E02", "Episode", "Puddle Street", "", {"description": "Frog parade", "status": "standby"}),
    ("Mrs Ketteler", "Character", "Puddle Street", "", {}),
    ("Leaking roof", "Environment", "Puddle Street", "", {}),
    ("P010", "Sequence", "Puddle Street", "E01", {}),
    ("P010-01", "Shot", "Puddle Street", "P010", {"nb_frames": 75}),
    ("P010-02", "Shot", "Puddle Street", "P010", {"nb_frames": 50}),
)
CASTING = (  # in which, who, how many
    ("SH0010", "Ines the mapmaker", 1),
    ("SH0010", "Salt flats", 1),
    ("SH0020", "Ines the mapmaker", 1),
    ("SH0020", "Sextant", 1),
    ("SH0030", "Brine heron", 7),
    ("P010-01", "Mrs Ketteler", 1),
)
TASKS = (  # entity, type, status, who, start, due, estimated minutes, spent minutes
    ("Ines the mapmaker", "Concept", "Done", "Rafael", "2026-03-09", "2026-03-20", 4800, 5040),
    ("Ines the mapmaker", "Modeling", "Waiting for approval", "Hanna", "2026-09-07", "2026-10-02",
     9600, 8160),
    ("Brine heron", "Modeling", "Retake", "Hanna", "2026-10-05", "2026-10-30", 7200, 6240),
    ("Salt flats", "Concept", "Work in progress", "Odile", "2026-11-09", "2026-12-04", 2880, 960),
    ("Sextant", "Modeling", "Todo", "Hanna", "2026-11-16", "2026-11-27", 2400, 0),
    ("SH0010", "Layout", "Done", "Yuki", "2026-09-14", "2026-09-18", 1440, 1200),
    ("SH0010", "Animation", "Waiting for approval", "Yuki", "2026-10-12", "2026-10-23", 4320, 3900),
    ("SH0020", "Animation", "Work in progress", "Yuki", "2026-10-26", "2026-11-13", 5760, 2880),
    ("SH0030", "Layout", "Todo", "Tomasz", "2026-11-23", "2026-12-04", 2400, 0),
    ("P010-01", "Animation", "Retake", "Piet", "2026-10-05", "2026-10-16", 2880, 3360),
    ("P010-02", "Animation", "Work in progress", "Piet", "2026-10-19", "2026-10-30", 1920, 960),
    ("Mrs Ketteler", "Concept", "Done", "Rafael", "2026-06-08", "2026-06-19", 2880, 2400),
)  # fmt: skip
HOURS = (  # entity, type, who, day, minutes
    ("SH0010", "Animation", "Yuki", "2026-10-12", 480),
    ("SH0010", "Animation", "Yuki", "2026-10-13", 420),
    ("SH0020", "Animation", "Yuki", "2026-10-26", 480),
    ("SH0020", "Animation", "Yuki", "2026-10-27", 360),
    ("P010-01", "Animation", "Piet", "2026-10-12", 450),
    ("P010-02", "Animation", "Piet", "2026-10-27", 300),
    ("Brine heron", "Modeling", "Hanna", "2026-10-13", 480),
    ("Ines the mapmaker", "Concept", "Rafael", "2026-03-10", 420),
)
COMMENTS = (  # entity, type, who, status, text, moment
    ("Brine heron", "Modeling", "Odile", "Retake", "The beak is too short for the map scene",
     "2026-10-28T09:15:00"),
    ("Brine heron", "Modeling", "Hanna", "Waiting for approval", "Second pass, longer legs",
     "2026-10-27T16:40:00"),
    ("SH0010", "Animation", "Yuki", "Waiting for approval", "Footsteps are on the beat now",
     "2026-10-23T17:05:00"),
    ("P010-01", "Animation", "Odile", "Retake", "Umbrella opens two frames late",
     "2026-10-19T11:20:00"),
)  # fmt: skip
MILESTONES = (  # name, project, type, day
    ("Animatic locked", "The Salt Cartographer", "Layout", "2026-09-30"),
    ("Rough cut to the funders", "The Salt Cartographer", "Animation", "2026-12-18"),
    ("E01 delivered", "Puddle Street", "Animation", "2027-01-29"),
)
DAYS_OFF = (  # who, from, to, why
    ("Yuki", "2026-12-21", "2027-01-01", "Winter leave"),
    ("Hanna", "2026-11-26", "2026-11-27", "Moving house"),
    ("Piet", "2026-08-03", "2026-08-14", "Summer leave"),
)
SOFTWARE = (  # name, short, version, ending, cost a month, licences
    ("Blender", "bld", "4.5", "blend", 0, 20),
    ("TVPaint", "tvp", "12", "tvpp", 42, 6),
    ("Nuke", "nuk", "16", "nk", 310, 2),
)
HARDWARE = (("Workstation A2", "wsa2", 95, 8), ("Pen display 24", "pen24", 30, 5))
SCHEDULE = (  # project, type, start, end, days
    ("The Salt Cartographer", "Modeling", "2026-09-07", "2026-12-11", 60),
    ("The Salt Cartographer", "Animation", "2026-10-12", "2027-01-29", 120),
    ("Puddle Street", "Animation", "2026-10-05", "2027-03-26", 200),
)
BUDGET = (  # department, who, start, months, salary a day
    ("Modeling", "Hanna", "2026-09-01", 4, 260),
    ("Animation", "Yuki", "2026-09-01", 6, 210),
    ("Art", "Rafael", "2026-03-01", 3, 205),
)
