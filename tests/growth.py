"""How what a work costs grows with its size: seconds say more of a machine than of us."""

import math
import time
from collections.abc import Callable

LINEAR = 8
"""Between a work that goes over all once, which costs 4 times as much, and one that goes over all
for each part, which costs 16 times."""
SQUARE = 32
"""Between the latter, and one that goes over all for each pair of parts."""
CONSTANT = 2
"""Between a work that costs the same whatever the size, and one that goes over all once."""
RUNS = 3
"""Others use the machine as well, and so the best run counts."""
ATTEMPTS = 3
"""Of all these runs: some are over before others leave the machine's caches alone."""
LEAST_S = 0.002
"""What is over sooner grows too little to be told from chance."""


def growth(work: Callable[[int], object], size: int, runs: int = RUNS) -> float:
    """How many times as long `work` takes with `size` as with a quarter of it.

    What is near a limit, or beyond, is measured again, and the least counts.
    """
    least = math.inf
    for _ in range(ATTEMPTS):
        long, short = _seconds(work, size, runs), _seconds(work, size // 4, runs)
        least = min(least, long / max(short, LEAST_S))
        if least < 0.75 * CONSTANT or 1.5 * CONSTANT < least < 0.75 * LINEAR:
            break
    return least


def _seconds(work: Callable[[int], object], size: int, runs: int) -> float:
    """Of the processor; each run has a size of its own, so that nothing remembered helps."""
    taken = []
    for run in range(runs):
        began = time.thread_time()
        work(size + run)
        taken.append(time.thread_time() - began)
    return min(taken)
