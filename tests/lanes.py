"""Which cases of a long family run in `make test`: the others are marked slow."""

from collections.abc import Iterable
from typing import Any

import pytest

Marked = type(pytest.param(None))


def every(step: int, cases: Iterable[Any]) -> list[Any]:
    """The first of each `step` cases as it is, the others marked slow; a tuple spreads."""
    return [case if place % step == 0 else slow(case) for place, case in enumerate(cases)]


def slow(case: Any) -> Any:
    """The case marked slow; marks that it has already stay."""
    if isinstance(case, Marked):
        return pytest.param(*case.values, marks=[*case.marks, pytest.mark.slow], id=case.id)
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
