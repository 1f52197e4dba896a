"""ACEBench and API-Bank: conversations with the tools and calls that are right."""

import json
from pathlib import Path
from typing import Any

import pytest

from gretel.contracts.errors import CatalogError, InputError
from gretel.contracts.ranking import Message
from gretel.datasets.loading import Dataset, load_dataset


def written(folder: Path, **files: list[dict[str, Any]]) -> Path:
    for name, rows in files.items():
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


def spec(name: str, kind: str = "dict", **properties: str) -> dict[str, Any]:
    schema = {
        "type": kind,
        "properties": {key: {"type": value} for key, value in properties.items()},
        "required": list(properties),
    }
    return {"name": name, "description": f"Does {name}", "parameters": schema}


def row(number: int, subset: str, truth: object, **more: object) -> dict[str, Any]:
    tools = [spec("book", city="string", nights="integer"), spec("pay", sum="float")]
    said = {"text": "user: Book a room", "time": "", "profile": None, "tools": tools}
    return {"id": f"r{number}", "subset": subset, "ground_truth": truth, **said, **more}


def ace(folder: Path, normal: list[dict[str, Any]], special: list[dict[str, Any]]) -> Dataset:
    return load_dataset(written(folder, normal=normal, special_and_agent=special))


def test_acebench_turns_become_request_and_messages(tmp_path: Path) -> None:
    text = "user: Book a room\nsystem: Where?\nuser: Oslo, two nights\n"
    truth = {"book": {"city": "Oslo", "nights": 2}}
    (request,) = ace(tmp_path, [row(1, "normal_atom", truth, text=text)], []).requests
    assert request.text == "Oslo, two nights"
    assert request.messages == (
        Message(role="user", content="Book a room"),
        Message(role="assistant", content="Where?"),
    )
    assert request.gold_calls == (("book.book", {"city": "Oslo", "nights": 2}, frozenset()),)
    assert set(request.gold) == {"book.book"}
    assert not request.incomplete


def test_acebench_calls_of_one_tool_twice_are_alternatives(tmp_path: Path) -> None:
    truth = {"book_1": {"city": "Oslo"}, "book_2": {"city": "Bergen"}, "pay": {"sum": 1}}
    dataset = ace(tmp_path, [row(1, "normal_atom", truth)], [])
    assert [call.tool_id for call in dataset.requests[0].gold_calls] == [
        "book.book",
        "book.book",
        "pay.pay",
    ]


def test_acebench_incomplete_requests_have_a_right_tool_and_no_right_call(tmp_path: Path) -> None:
    special = [
        row(1, "special_incomplete", {"book": ["nights"]}),
        row(2, "special_irrelevant", "no"),
    ]
    (request,) = ace(tmp_path, [], special).requests
    assert (request.incomplete, request.gold_calls) == (True, ())
    assert set(request.gold) == {"book.book"}


def test_acebench_requests_without_a_right_tool_are_reported(tmp_path: Path) -> None:
    rows = [row(1, "normal_atom", {"sing": {}}), row(2, "normal_atom", {"pay": {"sum": 1}})]
    dataset = ace(tmp_path, rows, [])
    assert [request.request_id for request in dataset.requests] == ["r2"]
    assert [problem.reason for problem in dataset.problems] == [
        "its right tool sing is not among its tools",
        "no right tool",
    ]


def test_acebench_keeps_two_specifications_of_one_name_apart(tmp_path: Path) -> None:
    other = [spec("book", title="string")]
    rows = [
        row(1, "normal_atom", {"book": {"city": "Oslo"}}),
        row(2, "normal_atom", {"book": {"title": "Emma"}}, tools=other),
    ]
    dataset = ace(tmp_path, rows, [])
    first, second = (dataset.catalog[min(request.gold)] for request in dataset.requests)
    assert [p.name for p in first.parameters] == ["city", "nights"]
    assert [p.name for p in second.parameters] == ["title"]


@pytest.mark.parametrize(
    ("time", "today"),
    [
        ("The current time is November 18, 2024, Monday。", "2024-11-18"),
        ("Today is Saturday, March 12, 2022.", "2022-03-12"),
        ("Today is 2020-08-11, Tuesday.", "2020-08-11"),
        ("Room 12, 2024", None),
        ("", None),
    ],
)
def test_acebench_dates(tmp_path: Path, time: str, today: str | None) -> None:
    rows = [row(1, "normal_atom", {"pay": {"sum": 1}}, time=time)]
    assert ace(tmp_path, rows, []).requests[0].today == today


def test_acebench_profiles_are_facts_and_history(tmp_path: Path) -> None:
    profile = "{'basic_features': {'Email': 'a@b.c'}, 'user_history': {'x': ['Paid rent']}}."
    rows = [row(1, "normal_preference", {"pay": {"sum": 1}}, profile=profile)]
    request = ace(tmp_path, rows, []).requests[0]
    assert request.context == {"Email": "a@b.c"}
    assert request.messages == (Message(role="system", content="Paid rent"),)


def test_acebench_profiles_that_are_none_are_refused(tmp_path: Path) -> None:
    rows = [row(1, "normal_preference", {"pay": {"sum": 1}}, profile="{'x': open('y')}")]
    with pytest.raises(CatalogError, match="r1: the profile cannot be read"):
        ace(tmp_path, rows, [])


BANK_TOOL = {
    "name": "Pay",
    "set": "apis",
    "description": "Pays",
    "input_parameters": {
        "sum": {"type": "float", "description": "how much"},
        "note": {"type": "str", "description": "[Optional] a note"},
    },
    "output_parameters": {"status": {"type": "str", "description": "done"}},
}
BANK_CALL = {
    "id": "d#1",
    "history": [
        {"role": "User", "text": "Pay 5"},
        {"role": "AI", "text": "Logging in."},
        {"role": "API", "result": {"output": {"token": "t"}}},
    ],
    "gold_call": {"name": "Pay", "arguments": {"sum": 5}},
}


def test_apibank_calls_become_requests(tmp_path: Path) -> None:
    level3 = {**BANK_TOOL, "set": "lv3_apis", "description": "Pays anyone"}
    dataset = load_dataset(written(tmp_path, tools=[BANK_TOOL, level3], calls=[BANK_CALL]))
    (request,) = dataset.requests
    tool = dataset.catalog[min(request.gold)]
    assert (tool.external_id, tool.description) == ("apis/Pay", "Pays")
    assert {p.name: p.required for p in tool.parameters} == {"sum": True, "note": False}
    assert request.text == "Pay 5"
    assert [message.role for message in request.messages] == ["assistant", "tool"]
    assert request.gold_calls[0].arguments == {"sum": 5}


def test_apibank_calls_that_cannot_be_asked_are_reported(tmp_path: Path) -> None:
    calls = [
        {**BANK_CALL, "id": "d#2", "history": []},
        {**BANK_CALL, "gold_call": {"name": "Fly", "arguments": {}}},
    ]
    dataset = load_dataset(written(tmp_path, tools=[BANK_TOOL], calls=calls))
    assert [problem.reason for problem in dataset.problems] == [
        "the user says nothing",
        "its right tool Fly is not in the catalogue",
    ]
    assert dataset.requests[0].gold == {"Fly"}


def test_conversations_have_one_set_of_judgements(tmp_path: Path) -> None:
    folder = written(tmp_path, tools=[BANK_TOOL], calls=[BANK_CALL])
    with pytest.raises(InputError, match="has no judgements 'dev'"):
        load_dataset(folder, qrels="dev")
