"""The numbers behind the report's charts, bars and lists."""

from pathlib import Path

import pytest
from report_runs import refusal, reranked, row, trial, write_run

from gretel.contracts.trial import Outcome
from gretel.evaluation.report.cases import SHOWN, cases
from gretel.evaluation.report.charts import HEIGHT, LEFT, TOP, WIDTH, Point, Series, line_chart
from gretel.evaluation.report.curves import abstention_curve, by_cost, by_depth, cut, steps
from gretel.evaluation.report.failures import failures
from gretel.evaluation.report.results import read_results
from gretel.evaluation.report.tables import gain_by_faults
from gretel.evaluation.runs.rows import Row


def results_of(folder: Path, *rows: Row, depth: int = 6):  # type: ignore[no-untyped-def]
    return read_results(write_run(folder, rows, depth=depth))


@pytest.mark.parametrize(
    ("depth", "expected"),
    [(0, "abcd"), (1, "abcd"), (2, "bacd"), (3, "cbad"), (4, "dcba"), (9, "dcba")],
)
def test_only_the_first_candidates_are_reranked(depth: int, expected: str) -> None:
    assert "".join(cut("abcd", "dcba", depth)) == expected  # type: ignore[arg-type]


def test_a_failed_ranking_leaves_the_candidates_as_they_came() -> None:
    assert cut("abc", "", 3) == ["a", "b", "c"]  # type: ignore[arg-type]


def test_depths_are_thinned_out_beyond_twenty() -> None:
    assert steps(3) == [1, 2, 3]
    assert steps(20) == list(range(1, 21))
    assert steps(100)[20:] == [25, 31, 38, 47, 58, 72, 90, 100]


def test_curves_start_at_retrieval_and_end_at_the_pipeline(tmp_path: Path) -> None:
    """The right tool is third; from depth 3 on `full` has it first."""
    found = results_of(tmp_path, reranked("q", "bcadef", "abcdef"))
    chart = by_depth(found)
    assert chart is not None
    lines = {line.name: [point.y for point in line.values] for line in chart.lines}
    assert lines["retrieval"] == [0.5] * 6
    assert lines["full"] == [0.5, 0.5, 1, 1, 1, 1]
    assert [point.x for point in chart.lines[0].values] == [1, 2, 3, 4, 5, 6]


def test_cost_counts_the_calls_of_trials_up_to_each_depth(tmp_path: Path) -> None:
    trials = (
        trial("b", 1, "server_error"),
        refusal("c", 2),
        trial("a", 3),
        trial("d", 4, "host_not_allowed"),
    )
    one = reranked("q1", "bcad", "abcd", trials=trials)
    chart = by_cost(results_of(tmp_path, one, row("q2", base="abcd"), depth=4))
    assert chart is not None
    assert [line.name for line in chart.lines] == ["full"]  # who knows the faults pays nothing
    assert [point.x for point in chart.lines[0].values] == [0, 0.5, 0.5, 1, 1]
    assert [point.y for point in chart.lines[0].values] == [0.75, 0.75, 0.75, 1, 1]


def test_no_calls_no_cost_curve(tmp_path: Path) -> None:
    assert by_cost(results_of(tmp_path, row("q", trials=(refusal("a", 1),)))) is None


def test_the_taxonomy_counts_every_trial_once(tmp_path: Path) -> None:
    empty = trial("d", 4).model_copy(
        update={"executed": Outcome(status="empty", source="executed", http_status=200)}
    )
    simulated = Outcome(status="succeeded", source="simulated")
    trials = (
        trial("a", 1, "auth"),
        trial("b", 2, "server_error", simulated=simulated),
        refusal("c", 3),
        empty,
        refusal("e", 5, "off_topic"),
        trial("f", 6),
    )
    found = failures(results_of(tmp_path, row("q1", trials=trials), row("q2", trials=trials[:1])))
    classes = {group.name: tuple(group.met) for group in found.groups}
    assert classes == {
        "parameter_mismatch": (0, 1),
        "semantic_mismatch": (0, 1),
        "execution_failure": (2, 1),
        "policy": (0, 0),
        "machine": (0, 0),
        "no plan": (0, 1),
    }
    assert [bar.name for bar in found.groups[2].bars] == ["auth", "server_error"]
    assert (found.trials, found.longest) == ((2, 5), 2)
    ended = {bar.name: bar.met.total for bar in found.ended}
    assert ended["failed (executed), then simulated: succeeded"] == 1
    assert sum(ended.values()) == 7


