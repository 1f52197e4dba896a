"""Wordings to services that nobody had developed on: days, formats, searches, units, opposites."""

import pytest

from gretel.contracts.tool import Tool
from service_tools import made, planned, values

DAY = {"type": "string", "default": "", "title": "A Day"}
TEXTS = {"type": "array", "items": {"type": "string"}}
LEDGER = made("Balances", as_of=DAY, period_start=DAY, period_end=DAY)
TASKS = made("Tasks", due_on=DAY, created_at=DAY)
REPORT = made("Report as html or xlsx, an Excel workbook", format={"type": "string"})
EXPORT = made("Export a table", export_format={"type": "string"}, date_format={"type": "string"})
NOTE = made("Read a note", needs="path", path="string", max_chars="integer")
SEARCH = made(
    "Search texts", needs="vault query", vault="string", query="string", case_sensitive="boolean"
)
TEXT = made("Search texts", needs="query", query="string")
BACK = {
    "type": "number",
    "default": -600,
    "description": "An absolute timestamp, or a relative number of seconds (negative)",
}
METRICS = made(
    "Collected data",
    needs="after points",
    chart={"type": "string", "default": "system.cpu", "description": "The id of the chart"},
    after=BACK,
    points={"type": "number", "default": 20, "description": "The number of points"},
)
SINCE = {"type": "integer", "description": "Unix timestamp in seconds"}
LOG = made("A log", after=SINCE)
BOARD = made("A board", "/boards/{id_or_slug}", id_or_slug="string")
BASE = made("A database", "/database/{pk}", pk="integer")
ALARMS = made("Alarms", all="boolean", active="boolean")
TODOS = made("To-dos", completed="boolean")
MAILS = made("Mails", read="boolean")
RECENT = made(
    "Recent changes",
    page_size="integer",
    timeframe={"type": "string", "default": "7d", "description": "Time window"},
    interval={"type": "string", "default": "1h"},
)
CHANGES = made("Changes", page_size="integer", page="integer")
PAYMENTS = made("Payments", status="string")
AUDIT = made("Audit log of a team", "/teams/{teamId}/log", teamId="string", username="string")
DOCUMENTS = made("Documents", tags=TEXTS)
MEAN = {"type": "string", "enum": ["min", "max", "average"], "default": "average"}
GROUPED = made("Collected data", after=BACK, group=MEAN, group_options="string")


