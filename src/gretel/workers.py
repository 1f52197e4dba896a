"""Threads for work whose cost a stranger sets: the event loop goes on meanwhile.

A thread cannot be stopped, so what runs here is bounded by itself: by size, or by steps.
"""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 4
MUCH = 65_536
"""Characters or bytes of foreign text that are read one text at a time."""


async def off_loop(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `work` gives, done in a thread under the caller's context variables.

    Not in asyncio's own threads, which name lookups that hang may hold.
    """
    return await _done_in(_threads(), partial(work, *args, **kwargs))


async def read_off_loop(size: int, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """As `off_loop`, for work that reads `size` characters or bytes of foreign text.

    `MUCH` of it waits for other such work to end. A pattern that is looked for holds the
    interpreter from the text's beginning to its end, and where several threads look for some in
    turn, the event loop waits for all of them.
    """
    threads = _threads() if size < MUCH else _reader()
    return await _done_in(threads, partial(work, *args, **kwargs))


async def _done_in(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    call = partial(copy_context().run, work)
    return await asyncio.get_running_loop().run_in_executor(threads, call)


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, thread_name_prefix="gretel-work")


@cache
def _reader() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="gretel-reader")


# A process that is forked off has no threads but its own, and would wait for those for ever.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)
    os.register_at_fork(after_in_child=_reader.cache_clear)
