"""The ends of the calendar, and zones that are none: a data set or a caller may name them."""

import asyncio

import pytest
from pydantic import ValidationError

from fakes import param, request, tool
from gretel.contracts.trial import CallPlan
from gretel.nodes.context import Context
from gretel.nodes.plan.deterministic import DeterministicPlanner

PLANNER = DeterministicPlanner()
TOOL = tool("A.get", "Get flights of a day.", params=[param("note")])


@pytest.mark.parametrize(
    ("today", "text"),
    [
        ("9999-12-31", "Flights from Friday to Sunday"),
        ("9999-12-31", "Flights tomorrow"),
        ("0001-01-01", "Flights of last Monday"),
        ("0001-01-01", "Flights of yesterday"),
    ],
)
def test_a_day_that_no_calendar_has_is_none(today: str, text: str) -> None:
    asked = request(text).model_copy(update={"today": today})
    assert isinstance(asyncio.run(PLANNER.plan(asked, TOOL)), CallPlan)


@pytest.mark.parametrize("name", ["Etc", "America", "x" * 5_000, "a\0b", "../Etc"])
def test_what_is_no_zone_is_said_to_be_none(name: str) -> None:
    with pytest.raises(ValidationError, match="is not an IANA name"):
        Context(timezone=name)
