"""`gretel evaluate` and `gretel merge`, as a user runs them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from run_commands import command

from gretel.cli.app import run
from gretel.cli.evaluate import evaluate
from gretel.cli.merge import merge
from gretel.contracts.errors import BudgetSpent, InputError
from gretel.datasets.halves import half_of
from gretel.datasets.qrels import read_qrels
from gretel.evaluation.measures.measures import measure
from gretel.evaluation.runs.settings import PIPELINES
from llm_server import LlmServer, plans, sample_arguments, status

CITIES = ("Oslo", "Paris", "Tokyo", "Lima")
TOPICS = {
    "weather": "Weather forecast of a city",
    "hotel": "Find hotel rooms in a city",
    "museum": "Opening hours of the museums of a city",
    "train": "Departures of trains from a city",
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Requests for four tools, each of which takes a city."""
    folder = tmp_path / "data"
    (folder / "qrels").mkdir(parents=True)
    corpus = [
        {"_id": f"doc-{name}", "title": name, "text": text, "metadata": _operation(name, text)}
        for name, text in TOPICS.items()
    ]
    queries = [
        {"_id": f"{name}-{city}", "text": f"{text.replace('a city', city)}, please"}
        for name, text in TOPICS.items()
        for city in CITIES
    ]
    rows = [f"{name}-{city}\tdoc-{name}\t1" for name in TOPICS for city in CITIES]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)))
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)))
    (folder / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *rows, ""]))
    return folder


def _operation(name: str, text: str) -> dict[str, Any]:
    return {
        "api_title": "City",
        "method": "get",
        "path": f"/{name}",
        "operationId": name,
        "summary": text,
        "servers": ["https://city.example.com"],
        "parameters": [
            {"name": "city", "in": "query", "required": True, "schema": {"type": "string"}}
        ],
    }


@pytest.mark.slow
def test_a_data_set_is_scored_resumed_and_merged(data: Path, tmp_path: Path) -> None:
    shared = ("--data", data, "--faults", "none", "--depth", 3, "--index", tmp_path / "index")
    whole = command(evaluate, *shared, "--out", tmp_path / "whole")
    assert whole.exit_code == 0
    assert "note: world kind" in whole.stderr
    assert "16 requests: 16 answered, 0 abstained" in whole.stdout
    assert "16/16" in whole.stderr
    metrics = json.loads((tmp_path / "whole" / "metrics.json").read_text())
    assert list(metrics["measures"]) == ["retrieval", "plain-rule", "no-simulation", "full"]
    assert metrics["measures"]["full"]["R@1"] == 1
    assert metrics["digests"]["report"] in whole.stdout
    assert metrics["digests"]["report"] in (tmp_path / "whole" / "report.html").read_text()
    assert command(evaluate, *shared, "--out", tmp_path / "whole").stdout == whole.stdout

    for number in (1, 2):
        part = tmp_path / f"part{number}"
        assert command(evaluate, *shared, "--shard", f"{number}/2", "--out", part).exit_code == 0
    parts = [tmp_path / "part1", tmp_path / "part2"]
    merged = command(merge, *parts, "--out", tmp_path / "merged", "--json")
    assert json.loads(merged.stdout)["digests"] == metrics["digests"]
    assert metrics["digests"]["report"] in (tmp_path / "merged" / "report.html").read_text()
    _scores_by_the_data_sets_own_judgements(data, tmp_path / "merged", metrics)


@pytest.mark.slow
def test_right_values_make_the_world_harder(data: Path, tmp_path: Path) -> None:
    """With an annotation tools know the right values; a data set without one is told so."""
    shared = ("--data", data, "--faults", "none", "--depth", 3, "--index", tmp_path / "index")
    with pytest.raises(InputError, match="not known of 16 right tools"):
        command(evaluate, *shared, "--out", tmp_path / "none", "--world", "values")
    found = {}
    for name, accepted in (("said", None), ("other", "Atlantis")):
        rows = [
            {
                "query": f"{topic}-{city}",
                "tool": f"doc-{topic}",
                "arguments": {"city": [{"value": accepted or city}]},
            }
            for topic in TOPICS
            for city in CITIES
        ]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)))
        ended = command(evaluate, *shared, "--values", path, "--out", tmp_path / name, "--json")
        assert "note:" not in ended.stderr
        found[name] = json.loads(ended.stdout)
    assert {each["settings"]["world"] for each in found.values()} == {"values"}
    assert found["said"]["digests"]["values"] != found["other"]["digests"]["values"]
    assert found["said"]["measures"]["full"]["R@1"] == 1
    assert found["said"]["trials"]["executed"]["succeeded"] >= 16
    assert found["other"]["recognition"]["unknown"]["called"] >= 16
    assert found["other"]["measures"]["plain-rule"]["R@1"] < 1


