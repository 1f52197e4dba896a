"""Batches of one epoch."""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import TypeVar

S = TypeVar("S")


def batches(
    samples: Iterable[S], size: int, drawn: Random, length: Callable[[S], int], apart: int
) -> Iterator[list[S]]:
    """Samples of like length together, in an order that `drawn` decides.

    They differ in length by up to `apart` for chance's sake: batches are to change.
    """
    found = sorted(samples, key=lambda each: length(each) + drawn.random() * apart)
    made = [found[start : start + size] for start in range(0, len(found), size)]
    drawn.shuffle(made)
    yield from made
