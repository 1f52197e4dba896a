"""`gretel train rewriter`, and what its artefact is good for on the command line."""

import json
from pathlib import Path

import pytest
from cli_runs import Command

from gretel.nodes.retrieve.artifact.store import write_parts
from gretel.nodes.retrieve.rewriting.artifact import read_artifact
from masstool_data import write_data

pytestmark = pytest.mark.slow


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
    write_parts(out, read_artifact(out).manifest.model_copy(update={"made": {}}), {})
    again = gretel(*given)
    assert again.code == 2
    assert "other rewriter" in again.err
