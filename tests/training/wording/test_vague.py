"""Wordings by rule: which words go, and what stands in their place."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from fakes import tool
from gretel.nodes.retrieve.semantic.signals import ToolIndex
from gretel.training.judged import Collection, Judged, VectorCache
from gretel.training.wording.vague import (
    FAMILIES,
    Telling,
    Wordings,
    general_words,
    reworded,
)

TOOLS = [
    tool("air.search_flights", "Finds cheap seats between two airports."),
    tool("rail.search_trains", "Finds cheap carriages between two stations."),
    tool("bus.plan_trip", "Carriages and stations of all coaches."),
    tool("sea.book_ferry", "A cabin on a ship."),
    tool("news.list_articles", "Headlines of a paper."),
]
ASK = "Search me flights with cheap seats between Oslo and Bergen, please!"


class Counted(VectorCache):
    """Vectors by the letters of a text: near are texts of the same letters."""

    def __init__(self) -> None: ...

    def documents(self, name: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        rows = [[text.lower().count(letter) for letter in "abcdefghijklmnopqrst"] for text in texts]
        found = np.array(rows, dtype=np.float32) + 0.01
        return found / np.linalg.norm(found, axis=1, keepdims=True)


@pytest.fixture
def wordings() -> Wordings:
    cache = Counted()
    vectors = cache.documents("tools", [each.description for each in TOOLS])
    asked = (Judged(ASK, frozenset({0})), Judged("Hello there", frozenset({4})))
    return Wordings(Collection("demo", ToolIndex(TOOLS, vectors), asked, ""), cache, 7)


def test_words_of_the_name_go_first_and_a_share_of_the_others() -> None:
    index = ToolIndex(TOOLS, np.eye(5, dtype=np.float32))
    telling = Telling.of(Judged(ASK, frozenset({0})), index.tools, index.texts, 7)

    assert telling.names == {"search", "flight"}
    assert set(telling.shared) == {"cheap", "seat", "between"}
    assert telling.chosen(0) == telling.names
    assert len(telling.chosen(0.34)) == 3
    assert telling.chosen(1) == telling.names | set(telling.shared)


def test_only_chosen_words_are_put_otherwise() -> None:
    said = reworded("Flights, and a flight-plan.", frozenset({"flight"}), lambda _: "trip")

    assert said == "trip, and a trip-plan."


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_takes_the_names_away_and_repeats(wordings: Wordings, family: str) -> None:
    said, other = wordings.of(family)

    assert "flights" not in said.lower()
    assert "Search" not in said
    assert other == "Hello there" or family == "unsaid"
    assert wordings.of(family) == [said, other]


def test_what_stands_instead_is_none_of_the_tools_own_words(wordings: Wordings) -> None:
    (said, _), own = wordings.of("misleading"), {"flights", "search"}

    assert said != ASK
    assert own.isdisjoint(said.lower().split())


def test_general_words_are_no_words_of_two_meanings() -> None:
    table = general_words()

    assert table["flight"] == "trip"
    assert all(word != general for word, general in table.items())
    assert all(word.isalpha() and word.islower() for word in table)


def test_the_table_is_shipped() -> None:
    from gretel.training.wording import vague

    assert Path(vague.__file__).with_name("general_words.txt").is_file()
