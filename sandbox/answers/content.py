"""What a parsed answer says: an error in disguise, nothing at all, or something.

Guarded against false alarms: a word such as "error" inside an answer that also has content is no
error, and numbers and booleans are content. Zero results for a counting tool are an answer.
"""

import re
from collections.abc import Mapping

from gretel.contracts.record import JsonObject, JsonValue
from gretel.sandbox.answers.phrases import (
    CONTAINER_KEYS,
    CONTEXT_KEYS,
    COUNT_KEYS,
    ENVELOPE_KEYS,
    ERROR_KEYS,
    ERROR_WORDS,
    GOOD_WORDS,
    LIST_KEYS,
    MESSAGE_KEYS,
    NOTHING_FOUND,
    STARTS_WITH_ERROR,
    STATUS_KEYS,
    SUCCESS_KEYS,
    WORD_KEYS,
    kind_of,
    leading,
    plain_key,
)
from gretel.sandbox.answers.statuses import error_code, stated_in_object, status_line

_SHORT = 300
"""Characters; a longer text is an answer that happens to hold some words."""

NO_ECHOES: Mapping[str, str] = {}
_MESSAGE = 2_000
"""Characters of an error's words that are read."""

_ECHO = 3
"""Characters from which an equal text under another name is taken for an argument's echo."""
_TELLING = (
    *("message", "msg", "errormessage", "errordescription", "detail", "error", "errors"),
    *("messages", "title", "reason"),
)
"""Keys of an error's words, the most telling first."""
_URI = re.compile(r"(?:https?|about|urn|tag):", re.I)
"""What an error's `type` is; no words of its own."""

_DEPTH = 12
"""Levels that are looked into; deeper down there is content."""


def complaint(value: JsonValue, depth: int = 0) -> str | None:
    """The message of an error that `value` is, or None where it is an answer.

    A complaint that gives no words of its own is "an error without a message".
    """
    if isinstance(value, str):
        return value if is_complaint(value) else None
    if isinstance(value, list):
        return complaint(value[0], depth + 1) if len(value) == 1 and depth < 2 else None
    if not isinstance(value, dict) or not value:
        return None
    if _says_error(value):
        return message_of(value) or "an error without a message"
    inner = _inner(value) if depth < 3 else None
    return complaint(inner, depth + 1) if inner is not None else None


def is_complaint(text: str) -> bool:
    """Whether a text that is the whole answer reports an error."""
    text = text.strip()
    if len(text) > _SHORT:
        return False
    return bool(STARTS_WITH_ERROR.match(text) or status_line(text) or kind_of(leading(text)))


def _says_error(value: JsonObject) -> bool:
    """Whether one level of an object says that the call failed."""
    keyed = {plain_key(key): item for key, item in value.items()}
    if any(keyed.get(key) is False or keyed.get(key) == "false" for key in SUCCESS_KEYS):
        return True
    bare = keyed.keys() <= CONTEXT_KEYS | CONTAINER_KEYS
    if bare and keyed.get("status") in ("error", "fail"):  # the words of JSend, which fills `data`
        return True
    if (bare and _lists_problems(keyed.get("detail"))) or _is_field_errors(value):
        return True
    if _has_content(keyed):
        return False
    if any(_is_error(keyed[key]) for key in ERROR_KEYS & keyed.keys()):
        return True
    if not bare:
        return False
    if any(_is_error_word(keyed[key]) for key in WORD_KEYS & keyed.keys()):
        return True
    if any(error_code(keyed[key]) for key in STATUS_KEYS & keyed.keys()):
        return True
    texts = [keyed[key] for key in MESSAGE_KEYS & keyed.keys()]
    return any(isinstance(text, str) and is_complaint(text) for text in texts)


def _has_content(keyed: JsonObject) -> bool:
    """Whether there is a filled list or object beside what errors come with."""
    return any(
        isinstance(item, dict | list)
        and (key not in CONTEXT_KEYS)
        and not is_empty(item)
        and complaint(item, depth=3) is None
        for key, item in keyed.items()
    )


def _is_error(item: JsonValue) -> bool:
    """Whether the value of an error key is one: a message, a flag, a filled structure."""
    if isinstance(item, str):
        return bool(item.strip()) and item.strip().lower() not in GOOD_WORDS
    if isinstance(item, dict):
        return bool(stated_in_object(item)) or any(_is_error(inner) for inner in item.values())
    return item is True or bool(isinstance(item, list) and item)


def _is_error_word(item: JsonValue) -> bool:
    return isinstance(item, str) and item.strip().lower().replace(" ", "_") in ERROR_WORDS


def _lists_problems(item: JsonValue) -> bool:
    """Whether `item` is FastAPI's list of what is wrong with the arguments, or one like it."""
    return isinstance(item, list) and bool(item) and all(_is_problem(each) for each in item)


