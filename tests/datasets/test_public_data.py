"""The public data sets load whole, and what is odd about them is known."""

from pathlib import Path
from typing import NamedTuple

import pytest

from gretel.datasets.halves import Half, take_half
from gretel.datasets.loading import load_dataset, load_no_tool


class Expected(NamedTuple):
    requests: int
    dev: int
    report: int
    problems: int
    """Without the requests that span both halves."""


EXPECTED = {
    "toolbench_g1 test": Expected(600, 296, 304, 1),
    "toolbench_g1 test_solvable": Expected(474, 240, 234, 1),
    "toollens test": Expected(939, 148, 209, 9),
    "metatool_toole test_single": Expected(1500, 752, 747, 1),
    "sealtools dev": Expected(700, 154, 171, 0),
    "callnavi test": Expected(720, 283, 277, 3),
    "livemcp test": Expected(47, 9, 14, 0),
    "apibank test": Expected(508, 228, 280, 0),
    "acebench_en test": Expected(873, 423, 421, 0),
}

HALVES: tuple[Half, ...] = ("dev", "report")
QUICK = {"callnavi test", "livemcp test"}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in EXPECTED]
)
def test_public_data_sets_load_whole(data_dir: Path, name: str) -> None:
    folder, qrels = name.split()
    expected = EXPECTED[name]
    whole = load_dataset(data_dir / folder, qrels=qrels)
    dev, report = (take_half(whole.requests, whole.catalog, half)[0] for half in HALVES)
    assert Expected(len(whole.requests), len(dev), len(report), len(whole.problems)) == expected
    assert not {each.request_id for each in dev} & {each.request_id for each in report}
    assert all(tool_id in whole.catalog for request in whole.requests for tool_id in request.gold)
    if folder == "toolbench_g1":
        of_dev, of_report = (
            {whole.catalog[tool_id].toolkit for request in half for tool_id in request.gold}
            for half in (dev, report)
        )
        assert not of_dev & of_report


@pytest.mark.parametrize(
    ("file", "count"), [("tooldet/negatives", 1499), ("metatool_awareness/awareness", 268)]
)
def test_public_prompts_that_need_no_tool(data_dir: Path, file: str, count: int) -> None:
    assert len(load_no_tool(data_dir / f"{file}.jsonl")) == count
