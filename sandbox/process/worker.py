"""What runs in the child process: confine, call, answer in JSON.

Three processes, so that nothing outlives the call. The first moves to its own namespaces and waits;
the second is the first of its process namespace, so that the kernel ends all others with it; the
third confines itself further and runs the callable. It answers in two lines of JSON, both on the
pipe that was its standard output: the layers that are missing, written before any of the user's
code runs, and what came of the call.

Standard library only, so that it starts within milliseconds.
"""

import json
import os
import select
import site
import sys
from collections.abc import Callable
from typing import NoReturn

from gretel.sandbox.process import confine
from gretel.sandbox.process.confine import Missing, put_up
from gretel.sandbox.process.root import own_root
from gretel.sandbox.process.run import Spec, run


def main() -> NoReturn:
    """Read the specification from standard input, and do as it says."""
    spec = json.loads(sys.stdin.buffer.read())
    answer = os.dup(1)
    _silence()
    missing: Missing = {}
    put_up("limits", confine.be_first_without_memory, missing)
    alone = put_up("processes", lambda: confine.own_namespaces(network=spec["network"]), missing)
    confine.die_with_parent(spec["parent"])
    if not alone:
        _work(spec, missing, answer)
    watched, held = os.pipe()  # the end that is held closes when this process dies
    inner = _child(lambda: _guard(spec, missing, answer, (watched, held)))
    os.close(answer)
    _exit_like(inner)


def _guard(spec: Spec, missing: Missing, answer: int, pipe: tuple[int, int]) -> NoReturn:
    """The first process of the namespace: waits for the worker, and takes all others with it.

    Its parent has no number in here; that it lives is told by `pipe`.
    """
    watched, held = pipe
    os.close(held)
    confine.die_with_parent(None)
    if select.select([watched], [], [], 0)[0]:
        os._exit(1)
    os.close(watched)
    put_up("disk", lambda: own_root(spec["readable"], spec["scratch"], size=spec["disk"]), missing)
    worker = _child(lambda: _work(spec, missing, answer))
    os.close(answer)
    _exit_like(worker)


def _work(spec: Spec, missing: Missing, answer: int) -> NoReturn:
    """Confine this process, say what holds, and where that is enough run the callable."""
    if "processes" in missing:
        missing["disk"] = missing["processes"]
    os.chdir(spec["scratch"])
    confine.put_up_inner(spec, missing)
    _say(answer, json.dumps({"missing": missing}).encode() + b"\n")
    if missing.keys() - set(spec["waived"]):
        os._exit(0)
    _let_in(spec["path"])
    _say(answer, run(spec, own_root="disk" not in missing))
    os._exit(0)


def _let_in(path: list[str]) -> None:
    """Look for modules where the parent does; until now the standard library alone was there."""
    site.main()  # what `.pth` files bring beside folders
    sys.path[:] = path


def _child(work: Callable[[], NoReturn]) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(1)
    return pid


def _exit_like(pid: int) -> NoReturn:
    """Reap until `pid` ends, and end as it did."""
    while True:
        ended, status = os.wait()
        if ended == pid:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)


def _say(answer: int, data: bytes) -> None:
    while data:
        data = data[os.write(answer, data) :]


def _silence() -> None:
    """What the callable prints goes nowhere, and it reads nothing."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)
