"""Which of a tool's parameters an error speaks of."""

import re
from collections.abc import Iterator

from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Tool
from gretel.sandbox.answers.answer import Answer

_LONG_NAME = 5
"""Letters from which a name is taken for itself; `to`, `q` or `date` also stand in plain text."""
_MAX_TEXT = 20_000
"""Characters of an error that are looked through."""


def named_fields(tool: Tool, answer: Answer) -> tuple[str, ...]:
    """Parameters that the error names, in the tool's order.

    A name counts where it is a key or a whole value of the body, stands in quotes, is
    unmistakable (`carrier_code`, `departureDate`, a long word), or is spoken of as a parameter
    ("date is required", "missing parameter: to").
    """
    whole = set(_strings(answer.value)) if answer.is_json else set()
    text = answer.text[:_MAX_TEXT]
    return tuple(
        parameter.name
        for parameter in tool.parameters
        if {parameter.name, parameter.wire_name} & whole or _is_spoken_of(parameter.wire_name, text)
    )


def _strings(value: JsonValue, depth: int = 0) -> Iterator[str]:
    """Keys and texts anywhere in a body."""
    if isinstance(value, str):
        yield value
        yield from re.split(r"[./\[\]]+", value) if len(value) < 100 and " " not in value else ()
    elif isinstance(value, dict) and depth < 8:
        for key, item in value.items():
            yield key
            yield from _strings(item, depth + 1)
    elif isinstance(value, list) and depth < 8:
        for item in value[:100]:
            yield from _strings(item, depth + 1)


def _is_spoken_of(name: str, text: str) -> bool:
    word = re.escape(name)
    if re.search(rf"[\"'`‘“\[(]{word}[\"'`’”\])]", text):
        return True
    if len(name) >= _LONG_NAME or re.search(r"[_\d]|[a-z][A-Z]", name):
        return bool(re.search(rf"(?<![\w-]){word}(?![\w-])", text, re.I))
    spoken = (
        rf"(?:param(?:eter)?s?|fields?|arguments?|missing|invalid|unknown)\W{{1,3}}{word}\b"
        rf"|\b{word}\s+(?:is|must|was|cannot|can't|has to|should|parameter|field)\b"
    )
    return bool(re.search(spoken, text, re.I))
