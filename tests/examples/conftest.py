"""Puts the flight example on the path, as running one of its scripts does."""

import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "flights"))

from server import ApiServer

TODAY = date(2026, 11, 20)


@pytest.fixture(scope="package")
def server() -> Iterator[ApiServer]:
    """The example's API server, on a Friday."""
    with ApiServer(today=TODAY) as running:
        yield running
