"""`gretel train masstool --ablation`: what it prints and writes, and how it ends."""

import json
import re
from pathlib import Path

import pytest
from cli_runs import Command

from gretel.training.masstool import ablation

TOPICS = ("weather", "flights", "recipes", "music")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Four tools, forty requests, and sixteen that need none."""
    folder = tmp_path / "data"
    (folder / "qrels").mkdir(parents=True)
    lines = {
        "corpus.jsonl": [
            {"_id": str(n), "title": topic, "text": f"Tells about {topic}"}
            for n, topic in enumerate(TOPICS)
        ],
        "queries.jsonl": [
            {"_id": f"q{n}", "text": f"Request {n}: show me {TOPICS[n % 4]}"} for n in range(40)
        ],
        "no_tool.jsonl": [{"id": f"n{n}", "query": f"Write poem number {n}"} for n in range(40)],
    }
    for name, rows in lines.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    judged = "".join(f"q{n}\t{n % 4}\t1\n" for n in range(40))
    (folder / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged)
    return folder


@pytest.mark.slow
def test_it_prints_a_table_and_writes_charts(
    gretel: Command, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ablation, "SEEDS", 2)
    out = tmp_path / "out"
    command = ("train", "masstool", "--data", data, "--no-tool", data / "no_tool.jsonl")
    command += ("--preset", "none", "--device", "cpu", "--out", out, "--seed", 3, "--ablation")

    ended = gretel(*command)

    assert ended.code == 0, ended.err
    for name in ("BM25", "kNN vote, raw encoder", "MassTool", "without graph", "transfer: add"):
        assert re.search(rf"│ {name} +│ +\d+\.\d\d ± \d+\.\d\d │", ended.out), name
    table = (out / "ablation" / "table.md").read_text()
    charts = (out / "ablation" / "sensitivity.html").read_text()
    digest = re.search(r"data digest: ([0-9a-f]{64})\n", ended.out)
    assert digest
    for page in (ended.out, table, charts):
        assert f"gretel train masstool --data {data}" in page.replace("\n", "")
        assert digest[1] in page
        assert "Development part, never test" in page
        assert "3, 4" in page
    assert "λ" not in table
    assert charts.count('<svg viewBox="') == 6
    for line in ("mean", "seed 3", "seed 4"):
        assert charts.count(f">{line}</text>") == 6
    assert "<script" not in charts
    assert not (out / "manifest.json").exists()

    again = gretel(*command, "--json")
    rows = [json.loads(line) for line in again.out.splitlines()]
    assert {row["seed"] for row in rows} == {3, 4}
    assert (out / "ablation" / "rows.jsonl").read_text() == again.out


@pytest.mark.parametrize("option", [("--without", "graph"), ("--transfer", "add")])
def test_a_part_left_out_beside_it_is_refused(
    gretel: Command, data: Path, tmp_path: Path, option: tuple[str, str]
) -> None:
    ended = gretel("train", "masstool", "--data", data, "--out", tmp_path, "--ablation", *option)

    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert "--ablation: measures the whole model" in ended.err
