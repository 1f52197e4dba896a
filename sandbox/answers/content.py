"""Errors in disguise: what a parsed answer says of a call that failed, under a status of success.

Guarded against false alarms: a word such as "error" inside an answer that also has content is no
error.
"""

import re
from collections.abc import Callable
from functools import cache

from gretel.contracts.record import JsonObject, JsonValue
from gretel.sandbox.answers.complaints import (
    PARTS,
    is_complaint,
    is_error_message,
    is_error_word,
    is_field_errors,
    lists_problems,
)
from gretel.sandbox.answers.emptiness import is_empty, is_error_value
from gretel.sandbox.answers.words.keys import (
    AROUND_KEYS,
    CODE_KEYS,
    CONTAINER_KEYS,
    CONTEXT_KEYS,
    ENVELOPE_KEYS,
    ERROR_KEYS,
    FIELDS,
    MESSAGE_KEYS,
    NUMBER_KEYS,
    STATUS_KEYS,
    SUCCESS_KEYS,
    TRACE,
    WORD_KEYS,
    plain_key,
)
from gretel.sandbox.answers.words.messages import message_of
from gretel.sandbox.answers.words.phrases import ERROR_IDENTIFIER, GOOD_NEWS
from gretel.sandbox.answers.words.statuses import error_code
from gretel.sandbox.network.body import parse_json
from gretel.text.identifiers import identifier_text

_RECORD = 4
"""Fields of its own from which an object is a record: that of a launch that was no success, of a
job that ended with an error."""
_LEVELS = 12
"""Levels of an answer in which an error is looked for; what stands deeper is content."""
_IDENTIFIER = re.compile(r"[A-Za-z][\w.:-]{2,80}")
_NUMBER = re.compile(r"-?\d{1,6}")
_GOOD_CODE = re.compile(r"0+|2\d\d(?:\d{2,3})?")
"""Codes of success; some put more digits behind HTTP's."""
_HEADS = frozenset({"status", "meta", "header"})
"""Keys of objects that may tell how the call went."""

NO_WORDS = "an error without a message"


def complaint(value: JsonValue, depth: int = 0) -> str | None:
    """The message of an error that `value` is, or None where it is an answer.

    A complaint that gives no words of its own is `NO_WORDS`.
    """
    if isinstance(value, str):
        return value if is_complaint(value) else None
    if isinstance(value, list):
        return _of_results(value, depth) if depth < 2 else None
    if not isinstance(value, dict) or not 0 < len(value) <= FIELDS or depth > _LEVELS:
        return None
    if _says_error(value, depth):
        return message_of(value) or NO_WORDS
    inner = _inner(value) if depth < 3 else None
    return complaint(inner, depth + 1) if inner is not None else None


def may_be_errors(value: JsonValue) -> bool:
    """Whether an answer can be the errors that were asked for: a list, or a record of one.

    What has nothing but an error's words is the error of the call, whatever the tool is called.
    """
    held = [value, *value.values()] if isinstance(value, dict) else [value]
    return any(
        bool(item) and not {plain_key(key) for key in item} <= CONTEXT_KEYS | CONTAINER_KEYS
        if isinstance(item, dict)
        else isinstance(item, list) and bool(item)
        for item in held
    )


def _of_results(items: list[JsonValue], depth: int) -> str | None:
    """The complaint of a list: of its only item, or of each of several parts of the call."""
    if len(items) == 1:
        return complaint(items[0], depth + 1)
    if items and all(map(_is_failed_part, items[:PARTS])):
        return message_of(items[0]) or NO_WORDS
    return None


def _is_failed_part(item: JsonValue) -> bool:
    """Whether the result of one part of a call says that it failed, and why."""
    keyed = {plain_key(key): each for key, each in item.items()} if isinstance(item, dict) else {}
    failed = any(keyed.get(key) is False for key in SUCCESS_KEYS)
    return failed and any(
        is_error_value(keyed[k]) for k in (ERROR_KEYS | MESSAGE_KEYS) & keyed.keys()
    )


