"""Whether an answer holds anything at all.

Numbers and booleans are content. What stands round an answer is none: envelopes, counts of zero,
links that lead on, arguments that are repeated.
"""

from collections.abc import Mapping
from typing import NamedTuple

from gretel.contracts.record import JsonObject, JsonValue
from gretel.contracts.tool import HttpBinding, Tool
from gretel.sandbox.answers.words.keys import (
    AROUND_KEYS,
    CONTAINER_KEYS,
    COUNT_KEYS,
    COUNT_NAME,
    ENVELOPE_KEYS,
    ERROR_KEYS,
    FIELDS,
    FLAG_KEYS,
    FLAG_WORDS,
    FRAME_WORDS,
    GOOD_WORDS,
    LIST_KEYS,
    MESSAGE_KEYS,
    METER_WORDS,
    PAGE_KEYS,
    SETTING_WORDS,
    STATUS_KEYS,
    SUCCESS_KEYS,
    WORD_KEYS,
    plain_key,
)
from gretel.sandbox.answers.words.nothing import is_nothing, is_nothing_found, says_no_entry
from gretel.sandbox.answers.words.statuses import stated_in_object
from gretel.text.identifiers import split_identifier
from gretel.text.words import singular

_NAME = 200
"""Characters of a field's name; a longer one is data."""
_ECHO = 3
"""Characters from which an equal text under another name is taken for an argument's echo."""
_DEPTH = 12
"""Levels that are looked into; deeper down there is content."""


def is_error_value(item: JsonValue) -> bool:
    """Whether the value of an error key is an error: a message, a flag, a filled structure."""
    if isinstance(item, str):
        said = item.strip().lower()
        return said == "true" or (bool(said) and said not in GOOD_WORDS)
    if isinstance(item, dict):
        return bool(stated_in_object(item)) or any(map(is_error_value, item.values()))
    return item is True or bool(isinstance(item, list) and item)


class Asked(NamedTuple):
    """What a call asked for: its arguments as text, by plain key, and the things that it names."""

    echoes: Mapping[str, str] = {}
    things: frozenset[str] = frozenset()


_UNKNOWN = Asked()


def asked_of(tool: Tool, arguments: JsonObject) -> Asked:
    """What a call of `tool` asked for."""
    step = tool.binding.path.rsplit("/", 1)[-1] if isinstance(tool.binding, HttpBinding) else ""
    words = (*split_identifier(tool.operation), *split_identifier(step))
    echoes = {plain_key(name): str(value) for name, value in arguments.items()}
    return Asked(echoes, frozenset(map(singular, words)))


def is_empty(value: JsonValue, asked: Asked = _UNKNOWN, depth: int = 0) -> bool:
    """Whether an answer is without content; one that only repeats an argument is empty, too."""
    if value is None:
        return True
    if isinstance(value, str):
        return is_nothing(value)
    if isinstance(value, bool | int | float) or depth > _DEPTH:
        return False
    if isinstance(value, list):  # what is found may well repeat what was asked for
        return all(is_empty(item, depth=depth + 1) for item in value)
    return not value or (len(value) <= FIELDS and _empty_object(value, asked, depth))


def holds_number(value: JsonValue, depth: int = 0) -> bool:
    """Whether a number stands in an answer that is no page's, no status and no time."""
    if isinstance(value, dict) and depth < _DEPTH:
        around = ENVELOPE_KEYS - COUNT_KEYS
        kept = (item for name, item in value.items() if plain_key(name) not in around)
        return any(holds_number(item, depth + 1) for item in kept)
    if isinstance(value, list) and depth < _DEPTH:
        return any(holds_number(item, depth + 1) for item in value)
    if isinstance(value, str):
        return any(map(str.isdigit, value[:_NAME]))
    return isinstance(value, int | float) and not isinstance(value, bool)


def _empty_object(value: JsonObject, asked: Asked, depth: int) -> bool:
    """Whether a filled object has no content: only an envelope round something empty."""
    rest = {name: item for name, item in value.items() if not _is_around(name, item, asked)}
    if not rest:
        return _says_nothing(value)
    # Each once: a second look at each level would be 4,096 at the bottom of twelve.
    bare = {n for n, item in value.items() if is_empty(item, asked, depth + 1)}
    if rest.keys() <= bare:
        return True
    empty = {n: value[n] for n in bare if isinstance(value[n], list | dict | None)}
    filled = {n: item for n, item in rest.items() if n not in bare and not _describes(n, item)}
    counted = _counted_zero(value)
    sure = LIST_KEYS if counted is None else LIST_KEYS | CONTAINER_KEYS
    if any(isinstance(item, list) and plain_key(n) in sure for n, item in empty.items()):
        return not any(
            isinstance(i, list) or plain_key(n) in STATUS_KEYS for n, i in filled.items()
        )
    mains = (n for n, item in empty.items() if _is_main(n, item, asked.things, counted))
    return any(mains) and all(_is_setting(n, item, asked.things) for n, item in filled.items())


