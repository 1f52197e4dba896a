"""Results of an MCP server, as they came."""

from itertools import islice
from typing import Any

from gretel.catalog.document import as_list, as_object
from gretel.contracts.record import JsonObject, JsonValue

_WHOLE = "gretel/whole"
_LISTS = ("tools", "content")
"""What a listing, or an answer, has most of."""
_FEW = 20
"""Plain values of a result that its client reads; a cursor is one, and the mark of an error."""
_LEVELS = 3
"""Of a result without such a list: capabilities have what they can do, each with its options."""


def value_of(result: JsonObject) -> JsonValue:
    """What an MCP result says: its structured content, else its texts, else its blocks."""
    structured = result.get("structuredContent")
    if structured is not None and not result.get("isError"):
        return structured
    blocks = [as_object(block) for block in as_list(result.get("content"))]
    texts = [str(block.get("text", "")) for block in blocks if block.get("type") == "text"]
    return "\n".join(texts) if len(texts) == len(blocks) else list(blocks)


def whole(result: Any) -> JsonObject:
    """A result as it came from its server."""
    came: JsonObject | None = (result.meta or {}).get(_WHOLE)
    if came is None:  # of a server in this process, which has no messages
        came = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return came


def light(result: JsonObject) -> JsonObject:
    """A result without what it is made of; it stands beside it as it came.

    One that has no such list, as that of an opening, is left with a little of each of its parts.
    """
    lists: list[str] = [name for name in _LISTS if isinstance(result.get(name), list)]
    if not lists:
        return {name: _little(part, _LEVELS) for name, part in islice(result.items(), _FEW)}
    plain = (each for each in result.items() if not isinstance(each[1], dict | list))
    return {**dict(islice(plain, _FEW)), **dict.fromkeys(lists, []), "_meta": {_WHOLE: result}}


def _little(part: JsonValue, levels: int) -> JsonValue:
    """The first of what a part holds: each wrong entry costs the client ten microseconds."""
    if not isinstance(part, dict | list):
        return part
    if not levels:
        return {} if isinstance(part, dict) else []
    if isinstance(part, list):
        return [_little(each, levels - 1) for each in part[:_FEW]]
    return {name: _little(each, levels - 1) for name, each in islice(part.items(), _FEW)}
