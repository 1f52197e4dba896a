"""From text to JSON, without a model."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gretel.contracts.record import JsonObject
from gretel.llm import reading
from gretel.llm.asking import Answer
from gretel.llm.model import _Rule
from gretel.llm.reading import MAX_VALUES, problems, read_object
from gretel.validation import SchemaCheck

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), JSON, max_size=4), st.sampled_from(["{}", "```json\n{}\n```"]))
def test_whatever_was_written_is_read(value: JsonObject, frame: str) -> None:
    text = json.dumps(value)
    if "```" not in text:
        assert read_object(frame.replace("{}", text)) == value


@given(st.text())
def test_any_other_text_is_a_value_error_or_an_object(text: str) -> None:
    try:
        value = read_object(text)
    except ValueError:
        return
    assert isinstance(value, dict)


@pytest.mark.parametrize(
    "text",
    ["{" * 100_000, '{"a": 1e999}', '{"a": -Infinity}', '{"a": ' + "9" * 25 + "}", "{a: 1}"],
)
def test_what_cannot_be_stored_is_no_reply(text: str) -> None:
    with pytest.raises(ValueError, match=r"^(the reply|a number|-?Infinity)"):
        read_object(text)


def test_lone_surrogates_become_question_marks() -> None:
    assert read_object('{"a\\udfff": ["\\ud800x", "\\ud83d\\ude00"]}') == {"a?": ["?x", "😀"]}


def test_problems_are_few_and_short() -> None:
    schema: JsonObject = {"type": "array", "items": {"type": "integer"}}

    said = problems(schema, ["x" * 1_000] * 100)

    assert said.count(";") == 4
    assert len(said) < 1_100
    assert said.startswith('0: "xxx')


@pytest.mark.parametrize(
    "schema",
    [{"type": "nonsense"}, {"$ref": "http://127.0.0.1:9/x"}, {"$ref": "file:///etc/passwd"}],
)
def test_an_unusable_schema_allows_everything(schema: JsonObject) -> None:
    assert problems(schema, 1) == ""


def test_a_hostile_pattern_does_not_hang() -> None:
    schema: JsonObject = {"type": "string", "pattern": "^(a+)+$"}

    assert problems(schema, "a" * 50_000 + "!")


def test_no_long_schema_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def noted(schema: JsonObject, **options: Any) -> SchemaCheck:
        made.append(len(str(schema)))
        return SchemaCheck(schema, **options)

    monkeypatch.setattr(reading, "SchemaCheck", noted)
    for schema in ({"const": "short"}, {"const": "l" * 60_000}):
        assert problems(schema, 1) and problems(schema, 1)
    assert len(made) == 3


MANY: dict[str, Any] = {
    "in a list": {"a": [0] * MAX_VALUES},
    "in an object": {str(number): "" for number in range(MAX_VALUES + 1)},
    "in lists of lists": {"a": [[[]] * 50] * 50},
    "empty ones": {"a": [{}] * MAX_VALUES},
}


@pytest.mark.parametrize("name", MANY)
def test_many_small_values_are_no_reply(name: str) -> None:
    with pytest.raises(ValueError, match=f"more than {MAX_VALUES:,} values"):
        read_object(json.dumps(MANY[name]))


def test_as_many_as_may_be_are_read() -> None:
    most: Any = {"a": [0] * (MAX_VALUES - 1)}
    assert read_object(json.dumps(most)) == most


@pytest.mark.parametrize("name", MANY)
def test_a_tool_call_of_many_values_is_not_even_written(name: str) -> None:
    answer = Answer("", parsed=MANY[name])
    with pytest.raises(ValueError, match=f"more than {MAX_VALUES:,} values"):
        _Rule({}, {}, len).applied(answer)
    assert answer.written() == ""