def _is_main(
    name: str, item: JsonValue, things: frozenset[str], counted: frozenset[str] | None
) -> bool:
    """Whether a field should hold the answer: by its name, by what was asked for, or by a count."""
    words = frozenset(map(singular, split_identifier(name[:_NAME])))
    if plain_key(name) in LIST_KEYS | CONTAINER_KEYS:
        return isinstance(item, list | dict) or counted is not None
    if not isinstance(item, list):
        return False
    return bool(words & things) or (counted is not None and (not counted or bool(words & counted)))


def _counted_zero(value: JsonObject) -> frozenset[str] | None:
    """The things of which an object counts none; no words where a count does not say of what, and
    None without a count of zero.
    """
    names = [name for name, item in value.items() if _is_zero(item) and _is_count(name)]
    if not names:
        return None
    if any(plain_key(name) in COUNT_KEYS for name in names):
        return frozenset()
    return frozenset(singular(word) for name in names for word in split_identifier(name[:_NAME]))


def _is_count(name: str) -> bool:
    key = plain_key(name)
    counts = key in COUNT_KEYS or bool(COUNT_NAME.fullmatch(key))
    return counts or split_identifier(name[:_NAME])[:1] in {("num",), ("nb",), ("n",)}


def _describes(name: str, item: JsonValue) -> bool:
    """Whether a list, object or number describes a list that may be empty: Solr's facets."""
    framed = not FRAME_WORDS.isdisjoint(split_identifier(name[:_NAME]))
    return framed and not isinstance(item, str | bool)


def _is_setting(name: str, item: JsonValue, things: frozenset[str]) -> bool:
    """Whether a field says under which terms an answer was given, its country, its cost, and is not
    what was asked for.
    """
    words = {*split_identifier(name[:_NAME])}
    if words & things:
        return False
    if isinstance(item, bool):
        return bool(words & FLAG_WORDS)
    if isinstance(item, str):
        return bool(words & (SETTING_WORDS | METER_WORDS))
    return isinstance(item, int | float) and bool(words & METER_WORDS)


def _is_around(name: str, item: JsonValue, asked: Asked) -> bool:
    """Whether one field is envelope, or repeats an argument."""
    key = plain_key(name)
    if key in CONTAINER_KEYS | LIST_KEYS and isinstance(item, dict | list | None):
        return False
    if name.startswith(("_", "@")) or (_is_zero(item) and _is_count(name)):
        return True
    if isinstance(item, bool) and key in FLAG_KEYS:
        return True
    if isinstance(item, dict | list) and key in AROUND_KEYS | PAGE_KEYS:
        return True
    if key in ERROR_KEYS:
        return not is_error_value(item)
    if isinstance(item, str):
        return _is_around_text(key, item, asked)
    return key in ENVELOPE_KEYS or _is_echo(key, item, asked)


def _is_around_text(key: str, item: str, asked: Asked) -> bool:
    if key in MESSAGE_KEYS | STATUS_KEYS | WORD_KEYS | SUCCESS_KEYS:
        return item.strip().lower() in GOOD_WORDS or says_no_entry(item) or is_nothing_found(item)
    if says_no_entry(item) or (key in CONTAINER_KEYS and is_nothing_found(item)):
        return True
    return key in ENVELOPE_KEYS or _is_echo(key, item, asked)


def _is_echo(key: str, item: JsonValue, asked: Asked) -> bool:
    """Whether a text or a number is that of an argument, under its name, or long enough to tell."""
    if not isinstance(item, str | int) or isinstance(item, bool):
        return False
    said = str(item)
    return asked.echoes.get(key) == said or (len(said) >= _ECHO and said in asked.echoes.values())


def _says_nothing(value: JsonObject) -> bool:
    """Whether an envelope round nothing says so: no results, or a count of zero."""
    texts = [item for item in value.values() if isinstance(item, str)]
    if any(is_nothing_found(text) or says_no_entry(text) for text in texts):
        return True
    pages = [item for name, item in value.items() if plain_key(name) in PAGE_KEYS]
    return any(
        isinstance(each, dict) and _counted_zero(each) is not None for each in (value, *pages)
    )


def _is_zero(item: JsonValue) -> bool:
    return item in (0, "0") and not isinstance(item, bool)
