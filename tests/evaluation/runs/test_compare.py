"""Paired tests, and the comparison of two runs through the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from run_commands import command

from gretel.cli.compare import compare
from gretel.contracts.errors import InputError
from gretel.evaluation.measures.significance import paired
from gretel.evaluation.runs.compare import compare_runs, read_run


def values(*numbers: float) -> dict[str, float]:
    return {f"q{place}": number for place, number in enumerate(numbers)}


def test_equal_values_differ_by_chance() -> None:
    result = paired(values(0.1, 0.5, 1), values(0.1, 0.5, 1))
    assert result == (0, 1, 3, (0, 0))


def test_the_difference_is_second_less_first() -> None:
    result = paired(values(0, 0, 0, 1), values(1, 1, 0, 1))
    assert (result.difference, result.n) == (0.5, 4)
    assert result.ci.low <= 0.5 <= result.ci.high


@pytest.mark.parametrize(("n", "p"), [(1, 1), (2, 1 / 2), (4, 1 / 8), (6, 1 / 32)])
def test_p_is_the_share_of_sign_patterns_as_extreme(n: int, p: float) -> None:
    """All of n requests gain alike: 2 of the 2^n patterns of signs reach that."""
    assert paired(values(*[0] * n), values(*[1] * n)).p_value == pytest.approx(p, abs=0.02)


def test_one_gain_among_losses_is_chance_and_many_gains_are_not() -> None:
    mixed = [0.2 if place % 2 else -0.2 for place in range(100)]
    assert paired(values(*[0] * 100), values(*mixed)).p_value == pytest.approx(1)
    gains = [0.2 if place % 4 else -0.2 for place in range(100)]
    result = paired(values(*[0] * 100), values(*gains))
    assert result.p_value < 0.001
    assert result.ci.low > 0


def test_it_repeats_and_order_does_not_matter() -> None:
    first, second = values(0.3, 0.1, 0.8, 0.2), values(0.5, 0.4, 0.6, 0.9)
    assert paired(dict(reversed(first.items())), second) == paired(first, second)


@pytest.mark.parametrize("second", [{}, values(1), {"other": 1.0}])
def test_other_requests_cannot_be_paired(second: dict[str, float]) -> None:
    with pytest.raises(InputError, match="cannot be paired"):
        paired({} if not second else values(1, 2), second)


MakeRun = Callable[..., Path]
ROWS: dict[str, tuple[list[str], dict[str, list[str]]]] = {
    f"q{n}": (["a", "b"], {"retrieval": ["x", "a", "b"], "full": ["a", "b", "x"]}) for n in range(8)
}


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    """Writes a run: its digests, and rows by request as (gold, rankings)."""

    def write(
        name: str = "run",
        rows: dict[str, tuple[list[str], dict[str, list[str]]]] | None = None,
        functioning: tuple[str, ...] = ("a", "b", "x"),
        **digests: str,
    ) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        metrics = {"digests": {"data": "d", "catalog": "c", "config": name, **digests}}
        (folder / "metrics.json").write_text(json.dumps(metrics))
        lines = [
            {"request_id": key, "gold": gold, "functioning": functioning, "rankings": rankings}
            for key, (gold, rankings) in (ROWS if rows is None else rows).items()
        ]
        (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, lines)))
        return folder

    return write


@pytest.mark.slow
def test_json_gives_every_measure_of_every_shared_pipeline(make_run: MakeRun) -> None:
    better = {
        key: (gold, {"retrieval": rankings["full"], "full": rankings["full"], "oracle": ["a"]})
        for key, (gold, rankings) in ROWS.items()
    }
    rows = json.loads(command(compare, make_run("one"), make_run("two", better), "--json").stdout)
    assert {tuple(row["pipelines"]) for row in rows} == {
        ("retrieval", "retrieval"),
        ("full", "full"),
    }
    found = {(row["pipelines"][0], row["measure"]): row for row in rows}
    gain = found["retrieval", "RR"]
    assert (gain["means"], gain["difference"], gain["n"]) == ([0.5, 1.0], 0.5, 8)
    assert gain["ci95"] == [0.5, 0.5]
    assert gain["p"] == pytest.approx(2 / 256, abs=0.005)
    assert found["full", "RR"]["difference"] == 0


@pytest.mark.parametrize("file", ["metrics.json", "rows.jsonl"])
def test_of_two_runs_it_is_said_which_one_is_damaged(make_run: MakeRun, file: str) -> None:
    first, second = make_run("one"), make_run("two")
    (second / file).write_text((second / file).read_text()[:20])
    with pytest.raises(InputError, match=rf"two: is damaged \({file}.*new folder"):
        command(compare, first, second)


def test_the_table_shows_one_depth(make_run: MakeRun) -> None:
    folder = make_run()
    out = command(compare, folder, folder, "--pipeline", "retrieval,full", "-k", "1").stdout
    assert "retrieval → full" in out
    assert "R@1 " in out
    assert "+0.5000" in out
    assert "@5" not in out


def test_requests_that_failed_count_as_nothing_found(make_run: MakeRun) -> None:
    failed = {
        key: (gold, rankings if key != "q0" else {}) for key, (gold, rankings) in ROWS.items()
    }
    rows = compare_runs(read_run(make_run("one")), read_run(make_run("two", failed)))
    recall = next(row for row in rows if (row.first_pipeline, row.measure) == ("full", "R@5"))
    assert (recall.first, recall.second, recall.result.n) == (1, 7 / 8, 8)


def test_measures_are_judged_on_what_functions_or_on_all(make_run: MakeRun) -> None:
    broken = read_run(make_run(functioning=("b", "x")))
    assert broken.measured("full").means["R@1"] == 0
    assert broken.measured("full", all_gold=True).means["R@1"] == 0.5


def test_a_request_without_functioning_gold_is_in_no_mean(make_run: MakeRun) -> None:
    rows = {**ROWS, "q0": (["c"], ROWS["q0"][1])}
    mixed = read_run(make_run(rows=rows))
    assert len(mixed.measured("full").values["R@5"]) == 7
    assert len(mixed.measured("full", all_gold=True).values["R@5"]) == 8


OTHER_GOLD = {**ROWS, "q3": (["a"], ROWS["q3"][1])}
FEWER = {key: row for key, row in ROWS.items() if key != "q3"}


@pytest.mark.parametrize(
    ("second", "args", "said"),
    [
        ({"data": "other"}, (), "the data digests differ"),
        ({"catalog": "other"}, (), "the catalog digests differ"),
        ({"rows": OTHER_GOLD}, (), r"1 requests are not judged alike \(q3"),
        ({"rows": FEWER}, (), r"1 requests are not judged alike \(q3"),
        ({"functioning": ("a",)}, (), "other tools function"),
        ({"rows": {k: (g, {"masstool": []}) for k, (g, _) in ROWS.items()}}, (), "--pipeline"),
        ({}, ("--pipeline", "retrieval,nothing"), "--pipeline: the runs have no such"),
        ({}, ("--pipeline", "a,b,c"), "names more than two"),
        ({}, ("-k", "7"), "no measure is cut at 7"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(
    make_run: MakeRun, second: dict[str, Any], args: tuple[str, ...], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        command(compare, make_run("one"), make_run("two", **second), *args)


def test_other_faults_can_be_compared_on_all_right_tools(make_run: MakeRun) -> None:
    one, two = make_run("one"), make_run("two", functioning=("a",))
    assert command(compare, one, two, "--all-gold").exit_code == 0


def test_unfinished_and_doubled_runs_are_refused(make_run: MakeRun, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a finished run"):
        read_run(tmp_path / "nowhere")
    folder = make_run()
    rows = folder / "rows.jsonl"
    rows.write_text(rows.read_text() + "\n" + rows.read_text().splitlines()[0])
    with pytest.raises(InputError, match="q0 occurs twice"):
        read_run(folder)
