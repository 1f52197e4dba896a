"""`gretel index`: encode once, then only what changed."""

import json
from pathlib import Path

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
