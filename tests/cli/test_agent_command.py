"""`gretel agent`: what it prints, and how it ends."""

import json
from pathlib import Path

import pytest
from cli_runs import Command

from gretel.catalog import Catalog
from gretel.evaluation.mock.environment import Environment

REQUEST = "What is the weather forecast for the city of Oslo?"


def test_an_answer_ends_with_0_and_nothing_called_with_3(gretel: Command, weather: Path) -> None:
    ended = gretel("agent", REQUEST, "--catalog", weather, "--json")
    result = json.loads(ended.out)
    assert (ended.code, result["gave_up"], result["reason"]) == (3, True, "nothing_left")
    assert result["hosts"] == ["weather.example.com"]
    with Environment(Catalog.from_path(weather), seed=7) as api:
        ended = gretel("agent", REQUEST, "--catalog", weather, "--base-url", api.base_url, "--json")
    result = json.loads(ended.out)
    assert (ended.code, result["gave_up"]) == (0, False)
    assert result["steps"][0]["tool_id"] == "Weather.forecast"
    assert result["steps"][0]["plan"]["arguments"]["city"]["value"] == "Oslo"


@pytest.mark.parametrize("columns", [40, 100])
def test_each_step_is_printed_within_the_terminal(
    gretel: Command, weather: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    ended = gretel("agent", REQUEST, "--catalog", weather, "--offered", "candidates")
    assert ended.code == 3
    lines = ended.out.splitlines()
    assert lines[0] == "1. Weather.forecast  unavailable"
    assert "with city='Oslo'" in lines[1]
    assert "--allow-host weather.example.com" in " ".join(ended.out.split())
    assert "id for Weather.alert" in ended.out
    assert max(map(len, lines)) <= columns


def test_bad_options_are_one_clear_line(gretel: Command, weather: Path) -> None:
    assert gretel("agent", REQUEST).code == 2
    ended = gretel("agent", REQUEST, "--catalog", weather, "--offered", "all")
    assert ended.code == 2 and "offered" in ended.err and len(ended.err.splitlines()) == 1
    assert gretel("agent", " ", "--catalog", weather).code == 2
    assert gretel("agent", REQUEST, "--catalog", weather, "--steps", "0").code == 2
