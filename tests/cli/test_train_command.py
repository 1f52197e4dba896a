"""`gretel train masstool`, and what its artefact is good for on the command line."""

import json
import runpy
import shutil
from pathlib import Path

import pytest
from cli_runs import Command

from gretel.cli.app import run
from gretel.contracts.errors import ConfigurationError
from masstool_data import Written, forge
from training_fixtures import one_thread as one_thread
from training_fixtures import written as written

pytestmark = pytest.mark.slow

ASKED = "Please: which moves answer the queen's gambit as played in Turin"
SERVES = "opening_line.opening_line"


def words(written: Written, out: Path, *more: object) -> tuple[object, ...]:
    """A training that takes seconds."""
    given = ("--data", written.folder, "--out", out, "--preset", "none", "--device", "cpu")
    return ("train", "masstool", *given, *more)


@pytest.fixture(scope="module")
def trained(written: Written) -> Path:
    """An artefact that `gretel train masstool` wrote."""
    out = written.folder.parent / "art"
    given = map(str, words(written, out, "--no-tool", written.no_tool))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        patch.setattr("sys.argv", ["gretel", *given])
        with pytest.raises(SystemExit) as end:
            run()
    assert not end.value.code
    return out


@pytest.fixture
def artifact(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "art"))


@pytest.fixture
def corpus(written: Written) -> Path:
    return written.folder / "corpus.jsonl"


