"""The ablation: which rows there are, that none is measured twice, and what a row stands for."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, get_args

import pytest
import torch
from ablation_data import DEV, TOOLS, WIDTH, encoded, examples, prepared

from gretel.contracts.errors import ConfigurationError, InputError
from gretel.nodes.retrieve.masstool.backbone import Vectors
from gretel.nodes.retrieve.masstool.config import PARTS, Transfer
from gretel.training.masstool import prepared as preparing
from gretel.training.masstool.ablation import ROWS, SEEDS, ablate
from gretel.training.masstool.baselines import BASELINES
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Asked, Told
from gretel.training.masstool.prepared import Prepared
from gretel.training.masstool.second import SecondSettings
from gretel.training.masstool.table import curves
from gretel.training.masstool.train import Encoded, Settings
from gretel.training.masstool.variants import (
    ALONE,
    AUROC,
    THRESHOLDS,
    WEIGHTS,
    Row,
    trained,
    variants,
)

pytestmark = pytest.mark.slow

SETTINGS = Settings(second=SecondSettings(epochs=1, batch=16))


def silent(done: int, total: int, what: str) -> None:
    """Nobody listens."""


class Finished(NamedTuple):
    """An ablation of `same_requests` that ran through."""

    folder: Path
    rows: list[Row]
    stages: list[int]


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Vectors without an encoder; the seeds whose first stage was done."""
    return without_encoder(monkeypatch)


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    folder = tmp_path_factory.mktemp("ablation")
    with pytest.MonkeyPatch.context() as patch:
        done = without_encoder(patch)
        return Finished(folder, ablate(same_requests, SETTINGS, folder, silent), done)


@pytest.fixture
def finished(once: Finished, tmp_path: Path) -> Finished:
    """In a folder of the test's own."""
    shutil.copytree(once.folder, tmp_path, dirs_exist_ok=True)
    return once._replace(folder=tmp_path)


def without_encoder(patch: pytest.MonkeyPatch) -> list[int]:
    """See `stages`."""
    done: list[int] = []

    def first_stage(
        asked: Examples, settings: Settings, folder: Path, told: Told
    ) -> tuple[None, Encoded]:
        folder.mkdir(parents=True)
        (folder / "first.safetensors").write_bytes(b"state")
        done.append(settings.first.seed)
        return None, encoded(asked, settings.first.seed)

    class Untuned:
        def __init__(self, name: str | None, *, device: str) -> None:
            done.append(0)

        def encode(self, texts: list[str], progress: Callable[[int, int], None]) -> Vectors:
            progress(len(texts), len(texts))
            made = torch.eye(WIDTH)[[int(text.split("word")[1][0]) for text in texts]]
            return Vectors(made, made)

    patch.setattr(preparing, "first_stage", first_stage)
    patch.setattr(preparing, "Backbone", Untuned)
    return done


def same_requests(seed: int) -> Examples:
    """The requests of seed 7: seeds draw from one set."""
    return examples(7)


def test_every_part_transfer_baseline_and_setting_has_one_row() -> None:
    found = variants(SETTINGS, detects=True)
    names = [each.name for each in found]

    assert len(set(names)) == len(names)
    by_group = {group: sum(each.group == group for each in found) for group, *_ in found}
    assert by_group == {
        "baseline": len(BASELINES),
        "masstool": 1,
        "without": len(PARTS),
        "transfer": len(get_args(Transfer)) - 1,
        "λ": len(WEIGHTS) - 1,
        "ε": len(THRESHOLDS),
    }


def test_without_negatives_nothing_is_asked_of_detection(stages: list[int], tmp_path: Path) -> None:
    found = variants(SETTINGS, detects=False)
    assert not [each for each in found if each.group == "λ" or each.name == "without detection"]

    rows = ablate(lambda seed: examples(7, no_tool=0), SETTINGS, tmp_path, silent)
    assert not [row for row in rows if AUROC in row.measures]
    assert {each.over for each in curves(rows, 0.1) if each.lines["mean"]} == {"ε"}


def test_an_ablation_gives_every_variant_for_each_seed(once: Finished) -> None:
    rows = once.rows
    names = [each.name for each in variants(SETTINGS, detects=True)]
    assert [(row.seed, row.name) for row in rows] == [
        (seed, name) for seed in (7, 8, 9) for name in names
    ]
    assert {row.requests for row in rows} == {DEV}
    detecting = {row.name for row in rows if AUROC in row.measures}
    untrained = {*BASELINES, "without detection", *(f"ε = {at:g}" for at in THRESHOLDS)}
    assert detecting == set(names) - untrained


def test_a_second_run_repeats_nothing(
    finished: Finished, stages: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert finished.stages == [7, 0, 8, 9]  # 0: the encoder as it came, once for all seeds

    monkeypatch.setattr(Prepared, "model", None)
    assert ablate(same_requests, SETTINGS, finished.folder, silent) == finished.rows
    assert stages == []


def test_what_was_cut_short_goes_on_with_kept_vectors(
    finished: Finished, stages: list[int]
) -> None:
    path = finished.folder / ROWS
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]))

    assert ablate(same_requests, SETTINGS, finished.folder, silent) == finished.rows
    assert stages == []


def test_rows_of_other_settings_are_neither_taken_nor_lost(
    finished: Finished, stages: list[int]
) -> None:
    other = SETTINGS._replace(second=SecondSettings(epochs=2, batch=16))

    first, second = finished.rows, ablate(same_requests, other, finished.folder, silent)
    assert {row.key for row in second}.isdisjoint(row.key for row in first)
    assert stages == []  # the first stage is the same
    lines = (finished.folder / ROWS).read_text().splitlines()
    assert len(lines) == len(first) + len(second)


