"""Secrets that the user gave an MCP server: in its URL, its environment, its command line."""

import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from gretel.text.secrecy.names import is_secret
from gretel.text.secrecy.values import is_coded

_KEY = 16
"""Characters from which a step of a server's path, of letters and digits, may be a key."""
_SETTING = re.compile(r"-{0,2}([\w.-]{1,200})(?:=|:\s?(?!//))(.*)", re.DOTALL)
"""`--token=…`, `TOKEN=…` behind `-e`, a header behind `--header`."""


def secrets_of(server: Any) -> list[str]:
    """What was given to `server`, a URL or a command, that is not to be seen elsewhere."""
    if isinstance(server, str):
        return [*_of_url(server, all_of_query=True)]
    given = [*(getattr(server, "env", None) or {}).items()]
    given += _settings(getattr(server, "args", None) or ())
    named = [value for name, value in given if is_secret(name, value)]
    return named + [part for _, value in given if "://" in value for part in _of_url(value)]


def _settings(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The values of a command line, with the names that stand beside them."""
    for argument, following in zip(arguments, [*arguments[1:], ""], strict=False):
        if setting := _SETTING.fullmatch(argument):
            yield setting[1], setting[2]
        elif argument.startswith("-"):
            yield argument, following
        yield "argument", argument


def _of_url(text: str, *, all_of_query: bool = False) -> Iterator[str]:
    """What stands in a URL for its server alone: a login, its query, a step that may be a key."""
    try:
        url = urlsplit(text)
        login = url.password or url.username
    except ValueError:
        return
    if login:
        yield unquote(login)
    for name, value in parse_qsl(url.query):
        if all_of_query or is_secret(name, value) or is_coded(value):
            yield value
    for step in unquote(url.path).split("/"):
        if len(step) >= _KEY and is_coded(step):
            yield step
