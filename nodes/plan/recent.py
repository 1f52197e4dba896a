"""The last few values that were made, kept for who asks again."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

V = TypeVar("V")


class Recent(OrderedDict[object, V]):
    """The last values that were made, by key; threads may share it."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._changing = threading.Lock()

    def get_or_make(self, key: object, make: Callable[[], V]) -> V:
        """The kept value, or a new one; the oldest is forgotten."""
        with self._changing:
            if key in self:
                self.move_to_end(key)
                return self[key]
        made = make()
        with self._changing:
            self[key] = made
            if len(self) > self._most:
                self.popitem(last=False)
        return made
