"""Right values of requests: read, checked, and known to the mock alone."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_runs import small_dataset, small_evaluation

from gretel.contracts.errors import CatalogError, InputError
from gretel.contracts.tool import ToolId
from gretel.datasets.judged import Dataset, GoldCall, JudgedRequest
from gretel.evaluation.runs.compare import read_run
from gretel.evaluation.runs.evaluate import Evaluation
from gretel.evaluation.runs.folder import read_metrics
from gretel.evaluation.runs.merge import merge_runs
from gretel.evaluation.runs.right_values import (
    RightValues,
    choose_world,
    own_values,
    read_values,
)
from gretel.evaluation.runs.rows import Row, read_rows
from gretel.evaluation.runs.sampling import Shard

FIND = ToolId("weather.find")
SECRET = "Xanadu-on-Sea"
"""A right value that no request says."""


def dataset(size: int = 24) -> Dataset:
    return small_dataset(size)


def line(**changes: Any) -> dict[str, Any]:
    """An annotation of `q 0`, "find a weather in Oslo or Paris number 0"."""
    given = {
        "query": "q 0",
        "tool": "doc weather find",
        "arguments": {"city": [{"span": [18, 22]}, {"value": SECRET}]},
    }
    return {name: value for name, value in (given | changes).items() if value is not ...}


def annotated(tmp_path: Path, *rows: dict[str, Any]) -> Path:
    path = tmp_path / "values.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def every(data: Dataset, *cities: str) -> RightValues:
    """Right values of all requests, the same for each."""
    return RightValues(
        {
            (request.request_id, tool_id): ({"city": cities},)
            for request in data.requests
            for tool_id in request.gold
        }
    )


def test_spans_values_and_what_is_unsaid_are_read(tmp_path: Path) -> None:
    path = annotated(
        tmp_path,
        line(),
        line(tool="doc weather book", query="q 8", arguments={}, unsaid=["city"]),
        line(query="of another half", arguments={"city": [{"span": [900, 904]}]}),
    )
    values = read_values(path, dataset())
    book = ToolId("weather.book")
    assert values.calls == {
        ("q 0", FIND): ({"city": ("Oslo", SECRET)},),
        ("q 8", book): ({},),
    }
    assert values.digest is not None
    path.write_text(path.read_text() + "\n")
    assert read_values(path, dataset()).digest != values.digest


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (line(query=...), "query is not text"),
        (line(query=7), "query is not text"),
        (line(tool=""), "tool is not text"),
        (line(tool="doc weather buy"), "'doc weather buy' is not in the catalogue"),
        (line(tool="weather.find"), "is not in the catalogue"),
        (line(tool="doc hotel find"), "hotel.find is not right for q 0"),
        (line(arguments=...), "arguments is not an object"),
        (line(arguments=[]), "arguments is not an object"),
        (line(unsaid="city"), "unsaid is not a list"),
        (line(unsaid=["city"]), "'city' is both said and unsaid"),
        (line(unsaid=[["city"]]), "takes no"),
        (line(arguments={}, unsaid=["day"]), "weather.find takes no 'day'"),
        (line(arguments={"day": [{"value": 1}]}), "weather.find takes no 'day'"),
        (line(arguments={"city": []}), "no list of accepted values"),
        (line(arguments={"city": "Oslo"}), "no list of accepted values"),
        (line(arguments={"city": ["Oslo"]}), "neither a span nor a value"),
        (line(arguments={"city": [{"value": "Oslo", "span": [0, 4]}]}), "neither a span nor"),
        (line(arguments={"city": [{"span": [4, 4]}]}), "neither a span nor"),
        (line(arguments={"city": [{"span": [-4, 4]}]}), "neither a span nor"),
        (line(arguments={"city": [{"span": ["0", 4]}]}), "neither a span nor"),
        (line(arguments={"city": [{"span": [0, 900]}]}), "the request ends before 900"),
        (line(comment="?"), "'comment' is unknown"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, row: dict[str, Any], problem: str) -> None:
    path = annotated(tmp_path, line(query="q 8"), row)
    with pytest.raises(InputError, match=problem) as error:
        read_values(path, dataset())
    assert str(error.value).startswith("values.jsonl:2")


def test_a_line_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="q 0 with weather.find occurs twice"):
        read_values(annotated(tmp_path, line(), line()), dataset())


def test_a_file_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatalogError):
        read_values(tmp_path / "none.jsonl", dataset())


def test_a_data_sets_own_calls_are_right_values() -> None:
    asked = JudgedRequest(
        request_id="a",
        text="?",
        gold=frozenset({FIND}),
        gold_calls=(
            GoldCall(FIND, {"city": "Oslo"}),
            GoldCall(FIND, {}, open=frozenset({"city"})),
        ),
    )
    unclear = JudgedRequest(request_id="b", text="?", gold=frozenset({FIND}), incomplete=True)
    bare = JudgedRequest(request_id="c", text="?", gold=frozenset({ToolId("weather.list")}))
    unknown = JudgedRequest(request_id="d", text="?", gold=frozenset({FIND, ToolId("gone")}))
    data = replace(dataset(), requests=(asked, unclear, bare, unknown))
    values = own_values(data)
    assert values.calls == {
        ("a", FIND): ({"city": ("Oslo",)}, {}),
        ("b", FIND): ({},),
    }
    assert values.digest is None
    # a tool that takes nothing has nothing to know, and a tool that is not there is missed anyway
    assert values.lacking(data.requests, data.catalog) == ["d with weather.find"]


def test_the_world_is_the_harder_one_where_right_values_are_known(tmp_path: Path) -> None:
    data = dataset(1)
    annotation = annotated(tmp_path, line())
    assert choose_world(None, data, annotation)[0] == "values"
    assert choose_world("values", data, annotation)[1].calls
    world, values, note = choose_world(None, data, None)
    assert (world, values.calls) == ("kind", {})
    assert note is not None
    assert "not known of 1 right tools" in note
    gold = tuple(replace(r, gold_calls=(GoldCall(FIND, {"city": "Oslo"}),)) for r in data.requests)
    assert choose_world(None, replace(data, requests=gold), None)[0] == "values"
    assert choose_world("kind", replace(data, requests=gold), None)[0] == "kind"


def test_a_world_of_values_without_right_values_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"not known of 1 right tools \(q 0 with weather.find"):
        choose_world("values", dataset(1), None)
    few = annotated(tmp_path, line(query="elsewhere"))
    with pytest.raises(InputError, match="--values FILE"):
        choose_world(None, dataset(1), few)
    with pytest.raises(InputError, match="of no use"):
        choose_world("kind", dataset(1), few)


Made = Callable[..., Evaluation]


def made(*cities: str, **options: Any) -> Evaluation:
    data = small_dataset(24)
    return small_evaluation(values=every(data, *cities), **{"world": "values", **options})


async def rows_of(evaluation: Evaluation, out: Path) -> dict[str, Row]:
    await evaluation.run(out)
    return read_rows(out / "rows.jsonl")


@pytest.mark.slow
async def test_right_tools_answer_right_values_and_no_others(tmp_path: Path) -> None:
    right = await rows_of(made("Oslo", "Paris", faults={}), tmp_path / "right")
    wrong = await rows_of(made(SECRET, faults={}), tmp_path / "wrong")
    seen = 0
    for name, row in right.items():
        for known, unknown in zip(row.trials, wrong[name].trials, strict=True):
            if known.tool_id in row.gold and known.plan == unknown.plan:
                if known.executed.status == "refused" or known.tool_id.endswith("list"):
                    continue
                seen += 1
                assert known.executed.status == "succeeded"
                assert unknown.executed.status in ("failed", "empty")
                assert unknown.tool_id in wrong[name].unknown
                assert known.tool_id not in row.unknown
            elif known.tool_id not in row.gold:
                assert known.executed.status == unknown.executed.status
    assert seen > 10
    missed = read_metrics(tmp_path / "wrong")["recognition"]
    assert isinstance(missed, dict)
    assert set(missed) == {"ok", "unknown"}


@pytest.mark.slow
async def test_no_right_value_leaves_the_mock(tmp_path: Path) -> None:
    await made(SECRET).run(tmp_path)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path


@pytest.mark.slow
async def test_the_world_of_kinds_is_the_default_of_settings(tmp_path: Path) -> None:
    plain = await rows_of(small_evaluation(), tmp_path / "a")
    named = await rows_of(made(SECRET, world="kind"), tmp_path / "b")
    assert {n: row.trials for n, row in plain.items()} == {
        n: row.trials for n, row in named.items()
    }
    assert not any(row.unknown for row in named.values())


@pytest.mark.slow
async def test_runs_of_two_worlds_or_annotations_are_not_mixed(tmp_path: Path) -> None:
    values = replace(every(small_dataset(24), "Oslo"), digest="one")
    evaluation = replace(made(), values=values, shard=Shard(1, 2))
    await evaluation.run(tmp_path / "one")
    assert read_metrics(tmp_path / "one")["digests"]["values"] == "one"  # type: ignore[call-overload, index]
    other = replace(evaluation, values=replace(values, digest="two"))
    with pytest.raises(InputError, match="values digest"):
        await other.run(tmp_path / "one")
    with pytest.raises(InputError, match="world"):
        await small_evaluation(shard=Shard(1, 2)).run(tmp_path / "one")
    await replace(other, shard=Shard(2, 2)).run(tmp_path / "two")
    with pytest.raises(InputError, match="other values digest"):
        merge_runs([tmp_path / "one", tmp_path / "two"], tmp_path / "both")
    assert read_run(tmp_path / "one").gold


async def test_a_world_of_values_is_not_run_without_them(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="right values are not known"):
        await small_evaluation(world="values").run(tmp_path / "run")
    assert not (tmp_path / "run").exists()
