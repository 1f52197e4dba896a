"""Recorded calls of public data sets, read and replayed."""

import json
from pathlib import Path

import pytest

from fakes import plan, tool
from gretel.catalog import Catalog
from gretel.contracts.budget import Budget
from gretel.contracts.errors import InputError
from gretel.datasets.loading import load_dataset
from gretel.evaluation.runs.recordings import read_recordings
from gretel.sandbox.replay import ReplayExecutor

SEARCH = tool("bing.search", params=["query"], external_id="bing::search")


def write(folder: Path, name: str, *rows: object) -> Path:
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_executions_are_read(tmp_path: Path) -> None:
    good = {"tool_id": "bing::search", "arguments": {"query": "a"}, "status": "ok", "response": "1"}
    late = good | {"status": "timeout", "response": None}
    folder = write(
        tmp_path,
        "executions.jsonl",
        good,
        late,
        good | {"tool_id": "x::y"},
        good | {"arguments": None},
        good | {"status": "odd"},
    )
    calls, problems = read_recordings(folder, Catalog.from_tools([SEARCH]))
    assert [(call.tool_id, call.end, call.text) for call in calls] == [
        ("bing.search", "answered", "1"),
        ("bing.search", "timeout", ""),
    ]
    assert [problem.place for problem in problems] == [f"executions.jsonl:{n}" for n in (3, 4, 5)]
    assert "x::y" in problems[0].reason


def test_gold_calls_with_their_answers_are_read(tmp_path: Path) -> None:
    named = tool("apis.AddAlarm", external_id="apis/AddAlarm")
    call = {"name": "AddAlarm", "arguments": {"time": "9"}}
    folder = write(
        tmp_path,
        "calls.jsonl",
        {"gold_call": call, "recorded_response": "success", "recorded_exception": None},
        {"gold_call": call, "recorded_response": None, "recorded_exception": "no such user"},
        {"gold_call": {"name": "Nobody"}, "recorded_response": 1},
    )
    calls, problems = read_recordings(folder, Catalog.from_tools([named]))
    assert [(call.text, call.end) for call in calls] == [
        ('"success"', "answered"),
        ('"no such user"', "error"),
    ]
    assert [problem.place for problem in problems] == ["calls.jsonl:3"]


def test_a_folder_without_recordings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no recorded calls"):
        read_recordings(tmp_path, Catalog())


@pytest.mark.parametrize(("name", "count", "left_out"), [("apibank", 508, 0), ("livemcp", 239, 1)])
async def test_every_recorded_call_of_the_public_sets_replays(
    data_dir: Path, name: str, count: int, left_out: int
) -> None:
    catalog = load_dataset(data_dir / name).catalog
    calls, problems = read_recordings(data_dir / name, catalog)
    assert (len(calls), len(problems)) == (count, left_out)
    executor = ReplayExecutor(catalog, calls)
    for call in calls:
        made = plan(call.tool_id, **call.arguments)
        assert (await executor.execute(made, budget=Budget())).source == "replayed"
