"""Whose words the field names of an answer are."""

from typing import Any

import pytest

from fakes import tool
from gretel.catalog import Catalog
from gretel.catalog.answer_match import FEATURES, AnswerMatch
from gretel.catalog.vocabulary import Vocabulary
from gretel.contracts.tool import Response

TIDES: Any = {"station": "Heligoland", "tides": [{"high": "04:12", "level_cm": 318}]}
COAST = tool("coast.tides", "High water", response=Response(example=TIDES))
BUOY = tool("coast.buoy", "Height of waves")
SKY = tool("sky.forecast", "Weather of a city", params=("city",))
WORDS = Vocabulary([COAST, BUOY, SKY])


def match(asked: Any, value: Any, vocabulary: Vocabulary = WORDS) -> AnswerMatch:
    found = vocabulary.match(asked, value)
    assert found is not None
    return found


def test_a_tool_keeps_its_promise() -> None:
    own = match(COAST, TIDES)
    assert (own.schema_precision, own.schema_recall, own.toolkit_overlap) == pytest.approx(
        (1, 1, 1)
    )
    assert 0 < own.tool_overlap < 1, "its document speaks of tides and of high, not of stations"


def test_siblings_are_kin() -> None:
    sibling = match(BUOY, TIDES)
    assert (sibling.toolkit_overlap, sibling.schema_mass) == pytest.approx((1, 0))


def test_what_another_toolkit_speaks_of_is_foreign() -> None:
    foreign = match(SKY, TIDES)
    assert (foreign.toolkit_overlap, foreign.tool_overlap, foreign.schema_precision) == (0, 0, 0)


STRANGERS = {
    "its fields, under a name of its own": tool("tide.high", response=Response(example=TIDES)),
    "its fields, under the toolkit's name": tool(
        "sky.high", response=Response(example=TIDES), server="https://stranger.example"
    ),
    "its promise, many times": [
        tool(f"t{n}.high", response=Response(example=TIDES)) for n in range(300)
    ],
    "its map's keys": tool("k.k", response=Response(example={"ulm": 1, "bonn": "x", "high": 2})),
    "nothing of it": tool("post.track", response=Response(example={"parcel": {"barcode": 1}})),
}


@pytest.mark.parametrize("stranger", STRANGERS.values(), ids=STRANGERS)
@pytest.mark.parametrize("asked", [COAST, SKY], ids=["promises", "promises nothing"])
@pytest.mark.parametrize("value", [TIDES, {"ulm": 3, "bonn": 4, "high": 5}, {"id": 2, "high": 1}])
def test_no_stranger_has_a_say(asked: Any, stranger: Any, value: Any) -> None:
    more = stranger if isinstance(stranger, list) else [stranger]
    assert Vocabulary([COAST, BUOY, SKY, *more]).match(asked, value) == WORDS.match(asked, value)


def test_a_tool_that_is_not_in_the_catalogue_stands_alone() -> None:
    alone = Vocabulary(())
    assert match(COAST, TIDES, alone).schema_precision == pytest.approx(1)


def test_what_may_be_data_counts_where_its_owner_speaks_of_it() -> None:
    levels: Any = {"high": 3, "level_cm": 318, "ulm": 1}
    assert WORDS.match(SKY, {"a1": [1], "b1": [2], "c1": [3]}) is None
    assert match(COAST, levels).schema_precision == pytest.approx(1)


def test_rare_words_tell_more() -> None:
    assert WORDS.rarity("isobar") > WORDS.rarity("country") > WORDS.rarity("id") > 0


def test_features_are_numbers_in_the_order_of_their_names() -> None:
    for asked in (COAST, SKY):
        found = match(asked, TIDES)
        assert len(found.features()) == len(FEATURES)
    assert match(COAST, TIDES).is_documented
    assert not match(SKY, TIDES).is_documented


def test_a_catalogue_indexes_its_words_anew_after_each_change() -> None:
    catalog = Catalog.from_tools([BUOY])
    before = catalog.vocabulary
    assert catalog.vocabulary is before
    catalog.add([COAST])
    assert match(BUOY, TIDES, before).toolkit_overlap < 1
    assert match(BUOY, TIDES, catalog.vocabulary).toolkit_overlap == pytest.approx(1)
    catalog.remove(["coast.tides"])
    assert match(BUOY, TIDES, catalog.vocabulary).toolkit_overlap < 1
