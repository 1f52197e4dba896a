"""Wordings of another seven services: what is called so, months, years, codes, containers."""

import pytest

from gretel.contracts.tool import Tool
from service_tools import made, planned, values

LEVEL = {"type": "string", "enum": ["S1", "S2", "S3"]}
EXISTS = made("Whether a member exists", needs="username", username="string")
OPTION = made(
    "A setting", needs="category option", category="string", option="string", part="string"
)
SHEET = made("Hours by day", "/hours/{year}/{month}", year="integer", month="integer")
SHIFTS = made(
    "Shifts on a day", "/{year}/{month}/{day}", year="integer", month="integer", day="integer"
)
DAY = made("On air", "/{yyyy}/{mm}/{dd}", yyyy="string", mm="string", dd="string")
ALERTS = made("Alerts", severity=LEVEL, limit="integer")
DUTIES = made("Duties", due_before="string", limit="integer")
PICTURES = made("Pictures", place="string", year_from="integer", year_to="integer")
BATCH = made("Several duties", batch_size={"type": "number", "description": "Number of duties"})
TREND = made("How much is used", months={"type": "integer", "default": 6})
BORN = made(
    "When somebody was born",
    needs="age noted_date",
    age="number",
    noted_date={"type": "string", "description": "Date or year of the note"},
)

SHELF = made("What a shelf holds", "/{tenant}/{shelf}/list", tenant="string", shelf="string")
SHOTS = made(
    "Shots of a scene",
    "/scenes/{scene_id}/shots",
    scene_id={"type": "string", "format": "uuid"},
    studio_id={"type": "string", "format": "uuid"},
)
SONGS = made("Songs", album_id="string").model_copy(update={"operation": "list_songs"})
GROUPED = made(
    """Totals of the shop.

    Args:
        group_by: What to group by. One of: "country",
            "year" (default), "colour".
        sort_by: Column, one of: "jars", "price".
    """,
    group_by="string",
    sort_by="string",
)
JOBS = made("Jobs, optionally by helper (anna|ben)", helper="string", limit="integer")


@pytest.mark.parametrize(
    ("text", "asked", "arguments"),
    [
        ("is there somebody called marlow at the club", EXISTS, {"username": "marlow"}),
        (
            "Was steht bei der Option max_rows der Kategorie download?",
            OPTION,
            {"category": "download", "option": "max_rows"},
        ),
        ("The hours for October 2026: one line per day.", SHEET, {"year": 2026, "month": 10}),
        ("2026年11月的工时", SHEET, {"year": 2026, "month": 11}),
        ("die Stunden vom März 2025", SHEET, {"year": 2025, "month": 3}),
        ("Who worked on 2026-10-12?", SHIFTS, {"year": 2026, "month": 10, "day": 12}),
        ("What was on in f4 on 2013/06/09?", DAY, {"yyyy": "2013", "mm": "06", "dd": "09"}),
        ("Quelles alertes de sévérité S1 avons-nous ?", ALERTS, {"severity": "S1"}),
        ("哪些告警是 S2 的?", ALERTS, {"severity": "S2"}),
        ("What is to be done by 2026-12-06?", DUTIES, {"due_before": "2026-12-06"}),
        (
            "Dans quels albums trouver des photos entre 1860 et 1880 ?",
            PICTURES,
            {"year_from": 1860, "year_to": 1880},
        ),
        ("Find our helpers four jobs for tomorrow", BATCH, {"batch_size": 4}),
        ("¿Gastamos más? Mira los últimos 12 meses.", TREND, {"months": 12}),
        ("In the list of 1890 he is 43.", BORN, {"age": 43, "noted_date": "1890"}),
        (
            "What have they put into attic? List it all, the tenant is harbour.",
            SHELF,
            {"tenant": "harbour", "shelf": "attic"},
        ),
        (
            "Was hat der Mandant harbour im Shelf attic?",
            SHELF,
            {"tenant": "harbour", "shelf": "attic"},
        ),
        (
            "P010 - its id is 8d17009b-3e92-5c55-90cb-55e0c14a2715 - which shots has it?",
            SHOTS,
            {"scene_id": "8d17009b-3e92-5c55-90cb-55e0c14a2715"},
        ),
        ("Remind me what song-a8d07c54 is about.", SONGS, {}),
        ("Jars by colour, and what they cost", GROUPED, {"group_by": "colour"}),
        ("What does ben have to do?", JOBS, {"helper": "ben"}),
    ],
)
async def test_what_is_said_arrives(text: str, asked: Tool, arguments: dict[str, object]) -> None:
    assert values(await planned(text, asked)) == arguments


async def test_the_name_of_the_software_is_no_name_of_a_thing() -> None:
    asked = "Which handlers does Restate have?"
    handlers = made("Handlers of a service", "/services/{service}/handlers", service="string")
    own = handlers.model_copy(update={"toolkit": "Restate Admin API"})
    assert (await planned(asked, own)).kind == "refusal"
    assert values(await planned(asked, handlers.model_copy(update={"toolkit": "Admin API"}))) == {
        "service": "Restate"
    }


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("请帮我在笔记里搜索 pumpkins 好吗?", "pumpkins"),
        ("在我的笔记里找 spring frost 的内容", "spring frost"),
    ],
)
async def test_latin_words_are_what_a_chinese_request_searches_for(text: str, query: str) -> None:
    assert values(await planned(text, made("Search notes", needs="query", query="string"))) == {
        "query": query
    }


ARRAY = made("A whole array", "/array/{path}", path="string", filename="string")
COUNT = made(
    "Count entries",
    "/tenants/{tenant}/databases/{database}/collections/{collection_id}",
    tenant="string",
    database={"type": "string", "description": "Database name"},
    collection_id={"type": "string", "description": "Collection UUID"},
)
FIRST, SECOND = "6d9e8f70-1b2c-4d3e-8f4a-5b6c7d8e9f01", "6d9e8f70-1b2c-4d3e-8f4a-5b6c7d8e9f02"


async def test_a_code_that_has_a_successor_fills_nothing_else() -> None:
    said = "give me the full array furnace/run_17/temperature"
    assert values(await planned("and furnace/run_18/temperature?", ARRAY, said)) == {
        "path": "furnace/run_18/temperature"
    }
    said = f"Count the entries of {FIRST} in the museum tenant's specimens database."
    assert values(await planned(f"and {SECOND}?", COUNT, said)) == {
        "tenant": "museum",
        "database": "specimens",
        "collection_id": SECOND,
    }
