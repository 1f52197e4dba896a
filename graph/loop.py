"""One event loop in one background thread, for callers who do not await."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_CLOSING_S = 5.0
"""How long `close` waits for cancelled work; what takes longer ends with the process."""


class LoopThread:
    """Runs coroutines for synchronous callers, all on the same loop.

    HTTP clients belong to the loop that made them, so a new loop per call would break them
    ("Event loop is closed"); this one lives until `close`, at the latest until the process ends.
    """

    def __init__(self) -> None:
        self._start = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run `coroutine` to its end; Ctrl-C cancels it."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._running())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancel what still runs, and stop the loop and its thread; a later `run` starts anew."""
        with self._start:
            loop, self._loop = self._loop, None
            thread, self._thread = self._thread, None
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join(_CLOSING_S)

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._start:
            # A process that was forked off has the loop, and not the thread that runs it.
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=_serve, args=(self._loop,), name="gretel-loop", daemon=True
                )
                self._thread.start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(_cancel_all())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _cancel_all() -> None:
    """End all other tasks of this loop; those that are dropped complain on stderr."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
