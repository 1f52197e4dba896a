"""Several runs on one page: groups, means over seeds, curves, and what cannot stand together."""

import math
import os
import re
from pathlib import Path
from typing import Any

import pytest
from report_runs import reranked, row, trial, write_run
from run_commands import command

from gretel.cli.report import report
from gretel.contracts.errors import InputError
from gretel.evaluation.report.groups import Spread, read_groups, spread
from gretel.evaluation.report.groups_page import averaged, gain_by_rate, write_groups_report


def seeds(folder: Path, after: dict[int, list[str]], **more: Any) -> list[Path]:
    """A run a seed; each text is the ranking that `full` makes of `bcadef` for one request."""
    return [
        write_run(
            folder / f"s{seed}",
            [
                reranked(f"q{n}", "bcadef", text, trials=(trial("b", 1),))
                for n, text in enumerate(texts)
            ],
            seed=seed,
            **more,
        )
        for seed, texts in after.items()
    ]


def test_seeds_are_averaged(tmp_path: Path) -> None:
    """Reciprocal ranks: 1/3 each by retrieval; by `full` 1 and 1/3, then 1 and 1."""
    runs = seeds(tmp_path, {8: ["abcdef", "abcdef"], 7: ["abcdef", "bcadef"]})
    (group,) = read_groups(runs)
    assert group.seeds == [7, 8]
    found = group.spread("full", "RR")
    assert found is not None
    assert found.mean == pytest.approx(5 / 6)
    assert found.sd == pytest.approx(math.sqrt(2) / 6)
    assert group.spread("retrieval", "RR") == (pytest.approx(1 / 3), 0)
    gain = group.gain("full", "RR")
    assert gain is not None and gain.mean == pytest.approx(1 / 2)
    assert group.reached("full", "RR") == 1
    chance = group.tested("full", "RR")
    assert chance is not None
    assert (chance.n, chance.difference) == (2, pytest.approx(1 / 2))


def test_a_single_seed_has_no_spread() -> None:
    assert spread([0.5]) == Spread(0.5, 0.0)


def test_groups_are_settings_and_curves_join_their_rates(tmp_path: Path) -> None:
    runs = [
        *seeds(tmp_path / "none", {7: ["bcadef"]}, faults={}, pipelines=("retrieval", "full")),
        *seeds(tmp_path / "some", {7: ["abcdef"], 8: ["bcadef"]}, faults={"dead": 20.0}),
        *seeds(tmp_path / "deep", {7: ["abcdef"]}, faults={"dead": 20.0}, depth=5),
    ]
    groups = read_groups(runs)
    shape = [(g.first.settings.depth, g.rate, g.seeds) for g in groups]
    assert shape == [(5, 20, [7]), (6, 0, [7]), (6, 20, [7, 8])]
    (curve,) = gain_by_rate(groups)
    lines = {line.name: line.points for line in curve.series}
    assert [point.x for point in lines["full"]] == [0, 20]
    assert [point.y for point in lines["full"]] == [0, pytest.approx(0.25)]
    assert lines["oracle"][0].y == 0  # no faults, nothing to know


def test_worlds_and_annotations_are_not_averaged(tmp_path: Path) -> None:
    made: list[dict[str, Any]] = [
        {"world": "kind"},
        {"world": "values", "values": "one"},
        {"world": "values", "values": "two"},
    ]
    runs = [
        path
        for seed, more in enumerate(made)
        for path in seeds(tmp_path / str(seed), {seed: ["abcdef"]}, **more)
    ]
    assert len(read_groups(runs)) == 3


def test_curves_are_averaged_point_by_point(tmp_path: Path) -> None:
    (group,) = read_groups(seeds(tmp_path, {7: ["abcdef"], 8: ["bcadef"]}))
    depth = averaged([one.by_depth for one in group.members])
    assert depth is not None
    full = dict(depth.series)["full"]
    assert [point.y for point in full] == [0.5, 0.5, 0.75, 0.75, 0.75, 0.75]
    cost = averaged([one.by_cost for one in group.members])
    assert cost is not None
    assert [each.name for each in cost.series] == ["full"]
    assert cost.series[0].points[1].x == 1
    assert averaged([depth, None]) is None


@pytest.mark.slow
def test_the_page_has_every_group_and_runs_no_script(tmp_path: Path) -> None:
    runs = seeds(tmp_path, {7: ["abcdef"] * 8, 8: ["abcdef"] * 8})
    page = write_groups_report(runs, tmp_path / "page.html").read_text()
    again = write_groups_report(runs[::-1], tmp_path / "again.html").read_text()
    assert page == again
    assert "<b>1.000</b>" in page and "± 0.000" in page and "100 % of oracle" in page
    assert "2 seeds: 7, 8" in page
    assert "p = .009" in page or "p = .008" in page  # 2 of 2^8 signs
    assert not re.search(r"<script|https?:|url\((?!#)|@import", page)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"digest": "other"}, "is not of the same requests as .*: other data"),
    ({"limit": 3}, "other limit"),
    ({}, "has the settings and the seed of"),
]


@pytest.mark.parametrize(("given", "said"), WRONG)
def test_what_cannot_stand_together_is_refused(
    tmp_path: Path, given: dict[str, Any], said: str
) -> None:
    runs = [write_run(tmp_path / "a", [row("q")]), write_run(tmp_path / "b", [row("q")], **given)]
    with pytest.raises(InputError, match=said):
        read_groups(runs)
    with pytest.raises(InputError, match="names no run"):
        read_groups([])


@pytest.mark.slow
def test_the_command_writes_where_it_says(tmp_path: Path) -> None:
    runs = seeds(tmp_path, {7: ["abcdef"], 8: ["abcdef"]})
    assert command(report, runs[0]).stdout.strip() == str(runs[0] / "report.html")
    page = tmp_path / "one.html"
    assert command(report, runs[0], "--out", page).exit_code == 0
    assert page.read_text() == (runs[0] / "report.html").read_text()
    assert command(report, *runs, "--out", tmp_path / "all.html").exit_code == 0
    assert "2 runs" in (tmp_path / "all.html").read_text()


@pytest.mark.slow
def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    runs = seeds(tmp_path, {7: ["abcdef"], 8: ["abcdef"]})
    with pytest.raises(InputError, match="--out: several runs"):
        command(report, *runs)
    for odd in (tmp_path, Path(os.devnull)):
        with pytest.raises(InputError, match="is not a file"):
            command(report, *runs, "--out", odd)
    assert not Path(os.devnull).is_file()
    with pytest.raises(InputError, match="cannot be written: No such file"):
        command(report, *runs, "--out", tmp_path / "no" / "where.html")
