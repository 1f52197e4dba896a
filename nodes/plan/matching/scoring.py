"""How likely each candidate is a slot's value: a log-linear model over the features.

The weights were fitted by `training/planner.py` on development data; a slot's candidates and
the possibility that none of them is meant share one softmax, so that the score of "none" says how
sure a refusal is.
"""

import importlib.resources
import json
from functools import cache
from typing import NamedTuple

import numpy as np

from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.features import EMPTY, PAIR, empty_features, pair_features
from gretel.nodes.plan.matching.profile import Anchors, Profile
from gretel.nodes.plan.matching.static import STATIC
from gretel.nodes.plan.matching.view import View


class Weights(NamedTuple):
    """One group's weights, in the order of the feature names."""

    static: Floats
    pair: Floats
    empty: Floats


class Scored(NamedTuple):
    """A slot with the candidates that could fill it."""

    slot_index: int
    """In the profile."""
    anchor: Anchors
    rows: list[int]
    """Candidates, by index."""
    scores: Floats
    """Log-odds of each against each other."""
    empty: float
    """The same for no candidate at all."""


@cache
def load_weights() -> dict[str, Weights]:
    """The fitted weights of every group of slots (a file is read once)."""
    text = (
        importlib.resources.files("gretel.nodes.plan.matching").joinpath("weights.json").read_text()
    )
    return {
        group: Weights(
            _vector(STATIC, parts["static"]),
            _vector(PAIR, parts["pair"]),
            _vector(EMPTY, parts["empty"]),
        )
        for group, parts in json.loads(text)["groups"].items()
    }


def _vector(names: tuple[str, ...], weights: dict[str, float]) -> Floats:
    return np.asarray([weights.get(name, 0.0) for name in names], dtype=np.float32)


def score_slots(view: View, profile: Profile) -> list[Scored]:
    """Every free slot of the tool with its scored candidates."""
    weights = load_weights()
    scored = []
    for index, (rows, pairs) in pair_features(view, profile).items():
        anchor = profile.anchors[index]
        own = weights[anchor.group]
        scores = view.static[rows] @ own.static + pairs @ own.pair
        empty = float(empty_features(view, profile, anchor, len(rows)) @ own.empty)
        scored.append(Scored(index, anchor, rows, scores, empty))
    return scored
