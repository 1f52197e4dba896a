"""The data set of our own, and one thread whatever a training takes."""

from dataclasses import replace
from pathlib import Path

import pytest

from gretel.training.masstool.data import Examples, read_examples
from gretel.training.masstool.first import Asked
from masstool_data import Written, write_data
from one_thread import one_thread as one_thread


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return write_data(Path(tmp_path_factory.mktemp("generative") / "data"))


@pytest.fixture(scope="session")
def examples(written: Written) -> Examples:
    whole = read_examples(written.folder)
    few = Asked(whole.train.texts[:60], whole.train.gold[:60])
    return replace(whole, train=few)
