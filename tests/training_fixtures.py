"""Fixtures for tests that train: what imports `one_thread` runs on one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from masstool_data import Written, write_data


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """One, whatever the test asks for: results are the same for the same number of threads."""
    before = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        torch.set_num_threads(1)
        yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The data set of our own; who changes it copies it before."""
    return write_data(Path(tmp_path_factory.mktemp("written") / "data"))
