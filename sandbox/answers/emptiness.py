"""Whether an answer holds anything at all.

Numbers and booleans are content. What stands round an answer is none: envelopes, counts of zero,
links that lead on, arguments that are repeated.
"""

from collections.abc import Mapping

from gretel.contracts.record import JsonObject, JsonValue
from gretel.sandbox.answers.phrases import (
    AROUND_KEYS,
    CONTAINER_KEYS,
    COUNT_KEYS,
    COUNT_NAME,
    ENVELOPE_KEYS,
    ERROR_KEYS,
    FLAG_KEYS,
    FRAME_KEYS,
    GOOD_WORDS,
    LIST_KEYS,
    MESSAGE_KEYS,
    NOTHING_FOUND,
    PAGE_KEYS,
    STATUS_KEYS,
    SUCCESS_KEYS,
    WORD_KEYS,
    plain_key,
)
from gretel.sandbox.answers.statuses import stated_in_object

SHORT = 300
"""Characters; a longer text is an answer that happens to hold some words."""
NO_ECHOES: Mapping[str, str] = {}
_ECHO = 3
"""Characters from which an equal text under another name is taken for an argument's echo."""
_DEPTH = 12
"""Levels that are looked into; deeper down there is content."""
_TEXTS_OF_NOTHING = frozenset({"", "null", "none", "nil", "undefined", "[]", "{}", '""'})
"""Texts that are nothing, written out."""


def is_nothing_found(text: str) -> bool:
    """Whether a text that is all there is says that nothing was found."""
    return len(text) <= SHORT and bool(NOTHING_FOUND.search(text))


def is_nothing(text: str) -> bool:
    """Whether a text is none, or nothing written out."""
    return text.strip().lower() in _TEXTS_OF_NOTHING


def is_error_value(item: JsonValue) -> bool:
    """Whether the value of an error key is an error: a message, a flag, a filled structure."""
    if isinstance(item, str):
        said = item.strip().lower()
        return said == "true" or (bool(said) and said not in GOOD_WORDS)
    if isinstance(item, dict):
        return bool(stated_in_object(item)) or any(map(is_error_value, item.values()))
    return item is True or bool(isinstance(item, list) and item)


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
        return is_nothing(value)
    if isinstance(value, bool | int | float) or depth > _DEPTH:
        return False
    if isinstance(value, list):
        return all(is_empty(item, depth=depth + 1) for item in value)
    return not value or _empty_object(value, echoes, depth)


def _empty_object(value: JsonObject, echoes: Mapping[str, str], depth: int) -> bool:
    """Whether a filled object has no content: only an envelope round something empty."""
    keyed = {plain_key(key): item for key, item in value.items()}
    holders = LIST_KEYS | CONTAINER_KEYS if _counts_zero(keyed) else LIST_KEYS
    main = [keyed[key] for key in holders & keyed.keys()]
    no_match = any(
        isinstance(item, list | dict) and is_empty(item, depth=depth + 1) for item in main
    )
    frame = FRAME_KEYS if no_match else frozenset[str]()
    rest = [
        item
        for key, item in value.items()
        if plain_key(key) not in frame and not _is_around(key, item, echoes)
    ]
    if rest and all(is_empty(item, depth=depth + 1) for item in rest):
        return True
    if not rest:
        return _says_nothing(keyed)
    no_list = not any(isinstance(item, list) and not is_empty(item) for item in rest)
    return no_list and any(isinstance(item, list) for item in main) and no_match


def _is_around(name: str, item: JsonValue, echoes: Mapping[str, str]) -> bool:
    """Whether one field is envelope, or repeats an argument."""
    key = plain_key(name)
    if key in CONTAINER_KEYS | LIST_KEYS and isinstance(item, dict | list | None):
        return False
    if name.startswith(("_", "@")) or (_is_zero(item) and COUNT_NAME.fullmatch(key)):
        return True
    if isinstance(item, bool) and key in FLAG_KEYS:
        return True
    if isinstance(item, dict | list) and key in AROUND_KEYS:
        return True
    if isinstance(item, str) and key in MESSAGE_KEYS | STATUS_KEYS | WORD_KEYS | SUCCESS_KEYS:
        return item.strip().lower() in GOOD_WORDS or is_nothing_found(item)
    if isinstance(item, str) and key in CONTAINER_KEYS and is_nothing_found(item):
        return True
    if key in ERROR_KEYS:
        return not is_error_value(item)
    if isinstance(item, str) and len(item) >= _ECHO and item in echoes.values():
        return True
    return key in ENVELOPE_KEYS or (isinstance(item, str | int) and echoes.get(key) == str(item))


def _says_nothing(keyed: JsonObject) -> bool:
    """Whether an envelope round nothing says so: no results, or a count of zero."""
    if any(isinstance(item, str) and is_nothing_found(item) for item in keyed.values()):
        return True
    pages = [keyed[key] for key in PAGE_KEYS & keyed.keys()]
    return any(map(_counts_zero, (keyed, *(page for page in pages if isinstance(page, dict)))))


def _counts_zero(value: JsonObject) -> bool:
    """Whether an object holds a count of zero."""
    named = ((plain_key(name), item) for name, item in value.items())
    return any(
        _is_zero(item) and (key in COUNT_KEYS or COUNT_NAME.fullmatch(key)) for key, item in named
    )


def _is_zero(item: JsonValue) -> bool:
    return item in (0, "0") and not isinstance(item, bool)
