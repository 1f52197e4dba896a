import numpy as np
import pytest

from fakes import tool
from gretel.nodes.retrieve.semantic.fusion import FEATURES, Fusion, features
from gretel.nodes.retrieve.semantic.signals import ToolIndex

HALF = np.full((1, 2), np.sqrt(0.5), dtype=np.float32)


def test_features_say_what_each_half_sees(index: ToolIndex) -> None:
    signals = index.signals(
        "weather forecast now", index.cosines(np.array([[1, 0]], dtype=np.float32))
    )
    rows = dict(zip(FEATURES, features(index, signals, np.arange(2)).T, strict=True))

    assert rows["dense"] == pytest.approx([1 / np.sqrt(3), 0])
    assert rows["part"] == pytest.approx([1, 0])
    assert rows["sparse"] == pytest.approx([1, -1])
    assert rows["name"] == pytest.approx([1, 0])
    assert 0 < rows["text"][0] < 1


def test_the_best_part_of_a_request_counts(index: ToolIndex) -> None:
    vectors = np.concatenate([HALF, np.eye(2, dtype=np.float32)])

    signals = index.signals("first need; other need", index.cosines(vectors))

    assert signals.dense == pytest.approx([0.7071, 0.7071], abs=1e-4)
    assert signals.part == pytest.approx([1, 1])


def test_the_weight_follows_what_the_halves_can_tell(index: ToolIndex) -> None:
    fusion = Fusion.load()
    only_words = fusion.weigh(index, index.signals("weather forecast", index.cosines(HALF)), size=2)
    only_meaning = fusion.weigh(
        index, index.signals("rain", index.cosines(np.array([[1, 0]], dtype=np.float32))), size=2
    )

    assert only_words.dense_weight == pytest.approx(0, abs=1e-6)
    assert only_meaning.dense_weight == pytest.approx(1)
    assert only_words.scores.argmax() == only_meaning.scores.argmax() == 0


def test_a_named_tool_stands_above_a_perfect_match(index: ToolIndex) -> None:
    signals = index.signals(
        "weather forecast, use demo.quote", index.cosines(np.array([[1, 0]], dtype=np.float32))
    )

    assert Fusion.load().weigh(index, signals, size=2).scores.argmax() == 1


def test_every_tool_is_weighed_where_so_many_are_asked_for() -> None:
    tools = [tool(f"demo.op{number:03}", "Does things.") for number in range(200)]
    vectors = np.tile(HALF, (200, 1))
    index = ToolIndex(tools, vectors)
    signals = index.signals("anything", index.cosines(HALF))

    assert len(signals.pool(5)) < 200
    assert len(signals.pool(200)) == 200
