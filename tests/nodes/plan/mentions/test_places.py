"""Places by name and code."""

import pytest

from gretel.contracts.ranking import Request
from gretel.nodes.plan.mentions.document import read_document
from gretel.nodes.plan.mentions.gazetteer import gazetteer
from gretel.nodes.plan.mentions.mention import Place
from gretel.nodes.plan.mentions.places import place_mentions


def places(text: str) -> list[tuple[str, str]]:
    document = read_document(Request(text=text, today="2026-10-08"))
    return [(mention.kind, mention.text) for mention in place_mentions(document)]


@pytest.mark.parametrize(
    ("city", "airport", "metro"),
    [
        ("New York", "JFK", "NYC"),
        ("San Francisco", "SFO", ""),
        ("London", "LHR", "LON"),
        ("Tokyo", "HND", "TYO"),
        ("Lisbon", "LIS", ""),
        ("Oslo", "OSL", ""),
        ("Toronto", "YYZ", "YTO"),
        ("Dallas", "DFW", ""),
        ("São Paulo", "GRU", "SAO"),
        ("München", "MUC", ""),
        ("Newark", "EWR", ""),
    ],
)
def test_a_city_has_its_main_airport(city: str, airport: str, metro: str) -> None:
    place, _ = gazetteer().cities[city.casefold()]
    assert (place.airport, place.metro) == (airport, metro)


def test_names_and_codes() -> None:
    assert places("from San Francisco to JFK in USD") == [
        ("city", "San Francisco"),
        ("airport", "JFK"),
        ("currency", "USD"),
    ]
    assert ("language", "Spanish") in places("Translate it into Spanish")
    assert ("country", "UK") in places("laws of the UK")


def test_a_lower_case_name_counts_behind_a_preposition() -> None:
    assert places("flights from san francisco to lisbon") == [
        ("city", "san francisco"),
        ("city", "lisbon"),
    ]
    assert places("paris hilton is nice reading") == []


def test_other_scripts() -> None:
    assert places("погода: Москва") == [("city", "Москва")]


def test_a_country_knows_its_code() -> None:
    assert gazetteer().countries["south korea"].country == "KR"
    assert gazetteer().alpha_3["KR"] == "KOR"
    assert isinstance(gazetteer().airports["heathrow"], Place)
