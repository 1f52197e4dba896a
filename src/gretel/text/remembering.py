"""Results remembered by text or by object, within bounds of memory: both are strangers'."""

import weakref
from collections.abc import Callable
from functools import lru_cache, wraps
from threading import Lock
from typing import TypeVar

S = TypeVar("S")
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


def remembered_by_identity(most: int) -> Callable[[Callable[[S], T]], Callable[[S], T]]:
    """Remember what a function made of the last `most` objects that do not change, while they live.

    For records that cannot be hashed: what is equal to one of them is read anew.
    """

    def decorated(function: Callable[[S], T]) -> Callable[[S], T]:
        kept: dict[int, tuple[weakref.ref[S], T]] = {}
        lock = Lock()

        @wraps(function)
        def found(thing: S) -> T:
            known = kept.get(id(thing))
            if known is not None and known[0]() is thing:  # a number of one that went is given anew
                return known[1]
            made = function(thing)
            with lock:
                kept.pop(id(thing), None)
                while len(kept) >= most:
                    del kept[next(iter(kept))]
                kept[id(thing)] = (weakref.ref(thing), made)
            return made

        return found

    return decorated
