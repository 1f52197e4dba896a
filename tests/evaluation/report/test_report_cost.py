"""What a report costs hangs on the places that its measures look at, not on all that is ranked."""

from collections.abc import Callable
from pathlib import Path

import pytest
from report_runs import row, trial, write_run

from gretel.contracts.tool import ToolId
from gretel.evaluation.measures.measures import measure, ndcg
from gretel.evaluation.report.cases import cases
from gretel.evaluation.report.curves import cost_chart, depth_chart
from gretel.evaluation.report.results import Results, read_results
from growth import CONSTANT, LINEAR, growth

DEPTH = 50


def results(folder: Path, tools: int) -> Results:
    """A run whose rows rank so many tools, of which the first were tried and reordered."""
    base = [f"t{number:05}" for number in range(tools)]
    after = [*reversed(base[:DEPTH]), *base[DEPTH:]]
    tried = tuple(trial(name, place) for place, name in enumerate(base[:DEPTH], 1))
    rankings = {"retrieval": tuple(base), "full": tuple(after), "oracle": tuple(after)}
    rows = [row(f"q{n}", base[n : n + 2], (), rankings=rankings, trials=tried) for n in range(3)]
    return read_results(write_run(folder, rows, depth=DEPTH))


@pytest.mark.parametrize("chart", [depth_chart, cost_chart])
@pytest.mark.slow
def test_a_chart_looks_at_no_more_than_is_measured(
    chart: Callable[[Results], object], tmp_path: Path
) -> None:
    runs = {
        n: results(tmp_path / str(n), n) for size in (1_000, 4_000) for n in range(size, size + 3)
    }

    assert growth(lambda size: chart(runs[size]), 4_000) < CONSTANT


def test_a_case_looks_each_of_its_tools_up_once(tmp_path: Path) -> None:
    runs = {}
    for size in (n + run for n in (2_000, 8_000) for run in range(3)):
        base = tuple(f"t{number:05}" for number in range(size))
        rankings = {"retrieval": base, "full": (*reversed(base),)}
        rows = [row("q", base[1:], (), rankings=rankings)]
        runs[size] = read_results(write_run(tmp_path / str(size), rows, depth=DEPTH))

    assert growth(lambda size: cases(runs[size]), 8_000) < LINEAR


@pytest.mark.parametrize("right", [0, 7, 19, 20, 21, 900, None])
def test_the_measures_are_those_of_the_whole_ranking(right: int | None) -> None:
    """`RR` looks for the first right tool at any place."""
    ranking = [ToolId(f"t{number}") for number in range(1_000)]
    gold = {"q": frozenset({ranking[right] if right is not None else ToolId("x"), ToolId("y")})}
    values = measure({"q": ranking}, gold).values

    place = None if right is None else right + 1
    assert values["RR"]["q"] == pytest.approx(1 / place if place else 0)
    for k in (1, 5, 20):
        assert values[f"P@{k}"]["q"] == pytest.approx(bool(place and place <= k) / k)
        assert values[f"nDCG@{k}"]["q"] == pytest.approx(ndcg({"q": ranking}, gold, k))
        assert values[f"Judged@{k}"]["q"] == pytest.approx(bool(place and place <= k) / k)
