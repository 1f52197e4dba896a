"""Conversations as ACEBench writes them: turns in one text, a profile in Python, a day in words."""

import re
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from gretel.catalog.document import as_json, as_list, as_object, as_text
from gretel.contracts.errors import CatalogError
from gretel.contracts.ranking import Message
from gretel.contracts.record import JsonObject
from gretel.literals import read_literal

_TURN = re.compile(r"^(user|system):\s*", re.MULTILINE)
_NOW = re.compile(r"current time is [^\n]{0,40}")
_DATES = {
    "%Y-%m-%d": re.compile(r"\d{4}-\d\d-\d\d"),
    "%B %d, %Y": re.compile(r"[A-Z][a-z]+ \d{1,2}, \d{4}"),
}


class Conversation(NamedTuple):
    """What was said up to the user's last turn, which is the request."""

    text: str
    messages: tuple[Message, ...]
    """What the user did before (one system message), then the turns before the request."""
    context: JsonObject
    today: str | None
    """The day that the row names; None where it names none, or one that no calendar has."""


def read_conversation(row: JsonObject) -> Conversation:
    """The conversation of one row (`text`, `profile`, `time`, `id`).

    A text without roles is one turn of the user.

    Raises:
        CatalogError: the profile is no Python dictionary of plain values.
    """
    pieces = _TURN.split(as_text(row.get("text")))
    pieces = pieces[1:] or ["user", *pieces]
    turns = [(role, text.strip()) for role, text in zip(pieces[::2], pieces[1::2], strict=True)]
    last = max((i for i, (role, _) in enumerate(turns) if role == "user"), default=len(turns) - 1)
    said = tuple(
        Message(role="user" if role == "user" else "assistant", content=text)
        for role, text in turns[:last]
    )
    context, history = _profile(as_text(row.get("profile")), place=as_text(row.get("id")))
    return Conversation(turns[last][1], history + said, context, _today(row))


def _today(row: JsonObject) -> str | None:
    said = _NOW.search(as_text(row.get("text")))
    text = as_text(row.get("time")) or (said.group() if said else "")
    for form, pattern in _DATES.items():
        if found := pattern.search(text):
            with suppress(ValueError):
                return datetime.strptime(found.group(), form).date().isoformat()
    return None


def _profile(text: str, *, place: str) -> tuple[JsonObject, tuple[Message, ...]]:
    """What is known of the user, and what they did before; the data set writes it as Python."""
    if not text:
        return {}, ()
    try:
        profile = as_object(as_json(read_literal(text.rstrip(". ")), place=place))
    except ValueError as error:
        remedy = "Write it as a Python dictionary of plain values"
        raise CatalogError("the profile cannot be read", field=place, remedy=remedy) from error
    events = [
        as_text(event)
        for listed in as_object(profile.get("user_history")).values()
        for event in as_list(listed)
    ]
    history = (Message(role="system", content=". ".join(events)),) if events else ()
    return as_object(profile.get("basic_features")), history
