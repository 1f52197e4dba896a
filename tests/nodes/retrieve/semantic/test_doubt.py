"""How far words are believed: when they are not, and what stays as it was."""

import numpy as np
import pytest

from fakes import tool
from gretel.nodes.retrieve.semantic.doubt import SURE, Doubt, said
from gretel.nodes.retrieve.semantic.fusion import FEATURES, Fusion, Weighed, features
from gretel.nodes.retrieve.semantic.signals import Signals, ToolIndex

NEAR, FAR = 0.35, 0.3


@pytest.fixture
def index() -> ToolIndex:
    """Tools of which one is a little nearer to what is meant than those whose words are used."""
    names = ("weather", "state", "quote", "team", "route", "film")
    tools = [tool(f"demo.get_{name}", f"Returns the {name} of something.") for name in names]
    return ToolIndex(tools, np.eye(len(tools), dtype=np.float32))


def signals(index: ToolIndex, text: str, **options: object) -> Signals:
    cosines = np.array([[NEAR, FAR, 0.1, 0.1, 0.1, 0.1]], dtype=np.float32)
    return index.signals(text, cosines, **options)  # type: ignore[arg-type]


def weighed(index: ToolIndex, asked: Signals, *, within: float = 1.0) -> Weighed:
    return Fusion.load(doubting=True).weigh(index, asked, size=6, within=within)


VAGUE = "I would love to hear in what state everything outdoors shall be over the coming days"
CLEAR = "get weather: returns the weather of something"


def test_the_wrong_word_of_a_vague_request_is_doubted(index: ToolIndex) -> None:
    asked = signals(index, VAGUE)
    believed = Fusion.load().weigh(index, asked, size=6)
    found = weighed(index, asked)

    assert believed.doubt == 0 < found.doubt
    lead = [np.log(each.scores[1] / each.scores[0]) for each in (believed, found)]
    assert lead[1] < lead[0]


def test_a_clear_request_keeps_its_scores(index: ToolIndex) -> None:
    nearest = np.array([[0.9, 0.1, 0.1, 0.1, 0.1, 0.1]], dtype=np.float32)
    asked = index.signals(CLEAR, nearest)
    found = weighed(index, asked)

    assert found.doubt == 0
    assert found.scores == pytest.approx(Fusion.load().weigh(index, asked, size=6).scores)


def test_the_best_score_stays_whatever_is_doubted(index: ToolIndex) -> None:
    asked = signals(index, VAGUE)
    best = Fusion.load().weigh(index, asked, size=6).scores.max()

    assert weighed(index, asked).scores.max() == pytest.approx(best)


def test_a_part_is_doubted_no_more_than_its_request(index: ToolIndex) -> None:
    asked = signals(index, VAGUE)
    whole = weighed(index, asked)

    assert weighed(index, asked, within=0.5).doubt == pytest.approx(whole.doubt / 2)
    assert weighed(index, asked, within=0.0).doubt == 0


@pytest.mark.parametrize("options", [{"language": "de"}, {"legible": 0.0}])
def test_what_the_encoder_cannot_read_leaves_words_alone(
    index: ToolIndex, options: dict[str, object]
) -> None:
    assert weighed(index, signals(index, VAGUE, **options)).doubt == 0


def test_without_tools_there_is_nothing_to_doubt(index: ToolIndex) -> None:
    doubt = Doubt.load(FEATURES)

    assert doubt.of(signals(index, VAGUE), np.zeros((0, len(FEATURES)))) == 0


def test_doubt_lies_between_its_ends(index: ToolIndex) -> None:
    asked = signals(index, VAGUE)
    values = features(index, asked, np.arange(6))
    certain = Doubt((0.0,) * 6, (0.0,) * 5, 50.0)
    doubtless = Doubt((0.0,) * 6, (0.0,) * 5, np.log(SURE / (1 - SURE)))

    assert certain.of(asked, values) == pytest.approx(1)
    assert doubtless.of(asked, values) == pytest.approx(0)
    assert said(asked, values).shape == (5,)


def test_a_half_alone_doubts_nothing() -> None:
    assert Fusion.load("dense", doubting=True).doubt is None
    assert Fusion.load(doubting=True).doubt is not None
