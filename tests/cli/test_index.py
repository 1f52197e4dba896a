"""`gretel index`: encode once, then only what changed."""

import json
from pathlib import Path

import pytest
from cli_runs import WEATHER, Command


def test_an_index_is_written_and_used(gretel: Command, weather: Path, tmp_path: Path) -> None:
    out = tmp_path / "index"
    ended = gretel("index", "--catalog", weather, "--out", out)
    assert ended.code == 0, ended.err
    assert ended.out.startswith("2 tools in ")
    used = gretel(
        "select", "weather forecast for Oslo", "--catalog", weather, "--index", out, "--json"
    )
    assert json.loads(used.out)["tools"][0]["tool_id"] == "Weather.forecast"


def test_indexing_a_changed_catalogue_goes_on_from_there(
    gretel: Command, weather: Path, tmp_path: Path
) -> None:
    out = tmp_path / "index"
    first = gretel("index", "--catalog", weather, "--out", out)
    changed = json.loads(json.dumps(WEATHER))
    changed["paths"]["/forecast"]["get"]["summary"] = "Tide tables of a harbour"
    weather.write_text(json.dumps(changed))
    second = gretel("index", "--catalog", weather, "--out", out)
    assert second.code == 0, second.err
    assert first.out.split()[-1] != second.out.split()[-1]


def test_a_folder_without_an_index_is_not_made_one(
    gretel: Command, weather: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mistyped"
    optioned = gretel("select", "weather in Oslo", "--catalog", weather, "--index", folder)
    monkeypatch.setenv("GRETEL_INDEX", str(folder))
    set_ = gretel("select", "weather in Oslo", "--catalog", weather)
    assert (optioned.code, set_.code, folder.exists()) == (2, 2, False)
    said = f"{folder} holds no index. Give the folder that `gretel index` wrote."
    assert (optioned.err, set_.err) == (
        f"gretel: --index: {said}\n",
        f"gretel: GRETEL_INDEX: {said}\n",
    )
