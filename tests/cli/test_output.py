"""Where output goes nowhere, and where the terminal is narrow."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runs import Command

from gretel.evaluation.runs.evaluate import Evaluation
from gretel.evaluation.runs.journal import Journal
from gretel.files import write_whole

FULL = Path("/dev/full")


@pytest.fixture
async def finished(tmp_path: Path) -> Path:
    """A finished run."""
    from evaluation_run import evaluation

    made: Evaluation = evaluation()
    await made.run(tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.slow
@pytest.mark.skipif(not FULL.is_char_device(), reason="this system has no /dev/full")
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_full_disk_is_one_line(finished: Path, options: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "gretel", "compare", str(finished), str(finished), *options]
    with FULL.open("w") as nowhere:
        ended = subprocess.run(
            command, stdout=nowhere, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert ended.returncode == 1
    assert ended.stderr == "gretel: No space left on device\n"


def test_a_file_that_finds_no_room_is_named(
    gretel: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    named = tmp_path / "rows.jsonl"
    with Journal(named) as journal, monkeypatch.context() as patched:
        patched.setattr("os.write", full)
        patched.setattr("gretel.cli.app.app", lambda: journal.append("{}"))
        appended = gretel()
    monkeypatch.setattr("os.fsync", full)
    monkeypatch.setattr("gretel.cli.app.app", lambda: write_whole(named, "{}"))
    remedy = "Make room, and give the same command again"
    said = f"gretel: {named}: cannot be written (No space left on device). {remedy}\n"
    assert appended == gretel() == (1, "", said)


@pytest.mark.slow
def test_a_reader_that_has_gone_gets_no_traceback(finished: Path) -> None:
    command = [sys.executable, "-m", "gretel", "compare", str(finished), str(finished), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 1
    assert "Traceback" not in said and "Exception ignored" not in said


@pytest.mark.slow
def test_a_narrow_terminal_gets_a_line_a_number(
    finished: Path, gretel: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = gretel("compare", finished, finished, "--pipeline", "retrieval,full")
    assert "retrieval → full" in wide.out and "┃" in wide.out
    monkeypatch.setenv("COLUMNS", "40")
    narrow = gretel("compare", finished, finished, "--pipeline", "retrieval,full")
    assert "retrieval → full, nDCG@5\n  first " in narrow.out
    assert "…\n" not in narrow.out
    assert max(map(len, narrow.out.splitlines())) <= 40
