"""What a mismatch of wish and effect weighs, learnt from judged requests."""

import numpy as np

from gretel.nodes.retrieve.stage.effects import MISMATCHES
from gretel.training.data.judged import Judged
from gretel.training.effects import joined
from gretel.training.listwise import Lists

COLUMNS = 1 + len(MISMATCHES)


def lists(name: str, *sizes: int) -> Lists:
    """Requests with that many candidates, the first of which is right."""
    rows = [np.ones((size, COLUMNS)) for size in sizes]
    requests = [Judged("", frozenset({0}))] * len(sizes)
    return Lists.padded(name, requests, rows, [np.arange(size) for size in sizes])


def test_every_request_counts_once_whatever_its_collection() -> None:
    found = joined([lists("few", 2), lists("many", 3, 4, 1)])

    assert found.real.sum(axis=1).tolist() == [2, 3, 4, 1]
    assert found.gold.sum(axis=1).tolist() == [1, 1, 1, 1]
    assert found.features.shape == (4, 4, COLUMNS)
    assert (found.features.sum(axis=2) == found.real * COLUMNS).all()
    assert found.judged.tolist() == [1, 1, 1, 1]
