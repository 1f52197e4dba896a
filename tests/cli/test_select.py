"""`gretel select`: what it prints, and how it ends."""

import json
from pathlib import Path

import pytest
from cli_runs import Command

from gretel.nodes.context import ABSTAIN_BELOW

REQUEST = "What is the weather forecast for the city of Oslo?"


def test_select_prints_the_selection_as_json(gretel: Command, weather: Path) -> None:
    ended = gretel("select", REQUEST, "--catalog", weather, "--json")
    assert ended.code == 0, ended.err
    selection = json.loads(ended.out)
    best = selection["tools"][0]
    assert best["tool_id"] == "Weather.forecast"
    assert best["trial"]["plan"]["arguments"]["city"]["value"] == "Oslo"
    assert best["trial"]["simulated"]["source"] == "simulated"
    assert selection["hosts"] == ["weather.example.com"]


def test_select_prints_a_table_and_the_hosts_to_allow(gretel: Command, weather: Path) -> None:
    ended = gretel("select", REQUEST, "--catalog", weather)
    assert ended.code == 0, ended.err
    assert "Weather.forecast" in ended.out.replace("\n", "")
    assert "--allow-host weather.example.com" in ended.out


def test_an_abstention_ends_with_3(gretel: Command, weather: Path) -> None:
    ended = gretel("select", "Write me a poem about autumn", "--catalog", weather, "--json")
    assert ended.code == 3
    assert json.loads(ended.out)["abstention"]["reason"]


def test_how_readily_it_abstains_is_an_option(gretel: Command, weather: Path) -> None:
    given = ("--catalog", weather, "--json")
    assert gretel("select", REQUEST, *given).code == 0
    declined = gretel("select", REQUEST, *given, "--abstain-below", 1)
    assert declined.code == 3
    assert json.loads(declined.out)["abstention"]["reason"] in ("no_tool_needed", "no_tool_fits")
    kept = gretel("select", "Write me a poem about autumn", *given, "--abstain-below", 0)
    assert json.loads(kept.out)["trials"]


@pytest.mark.parametrize("chance", ["-0.1", "1.1", "nan", "often"])
def test_a_chance_is_between_0_and_1(gretel: Command, weather: Path, chance: str) -> None:
    ended = gretel("select", REQUEST, "--catalog", weather, "--abstain-below", chance)
    assert ended.code == 2
    assert "Invalid value for '--abstain-below'" in ended.err


def test_the_help_names_the_usual_chance(gretel: Command) -> None:
    assert f"Default: {ABSTAIN_BELOW}." in gretel("select", "--help").out


@pytest.mark.parametrize("option", ["--context", "--fact"])
def test_context_fills_parameters(gretel: Command, weather: Path, option: str) -> None:
    ended = gretel(
        "select", "Show me the storm alert", "--catalog", weather, option, "id=A17", "--json"
    )
    trials = {trial["tool_id"]: trial for trial in json.loads(ended.out)["trials"]}
    argument = trials["Weather.alert"]["plan"]["arguments"]["id"]
    assert (argument["value"], argument["source"]) == ("A17", "context")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["", "--catalog", "{weather}"], "request: is empty"),
        (["x"], "--catalog: no catalogue is named"),
        (["x", "--catalog", "missing.yaml"], "missing.yaml"),
        (["x", "--catalog", "{weather}", "--context", "x"], "--context"),
        (["x", "--catalog", "{weather}", "--model", "nobody:x"], "model"),
        (["x", "--catalog", "{weather}", "--rewriter", "llm"], "rewriter"),
        (["x", "--catalog", "{weather}", "--rewriter", "magic"], "rewriter"),
        (["x", "--catalog", "{weather}", "--allow-host", "http://["], "allow_hosts"),
        (["x", "--catalog", "{weather}", "--safe-tool", "Weather.typo"], "safe_tools: 'Weather.t"),
        (["x", "--catalog", "{weather}", "--callable-tool", "*.typo"], "callable_tools: '*.typo'"),
        (
            ["x", "--catalog", "https://a.example/openapi.json"],
            "https://a.example/openapi.json: is a",
        ),
        (["x", "--catalog", "{empty}"], "empty.jsonl: holds no tool"),
    ],
)
def test_bad_input_is_one_clear_line_and_ends_with_2(
    gretel: Command, weather: Path, args: list[str], said: str
) -> None:
    empty = weather.with_name("empty.jsonl")
    empty.touch()
    ended = gretel("select", *[arg.format(weather=weather, empty=empty) for arg in args])
    assert ended.code == 2
    assert ended.err.startswith("gretel: ")
    assert said in ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_dead_model_endpoint_ends_with_4(
    gretel: Command, weather: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "secret-canary")
    ended = gretel("select", REQUEST, "--catalog", weather, "--model", "openai:x")
    assert ended.code == 4
    assert "secret-canary" not in ended.err


def test_the_environment_names_catalogue_and_hosts(
    gretel: Command, weather: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRETEL_CATALOG", str(weather))
    ended = gretel("select", REQUEST, "--json")
    assert ended.code == 0, ended.err


@pytest.mark.parametrize("where", ["option", "environment"])
def test_tools_are_marked_safe_or_callable(
    gretel: Command, weather: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """The forecast becomes a POST: it is tried where it is marked safe, else it needs leave."""
    weather.write_text(weather.read_text().replace('"get"', '"post"'))
    given = ["select", REQUEST, "--catalog", weather, "--json"]

    def marked(kind: str) -> tuple[bool, str]:
        options: list[str] = []
        if where == "option":
            options = [f"--{kind}-tool", "*.forecast"]
        else:
            monkeypatch.setenv(f"GRETEL_{kind.upper()}_TOOLS", "*.forecast")
        best = json.loads(gretel(*given, *options).out)["tools"][0]
        monkeypatch.delenv(f"GRETEL_{kind.upper()}_TOOLS", raising=False)
        assert best["tool_id"] == "Weather.forecast"
        return best["needs_leave"], best["trial"]["executed"]["failure"]["kind"]

    assert json.loads(gretel(*given).out)["tools"][0]["needs_leave"]
    assert marked("safe") == (False, "host_not_allowed")
    assert marked("callable") == (False, "unsafe_method")


def test_a_url_in_the_environment_is_one_clear_error(
    gretel: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRETEL_CATALOG", "https://a.example/openapi.json")
    ended = gretel("select", REQUEST)
    assert ended.code == 2
    assert "https://a.example/openapi.json: is a URL" in ended.err
