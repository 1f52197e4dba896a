"""Wordings of another seven services: what is called so, months, years, codes, what lies in what."""

import pytest

from gretel.contracts.tool import Tool
from gretel.contracts.trial import CallPlan
from service_tools import made, planned

LEVEL = {"type": "string", "enum": ["S1", "S2", "S3"]}
EXISTS = made("Whether a member exists", needs="username", username="string")
OPTION = made(
    "A setting", needs="category option", category="string", option="string", part="string"
)
SHEET = made("Hours by day", "/hours/{year}/{month}", year="integer", month="integer")
SHIFTS = made(
    "Shifts on a day", "/{year}/{month}/{day}", year="integer", month="integer", day="integer"
)
ALERTS = made("Alerts", severity=LEVEL, limit="integer")


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
        ("Quelles alertes de sévérité S1 avons-nous ?", ALERTS, {"severity": "S1"}),
        ("哪些告警是 S2 的?", ALERTS, {"severity": "S2"}),
    ],
)
async def test_what_is_said_arrives(text: str, asked: Tool, arguments: dict[str, object]) -> None:
    found = await planned(text, asked)
    assert isinstance(found, CallPlan), found
    assert found.values() == arguments
