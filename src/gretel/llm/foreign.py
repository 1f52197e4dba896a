"""A stranger's schema as a model may be held to it: sound, of bounded size, and with bounds."""

import json
import re

import jsonschema_rs

from gretel.contracts.record import JsonObject, JsonValue

MAX_DEPTH = 4
MAX_PROPERTIES = 40
"""Of one object; what is required stands in front."""
MAX_ENUM = 100
MAX_BRANCHES = 6
MAX_SCHEMA_CHARS = 8_000
"""Of one schema as JSON; a larger one is reduced to its outer shape."""
MAX_LEAST = 50
"""What a lower bound may ask for: a larger one would have a model fill pages."""

_PLAIN = ("type", "const", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_SIMPLE_PATTERN = re.compile(r"\^(?:[\w \-./:,@#]|\[[\w\-. ]+\]|\{\d{1,2}(?:,\d{1,2})?\}|[?+*])+\$")
"""Patterns that any grammar takes: classes, literals and counts, from end to end."""


def bounded(schema: JsonValue, *, chars: int, items: int) -> JsonObject:
    """The schema with what bounds a reply, without what is unsound, foreign or too large.

    It may admit more than the schema does, and less only where texts and lists are longer than
    the bounds: what comes back is checked against the schema itself.

    Args:
        schema: of an argument or a response, from a document; anything that is none bounds nothing.
        chars: most characters of a text.
        items: most items of a list.
    """
    for depth in range(MAX_DEPTH, -1, -1):
        reduced = _Reducing(chars, items).reduced(schema, depth)
        if len(json.dumps(reduced)) <= MAX_SCHEMA_CHARS:
            return reduced if jsonschema_rs.meta.is_valid(reduced) else {}
    return {}


class _Reducing:
    """One schema under way, with its bounds."""

    def __init__(self, chars: int, items: int) -> None:
        self._chars = chars
        self._items = items

    def reduced(self, schema: JsonValue, depth: int) -> JsonObject:
        """The schema to a depth; `{}` for what lies deeper, or is said in other ways."""
        if not isinstance(schema, dict) or depth < 0 or "$ref" in schema or "allOf" in schema:
            return {}
        branches = schema.get("anyOf", schema.get("oneOf"))
        if isinstance(branches, list):
            return self._union(branches, depth)
        kept = {key: schema[key] for key in _PLAIN if key in schema}
        listed = schema.get("enum")
        if isinstance(listed, list) and 0 < len(listed) <= MAX_ENUM:
            return {**kept, "enum": listed}
        kinds = schema.get("type")
        for kind in kinds if isinstance(kinds, list) else [kinds]:
            kept |= self._of_kind(kind, schema, depth)
        return kept

    def _union(self, branches: list[JsonValue], depth: int) -> JsonObject:
        said = [self.reduced(branch, depth - 1) for branch in branches[: MAX_BRANCHES + 1]]
        whole = 0 < len(said) <= MAX_BRANCHES and all(said)
        return {"anyOf": [*said]} if whole else {}

    def _of_kind(self, kind: JsonValue, schema: JsonObject, depth: int) -> JsonObject:
        if kind == "string":
            return self._text(schema)
        if kind == "array":
            least = min(_count(schema, "minItems", 0), self._items)
            most = min(_count(schema, "maxItems", self._items), self._items)
            inner = self.reduced(schema.get("items"), depth - 1)
            bounds: JsonObject = {"minItems": least} if least else {}
            return {"items": inner, **bounds, "maxItems": max(least, most)}
        return self._object(schema, depth) if kind == "object" else {}

    def _text(self, schema: JsonObject) -> JsonObject:
        most = min(_count(schema, "maxLength", self._chars), self._chars)
        least = min(_count(schema, "minLength", 0), MAX_LEAST, most)
        pattern = schema.get("pattern")
        said: JsonObject = {"maxLength": most}
        if least:
            said["minLength"] = least
        if isinstance(pattern, str) and len(pattern) < 100 and _SIMPLE_PATTERN.fullmatch(pattern):
            said["pattern"] = pattern
        return said

    def _object(self, schema: JsonObject, depth: int) -> JsonObject:
        given, named = schema.get("properties"), schema.get("required")
        if not isinstance(given, dict) or not given or depth < 1:
            return {}
        required = [name for name in named if name in given] if isinstance(named, list) else []
        names = list(dict.fromkeys([*map(str, required), *given]))[:MAX_PROPERTIES]
        closed = schema.get("additionalProperties") is False or len(names) == len(given)
        return {
            "properties": {name: self.reduced(given[name], depth - 1) for name in names},
            "required": [name for name in names if name in required],
            **({"additionalProperties": False} if closed else {}),
        }


def _count(schema: JsonObject, key: str, usual: int) -> int:
    value = schema.get(key)
    return value if isinstance(value, int) and value >= 0 else usual
