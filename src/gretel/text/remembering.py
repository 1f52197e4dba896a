"""Results that are remembered by text, within bounds of memory: texts are strangers'."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")


def remembered(
    most: int, *, longest: int = 100
) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Remember what a function made of the last `most` texts of at most `longest` characters.

    A longer text is read anew each time: thousands of them would not be given back.
    """

    def decorated(function: Callable[[str], T]) -> Callable[[str], T]:
        kept = lru_cache(maxsize=most)(function)

        @wraps(function)
        def found(text: str) -> T:
            return kept(text) if len(text) <= longest else function(text)

        return found

    return decorated
