"""What kind of value a parameter expects."""

import pytest

from fakes import keyed, param, tool
from gretel.nodes.plan.slots.slot_kind import slot_kind
from gretel.nodes.plan.slots.slots import tool_slots


@pytest.mark.parametrize(
    ("name", "schema", "description", "kind"),
    [
        ("from", {"type": "string", "pattern": "^[A-Z]{3}$"}, "", "airport"),
        ("origin", {"type": "string"}, "IATA code", "airport"),
        ("origin", {"type": "string"}, "Where to start", "place"),
        ("departure_city", {"type": "string"}, "", "place"),
        ("departure_date", {"type": "string"}, "", "date"),
        ("day", {"type": "string"}, "Day of travel, YYYY-MM-DD", "date"),
        ("start", {"type": "string", "format": "date-time"}, "", "date"),
        ("since", {"type": "integer"}, "Unix timestamp", "date"),
        ("time_period", {"type": "string"}, "e.g. last month", "text"),
        ("year", {"type": "integer"}, "", "year"),
        ("currency", {"type": "string"}, "", "currency"),
        ("base", {"enum": ["USD", "EUR"]}, "", "currency"),
        ("destination", {"enum": ["NYC", "LON"]}, "", "airport"),
        ("cabin", {"enum": ["economy", "first"]}, "", "enum"),
        ("kind", {"type": "string", "pattern": "^(red|blue)$"}, "", "enum"),
        ("lat", {"type": "number"}, "", "latitude"),
        ("user_id", {"type": "string"}, "", "id"),
        ("flight_number", {"type": "string"}, "", "id"),
        ("q", {"type": "string"}, "", "query"),
        ("email", {"type": "string"}, "", "email"),
        ("direct", {"type": "boolean"}, "", "boolean"),
        ("lang", {"type": "string"}, "", "language"),
        ("country_code", {"type": "string"}, "", "country"),
        ("anything", {}, "", "text"),
    ],
)
def test_kind_of_a_leaf(name: str, schema: dict[str, object], description: str, kind: str) -> None:
    assert slot_kind(name, schema, description, ()) == kind  # type: ignore[arg-type]


def test_nested_objects_are_opened() -> None:
    schema = {
        "type": "object",
        "required": ["start"],
        "properties": {
            "start": {"type": "string", "format": "date"},
            "guests": {"type": "array", "items": {"properties": {"name": {"type": "string"}}}},
        },
    }
    booking = tool("Inn.book", params=[param("stay", schema, required=True)])
    slots = {slot.path: slot for slot in tool_slots(booking)}
    assert list(slots) == [("stay", "start"), ("stay", "guests", "[]", "name")]
    assert slots["stay", "start"].required
    assert not slots["stay", "guests", "[]", "name"].required


def test_examples_are_read_off_a_description() -> None:
    doneness = param("doneness", description="How done (e.g., rare, well-done)")
    cook = tool("Kitchen.cook", params=[doneness])
    assert tool_slots(cook)[0].examples == ("rare", "well-done")


def test_credentials_are_no_slots() -> None:
    secured = tool("Vault.read", params=["api_key", "name"], binding=keyed("api_key"))
    assert [slot.name for slot in tool_slots(secured)] == ["name"]