@pytest.mark.parametrize(
    ("text", "asked", "arguments"),
    [
        ("Balances as of 2026-09-30, please", LEDGER, {"as_of": "2026-09-30"}),
        ("I want the balances as of 30 September 2026.", LEDGER, {"as_of": "2026-09-30"}),
        ("Die Salden zum 30. September 2026 bitte", LEDGER, {"as_of": "2026-09-30"}),
        (
            "Balances from 2026-01-01 to 2026-03-31",
            LEDGER,
            {"period_start": "2026-01-01", "period_end": "2026-03-31"},
        ),
        ("Which tasks are due on 2026-06-01?", TASKS, {"due_on": "2026-06-01"}),
        ("The report as an Excel file", REPORT, {"format": "xlsx"}),
        ("Den Bericht als PDF", REPORT, {"format": "pdf"}),
        ("Quiero el informe en JSON", REPORT, {"format": "json"}),
        ("le rapport dans un fichier CSV", REPORT, {"format": "csv"}),
        ("把报告导出为 PDF", REPORT, {"format": "pdf"}),
        ("Export it in markdown", EXPORT, {"export_format": "markdown"}),
        ("Read me Recipes/Plum jam.md now", NOTE, {"path": "Recipes/Plum jam.md"}),
        ("Trips/Lofoten 2027.md - when does it go?", NOTE, {"path": "Trips/Lofoten 2027.md"}),
        (
            "Just the first 60 characters of Members.md",
            NOTE,
            {"path": "Members.md", "max_chars": 60},
        ),
        (
            "Enséñame solo los primeros 60 caracteres de Members.md",
            NOTE,
            {"path": "Members.md", "max_chars": 60},
        ),
        (
            "Zeig mir nur die ersten 80 Zeichen von Members.md",
            NOTE,
            {"path": "Members.md", "max_chars": 80},
        ),
        ("显示 Members.md 的前60个字符", NOTE, {"path": "Members.md", "max_chars": 60}),
        ("Search house for cod", SEARCH, {"vault": "house", "query": "cod"}),
        ("Such im Vault choir nach St Olaf.", SEARCH, {"vault": "choir", "query": "St Olaf"}),
        ("busca bacalao en house", SEARCH, {"vault": "house", "query": "bacalao"}),
        ("Cherche morue dans house.", SEARCH, {"vault": "house", "query": "morue"}),
        ("Y a-t-il un fichier dont le nom contient bread ?", TEXT, {"query": "bread"}),
        ("Gibt es Dateien, deren Name Brot enthält?", TEXT, {"query": "Brot"}),
        ("Everything with the tag travel, please.", TEXT, {"query": "travel"}),
        (
            "How was it over the last 5 minutes? It is the chart room.temperature.",
            METRICS,
            {"chart": "room.temperature", "after": -300, "points": 20},
        ),
        (
            "What did web.requests reach in the past two hours?",
            METRICS,
            {"chart": "web.requests", "after": -7200, "points": 20},
        ),
        (
            "room.humidity 最近十分钟的平均值",
            METRICS,
            {"chart": "room.humidity", "after": -600, "points": 20},
        ),
        (
            "die letzten 3 Stunden von room.humidity",
            METRICS,
            {"chart": "room.humidity", "after": -10800, "points": 20},
        ),
        (
            "les 15 dernières minutes de room.humidity",
            METRICS,
            {"chart": "room.humidity", "after": -900, "points": 20},
        ),
        ("The log of the last 5 minutes", LOG, {}),
        ("How did board 2 get its 14 cards?", BOARD, {"id_or_slug": "2"}),
        ("Why does database 3 hold 14 tables?", BASE, {"pk": 3}),
        ("Ich hätte gern alle Alarme", ALARMS, {"all": True}),
        ("Quelles tâches de ma liste ai-je déjà terminées ?", TODOS, {"completed": True}),
        ("What is still open on my list?", TODOS, {"completed": False}),
        ("Open my list", TODOS, {}),
        ("Which mails are still unread?", MAILS, {"read": False}),
        ("整个服务器上有哪些失败的付款?", PAYMENTS, {"status": "failed"}),
        (
            "What has jonas been doing in team 3gOByMBM2d?",
            AUDIT,
            {"teamId": "3gOByMBM2d", "username": "jonas"},
        ),
        ("What has anybody said in team 3gOByMBM2d?", AUDIT, {"teamId": "3gOByMBM2d"}),
        ("the documents with the tag choir", DOCUMENTS, {"tags": ["choir"]}),
        ("The last 2 minutes, please", GROUPED, {"after": -120}),
        ("what have I changed in the last 3 days?", RECENT, {"timeframe": "3d"}),
        ("was habe ich in den letzten 24 Stunden geändert?", RECENT, {"timeframe": "24h"}),
        ("what have I changed in the last 3 days?", CHANGES, {}),
    ],
)
async def test_what_is_said_arrives(text: str, asked: Tool, arguments: dict[str, object]) -> None:
    assert values(await planned(text, asked)) == arguments


async def test_a_phrase_with_function_words_of_another_language_is_no_name() -> None:
    found = await planned(
        "Dans le coffre house, y a-t-il un fichier dont le nom contient pain ?", SEARCH
    )
    assert found.kind == "refusal"
    assert "vault" in {field.name for field in found.missing}


async def test_what_the_context_names_exactly_says_nothing_of_another_parameter() -> None:
    assert values(await planned("the last 10 minutes", GROUPED, group="max")) == {
        "after": -600,
        "group": "max",
    }


async def test_a_list_takes_the_one_name_that_each_turn_says() -> None:
    assert values(
        await planned("and with the tag papers?", DOCUMENTS, "documents with the tag choir")
    ) == {"tags": ["papers"]}


async def test_of_several_names_the_first_is_not_all() -> None:
    assert values(
        await planned('documents with the tag "choir", "papers" and "travel"', DOCUMENTS)
    ) != {"tags": ["choir"]}
