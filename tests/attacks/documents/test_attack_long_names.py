"""Names and values of any length: a name is read at both ends, a value's edges in one go."""

from collections.abc import Iterator

import pytest

from alarms import within
from gretel.datasets.values import comparable
from gretel.text.secrecy.names import Secrecy, secrecy

GENEROUS_S = 20


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    """What would take minutes or hours fails, where the system has alarms."""
    with within(GENEROUS_S):
        yield


def test_a_name_of_numbers_costs_no_more_than_its_length() -> None:
    assert secrecy("1." * 50_000) is Secrecy.NONE


@pytest.mark.parametrize("name", ["x " * 50_000 + "api_key", "1." * 50_000 + "password"])
def test_a_long_name_still_says_that_it_is_a_secrets(name: str) -> None:
    assert secrecy(name) is Secrecy.SECRET


@pytest.mark.parametrize("marks", [".", " ", '" ', "?!"])
def test_marks_within_a_value_cost_no_more_than_their_length(marks: str) -> None:
    assert comparable(f"{marks * 100_000}a{marks * 100_000}b").endswith("b")


def test_marks_at_its_edges_are_no_part_of_a_value() -> None:
    said = ['"Oslo."', " Oslo ?! ", "'Oslo", "“Oslo”,", ".Oslo", '"." Oslo', "...", "3,000.0"]
    assert [comparable(each) for each in said] == [
        *("oslo", "oslo", "oslo", "oslo", ".oslo", '." oslo', "", "3000"),
    ]
