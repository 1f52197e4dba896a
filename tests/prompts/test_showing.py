"""How records are written into prompts."""

import json

from fakes import keyed, param, tool
from gretel.contracts.ranking import Message, Request
from gretel.contracts.record import JsonObject
from gretel.prompts.showing import conversation, short_schema, tool_text


def test_a_tool_shows_its_required_parameters_first() -> None:
    shown = json.loads(
        tool_text(
            tool(
                "Kayak.search",
                "Search\u200b flights.",
                params=[
                    param("cabin", {"enum": ["economy"]}, description="Cabin."),
                    param("to", required=True, examples=("JFK",)),
                ],
            )
        )
    )

    assert (shown["toolkit"], shown["operation"]) == ("Kayak", "search")
    assert shown["description"] == "Search flights."
    to, cabin = shown["parameters"]
    assert to == {
        "name": "to",
        "required": True,
        "schema": {"type": "string"},
        "examples": ['"JFK"'],
    }
    assert cabin["schema"] == {"enum": ["economy"]}


def test_credentials_are_not_shown() -> None:
    text = tool_text(tool("Vault.read", params=["api_key", "name"], binding=keyed("api_key")))

    assert [shown["name"] for shown in json.loads(text)["parameters"]] == ["name"]


def test_many_optional_parameters_leave_room_for_the_required() -> None:
    many = [param(f"optional{i}", description="x" * 300) for i in range(200)]
    text = tool_text(tool("A.b", params=[*many, param("needed", required=True)]))

    shown = json.loads(text)
    assert len(text) < 24_000
    assert shown["parameters"][0]["name"] == "needed"
    assert len(shown["parameters"]) + shown["optional_parameters_left_out"] == 201


def test_a_short_schema_stays_as_it_is() -> None:
    schema: JsonObject = {"type": "string", "x-note": "kept"}

    assert short_schema(schema) is schema


def test_a_long_schema_keeps_its_shape() -> None:
    leaf: JsonObject = {"type": "string", "format": "date", "description": "x" * 500}
    schema: JsonObject = {
        "type": "object",
        "required": ["day"],
        "properties": {"day": leaf, "days": {"type": "array", "items": leaf, "title": "x" * 2_000}},
    }

    assert short_schema(schema) == {
        "type": "object",
        "required": ["day"],
        "properties": {
            "day": {"type": "string", "format": "date"},
            "days": {"type": "array", "items": {"type": "string", "format": "date"}},
        },
    }


def test_the_latest_turns_are_shown_in_their_order() -> None:
    turns = [Message(role="user", content=f"turn {i} " + "x" * 900) for i in range(20)]
    last = Message(role="assistant", content="Where\nto?")
    lines = conversation(Request(text="x", messages=(*turns, last), today="2026-11-20")).split("\n")

    assert lines[-1] == "assistant: Where to?"
    assert lines[-2].startswith("user: turn 19 ")
    assert sum(len(line) + 1 for line in lines) <= 6_002
    assert 5 < len(lines) < 9


def test_no_conversation_is_no_text() -> None:
    assert conversation(Request(text="x", today="2026-11-20")) == ""


def test_of_required_parameters_without_end_the_names_are_shown() -> None:
    docs = [param(f"p{n}", required=True, description="d" * 400) for n in range(1_900)]
    shown = json.loads(tool_text(tool("A.b", params=docs)))["parameters"]
    assert [each["name"] for each in shown] == [each.name for each in docs]
    assert "description" in shown[0] and shown[-1] == {"name": "p1899", "required": True}