def test_the_state_of_a_finished_first_stage_is_gone(once: Finished) -> None:
    names = {place.relative_to(once.folder).as_posix() for place in once.folder.rglob("*")}
    seeds = [f"seed-{seed}" for seed in range(7, 7 + SEEDS)]
    vectors = {f"{seed}/vectors.safetensors" for seed in seeds}
    assert names == {ROWS, "raw.safetensors", *seeds, *vectors}


def test_damaged_rows_are_named(stages: list[int], tmp_path: Path) -> None:
    (tmp_path / ROWS).write_text('{"seed": 7')

    with pytest.raises(InputError, match=ROWS):
        ablate(same_requests, SETTINGS, tmp_path, silent)


def test_a_folder_that_cannot_be_written_is_told_first(stages: list[int], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(ConfigurationError, match="cannot be made or written"):
        ablate(same_requests, SETTINGS, tmp_path / "file" / "ablation", silent)
    assert stages == []


def test_kept_vectors_are_those_that_were_made(stages: list[int], tmp_path: Path) -> None:
    made = preparing.prepare(examples(7), SETTINGS, tmp_path, silent)
    kept = preparing.prepare(examples(7), SETTINGS, tmp_path, silent)

    assert stages == [7, 0]
    for part in ("train", "dev", "no_tool", "no_tool_dev"):
        one, two = getattr(made.encoded, part), getattr(kept.encoded, part)
        assert torch.equal(one.final, two.final)
        assert torch.equal(one.early, two.early)
    assert torch.equal(made.encoded.texts, kept.encoded.texts)
    assert torch.equal(made.raw, kept.raw)
    assert torch.equal(made.raw_dev, kept.raw_dev)
    word = int(made.examples.dev.texts[3].split("word")[1][0])
    assert torch.equal(made.raw_dev[3], torch.eye(WIDTH)[word])


def test_baselines_rank_by_what_they_are_named_after() -> None:
    of = prepared()
    scores = {name: score(of) for name, score in BASELINES.items()}

    assert {each.shape for each in scores.values()} == {(DEV, TOOLS)}
    assert torch.allclose(scores["raw encoder"], of.raw_dev @ of.encoded.texts.T)
    assert torch.equal(scores["kNN vote, raw encoder"], scores["kNN vote, tuned encoder"])
    # Scenes lie apart: both tools of each request come first by votes, not by random texts.
    right = [set(found) for found in scores["kNN vote, raw encoder"].topk(2).indices.tolist()]
    assert right == [set(gold) for gold in of.examples.dev.gold]


def test_tool2vec_is_the_direction_of_the_mean_request() -> None:
    of = prepared()
    gold = of.examples.train.gold
    own = of.raw[[place for place, tools in enumerate(gold) if 2 in tools]].mean(0)

    expected = of.raw_dev @ (own / own.norm())
    assert torch.allclose(BASELINES["Tool2Vec"](of)[:, 2], expected, atol=1e-6)


def test_bm25_finds_words_of_the_tools() -> None:
    of = prepared()
    asked = replace(of.examples, dev=Asked(("lookup3 of Kit3", "poem"), ((3,), (0,))))
    scores = BASELINES["BM25"](Prepared(asked, of.encoded, of.raw, of.raw_dev))

    assert scores[0].argmax() == 3
    assert not scores[1].any()


def test_a_filter_above_all_cosines_leaves_every_request_alone() -> None:
    of = prepared()
    none, all_of_them = (
        next(each for each in variants(SETTINGS, detects=True) if each.name == name)
        for name in ("ε = 0", "ε = 0.98")
    )

    assert none.measure(of, silent)[ALONE] == 0.0
    assert all_of_them.measure(of, silent)[ALONE] == 1.0


def test_the_last_model_is_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    of, trainings = prepared(), []
    second = preparing.second_stage

    def counted(*args: object) -> object:
        trainings.append(args)
        return second(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(preparing, "second_stage", counted)
    first = trained(SETTINGS)(of, silent)
    assert trained(SETTINGS)(of, silent) == first
    assert len(trainings) == 1
    trained(SETTINGS._replace(transfer="add"))(of, silent)
    assert len(trainings) == 2


def row(seed: int, group: str, at: float | None, reached: float) -> Row:
    """A row with one measure."""
    return Row.model_validate(
        {
            "key": "k",
            "seed": seed,
            "group": group,
            "name": f"{group} {at}",
            "at": at,
            "requests": 10,
            "measures": {"R@3": reached},
        }
    )


def test_curves_join_the_usual_weight_and_average_the_seeds() -> None:
    rows = [
        *(row(7, *each) for each in (("masstool", None, 0.9), ("λ", 0.5, 0.7), ("ε", 0.3, 0.6))),
        *(row(8, *each) for each in (("masstool", None, 0.7), ("λ", 0.5, 0.8), ("ε", 0.3, 0.4))),
    ]

    by_weight, by_threshold = (each for each in curves(rows, 0.1) if each.measure == "R@3")
    assert by_weight.lines["seed 7"] == ((0.1, 0.9), (0.5, 0.7))
    assert by_weight.lines["mean"] == ((0.1, pytest.approx(0.8)), (0.5, pytest.approx(0.75)))
    assert by_threshold.lines["mean"] == ((0.3, pytest.approx(0.5)),)
