"""When calls end, how they run side by side, and what happens where the kernel lacks a layer."""

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from confined import BRAND, alive, attack, survivors

from gretel.contracts.budget import Budget
from gretel.contracts.errors import ConfigurationError, SandboxUnavailable
from gretel.contracts.tool import CallableBinding
from gretel.sandbox.process import child
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


@pytest.mark.slow
async def test_calls_run_side_by_side() -> None:
    calls = [attack("pid_and_parent") for _ in range(6)] + [attack("endless_loop", seconds=0.4)]

    *fine, slow = await asyncio.gather(*calls)

    assert {result.outcome.status for result in fine} == {"succeeded"}
    assert slow.outcome.failure is not None
    assert slow.outcome.failure.kind == "timeout"


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_killed_caller_takes_the_call_with_it() -> None:
    with host("endless") as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "calling\n"
        while len(alive()) < 4:  # the program, and the three processes of the call
            assert program.poll() is None
        program.kill()


async def test_a_call_whose_caller_is_gone_already_is_not_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = child._specification
    monkeypatch.setattr(child, "_specification", lambda *given: {**real(*given), "parent": 1})

    with pytest.raises(SandboxUnavailable, match="did not get to confine itself"):
        await attack("harmless")


SLOW_GUARD = """
import os, sys, time
sys.path.append(sys.argv[1])
from gretel.sandbox.process import confine, worker
real = confine.die_with_parent

def late(parent):
    if os.getppid() == 0:  # the guard, whose parent has no number in its namespace
        open(sys.argv[2] + "/started", "w").close()
        while not os.path.exists(sys.argv[2] + "/killed"):
            time.sleep(0.01)
    real(parent)

confine.die_with_parent = late
worker.main()
"""


def test_a_guard_whose_parent_is_gone_already_makes_no_call(tmp_path: Path) -> None:
    binding = CallableBinding(target="hostile_callables:harmless")
    spec = child._specification(binding, {}, ProcessSettings(), Budget())
    (tmp_path / "scratch").mkdir()
    first = subprocess.Popen(
        [sys.executable, "-IS", "-c", SLOW_GUARD, child._HOME, str(tmp_path)],
        env={"BRAND": BRAND},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with first:
        assert first.stdin is not None and first.stdout is not None
        first.stdin.write(json.dumps(spec | {"scratch": str(tmp_path / "scratch")}).encode())
        first.stdin.close()
        while not (tmp_path / "started").exists():
            if first.poll() is not None or select.select([first.stdout], [], [], 0.01)[0]:
                pytest.skip("this machine has no namespaces")
        first.kill()
        first.wait()
        (tmp_path / "killed").touch()

        assert first.stdout.read() == b""


def test_threads_that_others_hold_are_not_waited_for() -> None:
    """A name that is looked up for ever holds one of the event loop's own."""
    released = threading.Event()

    async def beside() -> bool:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(1))
        held = loop.run_in_executor(None, released.wait, 60)
        await attack("harmless")
        return held.done()

    with asyncio.Runner() as runner:
        try:
            assert not runner.run(beside())
        finally:
            released.set()


async def test_what_a_child_writes_after_its_end_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever is not dead yet has two seconds, and gigabytes fit into these."""
    monkeypatch.setattr(os, "killpg", lambda *_: None)
    flood = ["/bin/sh", "-c", "head -c 100000000 /dev/zero"]
    process = await asyncio.create_subprocess_exec(*flood, stdout=subprocess.PIPE)
    tracemalloc.start()
    try:
        await child._end(process)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert most < 4 << 20


@pytest.mark.slow
def test_who_takes_too_much_of_the_processor_is_told_so() -> None:
    """By SIGXCPU, and not killed as a broken one."""
    bounds = {"seconds": 0, "memory": 1 << 30, "disk": 1 << 20, "tasks": 64}
    lines = "from gretel.sandbox.process.confine import limit_resources as limit"
    program = f"{lines}; limit({bounds})\nwhile True: pass"

    ended = subprocess.run([sys.executable, "-c", program], cwd=child._HOME, check=False)

    assert ended.returncode == -signal.SIGXCPU


async def test_no_place_for_a_folder_is_our_breakage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")

    with pytest.raises(SandboxUnavailable, match="no folder for a child process"):
        await attack("harmless")


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
