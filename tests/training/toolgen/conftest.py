"""The data set of our own, and as many threads after a test as before."""

from pathlib import Path

import pytest

from masstool_data import Written, write_data
from one_thread import one_thread as one_thread


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write_data(Path(tmp_path_factory.mktemp("toolgen") / "data"))
