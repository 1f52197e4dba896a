"""`Reply`: one answer of the mock, before it is written to the wire."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from gretel.contracts.record import JsonValue

NO_HEADERS: Mapping[str, str] = {}


class Reply(NamedTuple):
    """Status, body and headers of an answer."""

    status: int
    text: str = ""
    """The body."""
    media_type: str = "application/json"
    headers: Mapping[str, str] = NO_HEADERS
    cut: bool = False
    """Whether the connection breaks in the middle of the body."""


def json_reply(status: int, value: JsonValue, headers: Mapping[str, str] = NO_HEADERS) -> Reply:
    """`value` as a JSON answer."""
    return Reply(status, json.dumps(value), headers=headers)


def page(status: int, title: str) -> Reply:
    """An error page as a web server gives one."""
    html = f"<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
    return Reply(status, html, "text/html")


def text_reply(status: int, words: str) -> Reply:
    """A plain text."""
    return Reply(status, words, "text/plain; charset=utf-8")
