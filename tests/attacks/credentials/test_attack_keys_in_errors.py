"""A key that was pasted into the wrong place stands in no error, and so in no log of one."""

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from fakes import tool
from gretel.catalog import Catalog
from gretel.cli.app import app
from gretel.contracts.budget import Budget
from gretel.contracts.errors import CatalogError, GretelError, InputError, ServiceUnreachable
from gretel.contracts.tool import Tool
from gretel.graph.runs import read_context
from gretel.graph.selector import Selector
from gretel.graph.settings import read_settings
from gretel.llm.model import open_model
from gretel.nodes.context import Context
from gretel.sandbox.permission.policy import Policy
from lanes import every

RANDOM = "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1bC3dE5"
KEYS = {
    "openai": f"sk-proj-{RANDOM}",
    "github": f"ghp_{RANDOM}",
    "aws": "AKIAIOSFODNN7EXAMPLE",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "bearer": f"Bearer {RANDOM}",
    "in letters that look alike": f"\u0455k-proj-{RANDOM}",
}


def secret(key: str) -> str:
    """What of it nobody is to see."""
    return key.split(" ")[-1][-12:]


def jsonl(folder: Path, line: str) -> Path:
    path = folder / "tools.jsonl"
    path.write_text(line)
    return path


PLACES: dict[str, Callable[[str, Path], Any]] = {
    "a tool's id": lambda key, _: Catalog.from_tools([])[key],
    "a catalogue": lambda key, _: Catalog.from_path(key),
    "a catalogue's folder": lambda key, folder: Catalog.from_path(folder / key / "a.json"),
    "a field of a record": lambda key, folder: Catalog.from_jsonl(
        jsonl(folder, json.dumps({"tool_id": "a.b", "toolkit": "a", "operation": "b", key: 1}))
    ),
    "an option": lambda key, _: read_context({key: 1}, Context),
    "an option's value": lambda key, _: read_context({"today": key}, Context),
    "a retriever": lambda key, _: Selector(Catalog.from_tools([tool("a.b")]), retriever=key),
    "a model": lambda key, _: open_model(key),
    "a host": lambda key, _: Policy(allow_hosts=frozenset({f"https://{key}/ x"})),
    "a budget": lambda key, _: Budget(wall_s=key),  # type: ignore[arg-type]
    "a tool's value": lambda key, _: Tool.model_validate({"tool_id": "a.b", "parameters": key}),
    "a context's value": lambda key, _: Context(k=key),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("place", PLACES)
def test_a_pasted_key_stands_in_no_error(
    place: str, name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key = KEYS[name]
    with pytest.raises((InputError, ValidationError)) as raised:
        PLACES[place](key, tmp_path)
    error = raised.value
    logging.getLogger("caller").error("it failed: %s %r", error, error)
    told = f"{error} {error!r} {caplog.text}"
    if isinstance(error, InputError):
        told += f"{error.field} {error.remedy}"
    assert secret(key) not in told


@pytest.mark.parametrize("name", KEYS)
def test_it_is_masked_before_a_message_is_cut(name: str) -> None:
    key = KEYS[name]
    for kind in (GretelError, ServiceUnreachable):
        for before in range(1_940, 2_000, 7):
            said = str(kind(f"{'x' * before} {key}"))
            assert len(said) <= 2_000 and secret(key)[:6] not in said
    long = InputError("x" * 2_000, field=key, remedy=key)
    assert secret(key) not in f"{long} {long.field} {long.remedy}"
    behind = InputError("is unknown", field="x" * 2_000, remedy=key)
    assert secret(key) not in f"{behind} {behind.field} {behind.remedy}"


def test_words_of_ours_are_not_masked() -> None:
    said = "secret: the password of `Authorization` is missing. Set GRETEL_TOKEN, or basic access"
    error = CatalogError(
        "the password of `Authorization` is missing",
        field="secret",
        remedy="Set GRETEL_TOKEN, or basic access",
    )
    assert str(error) == said


COMMANDS = [
    ["{}"],
    ["--{}"],
    ["select", "x", "--{}"],
    ["select", "x", "-k", "{}"],
    ["train", "{}"],
    ["train", "masstool", "--{}"],
    ["select", "x", "--catalog", "{}"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("name", every(2, [*KEYS]))
def test_a_pasted_key_stands_in_nothing_that_a_command_says(
    command: list[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    key = KEYS[name]
    ended = CliRunner().invoke(app, [word.format(key) for word in command])
    assert ended.exit_code != 0
    assert secret(key) not in f"{ended.output} {ended.stderr} {ended.exception}"


def test_a_pasted_key_in_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GRETEL_PLAN_BATCH", "GRETEL_CANDIDATES"):
        monkeypatch.setenv(name, KEYS["openai"])
        with pytest.raises(InputError) as raised:
            read_settings()
        assert secret(KEYS["openai"]) not in f"{raised.value} {raised.value.__cause__}"
        monkeypatch.delenv(name)
