"""Complaints: texts that report an error, and lists of what is wrong with the arguments."""

from itertools import chain, islice

from gretel.contracts.record import JsonObject, JsonValue
from gretel.sandbox.answers.words.keys import ERROR_WORDS
from gretel.sandbox.answers.words.kinds import kind_of
from gretel.sandbox.answers.words.messages import MESSAGE, message_of
from gretel.sandbox.answers.words.nothing import SHORT
from gretel.sandbox.answers.words.phrases import (
    ASKS_CALLER,
    BREAKS_OFF,
    LABELLED,
    OF_CALLS,
    STARTS_WITH_ERROR,
    leading,
)
from gretel.sandbox.answers.words.statuses import status_line
from gretel.text.confusables import aligned_skeleton

PARTS = 50
"""Results of single parts of a call, texts and problems of a list that are looked at: to read a
text takes up to a millisecond."""


def is_complaint(text: str) -> bool:
    """Whether a text that is the whole answer reports an error."""
    text = text.strip()
    if BREAKS_OFF.match(text[:MESSAGE]):
        return True
    if len(text) > SHORT:
        text = " ".join(text.split())  # blanks make no answer of an error
    if len(text) > SHORT:
        return _is_labelled(leading(text[:MESSAGE]))
    # As it stands, and as a reader takes it: with letters for those that look like others.
    return any(map(_complains, dict.fromkeys((text, aligned_skeleton(text)))))


def _is_labelled(first: str) -> bool:
    """Whether the first sentence of a longer text calls itself an error, of a kind that is known.

    What may follow, advice and addresses, is as long as its author likes.
    """
    return len(first) <= SHORT and bool(LABELLED.match(first) and kind_of(first))


def _complains(text: str) -> bool:
    if STARTS_WITH_ERROR.match(text) or is_error_word(text):
        return True
    kind = kind_of(leading(text))
    return bool(kind and (kind != "rejected_arguments" or OF_CALLS.search(leading(text))))


def is_error_message(text: JsonValue) -> bool:
    """Whether the words under a message's key are an error's, of several all.

    The first sentence counts.
    """
    if isinstance(text, list):
        return bool(text) and all(map(is_error_message, text[:PARTS]))
    if not isinstance(text, str):
        return False
    first = leading(text[:MESSAGE])
    says_so = STARTS_WITH_ERROR.match(first) or ASKS_CALLER.match(first) or is_error_word(text)
    return bool(says_so or kind_of(first))


def is_error_word(item: JsonValue) -> bool:
    """Whether a text is a word for an error, or HTTP's status line of one."""
    if not isinstance(item, str):
        return False
    return item.strip().lower().replace(" ", "_") in ERROR_WORDS or bool(status_line(item))


def lists_problems(item: JsonValue) -> bool:
    """Whether `item` is FastAPI's list of what is wrong with the arguments, or one like it."""
    return isinstance(item, list) and bool(item) and all(map(_is_problem, item[:PARTS]))


def _is_problem(item: JsonValue) -> bool:
    if isinstance(item, dict) and "loc" in item and "msg" in item:
        return True
    return isinstance(item, dict | str) and is_complaint(message_of(item))


def is_field_errors(value: JsonObject) -> bool:
    """Whether an object is Django's: fields, each with a list of what is wrong with it."""
    lists = [item for item in value.values() if isinstance(item, list) and item]
    return len(lists) == len(value) and all(
        isinstance(text, str) and kind_of(text[:SHORT]) == "rejected_arguments"
        for text in islice(chain.from_iterable(lists), PARTS)
    )
