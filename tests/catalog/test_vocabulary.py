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
    assert (
        own.schema_precision,
        own.schema_recall,
        own.toolkit_overlap,
        own.elsewhere,
    ) == pytest.approx((1, 1, 1, 0))
    assert 0 < own.tool_overlap < 1, "its document speaks of tides and of high, not of stations"


def test_siblings_are_kin() -> None:
    sibling = match(BUOY, TIDES)
    assert (sibling.toolkit_overlap, sibling.elsewhere, sibling.schema_mass) == pytest.approx(
        (1, 0, 0)
    )


def test_another_toolkit_speaks_of_it() -> None:
    foreign = match(SKY, TIDES)
    assert (foreign.toolkit_overlap, foreign.tool_overlap, foreign.schema_precision) == (0, 0, 0)
    assert foreign.elsewhere > 0.5
    assert foreign.exclusive == pytest.approx(foreign.elsewhere)


def test_nobody_speaks_of_it() -> None:
    assert match(SKY, {"temperature": 3}).elsewhere == 0


def test_common_names_are_nobodys() -> None:
    shared = tool("post.track", response=Response(example={"id": 1, "name": "x", "status": "ok"}))
    vocabulary = Vocabulary([SKY, shared])
    assert match(SKY, {"id": 2, "name": "y"}, vocabulary).elsewhere == 0


def test_a_tool_that_is_not_in_the_catalogue_stands_alone() -> None:
    alone = Vocabulary(())
    assert match(COAST, TIDES, alone).schema_precision == pytest.approx(1)
    assert match(SKY, TIDES, alone).elsewhere == 0


def test_what_may_be_data_counts_where_somebody_speaks_of_it() -> None:
    levels: Any = {"high": 3, "level_cm": 318, "ulm": 1}
    assert WORDS.match(SKY, {"a1": [1], "b1": [2], "c1": [3]}) is None
    assert match(COAST, levels).schema_precision == pytest.approx(1)


def test_rare_words_tell_more() -> None:
    assert WORDS.rarity("isobar") > WORDS.rarity("tide") > WORDS.rarity("id") > 0


def test_features_are_numbers_in_the_order_of_their_names() -> None:
    for asked in (COAST, SKY):
        found = match(asked, TIDES)
        assert len(found.features()) == len(FEATURES[found.is_documented])
    assert match(COAST, TIDES).is_documented
    assert not match(SKY, TIDES).is_documented


def test_a_catalogue_indexes_its_words_anew_after_each_change() -> None:
    catalog = Catalog.from_tools([SKY])
    before = catalog.vocabulary
    assert catalog.vocabulary is before
    catalog.add([COAST])
    assert match(SKY, TIDES, before).elsewhere == 0
    assert match(SKY, TIDES, catalog.vocabulary).elsewhere > 0
    catalog.remove(["coast.tides"])
    assert match(SKY, TIDES, catalog.vocabulary).elsewhere == 0
