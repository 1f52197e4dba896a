"""The flight example with a real, small model in every step: `make model` runs it."""

import os
import sys
from datetime import date
from pathlib import Path

import pytest
from small_model import SmallModel, missing

import gretel
from gretel.contracts.trial import CallPlan

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("GRETEL_SMALL_MODEL"), reason="make model"),
]
TODAY = date(2026, 11, 20)
CASE = ["Kayak.search_flights", "Skyscanner.get_flights", "FlightsPro.search"]


def test_the_flight_case_keeps_its_order_within_a_minute() -> None:
    """A model of this size makes up values and orders at will; the case of the paper stands."""
    if why := missing():
        pytest.skip(why)
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "flights"))
    from server import ApiServer

    with SmallModel(slots=4) as model, ApiServer(today=TODAY) as server:
        policy = gretel.Policy(allow_hosts=frozenset(server.hosts))
        with gretel.Selector(server.catalogue(), model=model.model(), policy=policy) as selector:
            selection = selector.select(
                "Find me a one-way flight from San Francisco to New York for next Tuesday.",
                k=4,
                depth=4,
                today=TODAY,
                budget=gretel.Budget(wall_s=60.0, trial_s=30.0),
            )

    assert [tool.tool_id for tool in selection.tools[:3]] == CASE
    plan = selection.tools[0].trial.plan
    assert isinstance(plan, CallPlan)
    assert plan.values()["date"] == "2026-11-24"
    assert selection.usage.llm_calls >= 6
