"""Secrets that the user gave an MCP server: in its URL, its environment, its command line."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gretel.contracts.record import JsonValue
from gretel.text.given import secrets_among, secrets_in, secrets_of_server
from gretel.text.invisible import clean
from gretel.text.redact import known_redacted

_SETTING = re.compile(r"-{0,2}([\w.-]{1,200})(?:=|:\s?(?!//))(.*)", re.DOTALL)
"""`--token=…`, `TOKEN=…` behind `-e`, a header behind `--header`."""

_PLAIN = re.compile(r"[^\W\d_]{1,15}|\d{1,5}")
"""No word that a person chose has more letters."""


def secrets_of(server: Any) -> list[str]:
    """What was given to `server`, a URL or a command, that is not to be seen elsewhere."""
    if isinstance(server, str):
        return [*dict.fromkeys(secrets_of_server(server))]
    given = [*(getattr(server, "env", None) or {}).items()]
    arguments = getattr(server, "args", None) or ()
    line = " ".join([str(getattr(server, "command", "")), *arguments])
    return [*dict.fromkeys([*secrets_among([*given, *_settings(arguments)]), *secrets_in(line)])]


def _settings(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The values of a command line, with the names that stand beside them."""
    for argument, following in zip(arguments, [*arguments[1:], ""], strict=False):
        if setting := _SETTING.fullmatch(argument):
            yield setting[1], setting[2]
        elif argument.startswith("-"):
            port = argument != "-p" or following.isdigit()
            yield argument if port else "pass", following
        yield "argument", argument


def telling(secrets: Iterable[str]) -> list[str]:
    """Those that are no words and no short numbers: who asks a database with the password
    `postgres` has tools that are called so.
    """
    return [secret for secret in secrets if not _PLAIN.fullmatch(secret)]


def without_secrets(entry: JsonValue) -> JsonValue:
    """What a server lists, without the secrets that are known where it is read: its entries stand
    in ids, prompts and an index. None where a name holds one: under another it cannot be called.
    """
    written = json.dumps(entry, ensure_ascii=False)
    if _redacted(written) == written:
        return entry
    try:
        return _masked(entry)
    except ValueError:
        return None


def _masked(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return _redacted(value)
    if isinstance(value, list):
        return [_masked(each) for each in value]
    if not isinstance(value, dict):
        return value
    name = value.get("name")
    named = [*value, name] if isinstance(name, str) else [*value]
    if any(_redacted(each) != each for each in named):
        raise ValueError("a name holds a secret")
    return {key: _masked(each) for key, each in value.items()}


def _redacted(text: str) -> str:
    seen = clean(text)
    kept = known_redacted(seen, was_cut=False)
    return text if kept == seen else kept
