"""Secrets among what the user gave a program: by their names, within URLs, in a text's places."""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl, unquote, urlsplit

from gretel.text.invisible import clean
from gretel.text.redact import redacted
from gretel.text.secrecy.names import is_secret, secrecy
from gretel.text.secrecy.values import is_coded
from gretel.text.secret_shapes import MASK

_KEY = 16
"""Characters from which a step of a server's path, of letters and digits, may be a key."""
_WITHIN = re.compile(r"[;=:,]")
"""What parts the settings of one step of a path."""
_SWITCH = re.compile(r"[A-Za-z]{1,15}|[a-z]+(?:[_-][a-z]+)+|\d{1,3}")
"""Of a query, a name without a value that is no key."""


def secrets_among(given: Iterable[tuple[str, str]]) -> list[str]:
    """Of names and values, as of an environment, the values that are secret, or hold one."""
    pairs = [*given]
    named = [value for name, value in pairs if is_secret(name, value)]
    held = [part for name, value in pairs for part in secrets_in(value)]
    return named + held + [part for _, value in pairs if "://" in value for part in _of_url(value)]


def secrets_in(text: str) -> Iterator[str]:
    """What we would mask in a text, by its name, its shape or its place: as within JSON, a command
    for a shell, a connection string.
    """
    text = clean(text)
    kept = redacted(text, was_cut=False).split(MASK)
    found = re.fullmatch("(.+?)".join(map(re.escape, kept)), text, re.DOTALL)
    yield from found.groups() if found else ()


def secrets_of_server(url: str) -> Iterator[str]:
    """What stands in the URL of a server that the user named for that server alone: as of any URL,
    and all of its query.
    """
    yield from _of_url(url)
    for name, value in _query(url):
        if value or not _SWITCH.fullmatch(name):
            yield value or name


def _of_url(text: str) -> Iterator[str]:
    """Of a URL its login, the secrets of its query, and steps that may be keys."""
    try:
        url = urlsplit(text)
        login = url.password or url.username
    except ValueError:
        return
    if login:
        yield unquote(login)
    yield from (value for name, value in _query(text) if is_secret(name, value) or is_coded(value))
    before = ""
    for step in unquote(url.path).split("/"):
        if is_coded(step) and (len(step) >= _KEY or secrecy(before)):
            yield step
        yield from (part for part in _WITHIN.split(step) if len(part) >= _KEY and is_coded(part))
        before = step


def _query(text: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(urlsplit(text).query, keep_blank_values=True)
    except ValueError:
        return []
