"""`gretel select`: what it prints, and how it ends."""

import io
import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cli_runs import Command

from fakes import succeeded, trial
from gretel.catalog import Catalog
from gretel.cli.opening import Asked, read_facts, read_request
from gretel.cli.showing.selection import print_selection
from gretel.contracts.ranking import SelectedTool
from gretel.evaluation.mock.environment import Environment
from gretel.evaluation.mock.faults import draw_faults
from gretel.graph.selector import BoundSelection
from gretel.nodes.context import ABSTAIN_BELOW
from lanes import every

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


@pytest.mark.parametrize("columns", [40, 80, 160])
def test_select_prints_k_tools_and_the_hosts_to_allow(
    gretel: Command, weather: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    ended = gretel("select", REQUEST, "--catalog", weather, "-k", 1)
    assert ended.code == 0, ended.err
    lines = ended.out.splitlines()
    assert lines[0].startswith("1. Weather.forecast  simulated")
    assert [line for line in lines if line[:1].isdigit()] == lines[:1]
    assert "… and 1 more tried" in ended.out
    assert "--allow-host weather.example.com" in " ".join(ended.out.split())
    assert max(map(len, lines)) <= columns


@pytest.mark.slow
def test_select_asks_for_tools_that_the_request_is_about(gretel: Command, weather: Path) -> None:
    assert "Ask the user for" not in gretel("select", REQUEST, "--catalog", weather).out
    asked = gretel("select", "Show me the storm alert", "--catalog", weather)
    assert "Ask the user for:\n   id for Weather.alert" in asked.out


def test_select_shows_what_a_call_answered(gretel: Command, weather: Path) -> None:
    tools = Catalog.from_path(weather)
    with Environment(tools, draw_faults(tools, mix="none", seed=7), seed=7) as api:
        ended = gretel("select", REQUEST, "--catalog", weather, "--base-url", api.base_url)
    assert ended.code == 0, ended.err
    first, called, answered = ended.out.splitlines()[:3]
    assert first == "1. Weather.forecast  succeeded"
    assert "city=Oslo" in called
    assert answered.startswith('   answer: {"celsius":')


@pytest.mark.slow
def test_select_shows_what_each_tool_lacks_where_none_is_offered(
    gretel: Command, weather: Path
) -> None:
    ended = gretel("select", "Show me the storm alert", "--catalog", weather, "-k", 1)
    assert ended.code == 3
    assert "No tool is offered (all_refused)" in ended.out
    assert "1. Weather.alert  refused" in ended.out
    assert "lacks a value for id" in ended.out
    given = json.loads(
        gretel("select", "Show me the storm alert", "--catalog", weather, "--json").out
    )
    assert given["tools"] == []
    assert [tool["lack"] for tool in given["lacking"]] == ["value", "value"]
    assert given["lacking"][0]["missing"][0]["name"] == "id"


def test_words_of_an_answer_bring_no_escapes_to_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hostile = succeeded(excerpt='{"a": "\x1b[2J\x1b]0;owned\x07 [red]b[/] \u202ec"}')
    tried = trial("Air.a", executed=hostile)
    tool = SelectedTool(
        tool_id=tried.tool_id,
        rank=1,
        rank_before=1,
        score=1.0,
        reason="\x1b[31mIt \x9b31m[bold]succeeded.",
        trial=tried,
    )
    print_selection(BoundSelection.model_validate({"tools": [tool.model_dump()]}))
    shown = capsys.readouterr().out
    assert not any(char in shown for char in "\x1b\x9b\x07\u202e")
    assert "[red]b[/]" in shown and "[bold]succeeded." in shown


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 7, 12, 200])
def test_a_terminal_of_any_width_shows_all(
    gretel: Command, weather: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = gretel("select", "What is the weather in Oslo?", "--catalog", weather)

    assert shown.code == 0 and max(map(len, shown.out.splitlines())) <= columns
    said = "".join(shown.out.split())
    assert "1.Weather.forecast" in said and "toallowthem:--allow-host" in said


def test_an_abstention_ends_with_3(gretel: Command, weather: Path) -> None:
    ended = gretel("select", "Write me a poem about autumn", "--catalog", weather, "--json")
    assert ended.code == 3
    assert json.loads(ended.out)["abstention"]["reason"]


@pytest.mark.slow
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


@pytest.mark.parametrize("value", ["[" * 5_000, "9" * 5_000], ids=["brackets", "digits"])
def test_context_that_no_reader_of_json_takes_is_text(value: str) -> None:
    assert read_facts([f"note={value}", "page=2"]) == {"note": value, "page": 2}


@pytest.mark.parametrize("errors", ["surrogateescape", "strict"])
def test_a_request_in_another_encoding_loses_no_letter(
    gretel: Command, weather: Path, monkeypatch: pytest.MonkeyPatch, errors: str
) -> None:
    latin = "Weather in Köln".encode("latin-1")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(latin), "utf-8", errors))
    piped = gretel("select", "-", "--catalog", weather)
    typed = gretel("select", latin.decode("utf-8", "surrogateescape"), "--catalog", weather)
    said = "gretel: request: is not utf-8 text. Write it, or save it, in UTF-8.\n"
    assert (piped.code, piped.err) == (typed.code, typed.err) == (2, said)


def test_a_request_that_the_locale_cannot_read_is_utf8() -> None:
    assert read_request("Köln".encode().decode("ascii", "surrogateescape")) == "Köln"


@pytest.mark.parametrize("east", [14, -12])  # of which one is never at the day of UTC
def test_today_is_the_day_at_the_terminal(monkeypatch: pytest.MonkeyPatch, east: int) -> None:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", f"EAST{-east:+}")
        time.tzset()
        before = datetime.now(UTC)
        day = Asked(request="tomorrow").given()["today"]
        after = datetime.now(UTC)
    time.tzset()
    assert day in {(moment + timedelta(hours=east)).date() for moment in (before, after)}


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
            "is a URL, and",
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


@pytest.mark.slow
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


@pytest.mark.parametrize("where", every(2, ["option", "environment"]))
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
    assert "is a URL, and" in ended.err
