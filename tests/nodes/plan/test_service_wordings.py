"""Wordings of requests to services that were planned wrongly: ends, switches, zones, folders."""

import pytest

from fakes import param, tool
from gretel.contracts.tool import HttpBinding, Tool
from service_tools import made, planned, values

TEXTS = {"type": "array", "items": {"type": "string"}}
SWITCH = {"type": "string", "enum": ["true", "false", "1", "0"]}
STATE = {"type": "string", "enum": ["paused", "unpaused", "accepted"]}
PAD = made("Text of a document", needs="padID", padID="string", rev="string")
CHANGES = made("Changes of a document", padID="string", startRev="string", endRev="string")
STOPS = made("Bus stops", line="string")
GAUGES = made("Water gauges", skipGeometry="boolean")
WATCHES = made("Watched pages", recheck=SWITCH)
WATCH = made("A watch", "/watch/{uuid}", uuid="string", paused=STATE)
ISSUES = made("Issues of a project", project="integer")
NODES = made("Open specific nodes by their names", needs="names", names=TEXTS)
NOTES = made("Search notes", needs="query", query="string")
GIT = made(
    "Differences between branches", needs="repo_path target", repo_path="string", target="string"
)
FILE = made("Read a file", needs="path", path="string")
FOLDER = made("What a folder holds", "/contents/{path}", path="string")
QUEUE = made("Read a queue", "/queues/{name}", name="string")
PUBLIC = made("Whether a pad is public", padID="string")
READ_ONLY = tool(
    "pads.getReadOnlyID",
    "Returns the read only id of a pad",
    params=[param("padID", {"type": "string"}, required=False, location="query")],
    binding=HttpBinding(method="GET", path="/getReadOnlyID"),
)
SINCE = {
    "type": "string",
    "description": "Start timestamp. Accepts ISO 8601 (e.g. '2024-01-15T14:30:25'), relative dates",
}
COMMITS = made("Commits", since_timestamp=SINCE)
ZONES = made(
    "Convert a time",
    needs="source_timezone time target_timezone",
    source_timezone={"type": "string", "description": "IANA timezone"},
    time={"type": "string", "description": "Time in 24-hour format (HH:MM)"},
    target_timezone={"type": "string", "description": "IANA timezone"},
)


@pytest.mark.parametrize(
    ("text", "asked", "arguments"),
    [
        (
            "Read me the pad seed-order at revision 0",
            PAD,
            {"padID": "seed-order", "rev": "0"},
        ),
        (
            "Show what changed in seed-order from revision 2 to revision 5",
            CHANGES,
            {"padID": "seed-order", "startRev": "2", "endRev": "5"},
        ),
        ("Which stops does line 2 serve?", STOPS, {"line": "2"}),
        ("All gauges, and leave the geometry out", GAUGES, {"skipGeometry": True}),
        ("All gauges with their geometry", GAUGES, {}),
        ("Watched pages, and recheck them please", WATCHES, {"recheck": "true"}),
        ("Tell me about the watch a1b2c3d4e5: is it paused?", WATCH, {"uuid": "a1b2c3d4e5"}),
        ("Who accepted a1b2c3d4e5, the watch?", WATCH, {"uuid": "a1b2c3d4e5"}),
        ("every single issue, please", ISSUES, {}),
        ('Öffne "Water pump" und "Autumn fair".', NODES, {"names": ["Water pump", "Autumn fair"]}),
        (
            "Get me the entries Ruth Solberg and Fjord Allotments.",
            NODES,
            {"names": ["Ruth Solberg", "Fjord Allotments"]},
        ),
        ("Abre la ficha de Tomas Lind.", NODES, {"names": ["Tomas Lind"]}),
        ("在记忆里搜索 pumpkins。", NOTES, {"query": "pumpkins"}),
        ("Search the name server for mail*, please", NOTES, {"query": "mail*"}),
        (
            "Compare my working tree in /srv/diary with the branch market-stall.",
            GIT,
            {"repo_path": "/srv/diary", "target": "market-stall"},
        ),
        ("¿Qué hay en la carpeta teaching?", FOLDER, {"path": "teaching"}),
        ("Is g.Fjord0Commit$minutes open to all?", PUBLIC, {"padID": "g.Fjord0Commit$minutes"}),
        (
            "I want to hand out a link to water-rota. What is its read-only id?",
            READ_ONLY,
            {"padID": "water-rota"},
        ),
        ("Commits since 2026-10-02", COMMITS, {"since_timestamp": "2026-10-02"}),
        (
            "When is it for me, in Europe/Berlin, when the call starts at 18:00 in Asia/Tokyo?",
            ZONES,
            {"source_timezone": "Asia/Tokyo", "time": "18:00", "target_timezone": "Europe/Berlin"},
        ),
    ],
)
async def test_what_is_said_arrives(text: str, asked: Tool, arguments: dict[str, object]) -> None:
    assert values(await planned(text, asked)) == arguments


@pytest.mark.parametrize(
    "text",
    [
        "¿Cuántas tareas esperan en la cola?",
        "编排服务器现在正常吗?我的任务好像都卡住了。",
        "Quelles étiquettes avons-nous pour classer les pages surveillées ?",
        "Quelles tâches de ma liste ai-je déjà terminées ?",
    ],
)
async def test_a_question_in_another_language_is_no_name(text: str) -> None:
    found = await planned(text, QUEUE)
    assert found.kind == "refusal"


async def test_a_bare_file_lies_in_the_folder_that_was_spoken_of() -> None:
    assert values(
        await planned("and now beans.txt from there", FILE, "print /srv/recipes/peas.txt")
    ) == {"path": "/srv/recipes/beans.txt"}


async def test_a_zone_alone_renews_the_one_that_was_said_last() -> None:
    before = "If it is 14:30 in Europe/Oslo, what time is it in Asia/Tokyo?"
    assert values(await planned("and in America/Los_Angeles?", ZONES, before)) == {
        "source_timezone": "Europe/Oslo",
        "time": "14:30",
        "target_timezone": "America/Los_Angeles",
    }
