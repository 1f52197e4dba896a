"""Every command and every line of code of README.md runs."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes import tool
from gretel.cli.app import run
from slow_api import SlowApi

WEATHER = """
openapi: 3.0.3
info: {title: Weather, version: "1"}
servers: [{url: "SERVER"}]
paths:
  /forecast:
    get:
      operationId: forecast
      summary: Weather forecast of a city
      parameters:
        - {name: city, in: query, required: true, schema: {type: string}}
      responses: {"200": {description: The forecast}}
"""


BUGS = {
    "openapi": "3.0.3",
    "info": {"title": "Bugs", "version": "1"},
    "paths": {
        "/bugs": {
            "get": {
                "operationId": "listBugs",
                "summary": "Lists the bugs that are open",
                "responses": {"200": {"description": "The bugs"}},
            }
        }
    },
}
"""A document that names no server."""


@pytest.fixture
def readme(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that README names."""
    monkeypatch.chdir(tmp_path)
    weather = WEATHER.replace("SERVER", "https://api.weather.example")
    (tmp_path / "weather.yaml").write_text(weather)
    alerts = tool("Storms.alerts", "Storm alerts of today.", server="https://storms.example")
    (tmp_path / "tools.jsonl").write_text(alerts.model_dump_json() + "\n")
    (tmp_path / "bugs.json").write_text(json.dumps(BUGS))
    return tmp_path


@pytest.fixture
def api() -> Iterator[SlowApi]:
    with SlowApi(delay_s=0) as server:
        yield server


def test_the_commands_run(
    readme: str,
    files: Path,
    api: SlowApi,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    commands = re.findall(r"^gretel .*?(?=  #|$)", readme, re.MULTILINE)
    assert len(commands) == 5
    for command in commands:
        here = command.replace("http://127.0.0.1:8000", api.url)
        monkeypatch.setattr("sys.argv", shlex.split(here))
        try:
            run()
        except SystemExit as end:
            assert not end.code, (command, capsys.readouterr().err)


def test_the_code_runs(readme: str, files: Path, api: SlowApi) -> None:
    [code] = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    host = api.url.removeprefix("http://")
    (files / "weather.yaml").write_text(WEATHER.replace("SERVER", api.url))
    names: dict[str, object] = {}
    exec(compile(code.replace("api.weather.example", host), "README.md", "exec"), names)
    selection = names["selection"]
    assert selection.tools[0].tool_id == "Weather.forecast"  # type: ignore[attr-defined]
    answer = selection.tools[0].call(city="Bergen")  # type: ignore[attr-defined]
    assert answer.outcome.status == "succeeded"
    assert answer.body == {"flights": [{"price": 210, "to": "OSL"}]}
    names["selector"].close()  # type: ignore[attr-defined]


def test_the_make_targets_exist(readme: str, root: Path) -> None:
    targets = set(re.findall(r"^(\w+):", (root / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make (\w+)", readme, re.MULTILINE)) <= targets


def test_the_result_line_is_the_one_of_the_demo(readme: str) -> None:
    [line] = re.findall(r"^RESULT (.*)$", readme, re.MULTILINE)
    shown = json.loads(line.replace(", …", ""))
    assert shown["ranking"][:2] == ["Kayak.search_flights", "Skyscanner.get_flights"]
    assert shown["abstained"] is False


def test_the_tests_and_layers_that_security_names_are_there(root: Path) -> None:
    page = (root / "SECURITY.md").read_text("utf-8")
    named = set(re.findall(r"`(?:\.\./[\w/]*/)?(test_\w+)`", page))
    layers = set(re.findall(r"`((?:sandbox|nodes|text|catalog|llm|integrations)/[\w./]+)`", page))
    tests = {file.stem for file in (root / "tests").rglob("test_*.py")}

    assert len(named) > 80 and sorted(named - tests) == []
    assert len(layers) > 20
    places = (root, root / "src" / "gretel")
    assert [each for each in layers if not any((at / each).exists() for at in places)] == []