@pytest.mark.slow
def test_a_model_joins_all_pipelines_over_the_protocol(
    data: Path, tmp_path: Path, llm: LlmServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scripted model behind a busy endpoint; its judgement is not what is tested."""
    monkeypatch.setenv("OPENAI_BASE_URL", llm.url)
    monkeypatch.setenv("OPENAI_API_KEY", llm.api_key)
    llm.script("plan", status(429, retry_after="0.02"), plans(sample_arguments))
    shared = ("--data", data, "--limit", 4, "--depth", 3, "--model", "openai:test", "--workers", 2)
    given = (*shared, "--faults", "default", "--fault-rate", 30)
    assert command(evaluate, *given, "--out", tmp_path / "run", "--price", "1,2").exit_code == 0
    metrics = json.loads((tmp_path / "run" / "metrics.json").read_text())
    assert list(metrics["measures"]) == [*PIPELINES]
    assert all(found["R@5"] > 0 for found in metrics["measures"].values())
    assert metrics["requests"]["answered"] + metrics["requests"]["abstained"] == 4
    assert metrics["cost"]["llm-rerank"]["llm_calls"] == 4
    assert metrics["cost"]["plan"]["money_usd"] > 0
    assert sum(metrics["settings"]["faults"].values()) == pytest.approx(30)
    # 3 candidates of 4 requests, and the one that the endpoint was too busy for
    assert len([call for call in llm.requests if call.step == "plan"]) == 13
    with pytest.raises(BudgetSpent):
        command(evaluate, *given, "--out", tmp_path / "poor", "--max-tokens", 0)


@pytest.mark.slow
def test_a_model_out_of_reach_ends_the_command(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    monkeypatch.setattr(
        "sys.argv",
        [
            *("gretel", "evaluate", "--data", str(data), "--out", str(tmp_path / "run")),
            *("--limit", "1", "--depth", "1", "--model", "openai:test"),
        ],
    )
    with pytest.raises(SystemExit) as end:
        run()
    assert end.value.code == 4
    assert "openai:test does not answer" in capsys.readouterr().err
    assert not (tmp_path / "run" / "metrics.json").exists()


@pytest.mark.slow
def test_no_tool_requests_join_from_a_file(data: Path, tmp_path: Path) -> None:
    chat = tmp_path / "chat.jsonl"
    rows = [
        {"id": "i1", "query": "Write me a poem about autumn leaves", "needs_tool": False},
        {"id": "i2", "query": "A hotel in Oslo", "needs_tool": True},
        {"id": "i3", "query": "Sing me a song"},
    ]
    chat.write_text("\n".join(map(json.dumps, rows)))
    ended = command(
        evaluate,
        *("--data", data, "--out", tmp_path / "run", "--no-tool", chat, "--depth", 2),
        *("--pipeline", "full", "--limit", 3),
    )
    assert "4 requests" in ended.stdout
    assert "data: chat.jsonl:3: does not say `needs_tool`. It is left out" in ended.stderr
    assert re.search(r"false offers \S+ of 1, false abstentions \S+ of 3", ended.stdout)
    with pytest.raises(InputError, match="no row says that no tool is needed"):
        chat.write_text(json.dumps(rows[1]))
        command(evaluate, "--data", data, "--out", tmp_path / "other", "--no-tool", chat)


@pytest.mark.slow
def test_a_half_takes_its_no_tool_requests_alone(data: Path, tmp_path: Path) -> None:
    chat = tmp_path / "chat.jsonl"
    ids = [f"poem-{number}" for number in range(12)]
    rows = [{"id": each, "query": f"Write {each}", "needs_tool": False} for each in ids]
    chat.write_text("\n".join(map(json.dumps, rows)))
    command(
        evaluate,
        *("--data", data, "--out", tmp_path / "run", "--no-tool", chat, "--depth", 2),
        *("--pipeline", "retrieval", "--half", "report"),
    )
    lines = (tmp_path / "run" / "rows.jsonl").read_text().splitlines()
    kept = {row["request_id"] for row in map(json.loads, lines) if not row["gold"]}
    assert kept == {each for each in ids if half_of(each) == "report"}
    assert 0 < len(kept) < len(ids)


def _scores_by_the_data_sets_own_judgements(data: Path, run: Path, metrics: dict[str, Any]) -> None:
    gold = read_qrels(data / "qrels" / "test.tsv").gold
    rankings: dict[str, list[Any]] = {}
    for line in (run / "runs" / "full.trec").read_text().splitlines():
        request, _, document, *_ = line.split()
        rankings.setdefault(request, []).append(document)
    found = measure(rankings, gold).means  # type: ignore[arg-type]  # ids of documents
    assert found["nDCG@5"] == pytest.approx(metrics["measures_all_gold"]["full"]["nDCG@5"])


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--pipeline", "llm-rerank"), "--pipeline: llm-rerank needs a model"),
        (("--pipeline", "best"), "'best' is unknown"),
        (("--faults", "many"), "faults"),
        (("--faults", "none", "--fault-rate", "20"), "a mix without faults cannot be scaled"),
        (("--qrels", "dev"), "no such judgements"),
        (("--shard", "3/2"), "--shard: '3/2' is not a shard"),
        (("--shard", "half"), "--shard: 'half' is not a shard"),
        (("--retriever", "magic"), "retriever: 'magic' is unknown"),
        (("--rewriter", "llm"), "rewriter: 'llm' needs a model"),
        (("--max-usd", "2"), "--max-usd: money is unknown without a price"),
        (("--model", "openai:x", "--price", "2"), "--price: '2' is not a price"),
        (("--model", "openai:x", "--price", "-1,2"), "--price: '-1,2' is not a price"),
        (("--model", "nobody:x"), "is not a model that can be opened"),
    ],
)
def test_bad_input_is_refused(data: Path, tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        command(evaluate, "--data", data, "--out", tmp_path / "run", *args)
    assert not (tmp_path / "run" / "metrics.json").exists()


@pytest.mark.slow
def test_a_run_without_rows_can_be_started_otherwise(data: Path, tmp_path: Path) -> None:
    shared = ("--data", data, "--limit", 2, "--pipeline", "retrieval", "--out", tmp_path / "run")
    with pytest.raises(InputError, match="'magic' is unknown"):
        command(evaluate, *shared, "--retriever", "magic")
    assert command(evaluate, *shared).exit_code == 0


def test_a_folder_that_cannot_be_made_is_named(data: Path) -> None:
    with pytest.raises(InputError, match="corpus.jsonl: cannot be made"):
        command(evaluate, "--data", data, "--out", data / "corpus.jsonl")
