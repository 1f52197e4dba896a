"""Wordings of requests to documents of many vendors: quotations, versions, long numbers, ends."""

import pytest

from gretel.contracts.tool import Tool
from gretel.nodes.plan.mentions.patterns import pattern_mentions
from service_tools import made, planned, values

SESSIONS = made("Sessions of an organizer", "/organizers/{organizerKey}", organizerKey="integer")
VERSION = made(
    "A version of an API",
    "/apis/{owner}/{api}/{version}",
    owner="string",
    api="string",
    version="string",
)
LABEL = made("Make a label", name="string", color="string", size="integer")
NOTES = made("Field notes", text="string", author="string")
HITS = made("Hits of a query", needs="qid", qid="string", pageno="integer")
STATS = made("Statistics of baskets", max="integer")
SEARCH = made("Search in a team", needs="namespace q", namespace="string", q="string")
BORN = made("Who was born on a day", month="string", day="string")
SINCE = {"type": "integer", "description": "Only messages after the given Unix timestamp"}
BEFORE = {"type": "integer", "description": "Only messages before the given Unix timestamp"}
TRAFFIC = made("Messages", since=SINCE, before=BEFORE)
DAY = {"type": "string", "format": "date"}
CAT = made(
    "Print a note's content",
    needs="identifier",
    identifier={"type": "string", "description": "Note title or permalink"},
)
READ = made(
    "Print some Markdown",
    needs="identifier",
    identifier={"type": "string", "description": "The title or permalink of the note"},
)
LOAN = made("Change a loan", "/loans/{id}", id="string", starts=DAY, ends=DAY)
TASK = made("Change a task", "/tasks/{id}", id="string", start_date=DAY, due_date=DAY)
MAILS = made(
    "Search mails",
    needs="query",
    query={"type": "string", "description": "A query, e.g. 'date:2026-01-01..'"},
)
PAPERS = made("Papers", tags={"type": "array", "items": {"type": "string"}})
LISTING = made("List what is there", dir_name={"type": "string", "default": "/"})
LEAVE = made("Plan a leave", LeaveEndDate=DAY, LeaveStartDate=DAY)


@pytest.mark.parametrize(
    ("text", "asked", "arguments"),
    [
        (
            "all sessions for organizer 300000000000384444",
            SESSIONS,
            {"organizerKey": 300000000000384444},
        ),
        (
            "Is 2.1.0 of tidelab/billing final already?",
            VERSION,
            {"owner": "tidelab", "api": "billing", "version": "2.1.0"},
        ),
        (
            "comments on tidelab/billing 2.0.1",
            VERSION,
            {"owner": "tidelab", "api": "billing", "version": "2.0.1"},
        ),
        ('I want a label "with the kids" for them', LABEL, {"name": "with the kids"}),
        ("Ich will ein Etikett „Mit Kindern“ dafür", LABEL, {"name": "Mit Kindern"}),
        ("我想要一个标签「和孩子们」", LABEL, {"name": "和孩子们"}),
        ('field notes mentioning "kelp"', NOTES, {"text": "kelp"}),
        ("Show me the third page of number 402", HITS, {"qid": "402", "pageno": 3}),
        ("basket stats, top 10", STATS, {"max": 10}),
        ('search datalab for "forecast"', SEARCH, {"namespace": "datalab", "q": "forecast"}),
        ("Who famous shares my birthday, 4 July?", BORN, {"month": "7", "day": "4"}),
        ("The traffic since 1795996800, please", TRAFFIC, {"since": 1795996800}),
        ("The traffic before 1795996800, please", TRAFFIC, {"before": 1795996800}),
        ("open the note Linden Hive", CAT, {"identifier": "Linden Hive"}),
        ("open the note Linden Hive", READ, {"identifier": "Linden Hive"}),
        ("打开笔记 Honey Harvest 2026", READ, {"identifier": "Honey Harvest 2026"}),
        ("any conversations about the Grieg?", MAILS, {"query": "Grieg"}),
        ("Which papers have I tagged house?", PAPERS, {"tags": ["house"]}),
        ("what is in the hives folder?", LISTING, {"dir_name": "hives"}),
        ("Set ends of loan 1 to 2027-04-30.", LOAN, {"id": "1", "ends": "2027-04-30"}),
        (
            "Change the due date of task 5 to 3 May 2027.",
            TASK,
            {"id": "5", "due_date": "2027-05-03"},
        ),
        ("what is in the root folder?", LISTING, {}),
        (
            "I'm off from 2024-12-20 to 2025-01-03, put that into the plan",
            LEAVE,
            {"LeaveStartDate": "2024-12-20", "LeaveEndDate": "2025-01-03"},
        ),
    ],
)
async def test_what_is_said_arrives(text: str, asked: Tool, arguments: dict[str, object]) -> None:
    assert values(await planned(text, asked)) == arguments


async def test_two_quotations_are_for_nothing_that_takes_one() -> None:
    assert "text" not in values(await planned('Labels "old" and "new", please', NOTES))


async def test_a_quotation_of_another_sentence_is_another_need() -> None:
    assert (
        "good morning"
        not in values(
            await planned('Find notes by Ada. Then translate "good morning".', NOTES)
        ).values()
    )


async def test_a_month_alone_may_be_a_name() -> None:
    assert values(await planned("Notes on 4 July", made("Notes", month="string"))) != {"month": "7"}


async def test_a_german_day_is_no_version() -> None:
    assert (
        values(await planned("Was war am 3.10.2026 mit pumpen los?", made("x", version="string")))
        == {}
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [("am 3.10.2026", None), ("in 3.10.4", "3.10.4"), ("v1.4.0-rc.1", "v1.4.0-rc.1")],
)
def test_a_version_is_a_code_and_a_day_is_none(text: str, code: str | None) -> None:
    codes = [each.text for each in pattern_mentions(text, 0) if each.kind == "id"]
    assert codes == ([] if code is None else [code])
