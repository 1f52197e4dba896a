"""`gretel train toolgen`, and its artefact on the command line."""

import json
from pathlib import Path

import pytest
from cli_runs import Command

from masstool_data import write_data
from toolgen_models import tiny
from training_fixtures import one_thread as one_thread


@pytest.mark.slow
@pytest.mark.parametrize("how", [(), ("--codes", "residual", "--lora", 4)], ids=["usual", "coded"])
def test_an_artefact_is_trained_asked_and_added_to(
    how: tuple[object, ...], gretel: Command, tmp_path: Path
) -> None:
    written, out = write_data(tmp_path / "data"), tmp_path / "art"
    shared = ("--data", written.folder, "--out", out, "--base", tiny(), "--epochs", 1)
    trained = gretel("train", "toolgen", *shared, *how)

    assert trained.code == 0, trained.err
    assert "24 tools" in trained.out
    given = ("--data", written.folder, "--limit", 6, "--pipeline", "retrieval")
    asked = ("--retriever", "toolgen", "--artifact", out, "--out", tmp_path / "run")
    ended = gretel("evaluate", *given, *asked)
    assert ended.code == 0, ended.err
    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps({"_id": "Boat.hire", "title": "hire", "text": "Hires boats."}))
    added = gretel("add-tools", more, "--artifact", out)
    assert added.code == 0, added.err
    assert "25 tools, 1 of them" in added.out


def test_a_stage_that_is_none_is_an_error(gretel: Command, tmp_path: Path) -> None:
    written = write_data(tmp_path / "data")
    given = ("--data", written.folder, "--out", tmp_path / "art", "--stages", "learn")
    ended = gretel("train", "toolgen", *given)

    assert ended.code == 2
    assert "'learn' is unknown" in ended.err
