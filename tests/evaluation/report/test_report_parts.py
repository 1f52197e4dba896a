"""The numbers behind the report's charts, bars and lists."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from report_runs import refusal, reranked, row, trial, write_run

from gretel.contracts.trial import Outcome
from gretel.evaluation.report.cases import SHOWN, cases
from gretel.evaluation.report.charts import (
    Bar,
    BarChart,
    Chart,
    LineChart,
    Point,
    Series,
    line_chart,
    svg,
)
from gretel.evaluation.report.curves import abstention_chart, cost_chart, cut, depth_chart, steps
from gretel.evaluation.report.failures import failures
from gretel.evaluation.report.page import write_chart_page
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
    assert [*cut("abc", "", 3)] == ["a", "b", "c"]  # type: ignore[arg-type]


def test_depths_are_thinned_out_beyond_twenty() -> None:
    assert steps(3) == [1, 2, 3]
    assert steps(20) == list(range(1, 21))
    assert steps(100)[20:] == [25, 31, 38, 47, 58, 72, 90, 100]


def test_curves_start_at_retrieval_and_end_at_the_pipeline(tmp_path: Path) -> None:
    """The right tool is third; from depth 3 on `full` has it first."""
    found = results_of(tmp_path, reranked("q", "bcadef", "abcdef"))
    chart = depth_chart(found)
    assert chart is not None
    lines = {line.name: [point.y for point in line.points] for line in chart.series}
    assert lines["retrieval"] == [0.5] * 6
    assert lines["full"] == [0.5, 0.5, 1, 1, 1, 1]
    assert [point.x for point in chart.series[0].points] == [1, 2, 3, 4, 5, 6]


def test_cost_counts_the_calls_of_trials_up_to_each_depth(tmp_path: Path) -> None:
    trials = (
        trial("b", 1, "server_error"),
        refusal("c", 2),
        trial("a", 3),
        trial("d", 4, "host_not_allowed"),
    )
    one = reranked("q1", "bcad", "abcd", trials=trials)
    chart = cost_chart(results_of(tmp_path, one, row("q2", base="abcd"), depth=4))
    assert chart is not None
    (line,) = chart.series  # who knows the faults pays nothing
    assert line.name == "full"
    assert [point.x for point in line.points] == [0, 0.5, 0.5, 1, 1]
    assert [point.y for point in line.points] == [0.75, 0.75, 0.75, 1, 1]


def test_no_calls_no_cost_curve(tmp_path: Path) -> None:
    assert cost_chart(results_of(tmp_path, row("q", trials=(refusal("a", 1),)))) is None


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
    classes = {group.met.name: (group.met.right, group.met.other) for group in found.groups}
    assert classes == {
        "parameter_mismatch": (0, 1),
        "semantic_mismatch": (0, 1),
        "execution_failure": (2, 1),
        "policy": (0, 0),
        "machine": (0, 0),
        "no plan": (0, 1),
    }
    assert [bar.name for bar in found.groups[2].bars] == ["auth", "server_error"]
    assert (found.trials.right, found.trials.other) == (2, 5)
    assert found.chart is not None
    assert [(bar.name, bar.total) for bar in found.chart.bars[1:3]] == [
        ("empty", 1),
        ("auth", 2),
    ]
    ended = {bar.name: bar.total for bar in found.ended}
    assert ended["failed (executed), then simulated: succeeded"] == 1
    assert sum(ended.values()) == 7


def test_abstention_by_threshold_and_as_it_happened(tmp_path: Path) -> None:
    rows = [
        row("q1", answerable=0.9),
        row("q2", answerable=0.1),
        row("q3", functioning=("b",)),
        row("q4", functioning=("b",), status="abstained"),
    ]
    found = results_of(tmp_path, *rows)
    chart = abstention_chart(found)
    assert chart is not None
    values = dict(chart.series[0].points)
    assert [values[at] for at in (0, 0.1, 0.2, 1)] == [0, 0, 0.5, 1]
    assert found.offered_in_vain == 1


def test_a_retriever_that_cannot_say_has_no_curve(tmp_path: Path) -> None:
    assert abstention_chart(results_of(tmp_path, row("q"))) is None


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


def test_a_row_of_more_faults_than_trials_is_as_broken_as_can_be(tmp_path: Path) -> None:
    faults = dict.fromkeys("abc", "dead")
    one = reranked("odd", "bacdef", "abcdef", faults=faults, trials=(trial("a", 1),))
    bins = gain_by_faults(results_of(tmp_path, one))
    assert [each.label for each in bins] == ["over 50% to 100%"]


def test_nothing_broken_no_table_of_faults(tmp_path: Path) -> None:
    assert gain_by_faults(results_of(tmp_path, row("q", trials=(trial("a", 1),)))) == []


def drawn(chart: Chart) -> ElementTree.Element:
    """The drawing as a browser has it: an element of a page, whose names need no declaration."""
    return ElementTree.fromstring(svg(chart).replace("xlink:href", "href"))


def words(drawing: ElementTree.Element) -> list[str]:
    return [text for each in drawing.iter("text") if (text := each.text)]


LINES = [Series("full", (Point(1, 0.61), Point(2, 0.79))), Series("oracle", (Point(1, 0.7),) * 2)]


@pytest.mark.slow
def test_a_reader_sees_every_line_by_name_and_the_axes_with_their_labels() -> None:
    chart = line_chart('by "depth" & <cost>', LINES, x_label="depth λ $", y_label="nDCG@5")
    assert chart is not None
    drawing = drawn(chart)
    assert (drawing.get("role"), drawing.get("aria-label")) == ("img", 'by "depth" & <cost>')
    said = words(drawing)
    assert {"full", "oracle", "depth λ $", "nDCG@5"} <= {*said}
    assert len([word for word in said if word.startswith(("0.6", "0.7"))]) >= 3
    assert chart.numbers == [(1, [0.61, 0.7]), (2, [0.79, 0.7])]


@pytest.mark.slow
def test_a_drawing_runs_nothing_fetches_nothing_and_repeats() -> None:
    chart = line_chart("t", [*LINES, Series("<script>", LINES[0].points)], x_label="x", y_label="y")
    assert chart is not None
    text = svg(chart)
    assert svg(chart) == text
    assert not re.search(r"<script|https?:|@import|<style|<image|url\((?!#)|href=\"(?!#)", text)
    assert not re.search(r"#[0-9a-f]{6}\b", text), "a colour that the page's scheme cannot change"
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert len(ids) == len({*ids})


@pytest.mark.slow
def test_an_axis_about_equal_values_does_not_show_noise() -> None:
    flat = [Series("s", (Point(1, 0.5), Point(2, 0.5001)))]
    chart = line_chart("t", flat, x_label="x", y_label="y")
    assert chart is not None
    labels = [float(word) for word in words(drawn(chart)) if word.startswith("0.")]
    assert max(labels) - min(labels) >= 0.01


def test_a_chart_of_nothing_is_none() -> None:
    assert line_chart("t", [Series("s", ())], x_label="x", y_label="y") is None


def test_one_point_is_drawn() -> None:
    chart = line_chart("t", [Series("s", (Point(1, 0.5),))], x_label="x", y_label="y")
    assert chart is not None
    assert "0.50" in " ".join(words(drawn(chart)))


def test_bars_say_their_name_and_how_many_trials() -> None:
    bars = (Bar("auth", 2, 40), Bar("empty", 0, 7))
    drawing = drawn(BarChart("Trials by kind of failure", "trials", bars))
    assert {"auth", "empty", "42", "7", "right tools", "others"} <= {*words(drawing)}


def test_a_chart_of_a_page_gives_no_terminal_an_order(tmp_path: Path) -> None:
    title = "wo\x1b]0;pwned\x07rds\x9b2J \u202eof others"
    chart = LineChart(title, title, title, (Series("full", (Point(0, 0), Point(1, 1))),))
    page = write_chart_page([chart], tmp_path / "page.html", title=title, text="", made={})
    text = page.read_text()
    assert "words" in text and not any(char in text for char in "\x1b\x07\x9b\u202e")
