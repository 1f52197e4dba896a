import numpy as np
import pytest

from fakes import tool
from gretel.contracts.ranking import Chances, MatchSignals
from gretel.nodes.retrieve.need.answerable import Answerability, absolute
from gretel.nodes.retrieve.semantic.signals import ToolIndex

HALF = np.full((1, 2), np.sqrt(0.5), dtype=np.float32)


@pytest.fixture(scope="module")
def fitted() -> Answerability:
    return Answerability.load()


def signals(size: int, cosine: float) -> MatchSignals:
    """Of a request that shares no word with `size` tools."""
    tools = [tool(f"demo.op{number:03}", "Does things.") for number in range(size)]
    index = ToolIndex(tools, np.tile(np.array([[1, 0]], dtype=np.float32), (size, 1)))
    vector = np.array([[cosine, np.sqrt(1 - cosine**2)]], dtype=np.float32)
    return index.signals("rain", index.cosines(vector)).match(cosine)


def both(chances: Chances) -> tuple[float, float]:
    assert chances.needs_tool is not None and chances.answerable is not None
    return chances.needs_tool, chances.answerable


@pytest.mark.parametrize("need", [None, 0.0])
def test_a_match_makes_an_answer_likelier_and_a_larger_catalogue_less(
    fitted: Answerability, need: float | None
) -> None:
    def chance(size: int, cosine: float) -> float:
        found = fitted.chances(signals(size, cosine), need).answerable
        assert found is not None
        return found

    assert chance(20, 0.8) > chance(20, 0.2)
    assert chance(20, 0.5) > chance(500, 0.5)
    assert chance(1, 0.5) == pytest.approx(chance(3, 0.5))


def test_wording_moves_both_chances_and_a_good_match_outweighs_it(fitted: Answerability) -> None:
    asks = both(fitted.chances(signals(20, 0.4), 3.0))
    chats = both(fitted.chances(signals(20, 0.4), -3.0))
    fits = both(fitted.chances(signals(20, 0.9), -3.0))

    assert asks[0] > chats[0] and asks[1] > chats[1]
    assert fits[0] > 0.5 > chats[0]


@pytest.mark.parametrize("cosine", [0.0, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("need", [-4.0, 0.0, 4.0])
def test_a_served_request_needs_a_tool(fitted: Answerability, cosine: float, need: float) -> None:
    needs_tool, answerable = both(fitted.chances(signals(50, cosine), need))

    assert 0 <= answerable <= needs_tool <= 1


def test_another_encoder_says_nothing_of_the_need(fitted: Answerability, index: ToolIndex) -> None:
    found = fitted.chances(index.signals("weather", index.cosines(HALF)).match(0.0), None)

    assert found.needs_tool is None
    assert found.answerable is not None


def test_a_named_tool_serves(fitted: Answerability, index: ToolIndex) -> None:
    assert fitted.chances(
        index.signals("run demo.quote", index.cosines(HALF)).match(0.0), -4.0
    ) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("text", "legible", "language"),
    [("forecast погода", 0.0, None), ("погода", 0.0, None), ("Wetter", 1.0, "de")],
)
def test_a_request_that_the_encoder_cannot_read_is_not_judged(
    fitted: Answerability, index: ToolIndex, text: str, legible: float, language: str | None
) -> None:
    unread = index.signals(text, index.cosines(HALF), legible=legible, language=language)

    assert fitted.chances(unread.match(0.0), -4.0) == Chances()


def test_a_tool_that_is_named_serves_in_every_language(
    fitted: Answerability, index: ToolIndex
) -> None:
    named = index.signals("bitte `demo.quote`", index.cosines(HALF), language="de").match(0.0)

    assert fitted.chances(named, -4.0) == (1.0, 1.0)


def test_signals_are_absolute(index: ToolIndex) -> None:
    found = index.signals("rain", index.cosines(np.array([[0.6, 0.8]], dtype=np.float32)))

    dense, sparse, size, product, words, *worded = absolute(found.match(0.5))

    assert (dense, sparse) == (pytest.approx(0.8), 0.0)
    assert size == words == pytest.approx(np.log(3))
    assert product == pytest.approx(0.8 * np.log(3))
    assert worded == [pytest.approx(0.8 * np.log(3)), 0.0]
    assert absolute(found.match(0.9))[0] == 0.9


def test_words_of_a_request_count_once_within_limits(index: ToolIndex) -> None:
    def words(text: str) -> float:
        return absolute(index.signals(text, index.cosines(HALF)).match(0.0))[4]

    assert words("rain") == words("rain rain rain") == pytest.approx(np.log(3))
    assert words("one two three four five") == pytest.approx(np.log(5))
    assert words(" ".join(f"word{n}" for n in range(90))) == pytest.approx(np.log(40))
