"""How what a work costs grows with its size: seconds say more of a machine than of us."""

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
LEAST_S = 0.002
"""What is over sooner grows too little to be told from chance."""


def growth(work: Callable[[int], object], size: int, runs: int = RUNS) -> float:
    """How many times as long `work` takes with `size` as with a quarter of it."""
    return _seconds(work, size, runs) / max(_seconds(work, size // 4, runs), LEAST_S)


def _seconds(work: Callable[[int], object], size: int, runs: int) -> float:
    """Of the processor; each run has a size of its own, so that nothing remembered helps."""
    taken = []
    for run in range(runs):
        began = time.thread_time()
        work(size + run)
        taken.append(time.thread_time() - began)
    return min(taken)
