"""Scores in view of each other, learnt from judged requests."""

import random

import numpy as np

from fakes import tool
from gretel.nodes.retrieve.semantic.signals import ToolIndex
from gretel.nodes.retrieve.stage.coherence import FEATURES
from gretel.training.coherence import fitted, join
from gretel.training.data.judged import Collection, Judged
from gretel.training.listwise import Lists

VOTES = FEATURES.index("votes")


def lists(name: str, seed: int) -> Lists:
    """Requests whose right tools are those with votes, and nothing else."""
    rng = np.random.default_rng(seed)
    rows = [rng.normal(size=(8, len(FEATURES))) for _ in range(40)]
    requests = [Judged("", frozenset(np.flatnonzero(row[:, VOTES] > 0.5))) for row in rows]
    return Lists.padded(name, requests, rows, [np.arange(len(row)) for row in rows])


def test_what_tells_right_tools_apart_is_learnt_and_can_be_left_out() -> None:
    values = fitted([lists("one", 1), lists("one joined", 2), lists("other", 3)])

    weights = values["coefficients"]
    assert isinstance(weights, dict)
    assert max(weights, key=weights.get) == "votes"
    without = values["without toolkits"]
    assert isinstance(without, dict)
    assert without["coefficients"]["votes"] == 0
    assert values["nDCG@5"]["one"]["coherent, left out"] > 0.95  # type: ignore[index]
    assert without["nDCG@5"]["one"]["coherent, left out"] < 0.9


def test_requests_are_joined_where_no_toolkit_serves_both() -> None:
    tools = [tool(name) for name in ("bus.find", "cab.find", "cab.order")]
    index = ToolIndex(tools, np.eye(3, dtype=np.float32))
    requests = (
        Judged("a bus", frozenset({0})),
        Judged("a cab", frozenset({1})),
        Judged("order it", frozenset({2})),
    )

    pairs = join(Collection("demo", index, requests, "digest"), random.Random(7))

    assert {frozenset(request.gold) for request in pairs.requests} == {
        frozenset({0, 1}),
        frozenset({0, 2}),
    }
    assert all(len(request.text.split()) == 4 for request in pairs.requests)
    assert pairs.name == "demo joined"
