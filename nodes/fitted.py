"""Fitted numbers that the package carries: JSON beside the code that reads it."""

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any, TypeVar

K = TypeVar("K", bound=str)


def fitted(path: str) -> Any:
    """What a fitted file holds, by its path below `nodes/`."""
    return json.loads(files("gretel.nodes").joinpath(path).read_text("utf-8"))


def fitted_weights(path: str, names: Iterable[K]) -> dict[K, float]:
    """The weights of these names in a fitted file, in their order."""
    weights = fitted(path)["weights"]
    return {name: weights[name] for name in names}
