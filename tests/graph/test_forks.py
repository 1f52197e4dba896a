"""Processes that are forked off a program, as servers and pools of processes do it."""

import os
import subprocess
import sys

import pytest

FORKED = """
import os, signal, warnings
from gretel.graph.loop import LoopThread
from gretel.workers import off_loop

loop = LoopThread()
assert loop.run(off_loop(abs, -3)) == 3
warnings.simplefilter("ignore")  # Python 3.12 warns of forks beside threads
child = os.fork()
if child == 0:
    signal.alarm(20)  # it would wait for threads that only the first process has
    os._exit(0 if loop.run(off_loop(abs, -3)) == 3 else 1)
assert os.waitpid(child, 0)[1] == 0
assert loop.run(off_loop(abs, -3)) == 3
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_forked_process_has_threads_of_its_own() -> None:
    run = subprocess.run(
        [sys.executable, "-c", FORKED], capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stderr
