"""The weights behind the trials come out of their rows again."""

import json
from importlib.resources import files
from pathlib import Path

import pytest

from gretel.training.fitting import LOST, SERVED, fitted_on, judged

ROWS = Path(__file__).parents[2] / "benchmarks" / "real" / "strangers"


@pytest.fixture(scope="module")
def rows() -> list[dict[str, object]]:
    texts = [path.read_text("utf-8") for path in sorted(ROWS.glob("*.jsonl"))]
    return [json.loads(line) for text in texts for line in text.splitlines()]


@pytest.mark.slow
def test_the_shipped_weights_come_out_of_the_rows(rows: list[dict[str, object]]) -> None:
    shipped = json.loads(files("gretel.nodes.select").joinpath("fitting.json").read_text("utf-8"))
    fitted = fitted_on(judged(rows))
    assert fitted["weights"] == pytest.approx(shipped["weights"], abs=0.01)
    assert fitted["requests"] == shipped["requests"]


@pytest.mark.slow
def test_the_threshold_loses_its_share_of_the_requests_of_parts_left_out(
    rows: list[dict[str, object]],
) -> None:
    kept = judged(rows)
    offered = fitted_on(kept)["offered"]
    assert isinstance(offered, dict)
    sizes = {
        part: sum((row["part"], row["kind"]) == (part, SERVED) for row in kept)
        for part in {str(row["part"]) for row in kept}
    }
    lost = sum((1 - offered[f"{part}, {SERVED}"]) * size for part, size in sizes.items())
    assert lost / sum(sizes.values()) == pytest.approx(LOST, abs=0.01)


def test_each_request_counts_as_unsent_too_and_unjudged_ones_teach_nothing(
    rows: list[dict[str, object]],
) -> None:
    row = next(row for row in rows if row["kind"] == SERVED and row["sent"])
    unsent = row | {"fate": "unsent"}
    assert judged([row]) == [row, unsent]
    assert judged([row | {"sent": False}]) == [unsent | {"sent": False}]
    assert not judged([row | {"answerable": None}, row | {"kind": "missing_argument"}])
