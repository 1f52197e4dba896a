"""Secrets among the settings that the user gave a program: by their names, and within URLs."""

from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl, unquote, urlsplit

from gretel.text.secrecy.names import is_secret
from gretel.text.secrecy.values import is_coded

_KEY = 16
"""Characters from which a step of a server's path, of letters and digits, may be a key."""


def secrets_among(given: Iterable[tuple[str, str]]) -> list[str]:
    """Of names and values, as of an environment, the values that are secret, or hold one."""
    pairs = [*given]
    named = [value for name, value in pairs if is_secret(name, value)]
    return named + [part for _, value in pairs if "://" in value for part in secrets_of_url(value)]


def secrets_of_url(text: str, *, all_of_query: bool = False) -> Iterator[str]:
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
