"""`gretel train rewriter`, and what its artefacts are good for on the command line."""

import json
from pathlib import Path

import pytest
from cli_runs import Command

from gretel.nodes.retrieve.artifact.store import write_parts
from gretel.nodes.retrieve.rewriting.artifact import read_artifact as read_vector
from gretel.nodes.rewrite.generative.artifact import Calibration, read_artifact
from masstool_data import write_data
from toolgen_models import tiny
from training_fixtures import one_thread as one_thread

SHORT = ("--requests", 6, "--epochs", 1, "--rounds", 1, "--samples", 2, "--held", 2, "--lora", 2)


@pytest.mark.slow
def test_a_rewriter_is_trained_and_a_run_is_bound_to_it(gretel: Command, tmp_path: Path) -> None:
    written, out = write_data(tmp_path / "data"), tmp_path / "art"
    trained = gretel("train", "rewriter", "--data", written.folder, "--out", out)

    assert trained.code == 0, trained.err
    assert "strength" in trained.out
    shared = ("evaluate", "--data", written.folder, "--limit", 6, "--pipeline", "retrieval")
    given = (*shared, "--rewriter", out, "--out", tmp_path / "run")
    ended = gretel(*given)
    assert ended.code == 0, ended.err
    metrics = json.loads((tmp_path / "run" / "metrics.json").read_text())
    assert len(metrics["settings"]["rewriter"]) == 64
    assert gretel(*given).out == ended.out
    write_parts(out, read_vector(out).manifest.model_copy(update={"made": {}}), {})
    again = gretel(*given)
    assert again.code == 2
    assert "other rewriter" in again.err


@pytest.mark.slow
def test_one_that_writes_is_trained_used_and_added_to(gretel: Command, tmp_path: Path) -> None:
    written, out = write_data(tmp_path / "data"), tmp_path / "art"
    shared = ("--data", written.folder, "--out", out, "--base", tiny())
    trained = gretel("train", "rewriter", *shared, *SHORT)

    assert trained.code == 0, trained.err
    assert "weight" in trained.out
    manifest = read_artifact(out).manifest
    loud = manifest.model_copy(update={"calibration": Calibration(weight=0.3)})
    write_parts(out, loud, {})
    given = ("--data", written.folder, "--limit", 2, "--pipeline", "retrieval")
    asked = ("evaluate", *given, "--rewriter", out, "--out", tmp_path / "run")
    ended = gretel(*asked)
    assert ended.code == 0, ended.err
    notes = (tmp_path / "run").glob("*.jsonl")
    assert any("the trained rewriter wrote no end" in path.read_text() for path in notes)
    write_parts(out, manifest, {})
    again = gretel(*asked)
    assert again.code == 2
    assert "other rewriter" in again.err
    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps({"_id": "Boat.hire", "title": "hire", "text": "Hires boats."}))
    added = gretel("add-tools", more, "--artifact", out)
    assert added.code == 0, added.err
    assert "25 tools, 1 of them" in added.out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--stage", "sft"), "--stage: works only with --base"),
        (("--rounds", 2, "--lora", 0), "--rounds, --lora: works only with --base"),
        (("--base", tiny(), "--stage", "sft,learn"), "'learn' is unknown"),
        (("--base", tiny(), "--stage", ","), "names none"),
        (("--base", "/nowhere"), "cannot be used"),
    ],
)
def test_what_does_not_fit_is_an_error(
    options: tuple[object, ...], why: str, gretel: Command, tmp_path: Path
) -> None:
    written = write_data(tmp_path / "data")
    given = ("--data", written.folder, "--out", tmp_path / "art")
    ended = gretel("train", "rewriter", *given, *options)

    assert ended.code == 2
    assert why in " ".join(ended.err.split())
