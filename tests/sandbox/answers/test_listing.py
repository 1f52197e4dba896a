"""Kinds of emptiness: there are none, or none of what was named."""

import pytest
from sandbox_runs import judged

from fakes import param, tool
from gretel.contracts.tool import HttpBinding, Response
from gretel.sandbox.answers.answer import read_answer
from gretel.sandbox.answers.classify import classify
from gretel.sandbox.answers.verdict import Verdict

KERNELS = tool(
    "jupyter.list_kernels",
    params=(param("limit"), param("name"), param("include_idle", "boolean")),
    binding=HttpBinding(method="GET", path="/api/kernels", servers=("http://127.0.0.1:9",)),
)


@pytest.mark.parametrize(
    "body",
    [
        *([], {"kernels": []}, {"total": 0, "items": []}, {"data": {"list": [], "total": 0}}),
        *({}, None, "No kernels found.", '{"kernels": [], "links": [{"href": "/"}]}'),
    ],
)
@pytest.mark.parametrize(
    "arguments", [{}, {"limit": 5}, {"include_idle": True}, {"limit": 5, "include_idle": False}]
)
def test_an_empty_list_that_nobody_filtered_says_that_there_are_none(body, arguments):
    text = "text/plain" if isinstance(body, str) and body[0] != "{" else "application/json"
    assert judged(KERNELS, body, kind=text, **arguments) == Verdict("succeeded", says_none=True)


def test_an_empty_list_of_what_somebody_named_is_empty():
    verdict = judged(KERNELS, [], name="prod", limit=5)
    assert verdict.status == "empty" and verdict.says_none, "of these there are none"
    assert not judged(KERNELS, {}, name="prod").says_none, "no list"
    assert not judged(KERNELS, {"detail": "Not found."}, 404, name="prod").says_none
    assert verdict.failure is not None and verdict.failure.fields == ("name",)
    answer = read_answer("GET", 200, "application/json", "[]")
    assert classify(answer, KERNELS, {"name": "prod"}, named=()).says_none, "nobody named it"


@pytest.mark.parametrize("body", [{"name": None}, {"status": "ok", "data": None}, ""])
def test_what_is_no_list_is_empty(body):
    assert judged(tool("air.get_weather"), body).status == "empty"


def test_what_the_server_assumes_anyway_narrows_nothing():
    asked = tool(
        "air.list_gates",
        params=(
            param("zone", {"default": "all"}),
            param("kind", {"enum": ["gate"]}),
        ),
    )
    assert judged(asked, [], zone="all", kind="gate").status == "succeeded"
    assert judged(asked, [], zone="west").status == "empty"


SHEETS = tool(
    "sheets.getText",
    params=(param("sheetID"), param("rev"), param("name")),
    binding=HttpBinding(method="GET", path="/getText", servers=("http://127.0.0.1:9",)),
)


@pytest.mark.parametrize(
    ("words", "lacking"),
    [
        ("sheetID is not a string", ("sheetID",)),
        ("sheetID does not exist", ("sheetID",)),
        ("name is required", ("name",)),
        ("rev is not defined", ("rev",)),
        ("no such name", ()),
        ("sheetIDs are short", ()),
    ],
)
def test_an_error_that_names_what_was_left_out_says_what_a_call_lacks(words, lacking):
    verdict = judged(SHEETS, {"code": 1, "message": words, "data": None})
    found = verdict.failure
    assert found is not None
    assert (found.fields if found.kind == "rejected_arguments" else ()) == lacking
    assert not lacking or (verdict.status, found.fault) == ("failed", "request")


def test_what_was_sent_is_not_lacking():
    verdict = judged(SHEETS, {"code": 1, "message": "sheetID does not exist"}, sheetID="order")
    assert verdict.status == "empty"


@pytest.mark.parametrize(("example", "status"), [(True, "succeeded"), (False, "empty")])
def test_an_answer_without_data_is_one_where_the_document_shows_it(example, status):
    data = {"type": "object", **({"examples": [None]} if example else {})}
    schema = {"type": "object", "properties": {"code": {"type": "integer"}, "data": data}}
    asked = SHEETS.model_copy(
        update={"operation": "checkToken", "response": Response(json_schema=schema)}
    )
    assert judged(asked, {"code": 0, "message": "ok", "data": None}).status == status
