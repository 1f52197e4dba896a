"""Texts and tools that every implementation is put through."""

import pytest

from fakes import param, tool
from gretel.contracts.tool import Tool
from lanes import every

TEXTS = {
    "plain": "Find me a one-way flight from San Francisco to New York for next Tuesday.",
    "zh": "帮我找一个酒店",
    "ru": "найди рейс из Москвы в Казань",
    "empty": "",
    "blank": " \n\t",
    "marks": 'a "quoted" {template} with ${everything} <b>and</b> \\ ; -- \x00 in it',
}


@pytest.fixture(
    params=[*every(3, TEXTS.values()), pytest.param("flight " * 15_000, marks=pytest.mark.slow)],
    ids=[*TEXTS, "long"],
)
def text(request: pytest.FixtureRequest) -> str:
    """Text of a request, plain or awkward."""
    return str(request.param)


@pytest.fixture
def tools() -> list[Tool]:
    """Six tools of four toolkits; two have the same text."""
    return [
        tool(
            "Kayak.search_flights",
            "Search one-way flights between two airports.",
            params=["from", "to", param("cabin", {"enum": ["economy", "business"]})],
        ),
        tool("Skyscanner.get_flights", "Search one-way flights.", params=["origin", "target"]),
        tool(
            "Hotels.find",
            "Find a hotel in a city.",
            params=[param("city"), param("stars", "integer")],
        ),
        tool("Rail.поиск", "Поиск поездов между городами.", params=["откуда"]),
        tool("Twins.a", "The same words."),
        tool("Twins.b", "The same words."),
    ]
