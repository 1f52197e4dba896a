"""What a request leaves out since the turn before has said it."""

import pytest

from gretel.contracts.trial import CallPlan, Refusal
from service_tools import made, planned

ROW = made("A row of a table", "/tables/{name}/rows/{pk}", name="string", pk="string")
TABLE = "Show me row 3 of crew"


@pytest.mark.parametrize("text", ["and row 5", "Now row 5, please."])
async def test_a_request_that_goes_on_keeps_what_it_leaves_out(text: str) -> None:
    plan = await planned(text, ROW, TABLE)
    assert isinstance(plan, CallPlan)
    assert plan.values() == {"name": "crew", "pk": "5"}
    assert plan.arguments["name"].source == "message"


async def test_a_request_of_its_own_does_not() -> None:
    assert isinstance(await planned("Is there a row 5?", ROW, TABLE), Refusal)


async def test_what_nobody_said_is_still_asked_for() -> None:
    assert isinstance(await planned("and row 5", ROW, "Show me a row"), Refusal)
