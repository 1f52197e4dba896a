"""What every test may use; nothing heavy is imported here."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The shared measurement data, which is no part of the repository."""
    place = Path(os.environ.get("GRETEL_DATA") or ROOT.parent / "shared" / "data")
    if not place.is_dir():
        pytest.skip(f"no data at {place}: set GRETEL_DATA to the folder that holds toolbench_g1")
    return place
