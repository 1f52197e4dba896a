"""Schemas that admit only right answers: strict mode, and schemas of strangers held in bounds."""

import json
from typing import Any

import jsonschema_rs
import pytest
from adding import MESSAGES

from gretel.contracts.record import JsonObject
from gretel.llm.foreign import MAX_SCHEMA_CHARS, bounded
from gretel.llm.model import StructuredModel
from gretel.llm.strict import strict, without_nulls
from llm_server import LlmServer, good, strict_problem

WIDE: JsonObject = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 20, "pattern": "^[a-z]+$"},
        "kind": {"enum": ["a", "b"]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        "at": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
        "box": {"type": "object", "properties": {"w": {"type": "number", "minimum": 0}}},
        "one": {"const": 1},
    },
    "required": ["name", "at"],
    "additionalProperties": False,
}


def test_strict_mode_gets_only_what_it_takes() -> None:
    said = strict(WIDE)

    assert said is not None
    assert strict_problem(said) is None
    whole = {"name": "x", "kind": None, "tags": None, "at": None, "box": {"w": None}, "one": None}
    assert jsonschema_rs.is_valid(said, whole)
    assert without_nulls(whole, WIDE) == {"name": "x", "at": None, "box": {}}
    assert jsonschema_rs.is_valid(WIDE, without_nulls(whole, WIDE))


@pytest.mark.parametrize(
    "part",
    [
        {},
        {"type": "object"},
        {"type": "array"},
        {"type": "array", "items": {}},
        {"anyOf": [{"type": "string"}, {"type": "object"}]},
    ],
)
def test_what_has_no_shape_cannot_be_said_in_strict_mode(part: JsonObject) -> None:
    assert strict({"type": "object", "properties": {"part": part}}) is None


def nested(depth: int) -> JsonObject:
    inner: JsonObject = {"type": "string"}
    for _ in range(depth):
        inner = {"type": "object", "properties": {"in": inner}, "required": ["in"]}
    return inner


FOREIGN: dict[str, Any] = {
    "none": None,
    "true": True,
    "no type": {"type": "int"},
    "two types": {"type": ["string", "null"], "maxLength": 5},
    "a list of nothing": {"type": ["string", 7]},
    "a length in words": {"type": "string", "maxLength": "ten"},
    "pages": {"type": "string", "minLength": 10**9},
    "a million items": {"type": "array", "minItems": 10**6, "items": {"type": "string"}},
    "a bomb of a pattern": {"type": "string", "pattern": "^(a+)+$"},
    "a broken pattern": {"type": "string", "pattern": "^[a-"},
    "a count of a million": {"type": "string", "pattern": "^a{1000000}$"},
    "deep": nested(60),
    "wide": {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(5_000)}},
    "a large enum": {"type": "string", "enum": [f"value {i}" for i in range(5_000)]},
    "long values": {"type": "string", "enum": ["x" * 10**6]},
    "required but unknown": {"type": "object", "properties": {"a": {}}, "required": ["b", 7]},
    "a reference": {"$ref": "#/elsewhere"},
    "union of references": {"anyOf": [{"$ref": "#/a"}, {"type": "string"}]},
    "crossed bounds": {"type": "array", "minItems": 9, "maxItems": 2, "items": {"type": "string"}},
    "true items": {"type": "array", "items": True},
}


@pytest.mark.parametrize("schema", FOREIGN.values(), ids=FOREIGN)
def test_a_strangers_schema_is_sound_and_of_bounded_size(schema: Any) -> None:
    found = bounded(schema, chars=100, items=4)

    assert jsonschema_rs.meta.is_valid(found)
    assert len(json.dumps(found)) <= MAX_SCHEMA_CHARS
    assert '"$ref"' not in json.dumps(found)
    assert _largest(found) <= 100


def _largest(schema: Any) -> int:
    """The largest bound of a text or a list anywhere in it."""
    if isinstance(schema, list):
        return max(map(_largest, schema), default=0)
    if not isinstance(schema, dict):
        return 0
    own = [schema[key] for key in ("maxLength", "minLength", "minItems") if key in schema]
    return max([*own, *map(_largest, schema.values())], default=0)


def test_what_bounds_a_value_stays() -> None:
    found = bounded(WIDE, chars=100, items=2)

    assert found["required"] == ["name", "at"]
    parts: Any = found["properties"]
    assert parts["name"] == {"type": "string", "maxLength": 20, "pattern": "^[a-z]+$"}
    assert parts["kind"] == {"enum": ["a", "b"]}
    assert (parts["tags"]["maxItems"], parts["tags"]["items"]["maxLength"]) == (2, 100)
    assert parts["box"]["properties"]["w"] == {"type": "number", "minimum": 0}


async def asks(model: StructuredModel, step: str, schema: JsonObject) -> JsonObject:
    return await model.reply(MESSAGES, schema, lambda reply: reply, step=step)


PLAIN: JsonObject = {
    "type": "object",
    "properties": {"sum": {"type": "integer"}},
    "required": ["sum"],
    "additionalProperties": False,
}
SHAPELESS: JsonObject = {"type": "object", "properties": {"body": {}}, "required": ["body"]}


async def test_strict_mode_is_found_once_for_each_step_that_needs_it(llm: LlmServer) -> None:
    llm.strict_mode = True
    llm.script("plain", good({"sum": 2}))
    llm.script("wide", good({"name": "x", "at": None, "kind": None}))
    model = llm.model()

    for _ in range(2):
        assert await asks(model, "plain", PLAIN) == {"sum": 2}
        assert await asks(model, "wide", WIDE) == {"name": "x", "at": None}

    assert len(llm.rejected) == 1
    assert all(call.body["response_format"]["json_schema"]["strict"] for call in llm.requests)
    assert [strict_problem(call.schema) for call in llm.requests] == [None] * 4
    await model.aclose()


async def test_a_schema_without_a_shape_is_a_hint_in_strict_mode(llm: LlmServer) -> None:
    llm.strict_mode = True
    llm.script("any", good({"body": [1]}))
    model = llm.model()

    assert await asks(model, "any", SHAPELESS) == {"body": [1]}

    (call,) = llm.requests
    assert call.body["response_format"]["json_schema"]["strict"] is False
    await model.aclose()


async def test_bounds_are_kept_where_the_endpoint_takes_them(llm: LlmServer) -> None:
    llm.script("wide", good({"name": "x", "at": None}))
    model = llm.model()

    await asks(model, "wide", WIDE)

    assert llm.requests[0].schema["properties"]["name"]["maxLength"] == 20
    assert model.form == "a JSON Schema with all its bounds, cap by max_tokens"
    await model.aclose()


async def test_a_schema_that_one_question_breaks_on_is_lessened_for_it_alone(
    llm: LlmServer,
) -> None:
    from llm_server import Call, Reply, status

    def grammar(call: Call) -> Reply:
        form = call.body.get("response_format", {}).get("type")
        broken = "odd" in str(call.body["messages"]) and form == "json_schema"
        return status(400, "failed to parse grammar") if broken else good({"sum": 2})

    llm.script("plain", grammar)
    model = llm.model()
    odd = [MESSAGES[0].model_copy(update={"content": "odd"}), *MESSAGES[1:]]

    await asks(model, "plain", PLAIN)
    assert await model.reply(odd, PLAIN, lambda reply: reply, step="plain") == {"sum": 2}
    await asks(model, "plain", PLAIN)

    forms = [call.body["response_format"]["type"] for call in llm.requests]
    assert forms == ["json_schema", *["json_schema"] * 2, "json_object", "json_schema"]
    await model.aclose()
