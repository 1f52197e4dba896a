"""How long a reply may be: from what its schema admits."""

import json

from gretel.contracts.record import JsonObject, JsonValue

CHARS_PER_TOKEN = 3
"""Of JSON; prose has more."""
FLOOR = 128
"""Tokens that every reply may have: small ones come with blanks, a code fence, a word before."""
USUAL_CHARS = 80
"""Of a text; one of them may be as long as the schema allows."""
LONGEST_CHARS = 1_000
USUAL_ITEMS = 5
SHAPELESS = 200
"""Tokens of a value of which nothing is known."""
_MARKS = 4
"""Tokens around a value: quotes, comma, line feed, indent."""


def reply_tokens(schema: JsonObject) -> int:
    """The cap for a reply of this schema, at least `FLOOR`.

    All members with a text of usual length each, and one text that is as long as it may be: a
    model that fills more than that rambles.
    """
    chars = max(0, _longest(schema) - USUAL_CHARS)
    return max(FLOOR, _usual(schema) + chars // CHARS_PER_TOKEN)


def _usual(schema: JsonValue) -> int:
    if not isinstance(schema, dict):
        return SHAPELESS
    listed, branches, parts = (schema.get(key) for key in ("enum", "anyOf", "properties"))
    if isinstance(listed, list):
        return max((_tokens(json.dumps(each)) for each in listed), default=0) + _MARKS
    if isinstance(branches, list):
        return max(map(_usual, branches), default=SHAPELESS)
    if isinstance(parts, dict):
        return _MARKS + sum(_tokens(name) + _MARKS + _usual(part) for name, part in parts.items())
    return _of_kind(schema)


def _of_kind(schema: JsonObject) -> int:
    kind = schema.get("type")
    if kind == "string":
        return (
            min(_bound(schema, "maxLength", USUAL_CHARS), USUAL_CHARS) // CHARS_PER_TOKEN + _MARKS
        )
    if kind == "array":
        return _MARKS + _bound(schema, "maxItems", USUAL_ITEMS) * _usual(schema.get("items"))
    return 2 * _MARKS if kind in ("integer", "number", "boolean", "null") else SHAPELESS


def _longest(schema: JsonValue) -> int:
    """Characters of the longest text that a schema admits."""
    if isinstance(schema, list):
        return max(map(_longest, schema), default=0)
    if not isinstance(schema, dict) or "enum" in schema:
        return 0
    parts = schema.get("properties")
    inner = [*parts.values()] if isinstance(parts, dict) else []
    within = _longest([*inner, schema.get("items"), schema.get("anyOf")])
    own = _bound(schema, "maxLength", LONGEST_CHARS) if schema.get("type") == "string" else 0
    return max(within, min(own, LONGEST_CHARS))


def _bound(schema: JsonObject, key: str, usual: int) -> int:
    value = schema.get(key)
    return value if isinstance(value, int) else usual


def _tokens(text: str) -> int:
    return len(text) // CHARS_PER_TOKEN + 1
