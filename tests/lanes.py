"""Which cases of a long family run in `make test`: the others are marked slow."""

from collections.abc import Iterable
from typing import Any

import pytest


def every(step: int, cases: Iterable[Any]) -> list[Any]:
    """The first of each `step` cases as it is, the others marked slow; a tuple spreads."""
    return [
        case if place % step == 0 else pytest.param(*values(case), marks=pytest.mark.slow)
        for place, case in enumerate(cases)
    ]


def values(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)
