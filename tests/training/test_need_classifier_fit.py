"""Wording is learnt from what several sources share, and never from what is held out."""

from pathlib import Path

import numpy as np
import pytest

from gretel.datasets.reading import same_text
from gretel.nodes.retrieve.need.classifier import NeedClassifier
from gretel.training import need_classifier
from gretel.training.need_data import (
    WRITTEN,
    WRITTEN_NO_TOOL,
    WRITTEN_TOOL,
    Requests,
    folds,
)

TASKS = tuple(f"please find item {number}" for number in range(12))
CHAT = tuple(f"tell stories of {number}" for number in range(12))
VECTORS = {text: np.eye(1, 4, dtype=np.float32)[0] for text in (*TASKS, *CHAT)}


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> list[Requests]:
    monkeypatch.setattr(need_classifier, "EPOCHS", 1)
    monkeypatch.setattr(need_classifier, "BATCH", 4)
    return [
        *(Requests(f"tasks {number}", True, TASKS[number::3]) for number in range(3)),
        *(Requests(f"chat {number}", False, CHAT[number::3]) for number in range(3)),
    ]


def test_each_label_weighs_the_same_and_each_source_of_a_label(parts: list[Requests]) -> None:
    data = need_classifier.labelled([*parts, Requests("long", True, ("a b",) * 9)])

    assert data.weights[data.asks == 1].sum() == pytest.approx(data.weights[data.asks == 0].sum())
    long = [source == "long" for source in data.sources]
    assert data.weights[long].sum() == pytest.approx(data.weights[data.asks == 1].sum() / 4)


def test_only_phrases_that_sources_share_are_learnt(parts: list[Requests]) -> None:
    need = need_classifier.fit(parts, VECTORS, seed=7)

    assert need.phrases["find"] > 0 > need.phrases["tell"]
    assert "3" not in need.phrases


def test_the_same_seed_fits_the_same(parts: list[Requests]) -> None:
    first, second, other = (need_classifier.fit(parts, VECTORS, seed=seed) for seed in (7, 7, 8))

    assert np.array_equal(first.hidden, second.hidden)
    assert not np.array_equal(first.hidden, other.hidden)


def test_what_is_written_is_what_the_product_reads(
    parts: list[Requests], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need = need_classifier.fit(parts, VECTORS, seed=7)
    need_classifier.write(tmp_path / "classifier.npz", need)
    monkeypatch.setattr("gretel.nodes.retrieve.need.classifier.files", lambda package: tmp_path)

    for text in (TASKS[0], CHAT[0]):
        expected = need.log_odds(text, VECTORS[text])
        assert NeedClassifier.load().log_odds(text, VECTORS[text]) == pytest.approx(
            expected, abs=0.01
        )


def test_no_text_is_judged_by_a_model_that_saw_it(
    parts: list[Requests], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[set[str]] = []

    class Recorder:
        def log_odds(self, text: str, vector: object) -> float:
            assert text not in seen[-1]
            return 0.0

    def fit(kept: list[Requests], vectors: object, *, seed: int) -> Recorder:
        seen.append({text for part in kept for text in part.texts})
        return Recorder()

    monkeypatch.setattr(need_classifier, "fit", fit)

    assert need_classifier.cross_fitted(parts, VECTORS, seed=7).keys() == {*TASKS, *CHAT}
    by_hand = Requests(WRITTEN, True, ("list hosts",))
    left_out = need_classifier.left_out([*parts, by_hand], VECTORS, seed=7)
    assert left_out.keys() == {*TASKS, *CHAT}
    assert all(seen) and len(seen) == need_classifier.FOLDS + 6


def test_inputs_of_any_size_are_learnt_from(parts: list[Requests]) -> None:
    middle = {text: np.array([1e4, float(text in TASKS), 0], np.float32) for text in VECTORS}

    need = need_classifier.fit(parts, middle, seed=7)

    assert np.isfinite(need.hidden).all()
    assert need.log_odds("", middle[TASKS[0]]) > need.log_odds("", middle[CHAT[0]])


def test_requests_that_were_written_by_hand_are_one_a_line_and_no_copies() -> None:
    lines = [
        *WRITTEN_TOOL.read_text("utf-8").splitlines(),
        *WRITTEN_NO_TOOL.read_text("utf-8").splitlines(),
    ]

    assert all(line and line == line.strip() for line in lines)
    assert len({same_text(line) for line in lines}) == len(lines)


def test_folds_share_nothing_and_leave_nothing_out() -> None:
    dealt = folds(TASKS, 5, seed=7)

    assert sorted(place for hand in dealt for place in hand) == list(range(len(TASKS)))
    assert max(map(len, dealt)) - min(map(len, dealt)) == 1
