"""How long a work in a thread keeps all others from their turn, whatever else the machine does."""

import threading
import time
from collections.abc import Callable

RUNS = 3
"""A machine at work may keep this thread from its turns, too, and so the best run counts."""


def holds(work: Callable[[], object], seconds: float) -> bool:
    """Whether `work` takes so many seconds of processor time between two turns of this thread.

    It is run again where it seems to, and so must remember nothing.
    """
    return all(_once(work) >= seconds for _ in range(RUNS))


def _once(work: Callable[[], object]) -> float:
    failed: list[BaseException] = []

    def run() -> None:
        started.wait()
        try:
            work()
        except BaseException as error:
            failed.append(error)
        finished.wait()

    started, finished = threading.Event(), threading.Event()
    worker = threading.Thread(target=run)
    worker.start()
    clock = time.pthread_getcpuclockid(worker.ident or 0)
    before = time.clock_gettime(clock)
    started.set()
    most, idle = 0.0, 0
    while idle < 50:  # it waits, and so takes no more
        time.sleep(0.001)
        now = time.clock_gettime(clock)
        idle = idle + 1 if now - before < 1e-6 else 0
        most, before = max(most, now - before), now
    finished.set()
    worker.join()
    if failed:
        raise failed[0]
    return most
