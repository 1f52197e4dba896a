"""`gretel doctor`: what it checks, and how it ends."""

import json
from pathlib import Path

import pytest
from cli_runs import Command

from gretel.sandbox.process.settings import LAYERS
from llm_server import LlmServer, good


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


@pytest.mark.slow
def test_doctor_ends_with_2_on_an_unusable_catalogue(gretel: Command, tmp_path: Path) -> None:
    ended = gretel("doctor", "--catalog", tmp_path / "none.yaml")
    assert ended.code == 2
    assert "FAIL catalog" in ended.out


@pytest.mark.slow
def test_doctor_ends_with_4_on_a_dead_endpoint(
    gretel: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    ended = gretel("doctor", "--model", "openai:x")
    assert ended.code == 4
    assert "FAIL model" in ended.out


@pytest.mark.parametrize(
    ("strict_mode", "json_schema", "takes"),
    [
        (False, True, "a JSON Schema with all its bounds, cap by max_completion_tokens"),
        (True, True, "a JSON Schema, strict mode without bounds, cap by max_completion_tokens"),
        (False, False, "JSON mode, cap by max_completion_tokens"),
    ],
)
def test_doctor_says_what_an_endpoint_takes(
    gretel: Command,
    monkeypatch: pytest.MonkeyPatch,
    llm: LlmServer,
    strict_mode: bool,
    json_schema: bool,
    takes: str,
) -> None:
    llm.strict_mode, llm.json_schema = strict_mode, json_schema
    llm.caps = ("max_completion_tokens",)
    llm.script("doctor", good({"ok": True, "why": None} if strict_mode else {"ok": True}))
    monkeypatch.setenv("OPENAI_BASE_URL", llm.url)
    monkeypatch.setenv("OPENAI_API_KEY", llm.api_key)
    ended = gretel("doctor", "--model", "openai:test")
    assert f"ok   model: openai:test answers; it takes {takes}" in " ".join(ended.out.split("\n"))


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
