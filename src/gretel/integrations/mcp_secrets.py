"""Secrets that the user gave an MCP server: in its URL, its environment, its command line."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from gretel.text.secrecy.given import secrets_among, secrets_of_url

_SETTING = re.compile(r"-{0,2}([\w.-]{1,200})(?:=|:\s?(?!//))(.*)", re.DOTALL)
"""`--token=…`, `TOKEN=…` behind `-e`, a header behind `--header`."""


def secrets_of(server: Any) -> list[str]:
    """What was given to `server`, a URL or a command, that is not to be seen elsewhere."""
    if isinstance(server, str):
        return [*secrets_of_url(server, all_of_query=True)]
    given = [*(getattr(server, "env", None) or {}).items()]
    given += _settings(getattr(server, "args", None) or ())
    return secrets_among(given)


def _settings(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The values of a command line, with the names that stand beside them."""
    for argument, following in zip(arguments, [*arguments[1:], ""], strict=False):
        if setting := _SETTING.fullmatch(argument):
            yield setting[1], setting[2]
        elif argument.startswith("-"):
            yield argument, following
        yield "argument", argument
