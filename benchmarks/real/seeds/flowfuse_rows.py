"""FlowFuse's invented data: a spring water company's filling line, cold store and springs.

Without a licence it takes 5 people, and 5 instances and devices together.
"""

from typing import Any

INSTANCE_ID = "5e0c1d7a-3b52-4f0e-9d57-2f6f1a9c4b10"
"""Of the platform; the short ids in its answers are made from it."""

# username, name, e-mail, administrator, suspended
USERS = [
    ("marit", "Marit Lund", "marit@fjellkilde.example.com", True, False),
    ("jonas", "Jonas Berg", "jonas@fjellkilde.example.com", False, False),
    ("leila", "Leila Amrani", "leila@fjellkilde.example.com", False, False),
    ("petter", "Petter Vik", "petter@fjellkilde.example.com", False, False),
    ("oskar", "Oskar Dahl", "oskar@fjellkilde.example.com", False, True),
]
OWNER, MEMBER, VIEWER = 50, 30, 10
# name, slug, {user: role}
TEAMS: list[tuple[str, str, dict[str, int]]] = [
    ("Bottling", "bottling", {"marit": OWNER, "jonas": OWNER, "leila": MEMBER, "oskar": VIEWER}),
    ("Cold Store", "cold-store", {"marit": OWNER, "petter": OWNER, "leila": MEMBER}),
    ("Springs", "springs", {"petter": OWNER}),
]
# name, description, number of the team
APPLICATIONS = [
    ("Filling Line", "Rinsers, fillers and cappers of hall 1", 1),
    ("Palletising", "Wrapping and counting of pallets", 1),
    ("Freezers", "Temperatures of the four cold rooms", 2),
    ("Spring Levels", "Water level and turbidity at the three springs", 3),
]
# name, label, version of Node-RED, active, number of its type
STACKS = [
    ("node-red-31", "Node-RED 3.1", "3.1.9", True, 1),
    ("node-red-40", "Node-RED 4.0", "4.0.2", True, 2),
    ("node-red-22", "Node-RED 2.2", "2.2.3", False, 1),
]
# name, description, order, number of its stack
TYPES = [
    ("Small", "One core, for a handful of flows", 1, 1),
    ("Large", "Four cores, for dashboards with many viewers", 2, 2),
]
# name, description, active
TEMPLATES = [
    ("Plant default", "What every instance in the plant starts from", True),
    ("Public dashboard", "For screens in the visitor centre, without a login", True),
    ("Old line", "Of the line that was scrapped in 2024", False),
]
# id, name, application, type, stack, template, state, environment
INSTANCES: list[tuple[str, str, int, int, int, int, str, dict[str, str]]] = [
    (
        "1c8a4f60-52d4-4b0e-8a39-6a0d3c7e1101",
        "filler-control",
        *(1, 1, 1, 1),
        "running",
        {"BOTTLES_PER_MINUTE": "420", "LINE": "1"},
    ),
    (
        "1c8a4f60-52d4-4b0e-8a39-6a0d3c7e1102",
        "freezer-board",
        *(3, 2, 2, 2),
        "suspended",
        {"ALARM_ABOVE": "-16", "ROOMS": "4"},
    ),
]
# name, type, team, application, instance, state, last seen, agent, mode, environment
Device = tuple[str, str, int, int | None, int | None, str, str, str, str, dict[str, str]]
DEVICES: list[Device] = [
    (
        *("filler-1", "Revolution Pi", 1, None, 1, "running"),
        *("2026-11-20T06:12:00Z", "2.4.0", "autonomous", {"VALVES": "24"}),
    ),
    (
        *("label-camera", "Jetson Nano", 1, 1, None, "running"),
        *("2026-11-20T06:10:00Z", "2.3.0", "developer", {"MIN_SCORE": "0.8"}),
    ),
    (
        *("dock-door", "Raspberry Pi Zero", 2, 3, None, "offline"),
        *("2026-10-31T17:05:00Z", "1.15.0", "autonomous", {"DOOR": "north"}),
    ),
]
# name, description, instance, device, user, made at, environment, labels of nodes
Snapshot = tuple[str, str, int | None, int | None, str, str, dict[str, str], list[str]]
SNAPSHOTS: list[Snapshot] = [
    (
        *("Summer speed", "420 bottles a minute, agreed with maintenance", 1, None, "leila"),
        *("2026-06-01T07:00:00Z", {"BOTTLES_PER_MINUTE": "420"}),
        ["read valves", "count bottles", "slow down when hot"],
    ),
    (
        *("Before new valves", "State before valves 25 to 32 were fitted", 1, None, "jonas"),
        *("2026-08-14T09:30:00Z", {"BOTTLES_PER_MINUTE": "390"}),
        ["read valves", "count bottles"],
    ),
    (
        *("Alarm at -16", "Raised from -18 after the audit", 2, None, "petter"),
        *("2026-11-02T08:45:00Z", {"ALARM_ABOVE": "-16"}),
        ["read rooms", "ring the bell"],
    ),
    (
        *("Half litre only", "Camera trained on half litre bottles", None, 2, "leila"),
        *("2026-09-18T13:20:00Z", {"MIN_SCORE": "0.8"}),
        ["take picture", "compare label"],
    ),
    (
        *("Half litre and litre", "Both sizes; slower", None, 2, "leila"),
        *("2026-10-22T10:05:00Z", {"MIN_SCORE": "0.75"}),
        ["take picture", "find size", "compare label"],
    ),
]
# instance: target snapshot, which its devices are to run
TARGETS = {1: 1}
# user, e-mail when external, by, team, role, sent at
INVITATIONS: list[tuple[str | None, str, str, int, int, str]] = [
    ("petter", "", "jonas", 1, VIEWER, "2026-11-17T08:00:00Z"),
    (None, "service@capper-maker.example.net", "jonas", 1, MEMBER, "2026-11-18T11:30:00Z"),
    ("marit", "", "petter", 3, VIEWER, "2026-11-19T15:00:00Z"),
]
# event, kind, number, user, moment, what more is told
AUDIT: list[tuple[str, str, int, str, str, dict[str, Any]]] = [
    (
        *("application.created", "team", 1, "jonas", "2026-03-02T08:00:00Z"),
        {"application": {"name": "Filling Line"}},
    ),
    (
        *("team.user.added", "team", 1, "jonas", "2026-03-03T09:10:00Z"),
        {"user": {"username": "leila"}},
    ),
    (
        *("team.device.created", "team", 1, "leila", "2026-04-11T10:00:00Z"),
        {"device": {"name": "label-camera"}},
    ),
    (
        *("team.user.invited", "team", 1, "jonas", "2026-11-17T08:00:00Z"),
        {"user": {"username": "petter"}},
    ),
    (
        *("team.device.created", "team", 2, "petter", "2026-04-20T10:00:00Z"),
        {"device": {"name": "dock-door"}},
    ),
    (
        *("application.device.assigned", "application", 1, "leila", "2026-04-11T10:05:00Z"),
        {"device": {"name": "label-camera"}},
    ),
    (
        *("application.device.assigned", "application", 3, "petter", "2026-04-20T10:05:00Z"),
        {"device": {"name": "dock-door"}},
    ),
    ("project.created", "project", 1, "jonas", "2026-03-02T08:20:00Z", {}),
    ("project.started", "project", 1, "jonas", "2026-03-02T08:21:00Z", {}),
    (
        *("project.snapshot.created", "project", 1, "jonas", "2026-08-14T09:30:00Z"),
        {"snapshot": {"name": "Before new valves"}},
    ),
    ("flows.set", "project", 2, "petter", "2026-11-02T08:40:00Z", {}),
    ("project.suspended", "project", 2, "leila", "2026-11-12T18:00:00Z", {}),
    ("device.restarted", "device", 3, "petter", "2026-10-31T16:58:00Z", {}),
    (
        *("user.suspended", "platform", 5, "marit", "2026-09-30T12:00:00Z"),
        {"user": {"username": "oskar"}},
    ),
]

ROWS: dict[str, Any] = {
    "instanceId": INSTANCE_ID,
    "users": USERS,
    "teams": TEAMS,
    "applications": APPLICATIONS,
    "stacks": STACKS,
    "types": TYPES,
    "templates": TEMPLATES,
    "instances": INSTANCES,
    "devices": DEVICES,
    "snapshots": SNAPSHOTS,
    "targets": TARGETS,
    "invitations": INVITATIONS,
    "audit": AUDIT,
}
