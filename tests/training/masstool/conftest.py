"""The data set of our own, and as many threads after a test as before."""

from pathlib import Path

import pytest

from masstool_backbones import write_backbone
from training_fixtures import one_thread as one_thread
from training_fixtures import written as written


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a small BERT with random weights, where nothing hangs on what was learnt."""
    return write_backbone("bert", tmp_path_factory.mktemp("encoder"))
