"""`gretel doctor`: what it checks, and how it ends."""

import json
from pathlib import Path

import pytest
from cli_runs import Command

from gretel.sandbox.process.settings import LAYERS


def test_doctor_names_what_is_installed_and_configured(gretel: Command, weather: Path) -> None:
    ended = gretel("doctor", "--catalog", weather, "--allow-host", "declared", "--json")
    assert ended.code == 0, ended.out
    checks = {check["name"]: check for check in json.loads(ended.out)}
    assert {"gretel", "langgraph", "torch", "catalog", "hosts", "model"} <= checks.keys()
    assert checks["catalog"]["detail"].startswith("2 tools")
    assert "weather.example.com" in checks["hosts"]["detail"]


def test_doctor_names_every_layer_around_callables(gretel: Command) -> None:
    ended = gretel("doctor")
    assert ended.code == 0, ended.out
    for name in LAYERS:
        assert f"callables: {name}: " in ended.out


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


def test_doctor_names_the_layers_in_force(gretel: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.test:1")
    monkeypatch.setenv("GRETEL_NAT64", "64:ff9b::/96")
    ended = gretel("doctor", "--json")
    details = {check["name"]: check["detail"] for check in json.loads(ended.out)}
    assert "64:ff9b::/96" in details["sandbox: addresses"]
    assert "HTTPS_PROXY" in details["sandbox: proxies"]
    assert "GET, HEAD, OPTIONS" in details["sandbox: methods"]


def test_doctor_ends_with_2_on_an_unusable_nat64_prefix(
    gretel: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRETEL_NAT64", "everything")
    assert gretel("doctor").code == 2
