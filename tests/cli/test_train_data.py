"""What `gretel train masstool` says of its data, and what it keeps of its options."""

import json
from pathlib import Path

import pytest
from cli_runs import Command

from gretel.contracts.errors import InputError
from masstool_backbones import write_backbone
from masstool_data import write_data
from training_fixtures import one_thread as one_thread


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Whole but for a tool that is none, and a judgement that names another that is not there."""
    folder = write_data(tmp_path / "data").folder
    with (folder / "corpus.jsonl").open("a") as lines:
        lines.write("{bad\n")
    with (folder / "qrels" / "train.tsv").open("a") as lines:
        lines.write("r013\tGone.tool\t1\n")
    return folder


def test_what_is_not_learnt_is_said(
    gretel: Command, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def untrained(*_: object) -> None:
        raise InputError("stops here", field="test", remedy="None")

    monkeypatch.setattr("gretel.training.masstool.train.train", untrained)
    ended = gretel("train", "masstool", "--data", data, "--out", tmp_path / "art")

    line, judgement, *_ = [line for line in ended.err.splitlines() if line.startswith("skipped")]
    assert line.startswith("skipped corpus.jsonl:25: ")
    assert judgement.startswith("skipped 1 of ")
    assert judgement.endswith(" judgements: no such tool in corpus.jsonl (the first: 'Gone.tool')")
    assert ended.out == ""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--qrels", "none"), "qrels/none.tsv: no such judgements. Give one of: test, train"),
        (("--no-tool", "none"), "none: is not a file. Give JSONL of requests that need no tool.\n"),
        (("--data", "none"), "none/corpus.jsonl: is not a file. Give a folder with corpus.jsonl, "),
    ],
)
def test_a_file_that_is_not_there_is_named_with_what_to_give(
    gretel: Command, data: Path, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    given = ("--data", data, "--out", tmp_path / "art", *options)
    ended = gretel("train", "masstool", *given)
    assert (ended.code, said in ended.err) == (2, True), ended.err


@pytest.mark.slow
def test_a_folder_of_an_encoder_is_found_from_every_other(
    gretel: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, encoder = write_data(tmp_path / "data").folder, write_backbone("distilbert", tmp_path)
    art, away = tmp_path / "art", tmp_path / "away"
    away.mkdir()
    given = ("--data", data, "--out", art, "--preset", "none", "--device", "cpu")
    monkeypatch.chdir(tmp_path)
    ended = gretel("train", "masstool", *given, "--encoder", encoder.name, "--json")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["encoder"] == str(encoder.resolve())

    monkeypatch.chdir(away)
    command = ("select", "is the moon full", "--catalog", data / "corpus.jsonl")
    ended = gretel(*command, "--retriever", "masstool", "--artifact", art, "--json")
    assert ended.code in (0, 3), ended.err
    assert json.loads(ended.out)["trials"]


@pytest.mark.parametrize(
    ("command", "old"), [(("train", "masstool"), "--negatives"), (("evaluate",), "--needless")]
)
@pytest.mark.parametrize("spelt", ["new", "old"])
def test_no_tool_requests_have_one_option_that_its_old_names_still_mean(
    gretel: Command, data: Path, tmp_path: Path, command: tuple[str, ...], old: str, spelt: str
) -> None:
    option = old if spelt == "old" else "--no-tool"
    ended = gretel(*command, "--data", data, "--out", tmp_path / "out", option, tmp_path / "gone")

    assert ended.code == 2
    assert f"{tmp_path / 'gone'}: " in ended.err
    shown = gretel(*command, "--help").out
    assert "--no-tool" in shown and old not in shown
