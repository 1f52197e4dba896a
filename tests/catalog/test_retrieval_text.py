import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import param
from gretel.catalog.retrieval_text import DESCRIPTION_LIMIT, retrieval_text
from gretel.contracts.tool import Tool


def text(toolkit="Kayak", operation="searchFlights", description="", names=()):
    parameters = tuple(param(name, {}) for name in names)
    return retrieval_text(
        Tool(
            tool_id="x",
            toolkit=toolkit,
            operation=operation,
            description=description,
            parameters=parameters,
        )
    )


def test_the_text_names_toolkit_operation_description_and_parameters():
    assert text(description="Finds flights.", names=("from", "departDate")) == (
        "Kayak: search flights. Finds flights. (from, depart date)"
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"toolkit": "get_weather", "operation": "getWeather"}, "get weather"),
        ({"toolkit": ""}, "search flights"),
        ({"description": "Search flights"}, "Kayak: search flights"),
        ({"description": "search_flights."}, "Kayak: search flights"),
        ({"names": ("a_b", "aB", "_")}, "Kayak: search flights (a b)"),
        ({"operation": "___"}, "Kayak: ___"),
    ],
)
def test_nothing_is_said_twice(given, expected):
    assert text(**given) == expected


def test_markup_is_left_out():
    said = text(description="<p>See [the docs](https://x.org/a)\n\n for <b>more</b>, 1 < 2</p>")
    assert said == "Kayak: search flights. See the docs for more , 1 < 2"


def test_a_long_description_is_cut_at_a_word():
    said = text(description="word " * 10_000)
    assert len(said) < DESCRIPTION_LIMIT + 50 and said.endswith("word")
    assert len(text(description="x" * 1_000_000)) < DESCRIPTION_LIMIT + 50


@settings(derandomize=True, deadline=None)
@given(st.text(), st.text(), st.text(), st.lists(st.text(), max_size=3))
def test_any_text_gives_one_line(toolkit, operation, description, names):
    said = text(toolkit=toolkit.strip(), operation=operation, description=description, names=names)
    assert said.count("\n") <= (toolkit.strip() + operation).count("\n")
