"""A whole training: what it learns, and that a stop changes nothing."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch

from gretel.contracts.errors import ConfigurationError
from gretel.nodes.retrieve.language.base import CausalModel
from gretel.nodes.retrieve.toolgen.artifact import read_artifact
from gretel.nodes.retrieve.toolgen.slots import RESERVED
from gretel.training.language.loop import tunable
from gretel.training.masstool.data import Examples, read_examples
from gretel.training.masstool.first import Asked
from gretel.training.masstool.measures import ranking_measures
from gretel.training.toolgen.settings import Settings, Source
from gretel.training.toolgen.train import started, train
from masstool_data import Written
from toolgen_models import quietly, stopping_at, tiny

QUICK = Settings(memorize_epochs=1, epochs=2, batch=16, micro=8, rate=2e-3, keep=3, tuned=0.5)
CODED = QUICK.model_copy(update={"codes": "residual"})
ADAPTED = QUICK.model_copy(update={"epochs": 1, "lora": 4})
SOURCE = Source(base=str(tiny()))


@pytest.fixture(scope="module")
def examples(written: Written) -> Examples:
    whole = read_examples(written.folder, no_tool=written.no_tool)
    few = Asked(whole.train.texts[:60], whole.train.gold[:60])
    return replace(whole, train=few, no_tool=whole.no_tool[:10])


@pytest.fixture(scope="module")
def whole(
    examples: Examples, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Settings], Path]:
    """Where a training lies that nobody stopped; made by the first test that asks."""

    @cache
    def made(how: Settings) -> Path:
        out = tmp_path_factory.mktemp("whole") / "art"
        train(examples, how, SOURCE, out, quietly)
        return out

    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "step"),
    [*((QUICK, step) for step in (1, 6, 14)), (CODED, 2), (CODED, 6), (ADAPTED, 4), (ADAPTED, 7)],
)
def test_a_training_that_was_stopped_ends_as_one_that_was_not(
    how: Settings,
    step: int,
    examples: Examples,
    whole: Callable[[Settings], Path],
    tmp_path: Path,
) -> None:
    with pytest.raises(KeyboardInterrupt):
        train(examples, how, SOURCE, tmp_path / "art", stopping_at(step))
    again = train(examples, how, SOURCE, tmp_path / "art", quietly)

    assert again.digest == read_artifact(whole(how)).manifest.digest
    assert not (tmp_path / "art" / "training").exists()


@pytest.mark.slow
def test_a_finished_training_is_left_as_it_is(
    examples: Examples, whole: Callable[[Settings], Path]
) -> None:
    def never(done: int, total: int, what: str) -> None:
        raise AssertionError(what)

    known = read_artifact(whole(QUICK)).manifest
    assert train(examples, QUICK, SOURCE, whole(QUICK), never) == known
    assert known.calibration.detects


@pytest.mark.slow
def test_tools_without_requests_are_new_and_have_rows(examples: Examples, tmp_path: Path) -> None:
    used = {0, 1, 2}
    pairs = zip(examples.train.texts, examples.train.gold, strict=True)
    few = Asked(*map(tuple, zip(*(p for p in pairs if used & set(p[1])), strict=True)))
    named = {place for gold in few.gold for place in gold}
    manifest = train(replace(examples, train=few), QUICK, SOURCE, tmp_path / "art", quietly)
    rows = read_artifact(tmp_path / "art").rows

    assert set(manifest.shape.slots.with_status("trained")) == {RESERVED + n for n in named}
    assert rows.out[RESERVED:].norm(dim=1).min() > 0


@pytest.mark.slow
def test_requests_are_learnt(written: Written, tmp_path: Path) -> None:
    examples = read_examples(written.folder)
    gold = examples.dev.gold
    settings = QUICK.model_copy(update={"epochs": 12, "patience": 12, "tuned": 1.0})
    before = started(CausalModel(SOURCE.base), examples.tools).texts(examples.dev.texts).scores
    manifest = train(examples, settings, SOURCE, tmp_path / "art", quietly)
    reached = manifest.made["dev"]

    assert isinstance(reached, dict)
    assert (
        float(str(reached["nDCG@5"])) > 0.2 + ranking_measures(before[:, RESERVED:], gold)["nDCG@5"]
    )


def test_what_learns_are_upper_layers_and_what_stands_above_them() -> None:
    base = CausalModel(str(tiny("bert")))
    names = set(tunable(base, 0.5))

    assert any(".layer.1." in name for name in names)
    assert not any(".layer.0." in name or "embeddings" in name for name in names)
    assert "cls.predictions.transform.dense.weight" in names


def test_a_base_that_is_none_is_an_error(examples: Examples, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigurationError, match="cannot be used"):
        train(examples, QUICK, Source(base=str(tmp_path / "empty")), tmp_path / "art", quietly)


def test_scores_do_not_hang_on_what_stands_beside_a_text(examples: Examples) -> None:
    model = started(CausalModel(SOURCE.base), examples.tools)
    texts = examples.dev.texts[:5]
    alone = torch.cat([model.texts([text]).scores for text in texts])

    torch.testing.assert_close(model.texts(texts).scores, alone, atol=1e-4, rtol=1e-4)
