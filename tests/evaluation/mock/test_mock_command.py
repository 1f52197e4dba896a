"""`gretel mock`, run as a user runs it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Weather", "version": "1"},
    "paths": {
        f"/{name}": {
            "get": {
                "operationId": name,
                "parameters": [
                    {"name": "city", "in": "query", "required": True, "schema": {"type": "string"}}
                ],
                "responses": {"200": {"description": "ok"}},
            }
        }
        for name in ("forecast", "history")
    },
}


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "weather.json"
    path.write_text(json.dumps(DOCUMENT))
    return path


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "gretel", "mock", *map(str, arguments)]


@contextmanager
def running(*arguments: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command and the first line that it printed."""
    environment = {key: value for key, value in os.environ.items() if "GRETEL" not in key}
    process = subprocess.Popen(
        command(*arguments), stdout=subprocess.PIPE, text=True, env=environment | {"COLUMNS": "200"}
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def url_in(line: str) -> str:
    found = re.search(r"http://127\.0\.0\.1:\d+", line)
    assert found, line
    return found[0]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_catalogue_is_served_until_interrupted(document: Path, number: signal.Signals) -> None:
    with running("--catalog", document) as (process, line):
        assert line.startswith("2 tools on http://127.0.0.1:")
        assert line.rstrip().endswith("broken: none")
        good = httpx.get(f"{url_in(line)}/Weather.forecast/forecast?city=Oslo")
        bad = httpx.get(f"{url_in(line)}/forecast")
        process.send_signal(number)
        assert process.wait(timeout=20) == 0
    assert "Oslo" in good.text
    assert bad.status_code in (400, 422)
    assert "city" in bad.text


@pytest.mark.slow
def test_faults_are_served(document: Path, tmp_path: Path) -> None:
    mix = tmp_path / "mix.json"
    mix.write_text('{"drift": 50, "auth": 50}')
    given = ("--catalog", document, "--faults", mix, "--fault-unit", "toolkit", "--seed", 3)
    with running(*given) as (_, line):
        assert re.search(r"broken: (drift|auth) 2$", line.rstrip()), line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("--faults", "many"), "faults"), (("--port", "70000"), "65535")],
)
def test_bad_input_is_refused(document: Path, arguments: tuple[str, str], words: str) -> None:
    assert words in refused("--catalog", document, *arguments)


@pytest.mark.slow
def test_a_taken_port_is_refused(document: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"--port: {port}" in refused("--catalog", document, "--port", port)


def refused(*arguments: object) -> str:
    """What a command says that ends with bad input."""
    ended = subprocess.run(command(*arguments), capture_output=True, text=True, check=False)
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    return ended.stderr