@pytest.fixture
def gretel(gretel: Command, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Without the settings that these tests make."""
    for name in ("RETRIEVER", "ARTIFACT"):
        monkeypatch.delenv(f"GRETEL_{name}", raising=False)
    return gretel


def test_training_tells_what_it_reached_and_is_done_once(
    gretel: Command, written: Written, artifact: Path
) -> None:
    command = words(written, artifact, "--no-tool", written.no_tool)
    ended = gretel(*command)

    assert ended.code == 0, ended.err
    assert ended.out.startswith(f"{artifact}: 24 tools, development part {{'R@3': ")
    assert "second stage" not in ended.err
    manifest = json.loads(gretel(*command, "--json").out)
    assert manifest == json.loads((artifact / "manifest.json").read_text())
    assert manifest["calibration"]["detects"]


def test_what_is_given_stands_in_the_manifest(
    gretel: Command, written: Written, tmp_path: Path
) -> None:
    ended = gretel(*words(written, tmp_path / "art", "--seed", 3, "--json"))

    assert ended.code == 0, ended.err
    manifest = json.loads(ended.out)
    assert manifest["made"]["second"]["seed"] == 3
    assert not manifest["calibration"]["detects"]


def test_a_training_that_is_stopped_says_how_to_go_on(
    gretel: Command, written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gretel.training.masstool.train.train", stopped)
    ended = gretel(*words(written, tmp_path / "art"))

    assert ended.code == 130
    assert ended.err.endswith("\ninterrupted; run the same command to continue\n")


def test_select_retrieves_with_the_artefact(gretel: Command, corpus: Path, artifact: Path) -> None:
    given = ("--catalog", corpus, "--retriever", "masstool", "--artifact", artifact)
    ended = gretel("select", ASKED, *given, "--json")

    assert ended.code == 0, ended.err
    selection = json.loads(ended.out)
    assert selection["tools"][0]["tool_id"] == SERVES
    assert 0 < selection["needs_tool"] < 1


def test_the_environment_may_name_retriever_and_artefact(
    gretel: Command, corpus: Path, artifact: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRETEL_RETRIEVER", "masstool")
    monkeypatch.setenv("GRETEL_ARTIFACT", str(artifact))
    monkeypatch.setenv("GRETEL_CATALOG", str(corpus))
    ended = gretel("select", ASKED, "--json")

    assert json.loads(ended.out)["tools"][0]["tool_id"] == SERVES
    assert "artifact" not in gretel("select", ASKED, "--retriever", "semantic").err
    assert "graph" in runpy.run_module("gretel.graph.studio")


@pytest.mark.parametrize("named", ["options", "environment"])
def test_select_refuses_an_encoder_that_is_not_the_artefacts(
    gretel: Command, corpus: Path, artifact: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    given: tuple[object, ...] = ("--retriever", "masstool", "--artifact", artifact)
    if named == "environment":
        monkeypatch.setenv("GRETEL_RETRIEVER", "masstool")
        monkeypatch.setenv("GRETEL_ARTIFACT", str(artifact))
        given = ()
    ended = gretel("select", ASKED, "--catalog", corpus, *given, "--encoder", "no/such")

    assert ended.code == 2
    assert ended.err.startswith("gretel: encoder: 'no/such' is not the encoder that")
    assert "Leave it out" in ended.err


def test_evaluate_refuses_an_encoder_that_is_not_the_artefacts(
    gretel: Command, written: Written, artifact: Path, tmp_path: Path
) -> None:
    shared = ("evaluate", "--data", written.folder, "--limit", 2, "--depth", 2)
    masstool = ("--retriever", "masstool", "--artifact", artifact, "--out", tmp_path / "run")
    ended = gretel(*shared, *masstool, "--encoder", "no/such")

    assert ended.code == 2
    assert "encoder: 'no/such' is not the encoder that" in ended.err
    assert gretel(*shared, *masstool).code == 0


def test_studio_refuses_a_retriever_without_artefact(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRETEL_RETRIEVER", "masstool")
    monkeypatch.delenv("GRETEL_ARTIFACT", raising=False)
    monkeypatch.setenv("GRETEL_CATALOG", str(corpus))

    with pytest.raises(ConfigurationError, match="artifact: needs an artefact"):
        runpy.run_module("gretel.graph.studio")


def test_evaluate_scores_the_artefact_and_binds_the_run_to_it(
    gretel: Command, written: Written, artifact: Path, tmp_path: Path
) -> None:
    shared = ("evaluate", "--data", written.folder, "--limit", 6, "--depth", 3)
    masstool = ("--retriever", "masstool", "--artifact", artifact, "--out", tmp_path / "run")
    ended = gretel(*shared, *masstool)

    assert ended.code == 0, ended.err
    assert "6 requests: 6 answered" in ended.out
    metrics = json.loads((tmp_path / "run" / "metrics.json").read_text())
    assert metrics["settings"]["retriever"] == "masstool"
    assert metrics["measures"]["retrieval"]["R@5"] >= 0.9
    assert gretel(*shared, *masstool).out == ended.out
    forge(artifact, lambda manifest: manifest.update(made={}))
    again = gretel(*shared, *masstool)
    assert again.code == 2
    assert "artifact" in again.err


def test_tools_are_added_to_an_artefact(
    gretel: Command, corpus: Path, artifact: Path, weather: Path
) -> None:
    given = ("--catalog", corpus, "--catalog", weather, "--retriever", "masstool")
    ask = ("select", "Will it rain in Oslo? weather forecast", *given, "--artifact", artifact)
    refused = gretel(*ask)
    assert refused.code == 2
    assert "2 new (as Weather.alert)" in refused.err
    assert "gretel add-tools" in refused.err
    ended = gretel("add-tools", weather, "--artifact", artifact)

    assert ended.code == 0, ended.err
    assert ended.out == f"{artifact}: 26 tools, 2 of them from {weather}\n"
    tried = json.loads(gretel(*ask, "--json").out)["trials"]
    assert "Weather.forecast" in [trial["tool_id"] for trial in tried]


def bad_training(written: Written, tmp_path: Path) -> dict[str, tuple[object, ...]]:
    art = tmp_path / "art"
    return {
        "no such judgements": words(written, art, "--qrels", "none"),
        "no_tool2.jsonl: is not a file": words(
            written, art, "--no-tool", tmp_path / "no_tool2.jsonl"
        ),
        "--device: 'warp' is not available": words(written, art, "--device", "warp"),
        "cannot be loaded": words(written, art, "--encoder", tmp_path / "nothing"),
    }


@pytest.mark.parametrize(
    "said",
    [
        "no such judgements",
        "no_tool2.jsonl: is not a file",
        "--device: 'warp' is not available",
        "cannot be loaded",
    ],
)
def test_training_from_what_is_not_there_is_refused_in_one_line(
    gretel: Command, written: Written, tmp_path: Path, said: str
) -> None:
    ended = gretel(*bad_training(written, tmp_path)[said])

    assert ended.code == 2
    assert said in ended.err.splitlines()[-1]
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("command", ["select", "evaluate"])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--retriever", "masstool"), "artifact: needs an artefact"),
        (("--retriever", "masstool", "--artifact", "nowhere"), "nowhere: is not an artefact"),
        (
            ("--retriever", "semantic", "--artifact", "ART"),
            "artifact: works only with 'masstool' or",
        ),
        (("--artifact", "ART"), "artifact: works only with 'masstool' or"),
        (("--retriever", "bm25"), "retriever: 'bm25' is unknown. Use one of semantic, masstool"),
    ],
)
def test_a_retriever_and_an_artefact_that_do_not_go_together_are_refused(
    gretel: Command,
    written: Written,
    corpus: Path,
    trained: Path,
    tmp_path: Path,
    command: str,
    given: tuple[str, ...],
    said: str,
) -> None:
    start: tuple[object, ...] = ("select", ASKED, "--catalog", corpus)
    if command == "evaluate":
        start = ("evaluate", "--data", written.folder, "--limit", 2, "--out", tmp_path / "run")
    ended = gretel(*start, *(trained if word == "ART" else word for word in given))

    assert ended.code == 2
    assert ended.out == ""
    assert command == "evaluate" or ended.err.count("\n") == 1
    assert ended.err.splitlines()[-1].startswith("gretel: ")
    assert said in ended.err.splitlines()[-1]


def test_a_changed_artefact_breaks_the_command_and_not_the_person(
    gretel: Command, corpus: Path, artifact: Path
) -> None:
    (artifact / "model.safetensors").write_bytes(b"other")
    given = ("--catalog", corpus, "--retriever", "masstool", "--artifact", artifact)
    ended = gretel("select", ASKED, *given)

    assert ended.code == 1
    assert ended.err.count("\n") == 1
    assert "model.safetensors cannot be read. Train the artefact again." in ended.err


def test_tools_cannot_be_added_to_nothing(gretel: Command, weather: Path, tmp_path: Path) -> None:
    ended = gretel("add-tools", weather, "--artifact", tmp_path / "nowhere")

    assert ended.code == 2
    assert "is not an artefact" in ended.err
