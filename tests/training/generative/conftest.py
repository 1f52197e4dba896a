"""The data set of our own, and one thread whatever a training takes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from gretel.training.masstool.data import Examples, read_examples
from gretel.training.masstool.first import Asked
from masstool_data import Written, write_data


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write_data(Path(tmp_path_factory.mktemp("generative") / "data"))


@pytest.fixture(scope="session")
def examples(written: Written) -> Examples:
    whole = read_examples(written.folder)
    few = Asked(whole.train.texts[:60], whole.train.gold[:60])
    return replace(whole, train=few)


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """Results are the same for the same number of threads."""
    before = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")
        torch.set_num_threads(1)
        yield
    torch.set_num_threads(before)
