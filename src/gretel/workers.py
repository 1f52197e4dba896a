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


async def off_loop(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What `work` gives, done in a thread under the caller's context variables.

    Not in asyncio's own threads, which name lookups that hang may hold.
    """
    call = partial(copy_context().run, partial(work, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(_threads(), call)


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, thread_name_prefix="gretel-work")


# A process that is forked off has no threads but its own, and would wait for those for ever.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)
