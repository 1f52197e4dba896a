"""What a call means that did not go over HTTP: a value, or an error."""

from typing import Any

import pytest

from fakes import param, tool
from gretel.catalog import Catalog
from gretel.contracts.trial import Argument, CallPlan
from gretel.sandbox.answers.results import answered, raised

FILES = tool("files.read_files", params=(param("path"), param("head", "integer")))
TASKS = tool("todo.list_tasks", params=(param("limit", "integer"),))
WORDS = Catalog.from_tools([FILES, TASKS]).vocabulary


def plan(asked: Any, source: Any = "request", **values: Any) -> CallPlan:
    arguments = {name: Argument(value=value, source=source) for name, value in values.items()}
    return CallPlan(tool_id=asked.tool_id, arguments=arguments)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"content": "No matches found"}, "empty"),
        ({"result": "Error: the disk is full"}, "error_in_body"),
        ({"content": "/srv/a: Error - Access denied"}, "rejected_arguments"),
        ({"results": [{"path": "/a", "success": False, "error": "no such"}] * 2}, "failed"),
        ({"results": [{"success": False, "error": "no"}, {"success": True}]}, "succeeded"),
        ({"content": '{"club": "Fjord", "rent": 85}'}, "succeeded"),
        ({"content": "Bean salad for 4"}, "succeeded"),
        (
            {"result": [{"type": "text", "text": '{"rows": [], "error": "Unsupported client"}'}]},
            "failed",
        ),
        ({"result": [{"type": "text", "text": '{"rows": [7]}'}]}, "succeeded"),
        ("", "empty"),
        ("Unknown tool: read_files", "drift"),
    ],
)
def test_the_text_that_a_server_wraps_is_read(value: Any, expected: str) -> None:
    outcome = answered(FILES, plan(FILES, path="/srv/a"), value, 1.0, vocabulary=WORDS).outcome
    assert expected in {outcome.status, outcome.failure.kind if outcome.failure else ""}


@pytest.mark.parametrize("value", [{"result": []}, [], {"result": "No tasks found."}])
def test_a_list_without_items_says_that_there_are_none(value: Any) -> None:
    outcome = answered(TASKS, plan(TASKS, limit=5), value, 1.0, vocabulary=WORDS).outcome
    assert (outcome.status, outcome.failure, outcome.says_none) == ("succeeded", None, True)


@pytest.mark.parametrize(
    ("words", "none"),
    [
        ("No owed threads found.", True),
        ("There are no threads yet.", True),
        ("No owed thread found", False),  # that of one
        ("No labels found.", False),  # nothing that the tool speaks of
    ],
)
def test_words_may_say_that_of_several_things_there_are_none(words: str, none: bool) -> None:
    pending = tool("mail.pending", "Threads that wait for an answer.", params=(param("older"),))
    outcome = answered(pending, plan(pending), words, 1.0, vocabulary=WORDS).outcome
    assert (outcome.status, outcome.says_none) == (("succeeded" if none else "empty"), none)
    narrowed = answered(pending, plan(pending, older="2w"), words, 1.0, vocabulary=WORDS).outcome
    assert narrowed.status == "empty"


def test_only_what_somebody_named_narrows() -> None:
    named, assumed = plan(FILES, path="/srv"), plan(FILES, "default", path="/srv")
    assert answered(FILES, named, [], 1.0, vocabulary=WORDS).outcome.status == "empty"
    assert answered(FILES, assumed, [], 1.0, vocabulary=WORDS).outcome.status == "succeeded"


def test_a_path_that_the_context_fills_names_nothing() -> None:
    zones = tool("dns.list_zones", params=(param("server", location="path"), param("name")))
    for source in ("request", "message", "model"):
        assert plan(zones, source, server="localhost", name="a").named(zones) == {"server", "name"}
    assert plan(zones, "context", server="localhost", name="a").named(zones) == {"name"}
    for source in ("enum", "default", "example"):
        assert plan(zones, source, server="localhost", name="a").named(zones) == frozenset()


@pytest.mark.parametrize(
    ("words", "kind", "fault", "fields"),
    [
        ("the station is on fire", "server_error", "tool", ()),
        (
            "Access denied - outside of the allowed folders: /srv/a",
            "rejected_arguments",
            "request",
            ("path",),
        ),
        (
            "ENOENT: no such file or directory, open '/srv/a'",
            "rejected_arguments",
            "request",
            ("path",),
        ),
        ("Access denied", "permission", "tool", ()),
        ("Path not found", "rejected_arguments", "request", ("path",)),
        ("Authorization header required", "auth", "tool", ()),
    ],
)
def test_an_error_that_names_our_value_is_ours(
    words: str, kind: str, fault: str, fields: Any
) -> None:
    failure = raised(FILES, plan(FILES, path="/srv/a"), words, 1.0).outcome.failure
    assert failure is not None
    assert (failure.kind, failure.fault, failure.fields) == (kind, fault, fields)


@pytest.mark.parametrize(
    ("words", "kind", "fields", "told"),
    [
        (
            '{"error": true, "operation": "bad", "message": "Pass `line_numbers` or a range."}',
            "rejected_arguments",
            ("line_numbers",),
            "lacks line_numbers: Pass",
        ),
        (
            "Give `line_numbers`, too.",
            "rejected_arguments",
            ("line_numbers",),
            "lacks line_numbers: Give",
        ),
        ('{"error": true, "message": "Nobody is home"}', "error_in_body", (), "reports Nobody"),
        ("line_numbers: rate limit exceeded", "rate_limit", (), "rate limit"),
    ],
)
def test_an_error_names_what_the_call_left_out(
    words: str, kind: str, fields: tuple[str, ...], told: str
) -> None:
    lines = tool("files.read_lines", params=(param("path"), param("line_numbers", "array")))
    made = raised(lines, plan(lines, path="/srv/a"), words, 1.0, kind="error_in_body").outcome
    assert made.failure is not None
    assert (made.failure.kind, made.failure.fields) == (kind, fields)
    assert told in made.failure.detail
