"""The data set of our own, and as many threads after a test as before."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from masstool_backbones import write_backbone
from masstool_data import Written, write_data


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write_data(Path(tmp_path_factory.mktemp("masstool") / "data"))


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a small BERT with random weights, where nothing hangs on what was learnt."""
    return write_backbone("bert", tmp_path_factory.mktemp("encoder"))


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """One, whatever the test asks for: results are the same for the same number of threads."""
    before = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        torch.set_num_threads(1)
        yield
    torch.set_num_threads(before)
