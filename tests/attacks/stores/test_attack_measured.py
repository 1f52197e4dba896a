"""What was measured, and what it was measured on, as somebody else may have written it."""

import json
import tracemalloc
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from fakes import tool
from gretel.catalog import document
from gretel.contracts.errors import ConfigurationError, InputError
from gretel.contracts.tool import ToolId
from gretel.datasets.qrels import HEADER, read_qrels
from gretel.evaluation.mock.known_values import folded
from gretel.evaluation.report.charts import Bar, BarChart, LineChart, Point, Series, svg
from gretel.evaluation.runs.compare import read_run
from gretel.evaluation.runs.folder import RUNS, TRIALS, merge_trec
from gretel.evaluation.runs.merge import _trials
from gretel.evaluation.runs.rows import Row, RowKey
from gretel.evaluation.runs.settings import read_manifest
from gretel.graph.calibrations import calibration_for
from gretel.nodes.retrieve.artifact.arrays import read_weights
from gretel.nodes.retrieve.toolgen.codes import Codebook

SHORT = "ab\n" * 300_000
"""A megabyte, of which a list takes seventeen."""


def test_judgements_are_read_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "SIZE_LIMIT", 2_000_000)  # so much is set aside for any file
    path = tmp_path / "test.tsv"
    path.write_text("\t".join(HEADER) + "\nq\tt\t1\n" + "\n" * 1_000_000)
    tracemalloc.start()
    try:
        assert read_qrels(path).gold == {"q": {"t"}}
        assert tracemalloc.get_traced_memory()[1] < 6 * path.stat().st_size
    finally:
        tracemalloc.stop()


def test_rankings_of_a_shard_have_a_line_a_place(tmp_path: Path) -> None:
    key = RowKey(config="a", catalog="b", seed=7)
    ranked = {"full": (ToolId("t"),)}
    row = Row(request_id="q", key=key, status="answered", gold=(), functioning=(), rankings=ranked)
    for name, text in (("good", "q Q0 t 1 1 full\n"), ("bad", SHORT)):
        (tmp_path / name / RUNS).mkdir(parents=True)
        (tmp_path / name / RUNS / "full.trec").write_text(text)

    merge_trec(tmp_path / "out", ["full"], [tmp_path / "good"], [row])
    assert (tmp_path / "out" / RUNS / "full.trec").read_text() == "q Q0 t 1 1 full\n"
    with pytest.raises(InputError, match="full.trec: has lines of no row"):
        merge_trec(tmp_path / "out", ["full"], [tmp_path / "good", tmp_path / "bad"], [row])


def test_trials_of_a_shard_have_a_digest_a_line(tmp_path: Path) -> None:
    (tmp_path / TRIALS).write_text(SHORT)
    with pytest.raises(InputError, match="holds no trials"):
        [*_trials([tmp_path])]


def test_a_run_has_few_pipelines(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(
        json.dumps(
            {
                "data": "d",
                "qrels": "q",
                "total": 1,
                "settings": {"pipelines": ["full"] * 7},
                "digests": {"data": "a", "catalog": "b", "faults": "c", "code": "d"},
            }
        )
    )
    with pytest.raises(InputError, match="is not a run"):
        read_manifest(tmp_path)

    (tmp_path / "metrics.json").write_text("{}")
    row = {"request_id": "q", "gold": ["t"], "rankings": {f"p{n}": ["t"] for n in range(60)}}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(InputError, match="more than 50 pipelines"):
        read_run(tmp_path)


@pytest.mark.parametrize("name", ['viewBox="0 0 1 1"', "</defs>", "<svg>"])
def test_a_name_in_a_chart_is_no_part_of_it(name: str) -> None:
    points = (Point(0, 1), Point(1, 2))
    for chart in (
        LineChart("t", "x", "y", (Series(name, points),)),
        BarChart("t", "x", (Bar(name, 1, 2),)),
    ):
        assert svg(chart).startswith('<svg viewBox="0 0 5')


@pytest.mark.parametrize("chance", ["NaN", "Infinity", "5.0", "-1"])
def test_a_trust_that_is_no_chance_is_no_calibration(chance: str, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(f'{{"trust": {{"request": {chance}}}}}')
    with pytest.raises(ConfigurationError, match="is not a calibration"):
        calibration_for("m", path)


def test_a_value_of_a_million_digits_is_compared() -> None:
    long = "9" * 1_000_001
    assert folded(long) == long
    assert [folded(text) for text in ("1.50", "100.0", "100", "0.0", "-0.50", "007")] == [
        *("1.5", "100", "100", "0", "-0.5", "007")
    ]


@pytest.mark.parametrize("kind", [torch.uint8, torch.bool, torch.int64, torch.float8_e4m3fn])
def test_weights_of_a_kind_that_is_not_written_are_none(kind: torch.dtype, tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    save_file({"w": torch.ones(4).to(kind)}, path)
    with pytest.raises(ValueError, match="of a kind that we do not write"):
        read_weights(path)


def test_a_code_that_is_longer_than_any_is_one_clear_error() -> None:
    words = tuple(f"{place}:{figure}" for place in range(65) for figure in range(10))
    with pytest.raises(InputError, match="more than 64 words"):
        Codebook("numeric", words).coded([tool("A.get")], torch.zeros(1, 3), [], None)
