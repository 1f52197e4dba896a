"""The words of an error, wherever its object has them."""

import re

from gretel.contracts.record import JsonValue
from gretel.sandbox.answers.words.keys import CONTEXT_KEYS, plain_key
from gretel.sandbox.answers.words.statuses import error_code
from gretel.text.foreign import words_of

MESSAGE = 2_000
"""Characters of an error's words that are read."""
_TELLING = (
    *("message", "msg", "mesg", "errormessage", "errormsg", "errordescription", "statusmessage"),
    *("faultstring", "errmsg", "returnmessage", "returnmsg", "resultmessage", "resultmsg"),
    *("detail", "error", "errors", "messages", "title", "reason"),
)
"""Keys of an error's words, the most telling first."""
_URI = re.compile(r"(?:https?|about|urn|tag):", re.I)
"""What an error's `type` is; no words of its own."""


def message_of(value: JsonValue, depth: int = 0) -> str:
    """The words of an error, the most telling first; '' where there are none."""
    if isinstance(value, str):
        return words_of(value, MESSAGE)
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
    if len(value) == 1 and error_code(next(iter(value))):
        code, item = next(iter(value.items()))
        return f"{code}: {message_of(item, depth + 1)}".rstrip(": ")
    if all(isinstance(item, list) and item and isinstance(item[0], str) for item in value.values()):
        return "; ".join(f"{key}: {message_of(item, depth + 1)}" for key, item in value.items())
    texts = (message_of(item, depth + 1) for key, item in keyed.items() if key in CONTEXT_KEYS)
    return next((text for text in texts if text and not _URI.match(text)), "")
