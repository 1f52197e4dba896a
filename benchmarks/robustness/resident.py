"""Resident memory of this process, for the benchmarks that watch it. Needs /proc (Linux)."""

import ctypes
import os
from pathlib import Path

_THP_DISABLE = 41
"""`PR_SET_THP_DISABLE` of prctl(2)."""


def small_pages() -> None:
    """Have the kernel make no huge pages of this process's memory.

    Where they are on for all memory, the kernel joins small pages every ten seconds and fills
    up what was never used: a soak grew by 22 MB in a minute so, and by 1 MB in the other thirteen.
    """
    if ctypes.CDLL(None, use_errno=True).prctl(_THP_DISABLE, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_THP_DISABLE)")


def rss_mb() -> float:
    """What is resident now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