def _is_problem(item: JsonValue) -> bool:
    if isinstance(item, dict) and "loc" in item and "msg" in item:
        return True
    return isinstance(item, dict | str) and is_complaint(message_of(item))


def _is_field_errors(value: JsonObject) -> bool:
    """Whether an object is Django's: fields, each with a list of what is wrong with it."""
    lists = [item for item in value.values() if isinstance(item, list) and item]
    return len(lists) == len(value) and all(
        isinstance(text, str) and kind_of(text[:_SHORT]) == "rejected_arguments"
        for texts in lists
        for text in texts
    )


def _inner(value: JsonObject) -> JsonValue:
    """The one object inside an envelope, or the status object beside nothing; else None."""
    filled = {
        plain_key(key): item for key, item in value.items() if isinstance(item, dict) and item
    }
    others = any(
        not is_empty(item)
        for key, item in value.items()
        if plain_key(key) not in ENVELOPE_KEYS | CONTAINER_KEYS | {"status", "meta", "header"}
    )
    if others or len(filled) != 1:
        return None
    key, item = next(iter(filled.items()))
    return item if key in CONTAINER_KEYS | {"status", "meta", "header", "fault"} else None


def message_of(value: JsonValue, depth: int = 0) -> str:
    """The words of an error, the most telling first; '' where there are none."""
    if isinstance(value, str):
        return value[:_MESSAGE].strip()
    if isinstance(value, list):
        found = (message_of(item, depth + 1) for item in value[:5]) if depth < 4 else ()
        return "; ".join(text for text in found if text)
    if not isinstance(value, dict) or depth >= 4:
        return ""
    keyed = {plain_key(key): item for key, item in value.items()}
    for key in _TELLING:
        text = message_of(keyed.get(key), depth + 1)
        if text:
            return text
    if all(isinstance(item, list) and item and isinstance(item[0], str) for item in value.values()):
        return "; ".join(f"{key}: {message_of(item, depth + 1)}" for key, item in value.items())
    texts = (message_of(item, depth + 1) for key, item in keyed.items() if key in CONTEXT_KEYS)
    return next((text for text in texts if text and not _URI.match(text)), "")


def is_nothing_found(text: str) -> bool:
    """Whether a text that is all there is says that nothing was found."""
    return len(text) <= _SHORT and bool(NOTHING_FOUND.search(text))


def is_empty(value: JsonValue, echoes: Mapping[str, str] = NO_ECHOES, depth: int = 0) -> bool:
    """Whether an answer is without content.

    Args:
        value: the parsed answer.
        echoes: the call's arguments as text, by plain key; an answer that only repeats them is
            empty.
        depth: levels above this one.
    """
    if value is None:
        return True
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, bool | int | float) or depth > _DEPTH:
        return False
    if isinstance(value, list):
        return all(is_empty(item, depth=depth + 1) for item in value)
    return not value or _empty_object(value, echoes, depth)


def _empty_object(value: JsonObject, echoes: Mapping[str, str], depth: int) -> bool:
    """Whether a filled object has no content: only an envelope round something empty."""
    keyed = {plain_key(key): item for key, item in value.items()}
    rest = [item for key, item in value.items() if not _is_around(key, item, echoes)]
    if rest and all(is_empty(item, depth=depth + 1) for item in rest):
        return True
    if not rest:
        return _says_nothing(keyed)
    no_list = not any(isinstance(item, list) and item for item in keyed.values())
    main = [keyed[key] for key in LIST_KEYS & keyed.keys()]
    return no_list and any(isinstance(item, list) for item in main)


def _is_around(name: str, item: JsonValue, echoes: Mapping[str, str]) -> bool:
    """Whether one field is envelope, or repeats an argument."""
    if name.startswith("_"):
        return True
    key = plain_key(name)
    if key in CONTAINER_KEYS | LIST_KEYS and isinstance(item, dict | list | None):
        return False
    if isinstance(item, str) and key in MESSAGE_KEYS | STATUS_KEYS | WORD_KEYS | SUCCESS_KEYS:
        return item.strip().lower() in GOOD_WORDS or is_nothing_found(item)
    if key in ERROR_KEYS:
        return not _is_error(item)
    if isinstance(item, str) and len(item) >= _ECHO and item in echoes.values():
        return True
    return key in ENVELOPE_KEYS or (isinstance(item, str | int) and echoes.get(key) == str(item))


def _says_nothing(keyed: JsonObject) -> bool:
    """Whether an envelope round nothing says so: no results, or a count of zero."""
    if any(isinstance(item, str) and is_nothing_found(item) for item in keyed.values()):
        return True
    counts = [keyed[key] for key in COUNT_KEYS & keyed.keys()]
    return any(count == 0 and not isinstance(count, bool) for count in counts)
