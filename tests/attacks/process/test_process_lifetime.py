"""When calls end, how they run side by side, and what happens where the kernel lacks a layer."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from confined import BRAND, alive, attack, survivors

from gretel.contracts.errors import ConfigurationError, SandboxUnavailable
from gretel.sandbox.process.settings import ProcessSettings

HOSTS = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def nothing_survives() -> Iterator[None]:
    yield
    assert survivors() == []


async def test_the_search_for_survivors_finds_one() -> None:
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    with subprocess.Popen(command, env={"BRAND": BRAND}) as process:
        try:
            assert str(process.pid) in alive()
        finally:
            process.kill()


async def test_a_cancelled_call_is_over() -> None:
    running = asyncio.ensure_future(attack("endless_loop_ignoring_signals"))
    await asyncio.sleep(0.4)
    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running


async def test_calls_run_side_by_side() -> None:
    calls = [attack("pid_and_parent") for _ in range(6)] + [attack("endless_loop", seconds=0.4)]

    *fine, slow = await asyncio.gather(*calls)

    assert {result.outcome.status for result in fine} == {"succeeded"}
    assert slow.outcome.failure is not None
    assert slow.outcome.failure.kind == "timeout"


async def test_the_caller_keeps_its_own_limits_and_signals() -> None:
    before = signal.getsignal(signal.SIGTERM), os.getresuid(), os.getcwd()

    await attack("endless_loop_ignoring_signals", seconds=0.2)

    assert (signal.getsignal(signal.SIGTERM), os.getresuid(), os.getcwd()) == before


def host(case: str) -> subprocess.Popen[str]:
    """A program of its own that runs one call; see `host_of_calls.py`."""
    return subprocess.Popen(
        [sys.executable, HOSTS / "host_of_calls.py", case],
        env={**os.environ, "BRAND": BRAND, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_killed_caller_takes_the_call_with_it() -> None:
    with host("endless") as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "calling\n"
        while len(alive()) < 4:  # the program, and the three processes of the call
            assert program.poll() is None
        program.kill()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "status", "words"),
    [
        ("refused", "unavailable", "missing layers"),
        ("waived-in-part", "unavailable", "processes: "),
        ("waived", "succeeded", ""),
    ],
)
def test_without_namespaces_a_call_is_refused_unless_the_user_says_otherwise(
    case: str, status: str, words: str
) -> None:
    with host(case) as program:
        output, _ = program.communicate(timeout=60)
    outcome = json.loads(output.splitlines()[-1])

    assert outcome["status"] == status, outcome
    if words:
        assert outcome["failure"]["kind"] == "sandbox_unavailable"
        assert words in outcome["failure"]["detail"]
        assert "processes" in outcome["failure"]["detail"]


async def test_no_interpreter_is_our_breakage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    with pytest.raises(SandboxUnavailable, match="no child process could be started"):
        await attack("harmless")


async def test_an_interpreter_that_is_none_is_our_breakage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/true")

    with pytest.raises(SandboxUnavailable, match="did not get to confine itself"):
        await attack("harmless")


@pytest.mark.parametrize("system", ["darwin", "win32"])
async def test_elsewhere_than_on_linux_nothing_runs(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)

    outcome = (await attack("harmless")).outcome

    assert outcome.status == "unavailable"
    assert outcome.failure is not None
    assert outcome.failure.kind == "sandbox_unavailable"


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("memory_bytes", 0),
        ("disk_bytes", -1),
        ("tasks", 0),
        ("at_once", 0),
        ("allow_missing_layers", frozenset({"network", "firewall"})),
    ],
)
def test_an_unusable_setting_is_refused(setting: str, value: object) -> None:
    with pytest.raises(ConfigurationError) as caught:
        ProcessSettings(**{setting: value})

    assert caught.value.field == setting
