"""Schemas of strangers that take for ever to hold a value against."""

import json
import subprocess
import sys
from typing import Any

import pytest

from gretel.contracts.record import JsonObject, JsonValue
from gretel.validation import SchemaCheck

LEVELS = 40
ROUND: dict[str, Any] = {
    "anyOf": lambda inner: {"anyOf": [inner], "unevaluatedProperties": False},
    "allOf": lambda inner: {"allOf": [inner], "unevaluatedProperties": {"type": "string"}},
    "oneOf": lambda inner: {"oneOf": [inner], "unevaluatedProperties": False},
    "if": lambda inner: {"if": inner, "then": True, "unevaluatedProperties": False},
    "items": lambda inner: {"anyOf": [inner], "unevaluatedItems": False},
}
CHECKED = "import json, sys; from gretel.validation import SchemaCheck; "
"""In a process of its own: nothing ends a validator that does not end."""


@pytest.mark.parametrize("name", ROUND)
def test_what_is_looked_for_twice_at_each_level_ends(name: str) -> None:
    schema: Any = {"properties": {"a": True}} if name != "items" else {"items": True}
    for _ in range(LEVELS):
        schema = ROUND[name](schema)
    value = [1] if name == "items" else {"a": "x"}
    command = (
        CHECKED + "print(SchemaCheck(json.loads(sys.argv[1])).errors(json.loads(sys.argv[2])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", command, json.dumps(schema), json.dumps(value)],
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip() == b"[]"


def test_a_field_and_a_value_may_have_that_name() -> None:
    field = {"unevaluatedItems": {"type": "integer"}}
    schema = {
        "properties": {**field, "kind": {"enum": [field]}},
        "additionalProperties": False,
        "unevaluatedProperties": False,
    }
    check = SchemaCheck(schema)
    assert not check.errors({"unevaluatedItems": 1, "kind": field})
    assert check.errors({"unevaluatedItems": "x"})
    assert check.errors({"kind": {}})


TEXT = "\u00e9" * 500_000
LENGTHS: dict[str, tuple[Any, Any]] = {
    "of a text": ({"allOf": [{"maxLength": 5} for _ in range(4_000)]}, TEXT),
    "of a name": (
        {"allOf": [{"propertyNames": {"minLength": 2, "maxLength": 5}} for _ in range(2_000)]},
        {TEXT: 1},
    ),
}
"""Each is counted sign by sign, again and again, in one call that holds the interpreter."""


@pytest.mark.parametrize("name", LENGTHS)
def test_a_long_text_is_not_counted_thousands_of_times(name: str) -> None:
    schema, value = LENGTHS[name]
    assert not SchemaCheck(schema).errors(value)
    short: JsonValue = "long enough" if isinstance(value, str) else {"long enough": 1}
    assert SchemaCheck(schema).errors(short)


def test_a_long_member_is_not_said_for_each_branch() -> None:
    schema: JsonObject = {"allOf": [{"const": "x" * 100_000} for _ in range(60)]}
    (wrong,) = SchemaCheck(schema).errors("y" * 100_000)
    assert wrong.kind is None
    assert len(SchemaCheck({"allOf": [{"const": "x"}] * 60}).errors("y")) == 60