def test_abstention_by_threshold_and_as_it_happened(tmp_path: Path) -> None:
    rows = [
        row("q1", answerable=0.9),
        row("q2", answerable=0.1),
        row("q3", functioning=("b",)),
        row("q4", functioning=("b",), status="abstained"),
    ]
    curve = abstention_curve(results_of(tmp_path, *rows))
    assert curve.chart is not None
    values = dict(curve.chart.lines[0].values)
    assert [values[at] for at in (0, 0.1, 0.2, 1)] == [0, 0, 0.5, 1]
    assert (curve.at_default.false_abstentions, curve.at_default.served) == (0.5, 2)
    assert curve.offered == 1


def test_a_retriever_that_cannot_say_has_no_curve(tmp_path: Path) -> None:
    assert abstention_curve(results_of(tmp_path, row("q"))).chart is None


def test_the_largest_changes_come_first_and_ties_by_id(tmp_path: Path) -> None:
    rows = [reranked(f"q{n:02}", "bacdef", "abcdef") for n in range(SHOWN + 3)]
    rows += [reranked("most", "bcdeaf", "abcdef"), reranked("less", "abcdef", "bacdef")]
    rows += [reranked("least", "abcdef", "bcdefa"), row("same")]
    found = cases(results_of(tmp_path, *rows))
    assert found is not None
    assert [case.request_id for case in found.gained] == [
        "most",
        *(f"q{n:02}" for n in range(SHOWN - 1)),
    ]
    assert [case.request_id for case in found.lost] == ["least", "less"]
    assert found.counts == (SHOWN + 4, 1, 2)
    assert found.lost[0].change == -1


def test_a_gain_needs_a_functioning_right_tool(tmp_path: Path) -> None:
    """The right tool moved up, but it is broken: there was nothing to gain."""
    found = cases(results_of(tmp_path, reranked("q", "ba", "ab", functioning=("b",))))
    assert found is not None
    assert found.gained == found.lost == ()


def test_gain_by_share_of_broken_candidates(tmp_path: Path) -> None:
    tried = {"trials": tuple(trial(each, at) for at, each in enumerate("bacdef", 1))}
    rows = [
        reranked("clean", "bacdef", "bacdef", **tried),
        reranked("some", "bacdef", "abcdef", faults={"b": "dead"}, **tried),
        reranked("most", "bacdef", "abcdef", faults=dict.fromkeys("bcdef", "dead"), **tried),
    ]
    bins = gain_by_faults(results_of(tmp_path, *rows))
    assert [(each.label, each.n) for each in bins] == [
        ("0%", 1),
        ("over 10% to 20%", 1),
        ("over 50% to 100%", 1),
    ]
    assert bins[0].gain.difference == 0
    assert bins[1].subject == 1
    assert bins[1].gain.difference == pytest.approx(bins[1].subject - bins[1].base)


def test_nothing_broken_no_table_of_faults(tmp_path: Path) -> None:
    assert gain_by_faults(results_of(tmp_path, row("q", trials=(trial("a", 1),)))) == []


@pytest.mark.parametrize(
    ("ys", "labels"),
    [
        ((0.61, 0.79), ["0.60", "0.65", "0.70", "0.75", "0.80"]),
        ((0.5, 0.5), ["0.490", "0.495", "0.500", "0.505", "0.510"]),
        ((0, 1000), ["0", "500", "1000"]),
    ],
)
def test_axes_have_round_ticks_about_the_values(ys: tuple[float, float], labels: list[str]) -> None:
    points = tuple(Point(x, y) for x, y in enumerate(ys, 1))
    chart = line_chart("t", [Series("s", points)], x_label="x", y_label="y")
    assert chart is not None
    assert [tick.label for tick in chart.y_ticks] == labels
    for dot in chart.lines[0].dots:
        assert LEFT <= dot.x <= WIDTH and TOP <= dot.y <= HEIGHT
    assert (chart.lines[0].dots[0].y >= chart.lines[0].dots[1].y) == (ys[0] <= ys[1])


def test_a_chart_of_nothing_is_none() -> None:
    assert line_chart("t", [Series("s", ())], x_label="x", y_label="y") is None


def test_one_point_stands_at_the_left_end() -> None:
    chart = line_chart("t", [Series("s", (Point(1, 0.5),))], x_label="x", y_label="y")
    assert chart is not None
    assert chart.lines[0].path.startswith(f"{LEFT:.1f},")
    assert chart.numbers == [(1, [0.5])]
