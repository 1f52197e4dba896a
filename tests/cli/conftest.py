"""The command line, run in this process as the console script runs it."""

import json
from pathlib import Path

import pytest
from cli_runs import WEATHER, Command, Ended

from gretel.cli.app import run


@pytest.fixture
def gretel(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs `gretel ARGS` with an environment that sets nothing."""
    for name in (
        "CATALOG",
        "MODEL",
        "CALIBRATION",
        "PLAN_BATCH",
        "REPLY_TOKENS",
        "INDEX",
        "ALLOW_HOST",
        "BASE_URL",
        "NAT64",
        "PROXY",
        "CANDIDATES",
        "SAFE_TOOLS",
        "CALLABLE_TOOLS",
        "UNSAFE_TOOLS",
    ):
        monkeypatch.delenv(f"GRETEL_{name}", raising=False)

    monkeypatch.setenv("COLUMNS", "160")

    def command(*args: object) -> Ended:
        monkeypatch.setattr("sys.argv", ["gretel", *map(str, args)])
        try:
            run()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    return command


@pytest.fixture
def weather(tmp_path: Path) -> Path:
    """A document of two operations on a server that does not exist."""
    path = tmp_path / "weather.json"
    path.write_text(json.dumps(WEATHER))
    return path
