"""How likely each span is a slot's value: a log-linear model over the features, and the context.

Its weights were fitted by `gretel.training.planner` on development data, and what the context adds
by `gretel.training.planning.contextual`. A slot's spans and the possibility that none of them is
meant share one softmax, so that the score of "none" says how sure a refusal is.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from gretel.nodes.fitted import fitted
from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.contextual import contextual_scores
from gretel.nodes.plan.matching.features import EMPTY, PAIR, empty_features, pair_features
from gretel.nodes.plan.matching.profile import Profile, SlotCues
from gretel.nodes.plan.matching.span_features import STATIC
from gretel.nodes.plan.matching.view import View


class Weights(NamedTuple):
    """One group's weights, in the order of the feature names."""

    static: Floats
    pair: Floats
    empty: Floats


class ScoredSlot(NamedTuple):
    """A slot with the spans that could fill it."""

    slot_index: int
    """In the profile."""
    cues: SlotCues
    rows: list[int]
    """Spans, by index."""
    scores: Floats
    """Log-odds of each against each other."""
    empty: float
    """The same for no span at all."""


@cache
def load_weights() -> dict[str, Weights]:
    """The fitted weights of every group of slots (a file is read once)."""
    return {
        group: Weights(
            _vector(STATIC, blocks["static"]),
            _vector(PAIR, blocks["pair"]),
            _vector(EMPTY, blocks["empty"]),
        )
        for group, blocks in fitted("plan/matching/weights.json")["groups"].items()
    }


def _vector(names: tuple[str, ...], weights: dict[str, float]) -> Floats:
    return np.asarray([weights.get(name, 0.0) for name in names], dtype=np.float32)


def score_slots(view: View, profile: Profile) -> list[ScoredSlot]:
    """Every free slot of the tool with its scored spans.

    In a language that the encoder was not taught, words decide alone, and so they do for a header
    of a service's own (`X-Feed-Key`): no sentence is about it.
    """
    worded = worded_slots(view, profile)
    if view.language is not None:
        return worded
    scored = []
    for each in worded:
        if each.cues.slot.name[:2].lower() == "x-":
            scored.append(each)
            continue
        asked = profile.sought[each.slot_index]
        context, empty = contextual_scores(view.heard, each.rows, asked)
        scored.append(each._replace(scores=each.scores + context, empty=each.empty + empty))
    return scored


def worded_slots(view: View, profile: Profile) -> list[ScoredSlot]:
    """As `score_slots`, by words alone."""
    found = pair_features(view, profile)
    return [worded_slot(view, profile, index, *found[index]) for index in found]


def worded_slot(
    view: View, profile: Profile, index: int, rows: list[int], pairs: Floats
) -> ScoredSlot:
    """A slot by words alone, with the spans of `rows` and their `PAIR` features."""
    cues = profile.cues[index]
    own = load_weights()[cues.group]
    scores = view.static[rows] @ own.static + pairs @ own.pair
    empty = float(empty_features(view, profile, cues, len(rows)) @ own.empty)
    return ScoredSlot(index, cues, rows, scores, empty)
