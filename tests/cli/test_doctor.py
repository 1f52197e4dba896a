"""`gretel doctor`: what it checks, and how it ends."""

import json
from pathlib import Path

import pytest
from cli_runs import Command


def test_doctor_names_what_is_installed_and_configured(gretel: Command, weather: Path) -> None:
    ended = gretel("doctor", "--catalog", weather, "--allow-host", "declared", "--json")
    assert ended.code == 0, ended.out
    checks = {check["name"]: check for check in json.loads(ended.out)}
    assert {"gretel", "langgraph", "torch", "catalog", "hosts", "model"} <= checks.keys()
    assert checks["catalog"]["detail"].startswith("2 tools")
    assert "weather.example.com" in checks["hosts"]["detail"]


def test_doctor_ends_with_2_on_an_unusable_catalogue(gretel: Command, tmp_path: Path) -> None:
    ended = gretel("doctor", "--catalog", tmp_path / "none.yaml")
    assert ended.code == 2
    assert "FAIL catalog" in ended.out


def test_doctor_ends_with_4_on_a_dead_endpoint(
    gretel: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    ended = gretel("doctor", "--model", "openai:x")
    assert ended.code == 4
    assert "FAIL model" in ended.out
