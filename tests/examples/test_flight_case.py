"""The case study of the paper (4.5) through the whole graph, and the same under other names."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from server import ApiServer
from variants import VARIANTS, Variant

import gretel
from gretel.contracts.trial import CallPlan, Refusal
from gretel.graph.selector import BoundSelection
from lanes import every

TODAY = date(2026, 11, 20)
REQUEST = "Find me a one-way flight from San Francisco to New York for next Tuesday."
CASE = ("Kayak.search_flights", "Skyscanner.get_flights", "FlightsPro.search")


def selector_of(server: ApiServer) -> gretel.Selector:
    policy = gretel.Policy(allow_hosts=frozenset(server.hosts))
    return gretel.Selector(server.catalogue(), policy=policy)


@pytest.fixture(scope="module")
def selector(server: ApiServer) -> Iterator[gretel.Selector]:
    with selector_of(server) as opened:
        yield opened


@pytest.fixture(scope="module")
def selection(selector: gretel.Selector) -> BoundSelection:
    return selector.select(REQUEST, k=10, today=TODAY)


def places(selection: BoundSelection) -> dict[str, int]:
    return {tool.tool_id: tool.rank for tool in selection.tools}


def assert_case(selection: BoundSelection, tool_ids: tuple[str, str, str], carrier: str) -> None:
    """The tool that works is first, the slow one second, the demanding one behind and explained."""
    works, slow, demanding = tool_ids
    assert not selection.abstained
    assert [tool.tool_id for tool in selection.tools[:2]] == [works, slow]
    demoted = next(tool for tool in selection.tools if tool.tool_id == demanding)
    assert demoted.rank > 2
    assert isinstance(demoted.trial.plan, Refusal)
    assert carrier in demoted.reason
    assert (demanding, carrier) in {(field.tool_id, field.name) for field in selection.missing}


def test_the_case_of_the_paper(selection: BoundSelection) -> None:
    assert_case(selection, CASE, "carrier_code")
    kayak = selection.tools[0].trial
    assert isinstance(kayak.plan, CallPlan)
    values = kayak.plan.values()
    assert values["from"] == "SFO" and values["to"] in ("JFK", "NYC")
    assert values["date"] == "2026-11-24"
    assert kayak.executed.status == "succeeded" and kayak.executed.source == "executed"


def test_retrieval_alone_prefers_the_demanding_tool(selection: BoundSelection) -> None:
    before = max(selection.trials, key=lambda trial: trial.retrieval_score)
    assert before.tool_id == "FlightsPro.search"
    assert places(selection)["FlightsPro.search"] > 2


def test_the_slow_tool_says_so(selection: BoundSelection) -> None:
    kayak, skyscanner = (tool.trial.executed.latency_ms for tool in selection.tools[:2])
    assert kayak is not None and skyscanner is not None
    assert f"{skyscanner:.0f} ms" in selection.tools[1].reason
    assert "slower than Kayak.search_flights" in selection.tools[1].reason


def test_near_misses_stand_behind_with_their_reason(selection: BoundSelection) -> None:
    failures = {
        trial.tool_id: trial.executed.failure.kind
        for trial in selection.trials
        if trial.executed.failure is not None
    }
    assert failures["AeroFinder.find_flights"] == "connection"
    assert failures["JetQuery.query_fares"] == "auth"
    deals = next(t for t in selection.trials if t.tool_id == "SkyDeals.search_deals")
    assert deals.executed.status == "empty"
    assert all(tool.reason for tool in selection.tools)


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant",
    VARIANTS,
    ids=lambda variant: variant.providers[0],
)
def test_the_case_under_other_names(variant: Variant) -> None:
    server = ApiServer(variant.documents(), today=variant.today, behaviours=variant.behaviours())
    with server, selector_of(server) as selector:
        selection = selector.select(variant.request, k=10, today=variant.today)
    assert_case(selection, variant.tool_ids(), str(variant.fields.carrier))
    plan = selection.tools[0].trial.plan
    assert isinstance(plan, CallPlan)
    values = plan.values()
    assert values[variant.fields.origin] in variant.origins
    assert values[variant.fields.destination] in variant.destinations
    assert values[variant.fields.date] == variant.day


UNSERVED = (
    "Write a short poem about autumn leaves.",
    "Solve the integral of x squared times sine of x.",
    "Refactor this Python function to use a generator.",
    "How do I mend a leaking kitchen tap?",
    "Fold this protein sequence and show me its structure.",
    "Play chess with me, you take black.",
    "How far can a swallow carry a coconut?",
)


@pytest.mark.parametrize("request_text", every(4, UNSERVED))
def test_what_no_tool_serves_is_declined(selector: gretel.Selector, request_text: str) -> None:
    selection = selector.select(request_text, today=TODAY)
    assert selection.abstention is not None
    assert selection.abstention.detail
    assert not selection.tools


SERVED = (
    ("Convert 250 US dollars to euros.", "FxRates.convert_currency"),
    ("What is the weather in Oslo right now?", "OpenForecast.get_current_weather"),
    ("Which hotels in Rome are free from 2026-12-01?", "HotelHub.search_hotels"),
    ("What does the word 'serendipity' mean?", "LinguaText.define_word"),
    ("Is flight UA1175 on time?", "FlightTracker.get_flight_status"),
    ("Where is my parcel 1Z999AA10123456784?", "ParcelDesk.track_parcel"),
    ("Find recipes with 'tomato, basil'.", "RecipeBox.find_recipes"),
    ("Which crypto-currencies trade most today?", "CoinWatch.list_trending_coins"),
)


@pytest.mark.parametrize(("request_text", "tool_id"), every(4, SERVED))
def test_other_fields_are_served(
    selector: gretel.Selector, request_text: str, tool_id: str
) -> None:
    selection = selector.select(request_text, today=TODAY)
    assert not selection.abstained, selection.abstention
    assert tool_id in places(selection)


@pytest.mark.slow
def test_the_demonstration_ends_with_its_result(root: Path) -> None:
    script = root / "examples" / "flights" / "demo.py"
    ran = subprocess.run(
        [sys.executable, str(script), "--today", TODAY.isoformat()],
        capture_output=True,
        text=True,
        check=True,
    )
    label, _, result = ran.stdout.rstrip().rsplit("\n", 1)[-1].partition(" ")
    assert label == "RESULT"
    parsed = json.loads(result)
    assert parsed["ranking"][:2] == list(CASE[:2])
    assert parsed["abstained"] is False
    reasons = [
        ran.stdout.count(f"\n{reason}: ")
        for reason in ("no_tool_fits", "no_tool_needed", "all_refused")
    ]
    assert sum(reasons) == 5
    assert all(reasons[:2])
