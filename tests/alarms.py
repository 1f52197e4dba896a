"""What would never end fails, where the system has alarms."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Fail what is not done in time; for the main thread."""

    def ring(*_: object) -> None:
        raise AssertionError(f"not done within {seconds} s")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def at_most(seconds: int) -> Any:
    """A fixture by which every test of its module fails where it takes longer."""

    @pytest.fixture(autouse=True)
    def in_time() -> Iterator[None]:
        with within(seconds):
            yield

    return in_time
