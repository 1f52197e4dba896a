"""`benchmarks/masstool/ablation.py`: which rows there are, none made twice, what one says."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from ablation_data import DEV, TOOLS, WIDTH, encoded, examples

from gretel.nodes.retrieve.masstool.backbone import Vectors
from gretel.nodes.retrieve.masstool.config import COMPONENTS, Transfer
from gretel.training.loop import Told
from gretel.training.masstool.data import Examples
from gretel.training.masstool.first import Asked
from gretel.training.masstool.second import SecondSettings
from gretel.training.masstool.train import Encoded, Settings

sys.path.append(str(Path(__file__).resolve().parents[3] / "benchmarks" / "masstool"))

import ablation
from ablation import ALONE, AUROC, BASELINES, THRESHOLDS, WEIGHTS, Prepared, Row, variants

pytestmark = pytest.mark.slow

SETTINGS = Settings(second=SecondSettings(epochs=1, batch=16))


class Untuned:
    """An encoder that reads the number of a request's word."""

    def __init__(self, name: str | None, *, device: str) -> None: ...

    def encode(self, texts: list[str]) -> Vectors:
        made = torch.eye(WIDTH)[[int(text.split("word")[1][0]) for text in texts]]
        return Vectors(made, made)


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Vectors without an encoder; the seeds whose first stage was done."""
    done: list[int] = []

    def first_stage(
        asked: Examples, settings: Settings, folder: Path, told: Told
    ) -> tuple[None, Encoded]:
        done.append(settings.first.seed)
        return None, encoded(asked, settings.first.seed)

    monkeypatch.setattr(ablation, "first_stage", first_stage)
    monkeypatch.setattr(ablation, "Backbone", Untuned)
    monkeypatch.setattr(ablation, "encoder_digest", lambda name: "encoder")
    return done


def same_requests(seed: int) -> Examples:
    """The requests of seed 7: seeds draw from one set."""
    return examples(7)


def prepared() -> Prepared:
    """The encoder as it came gives the same vectors as the tuned one."""
    asked = examples(7)
    made = encoded(asked, 7)
    return Prepared(asked, made, made.train.final, made.dev.final)


def test_every_part_transfer_baseline_and_setting_has_one_row() -> None:
    found = variants(SETTINGS, detects=True)

    assert len({each.name for each in found}) == len(found)
    assert {group: sum(each.group == group for each in found) for group, *_ in found} == {
        "baseline": len(BASELINES),
        "masstool": 1,
        "without": len(COMPONENTS),
        "transfer": len(get_args(Transfer)) - 1,
        "λ": len(WEIGHTS) - 1,
        "ε": len(THRESHOLDS),
    }


def test_without_no_tool_requests_nothing_is_asked_of_detection() -> None:
    found = variants(SETTINGS, detects=False)

    assert not [each for each in found if each.group == "λ" or each.name == "without detection"]


def test_every_variant_has_a_row_for_each_seed_and_none_is_made_twice(
    stages: list[int], tmp_path: Path
) -> None:
    rows = ablation.ablate(same_requests, SETTINGS, tmp_path, 2)

    names = [each.name for each in variants(SETTINGS, detects=True)]
    assert [(row["seed"], row["name"]) for row in rows] == [
        (seed, name) for seed in (7, 8) for name in names
    ]
    assert {row["requests"] for row in rows} == {DEV}
    untrained = {*BASELINES, "without detection", *(f"ε = {at:g}" for at in THRESHOLDS)}
    assert {row["name"] for row in rows if AUROC in row["measures"]} == set(names) - untrained
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[: len(names)]))

    assert ablation.ablate(same_requests, SETTINGS, tmp_path, 2) == rows
    assert stages == [7, 8, 8]  # of the first seed all rows were there


def test_baselines_rank_by_what_they_are_named_after() -> None:
    of = prepared()
    scores = {name: score(of) for name, score in BASELINES.items()}

    assert {each.shape for each in scores.values()} == {(DEV, TOOLS)}
    assert torch.equal(scores["kNN vote, raw encoder"], scores["kNN vote, tuned encoder"])
    # Scenes lie apart: both tools of each request come first by votes, not by random texts.
    right = [set(found) for found in scores["kNN vote, raw encoder"].topk(2).indices.tolist()]
    assert right == [set(gold) for gold in of.examples.dev.gold]
    own = of.raw[[at for at, tools in enumerate(of.examples.train.gold) if 2 in tools]].mean(0)
    expected = of.raw_dev @ (own / own.norm())
    assert torch.allclose(scores["Tool2Vec"][:, 2], expected, atol=1e-6)


def test_bm25_finds_words_of_the_tools() -> None:
    of = prepared()
    asked = replace(of.examples, dev=Asked(("lookup3 of Kit3", "poem"), ((3,), (0,))))
    scores = BASELINES["BM25"](replace(of, examples=asked))

    assert scores[0].argmax() == 3
    assert not scores[1].any()


def test_a_filter_above_all_cosines_leaves_every_request_alone() -> None:
    of = prepared()
    found = {each.name: each for each in variants(SETTINGS, detects=True)}

    assert found["ε = 0"].measure(of)[ALONE] == 0.0
    assert found["ε = 0.98"].measure(of)[ALONE] == 1.0


def row(seed: int, group: str, at: float | None, reached: float) -> Row:
    """A row with one measure."""
    found: dict[str, Any] = dict.fromkeys(("R@5", "nDCG@3", "nDCG@5", "Completeness@3"), 0.5)
    measures = found | {"R@3": reached}
    name = f"{group} {at}"
    return {"key": "k", "seed": seed, "group": group, "name": name, "at": at, "requests": 10,
            "measures": measures}  # fmt: skip


def test_curves_join_the_usual_weight_and_average_the_seeds() -> None:
    rows = [
        *(row(7, *each) for each in (("masstool", None, 0.9), ("λ", 0.5, 0.7), ("ε", 0.3, 0.6))),
        *(row(8, *each) for each in (("masstool", None, 0.7), ("λ", 0.5, 0.8), ("ε", 0.3, 0.4))),
    ]

    drawn = {chart.title: dict(chart.series) for chart in ablation.curves(rows, 0.1)}
    assert drawn["R@3 over λ"]["seed 7"] == ((0.1, 0.9), (0.5, 0.7))
    assert drawn["R@3 over λ"]["mean"] == ((0.1, pytest.approx(0.8)), (0.5, pytest.approx(0.75)))
    assert drawn["R@3 over ε"]["mean"] == ((0.3, pytest.approx(0.5)),)


def test_the_table_has_mean_and_sample_deviation_in_percent() -> None:
    rows = [row(seed, "without", None, at) for seed, at in ((7, 0.8), (8, 0.9), (9, 1.0))]
    rows.append(row(7, "ε", 0.3, 0.1))  # of a curve

    (cells,) = ablation.table(rows).values()
    assert cells["R@3"] == "90.00 ± 10.00"
    page = ablation.markdown(ablation.table(rows), ablation.caption(rows), {"command": "python"})
    assert "10 requests, which each of the seeds 7, 8, 9 draws anew" in page
    assert "- command: `python`" in page
