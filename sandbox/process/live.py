"""Callables that cannot leave this process, run here under a deadline.

No boundary: the callable can do whatever the program can. A coroutine is cancelled at the deadline,
and left behind if it will not end; one that blocks the event loop holds up everything. A thread
cannot be cancelled: one that never returns is left behind too, and their number is bounded.
"""

import asyncio
import inspect
import threading
import time
from typing import Any

from gretel.contracts.record import JsonObject
from gretel.sandbox.process.child import Ended
from gretel.sandbox.process.run import Stage, error_report, reported, value_report
from gretel.workers import off_loop

MAX_THREADS = 32
"""Threads at once, those that never returned included."""
_GRACE_S = 1.0

_free = threading.BoundedSemaphore(MAX_THREADS)


async def run_live(target: Any, values: JsonObject, *, seconds: float) -> Ended | None:
    """Call `target` with `values`: a function or a LangChain tool, sync or async.

    Ends soon after `seconds`. The report is that of a child process.
    None, and nothing is called, where `MAX_THREADS` calls have not returned.
    """
    start = time.perf_counter()
    work = _in_loop if _is_async(target) else _in_thread
    task = asyncio.ensure_future(work(target, values))
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if not done:
        task.cancel()
        await asyncio.wait({task}, timeout=_GRACE_S)
    report = _report_of(task) if done else b""
    if report is None:
        return None
    return Ended(
        missing={},
        answer=report,
        timed_out=not done,
        exit_code=0,
        latency_ms=round((time.perf_counter() - start) * 1000, 3),
    )


def _is_async(target: Any) -> bool:
    has_coroutine = getattr(target, "coroutine", None) is not None
    return has_coroutine or inspect.iscoroutinefunction(target)


async def _in_loop(target: Any, values: JsonObject) -> bytes:
    """The report of a coroutine function; nothing that it raises reaches the event loop."""
    stage: Stage = "call"
    try:
        tool = hasattr(target, "ainvoke")
        value = await (target.ainvoke(values) if tool else target(**values))
        stage = "result"
        # What it asked may have answered with anything, at any length.
        return await off_loop(value_report, value)
    except asyncio.CancelledError as error:  # whoever waits knows if it cancelled
        return error_report(error, "call")
    except BaseException as error:
        return error_report(error, stage)


def _report_of(ended: asyncio.Future[bytes | None]) -> bytes | None:
    """What an ended task says; one that is cancelled was cancelled by the callable, not by us."""
    if ended.cancelled():
        return error_report(asyncio.CancelledError(), "call")
    return ended.result()


async def _in_thread(target: Any, values: JsonObject) -> bytes | None:
    """The report of a plain function, called in a thread that the program's end does not await."""
    if not _free.acquire(blocking=False):
        return None
    loop = asyncio.get_running_loop()
    waiting: asyncio.Future[bytes] = loop.create_future()

    def deliver(report: bytes) -> None:
        if not waiting.done():
            waiting.set_result(report)

    def work() -> None:
        try:
            report = reported(lambda: target, values)
        finally:
            _free.release()
        if not loop.is_closed():
            loop.call_soon_threadsafe(deliver, report)

    threading.Thread(target=work, name="gretel-live", daemon=True).start()
    return await waiting
