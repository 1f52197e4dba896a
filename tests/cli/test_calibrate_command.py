"""`gretel calibrate`, and the options that say how far a model is used."""

import json
from pathlib import Path

import pytest
from cli_runs import Command

from llm_server import LlmServer


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch, llm: LlmServer) -> LlmServer:
    monkeypatch.setenv("OPENAI_BASE_URL", llm.url)
    monkeypatch.setenv("OPENAI_API_KEY", llm.api_key)
    return llm


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Ten requests for five tools with a parameter, right calls included."""
    folder = tmp_path / "data"
    (folder / "qrels").mkdir(parents=True)
    topics = ("weather", "flights", "recipes", "music", "trains")
    tools = [
        {
            "_id": topic,
            "function": {
                "name": topic,
                "description": f"Tells about {topic} in a city",
                "parameters": {
                    "type": "object",
                    "properties": {"city": {"type": "string", "description": "City"}},
                    "required": ["city"],
                },
            },
        }
        for topic in topics
    ]
    asked = [
        {
            "_id": f"q{n}",
            "text": f"Show me {topics[n % 5]} in Oslo number {n}",
            "metadata": {
                "gold_calls": [{"name": topics[n % 5], "arguments": {"city": "Oslo"}}],
            },
        }
        for n in range(10)
    ]
    for name, rows in {"corpus.jsonl": tools, "queries.jsonl": asked}.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    judged = "".join(f"q{n}\t{topics[n % 5]}\t1\n" for n in range(10))
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged)
    return folder


def test_what_is_wrong_with_the_data_is_said(
    gretel: Command, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with (data / "qrels" / "test.tsv").open("a") as judged:
        judged.write("q1\ttrams\t1\n")
    ended = gretel("calibrate", "--model", "openai:tiny", "--data", data)
    assert ended.code == 2
    assert ended.err.startswith("data: q1: its right tool trams is not in the catalogue")


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--step", "dance"), 2, "'dance' is not a step"),
        (("--model", "nobody:x"), 2, "is not a model"),
        (("--qrels", "none"), 2, "no such judgements"),
        (("--price", "cheap"), 2, "'cheap' is not a price"),
    ],
)
def test_what_cannot_be_measured(
    gretel: Command,
    endpoint: LlmServer,
    data: Path,
    tmp_path: Path,
    options: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    out = tmp_path / "c.json"
    given = ("calibrate", "--model", "openai:test", "--data", data, "--out", out, *options)

    ended = gretel(*given)

    assert (ended.code, said in ended.err) == (code, True), ended.err
    assert not out.exists()
    assert endpoint.requests == []


@pytest.mark.slow
def test_a_measurement_says_which_steps_to_use_and_is_used(
    gretel: Command,
    endpoint: LlmServer,
    data: Path,
    weather: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = tmp_path / "c.json"
    command = ("calibrate", "--model", "openai:test", "--data", data, "--out", out)

    ended = gretel(*command, "--depth", "3")

    assert ended.code == 0, ended.err
    assert "steps that should ask openai:test: none" in ended.out
    assert "\n  95 % interval  " in ended.out, "too wide for 80 columns: a line a cell"
    written = json.loads(out.read_text())
    assert written["measured"]["plan"]["requests"] == 10
    assert written["measured"]["plan"]["llm_calls"] >= 10

    out.write_text(json.dumps({**written, "steps": ["rerank", "plan"]}))
    endpoint.requests.clear()
    given = ("--catalog", weather, "--model", "openai:test", "--calibration", out)
    ended = gretel("select", "Weather in Oslo?", *given, "--reply-tokens", "40")
    assert ended.code in (0, 3), ended.err
    assert {call.step for call in endpoint.requests} <= {"rerank", "plan"}
    assert {call.cap for call in endpoint.requests} == {40}