def _says_error(value: JsonObject, depth: int) -> bool:
    """Whether one level of an object says that the call failed."""
    keyed = {plain_key(key): item for key, item in value.items()}

    @cache  # asked twice at each level, the lowest of them would be read 4,096 times
    def complains(key: str) -> bool:
        return complaint(keyed[key], max(depth + 1, 3)) is not None

    denied = any(keyed.get(key) is False or keyed.get(key) == "false" for key in SUCCESS_KEYS)
    denied |= any(keyed.get(key) is True for key in ("iserror", "haserror", "haserrors"))
    record = len(keyed.keys() - CONTEXT_KEYS - CONTAINER_KEYS - TRACE) >= _RECORD
    if denied and not record:
        return True
    if len(keyed) == 1 and error_code(next(iter(keyed))):  # {"404": "Not Found"}
        return True
    bare = keyed.keys() <= CONTEXT_KEYS | CONTAINER_KEYS
    if bare and keyed.get("status") in ("error", "fail"):  # the words of JSend, which fills `data`
        return True
    if (bare and lists_problems(keyed.get("detail"))) or is_field_errors(value):
        return True
    if _has_content(keyed, complains):
        return False
    if not record and any(is_error_value(keyed[key]) for key in ERROR_KEYS & keyed.keys()):
        return True
    if _is_identified(keyed):
        return True
    return bare and (_says_so(keyed, complains) or _is_numbered(keyed))


def _says_so(keyed: JsonObject, complains: Callable[[str], bool]) -> bool:
    """Whether a word, a status, a flag or the message of an object without data is an error's."""
    words = [keyed[key] for key in WORD_KEYS & keyed.keys()]
    if any(map(is_error_word, words)):
        return True
    if any(error_code(keyed[key]) for key in STATUS_KEYS & keyed.keys()):
        return True
    if keyed.get("status") is False or any(_is_no(keyed.get(key)) for key in ("success", "ok")):
        return True
    says_well = any(word in ("success", "ok") for word in words) or any(
        keyed.get(key) is True for key in SUCCESS_KEYS
    )
    texts = [keyed[key] for key in MESSAGE_KEYS & keyed.keys()]
    if not says_well and any(map(is_error_message, texts)):
        return True
    held = CONTAINER_KEYS & keyed.keys()
    return any(isinstance(keyed[key], dict) and complains(key) for key in held)


def _is_no(item: JsonValue) -> bool:
    return item in (0, "0", "no", "n") and not isinstance(item, bool)


def _is_identified(keyed: JsonObject) -> bool:
    """Whether an object without data names its error (`record_not_found`) beside words on it."""
    if not keyed.keys() <= CONTEXT_KEYS | CONTAINER_KEYS | TRACE:
        return False
    words = any(isinstance(keyed.get(key), str) for key in (*MESSAGE_KEYS, "description"))
    named = [str(keyed[key]) for key in CODE_KEYS & keyed.keys()]
    return words and any(
        _IDENTIFIER.fullmatch(name) and ERROR_IDENTIFIER.search(identifier_text(name))
        for name in named
    )


def _is_numbered(keyed: JsonObject) -> bool:
    """Whether an object without data gives a code that is no success, and words to it."""
    codes = [str(keyed[key]) for key in NUMBER_KEYS & keyed.keys()]
    failed = any(_NUMBER.fullmatch(code) and not _GOOD_CODE.fullmatch(code) for code in codes)
    texts = [keyed[key] for key in MESSAGE_KEYS & keyed.keys()]
    said = [text for text in texts if isinstance(text, str) and text.strip()]
    return failed and bool(said) and not any(GOOD_NEWS.search(text) for text in said)


def _has_content(keyed: JsonObject, complains: Callable[[str], bool]) -> bool:
    """Whether there is a filled list or object beside what errors come with."""
    return any(
        isinstance(item, dict | list)
        and key not in CONTEXT_KEYS | AROUND_KEYS
        and not is_empty(item)
        and not complains(key)
        for key, item in keyed.items()
    )


def _inner(value: JsonObject) -> JsonValue:
    """What stands alone in an envelope: an object, results or a text; else None."""
    others = any(
        not is_empty(item)
        for key, item in value.items()
        if plain_key(key) not in ENVELOPE_KEYS | CONTAINER_KEYS | _HEADS
    )
    filled = {
        plain_key(key): item
        for key, item in value.items()
        if isinstance(item, dict | list) and item
    }
    if others or len(filled) > 1:
        return None
    if not filled:
        texts = [item for key, item in value.items() if plain_key(key) in CONTAINER_KEYS and item]
        return _unpacked(texts[0]) if len(texts) == 1 and isinstance(texts[0], str) else None
    key, item = next(iter(filled.items()))
    return item if key in CONTAINER_KEYS | _HEADS | {"fault"} else None


def _unpacked(text: str) -> JsonValue:
    """The object that a text holds, as gateways put one: `{"statusCode": 200, "body": "{…}"}`."""
    parsed = parse_json(text) if text.lstrip().startswith("{") else None
    return parsed.value if parsed and parsed.error is None else text
