"""A conversation with long gaps: what stands on both sides of one is read in a moment."""

import pytest

from alarms import at_most
from gretel.contracts.ranking import Message, Request
from gretel.nodes.plan.matching.view import read_view
from lanes import every

in_time = at_most(30)
TODAY = "2026-11-26"
BEFORE = ["1.1", "-1.1", "1.1\u00b0", "5 N", "July 4", "4 July", "2026", "at 8:30", "next"]


@pytest.mark.parametrize("gap", every(3, [" ", "\n", "\u00a0"]))
@pytest.mark.parametrize("said", every(3, BEFORE))
def test_a_gap_behind_a_number_costs_no_more_than_its_length(said: str, gap: str) -> None:
    told = f"{said}{gap * 5_000}and more"
    view = read_view(
        Request(text=told, messages=(Message(role="tool", content=told),), today=TODAY)
    )
    assert len(view.document.tokens) >= 6


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("at 59.91 N, 10.75 E", (59.91, 10.75)),
        ("at 59.91\u00b0 N 10.75\u00b0 W", (59.91, -10.75)),
        ("59.91 latitude and longitude 10.75", (59.91, 10.75)),
        ("latitude 59.91 , 10.75", (59.91, 10.75)),
        ("10.75 W and 59.91 S", (-59.91, -10.75)),
        ("59.91,10.75", (59.91, 10.75)),
    ],
)
def test_coordinates_are_read_as_before(said: str, value: tuple[float, float]) -> None:
    spans = read_view(Request(text=f"Weather {said}", today=TODAY)).spans
    assert value in [each.mention.value for each in spans if each.mention.kind == "coordinates"]
