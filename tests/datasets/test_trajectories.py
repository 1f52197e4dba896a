"""Right runs of judged data: calls in order with their answers, by halves of tools."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from gretel.contracts.errors import InputError
from gretel.datasets.halves import half_of
from gretel.datasets.trajectories import read_trajectories, written


def lines(path: Path, rows: Iterable[Any]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def seal(folder: Path) -> Path:
    """Two tools; the second call of the first request takes what the first gave."""
    (folder / "qrels").mkdir(parents=True)
    api = {"api_name": "find", "api_description": "Find.", "parameters": {"name": {"type": "str"}}}
    told = {"responses": {"place": {"type": "str", "description": "The place."}}}
    tools = [
        {"_id": "find", "title": "find", "text": "Find.", "metadata": {"api": {**api, **told}}},
        {
            "_id": "rain",
            "title": "rain",
            "text": "Rain.",
            "metadata": {"api": {**api, "api_name": "rain"}},
        },
    ]
    lines(folder / "corpus.jsonl", tools)
    first = {"name": "find", "arguments": {"name": "Oslo"}, "response_labels": ["API_call_0"]}
    second = {"name": "rain", "arguments": {"name": "API_call_0"}, "response_labels": []}
    queries = [
        {"_id": "a", "text": "Does it rain?", "metadata": {"gold_calls": [first, second]}},
        {"_id": "b", "text": "Unknown.", "metadata": {"gold_calls": [{"name": "no"}]}},
        {"_id": "c", "text": "Not judged.", "metadata": {"gold_calls": [first]}},
    ]
    lines(folder / "queries.jsonl", queries)
    judged = "query-id\tcorpus-id\tscore\na\tfind\t1\na\train\t1\nb\tfind\t1\n"
    (folder / "qrels" / "dev.tsv").write_text(judged)
    return folder


def bank(folder: Path) -> Path:
    folder.mkdir()
    names = ["GetUserToken", "AddAlarm", "Calculator", "Translate"]
    spec = {"set": "apis", "description": "Does it.", "output_parameters": {}}
    given = {"user": {"type": "str", "description": "The user."}}
    lines(folder / "tools.jsonl", ({**spec, "name": n, "input_parameters": given} for n in names))
    called = [
        {
            "id": f"d-{name}#1",
            "history": [{"role": "User", "text": f"Please, {name} for Jane."}],
            "gold_call": {"name": name, "arguments": {"user": "Jane", "other": 1}},
            "recorded_response": {"token": name},
        }
        for name in names
    ]
    lines(folder / "calls.jsonl", called)
    turns = [{"role": "User", "text": "x"}, {"role": "API"}, {"role": "AI", "text": "It is done."}]
    lines(folder / "dialogues.jsonl", ({"id": f"d-{name}", "turns": turns} for name in names))
    return folder


def test_a_later_call_takes_what_an_earlier_one_answered(tmp_path: Path) -> None:
    found = read_trajectories(seal(tmp_path / "s"), qrels="dev")
    (row,) = found.rows
    assert (row.source, row.text, row.answer) == ("s a", "Does it rain?", "")
    first, second = row.calls
    assert first.answer == {"place": "API_call_0"}
    assert second.arguments == {"name": "API_call_0"}
    assert [problem.place for problem in found.problems] == ["queries.jsonl:2"]


def test_a_recorded_call_has_its_answer_and_what_was_said_next(tmp_path: Path) -> None:
    found = read_trajectories(bank(tmp_path / "b"))
    row = next(row for row in found.rows if "AddAlarm" in row.source)
    (call,) = row.calls
    assert call.arguments == {"user": "Jane"}, "what the tool does not take is no argument"
    assert (call.answer, row.answer) == ({"token": "AddAlarm"}, "It is done.")
    assert written(call.answer) == '{"token": "AddAlarm"}' and written("yes") == "yes"


def test_halves_share_no_tool_and_lose_none(tmp_path: Path) -> None:
    folder = bank(tmp_path / "b")
    whole = read_trajectories(folder)
    halves = [read_trajectories(folder, half=half) for half in ("dev", "report")]
    names = [{row.calls[0].tool_id for row in part.rows} for part in halves]
    assert not names[0] & names[1]
    assert sum(len(part.rows) for part in halves) == len(whole.rows)
    assert {half_of(str(name).split(".")[-1]) for name in names[0]} == {"dev"}
    assert halves[0].digest != halves[1].digest


def test_data_without_right_calls_is_one_clear_error(tmp_path: Path) -> None:
    folder = seal(tmp_path / "s")
    lines(folder / "queries.jsonl", [{"_id": "a", "text": "Does it rain?", "metadata": {}}])
    with pytest.raises(InputError, match="right calls"):
        read_trajectories(folder, qrels="dev")
