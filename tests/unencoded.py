"""A cache of vectors that encodes nothing: for tests that only read and count collections."""

from typing import Any

import numpy as np

from gretel.training.data.judged import VectorCache


class Unencoded(VectorCache):
    """Reads collections without their vectors."""

    def __init__(self) -> None: ...

    def documents(self, name: str, texts: Any) -> Any:
        return np.zeros((len(texts), 1), dtype=np.float32)

    def queries(self, name: str, texts: Any) -> Any:
        return {}
