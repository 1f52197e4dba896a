"""Which of a tool's parameters an error speaks of."""

import re
from collections.abc import Iterator
from itertools import islice

from gretel.contracts.record import JsonValue
from gretel.contracts.tool import Tool
from gretel.sandbox.answers.answer import Answer
from gretel.text.words import places

_LONG_NAME = 5
"""Letters from which a name is taken for itself; `to`, `q` or `date` also stand in plain text."""
_MAX_TEXT = 20_000
"""Characters of an error that are looked through."""
_PLACES = 20
"""Places of a name that are looked at."""
_AROUND = 20
_OPENING = frozenset("\"'`‘“[(")
_CLOSING = frozenset("\"'`’”])")
_UNMISTAKABLE = re.compile(r"[_\d]|[a-z][A-Z]")
_PARAMETER = re.compile(
    r"(?:param(?:eter)?s?|fields?|arguments?|missing|invalid|unknown)\W{1,3}\Z", re.I
)
_IS_WRONG = re.compile(r"\s+(?:is|must|was|cannot|can't|has to|should|parameter|field)\b", re.I)


def named_fields(tool: Tool, answer: Answer) -> tuple[str, ...]:
    """Parameters that the error names, in the tool's order.

    A name counts where it is a key or a whole value of the body, stands in quotes, is
    unmistakable (`carrier_code`, `departureDate`, a long word), or is spoken of as a parameter
    ("date is required", "missing parameter: to").
    """
    whole = set(_strings(answer.value)) if answer.is_json else set()
    text = answer.text[:_MAX_TEXT]
    small = text.lower() if len(text.lower()) == len(text) else text
    return tuple(
        each.name
        for each in tool.parameters
        if {each.name, each.wire_name} & whole or _is_spoken_of(each.wire_name, text, small)
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


def _is_spoken_of(name: str, text: str, small: str) -> bool:
    """Whether a text speaks of a field; `small` is the same in small letters.

    By plain search: a document has thousands of names, and a pattern for each takes a millisecond.
    """
    telling = len(name) >= _LONG_NAME or _UNMISTAKABLE.search(name)
    for start in islice(places(name.lower(), small), _PLACES):
        end = start + len(name)
        before, after = text[start - 1 : start], text[end : end + 1]
        if before in _OPENING and after in _CLOSING and text[start:end] == name:
            return True
        if telling and not (_is_of_word(before) or before == "-"):
            if not (_is_of_word(after) or after == "-"):
                return True
        elif not telling and _is_spoken(text, start, end):
            return True
    return False


def _is_spoken(text: str, start: int, end: int) -> bool:
    """Whether the words around a short name say that it is one."""
    if _PARAMETER.search(text[max(0, start - _AROUND) : start]):
        return not _is_of_word(text[end : end + 1])
    return not _is_of_word(text[start - 1 : start]) and bool(_IS_WRONG.match(text, end))


def _is_of_word(char: str) -> bool:
    return char == "_" or char.isalnum()
