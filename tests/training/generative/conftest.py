"""The data set of our own, and one thread whatever a training takes."""

from dataclasses import replace

import pytest

from gretel.training.masstool.data import Examples, read_examples
from gretel.training.masstool.first import Asked
from masstool_data import Written
from training_fixtures import one_thread as one_thread
from training_fixtures import written as written


@pytest.fixture(scope="session")
def examples(written: Written) -> Examples:
    whole = read_examples(written.folder)
    few = Asked(whole.train.texts[:60], whole.train.gold[:60])
    return replace(whole, train=few)
