"""Good answers have content and say so; empty ones have none, irrelevant ones another's."""

import json
from pathlib import Path
from typing import Any

import pytest

from fakes import tool
from gretel.catalog import Catalog
from gretel.contracts.tool import Response, Tool
from gretel.evaluation.mock.answers import documents_an_answer, good_answer
from gretel.evaluation.mock.semantic_mismatches import empty_reply, irrelevant_answer
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.classify import classify


def templated(template: Any, tool_id: str = "Kit.list_batches") -> Tool:
    return tool(tool_id, response=Response(example=template, example_is_template=True))


@pytest.mark.parametrize(
    "template",
    [
        {"error": "str"},
        {"error": {"code": "int", "message": "str", "extras": []}},
        {"success": "int", "error": "str", "error_detail": "str"},
        {"timestamp": "int", "status": "int", "error": "str", "message": "str", "path": "str"},
        {"Fault": {"faultcode": "str", "faultstring": "str", "detail": "NoneType"}},
        [{"errors": ["str"]}],
        {"response": {"error": "str"}},
        {"404": "str"},
    ],
)
def test_a_recorded_error_documents_no_answer(template: Any) -> None:
    wrong = templated(template)
    assert not documents_an_answer(wrong)
    answer = good_answer(wrong, {"q": "Oslo"}, seed=7)
    assert "error" not in json.dumps(answer)
    assert "Oslo" in json.dumps(answer)


@pytest.mark.parametrize(
    "template", [{"message": "str"}, {"joke": "str", "error": "bool"}, {"status": "str"}]
)
def test_a_field_called_error_makes_no_error(template: Any) -> None:
    assert documents_an_answer(templated(template))


@pytest.mark.parametrize(
    "template",
    [
        {"batches": []},
        {"success": "bool", "data": [], "total": "int"},
        {"data": [], "meta": {"status": "int", "response_id": "str"}},
        {"categories": [{"category": "NoneType", "_list_length": 5}]},
        {"details": {}, "hours": {}},
        [],
        {},
    ],
)
def test_a_good_answer_is_never_empty(template: Any) -> None:
    answer = good_answer(templated(template), {"q": "Oslo"}, seed=7)
    assert "Oslo" in json.dumps(answer)


@pytest.mark.parametrize(
    ("template", "field", "value"),
    [
        ({"success": "bool", "x": "int"}, "success", True),
        ({"ok": "int", "x": "int"}, "ok", 1),
        ({"error": "str", "x": "int"}, "error", ""),
        ({"error": "bool", "x": "int"}, "error", None),
        ({"status": "int", "message": "str", "x": "int"}, "status", 200),
    ],
)
def test_flags_say_that_all_is_well(template: Any, field: str, value: Any) -> None:
    for seed in range(5):
        answer = good_answer(templated(template), {}, seed=seed)
        assert isinstance(answer, dict)
        assert answer[field] == value


def test_a_documented_example_is_answered_as_it_stands() -> None:
    example = {"success": False, "found": [1]}
    assert good_answer(tool("Kit.op", response=Response(example=example)), {}, seed=7) == example


def test_answers_depend_on_seed_tool_and_arguments_alone() -> None:
    one, other = templated({"n": "int", "m": "int"}), templated({"n": "int", "m": "int"}, "Kit.x")
    answers = [
        good_answer(one, {}, seed=7),
        good_answer(one, {}, seed=8),
        good_answer(one, {"q": 1}, seed=7),
        good_answer(other, {}, seed=7),
    ]
    assert len({json.dumps(answer) for answer in answers}) == 4
    assert good_answer(one, {}, seed=7) == answers[0]


def test_empty_answers_come_in_several_shapes_and_hold_nothing() -> None:
    tools = [templated({"price": "float", "tags": ["str"]}, f"Kit.op{n}") for n in range(200)]
    replies = [empty_reply(each, {"q": "Oslo"}, seed=7) for each in tools]
    assert len({(reply.status, reply.text) for reply in replies}) == 10
    assert any(reply.text == '{"price": null, "tags": []}' for reply in replies)
    assert not any("Oslo" in reply.text for reply in replies)


def test_irrelevant_answers_come_from_documented_tools_of_other_toolkits() -> None:
    tools = [
        templated({"a": "int"}, "Mine.one"),
        templated({"b": "int"}, "Mine.two"),
        tool("Other.undocumented"),
        templated({"error": "str"}, "Other.failed"),
        templated({"c": "int"}, "Other.good"),
    ]
    for seed in range(10):
        assert irrelevant_answer(tools[0], tools, seed=seed) == good_answer(tools[4], {}, seed=seed)


def test_irrelevant_answers_where_there_is_no_other_toolkit() -> None:
    two = [templated({"a": "int"}, "Mine.one"), templated({"b": "int"}, "Mine.two")]
    assert irrelevant_answer(two[0], two, seed=7) == good_answer(two[1], {}, seed=7)
    assert "tides" in json.dumps(irrelevant_answer(two[0], two[:1], seed=7))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["toolbench_g1", "sealtools", "livemcp", "metatool_toole"])
def test_good_answers_of_real_catalogues_are_read_as_such(data_dir: Path, name: str) -> None:
    catalog = Catalog.from_path(data_dir / name / "corpus.jsonl")
    misread = []
    for each in catalog:
        answer = read_answer("GET", 200, "", json.dumps(good_answer(each, {}, seed=7)))
        if classify(answer, each, {}).status != "succeeded":
            misread.append(each.tool_id)
    assert len(misread) <= 0.01 * len(catalog), misread
