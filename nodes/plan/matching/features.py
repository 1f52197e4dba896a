"""Features of the log-linear model: of a slot with a span, and of a slot without a value."""

import numpy as np

from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.profile import Profile, SlotCues
from gretel.nodes.plan.matching.roles import role_fit
from gretel.nodes.plan.matching.span_features import STATIC
from gretel.nodes.plan.matching.steps import kinship, prefix_of
from gretel.nodes.plan.matching.values import same_dimension
from gretel.nodes.plan.matching.view import View
from gretel.nodes.plan.slots.slot import Slot
from gretel.text.words import concept, word_list, word_set

PAIR = tuple(
    word_list(
        """
        fit name_before name_after name_inside about_before about_after about_inside rival_before
        rival_after lead_before head_before head_after asked example example_shape role unit
        turn_in_order only_one sentence tool_words own_words head introduced prefix rival_prefix
        inner_before inner_after
        """
    )
)
"""Features of a slot and a mention span together."""

EMPTY = tuple(
    word_list(
        """
        bias required many nested examples few mentioned about_mentioned slots default sample_said
        """
    )
)
"""Features of a slot that has no value in the conversation."""


_BELONGS = (
    [STATIC.index(f"before:{word}") for word in ("of", "in", "at", "from", "on")],
    [STATIC.index(f"after:{word}") for word in ("of", "in")],
)


def _nearest(view: View, words: dict[str, float], nearness: Floats) -> Floats:
    """For each span, the weighted share of `words` that stand near it."""
    total = np.zeros(nearness.shape[1], dtype=np.float32)
    for root, weight in words.items():
        places = view.positions.get(root)
        if places:
            rows = nearness[places[0]] if len(places) == 1 else nearness[places].max(axis=0)
            total += weight * rows
    return total


def _sentence_scores(view: View, profile: Profile) -> Floats:
    """How much each sentence speaks of the tool, the best one 1."""
    scores = np.zeros((view.document.sentences[-1] + 1) if view.document.sentences else 1)
    for root, weight in profile.words.items():
        for sentence in {view.document.sentences[i] for i in view.positions.get(root, [])}:
            scores[sentence] += weight
    best = scores.max()
    return np.asarray(scores / best if best > 0 else scores + 1.0, dtype=np.float32)


def _share_in(view: View, roots: frozenset[str]) -> Floats:
    """The share of each span's tokens whose concept is among `roots`."""
    places = [place for root in roots for place in view.positions.get(root, [])]
    if not places:
        return np.zeros(len(view.spans), dtype=np.float32)
    return np.asarray(view.inside[places].sum(axis=0) / view.sizes, dtype=np.float32)


def pair_features(view: View, profile: Profile) -> dict[int, tuple[list[int], Floats]]:
    """For each free slot (by index): the spans that fit at all, and their `PAIR` rows.

    Slots of kind `enum` and `boolean` choose among their own values and are not here.
    """
    sentence = _sentence_scores(view, profile)[view.sentence]
    tool_words = _share_in(view, profile.operation)
    before = [_nearest(view, cues.name, view.before) for cues in profile.cues]
    after = [_nearest(view, cues.name, view.after) for cues in profile.cues]
    prefixes = [_kinships(view, cues) for cues in profile.cues]
    inner, joined = _inner(profile), _joined(view)
    found = {}
    for index, cues in enumerate(profile.cues):
        if cues.slot.kind in ("enum", "boolean"):
            continue
        fit = cues.fits[view.kinds]
        rows = [int(row) for row in np.flatnonzero(fit)]
        columns = _columns(view, cues, fit)
        columns |= {
            "name_before": before[index],
            "name_after": after[index],
            "rival_before": _strongest(before, index),
            "rival_after": _strongest(after, index),
            "sentence": sentence,
            "tool_words": tool_words,
            "prefix": prefixes[index],
            "rival_prefix": _strongest(prefixes, index),
            "inner_before": inner[index] * joined[0],
            "inner_after": inner[index] * joined[1],
        }
        columns["lead_before"] = columns["name_before"] - columns["rival_before"]
        matrix = np.asarray([columns[name] for name in PAIR], dtype=np.float32)
        found[index] = rows, np.ascontiguousarray(matrix[:, rows].T)
    return found


def _kinships(view: View, cues: SlotCues) -> Floats:
    return view.surface.text.map(lambda text: kinship(prefix_of(text), cues.kin))


def _inner(profile: Profile) -> list[float]:
    """Of each slot 1 where it is the last of several steps of the path, -1 where it is the first.

    What is inside is mostly named first: "ticket 7 of project Y".
    """
    steps = sorted(cues.step for cues in profile.cues if cues.in_path)
    if len(steps) < 2:
        return [0.0] * len(profile.cues)
    return [float((cues.step == steps[-1]) - (cues.step == steps[0])) for cues in profile.cues]


def _joined(view: View) -> tuple[Floats, Floats]:
    """Of each span whether a word for where a thing belongs stands before it, and behind it."""
    before, after = (view.static[:, list(columns)].max(axis=1) for columns in _BELONGS)
    return before, after


def _strongest(nearness: list[Floats], index: int) -> Floats:
    """For each span, how near the words of any slot but one are."""
    others = nearness[:index] + nearness[index + 1 :]
    return np.max(others, axis=0) if others else nearness[index] * 0


def _columns(view: View, cues: SlotCues, fit: Floats) -> dict[str, Floats]:
    surface, head = view.surface, {cues.head: 1.0}
    best = (fit > 0) & (fit >= fit.max(initial=0.0))
    in_turn = (view.order == cues.rank) & best & (cues.peers > 1)
    alone = len({view.spans[row].first for row in np.flatnonzero(best)}) == 1
    return {
        "fit": fit,
        "head_before": _nearest(view, head, view.before),
        "head_after": _nearest(view, head, view.after),
        "name_inside": _nearest(view, cues.name, view.inside),
        "about_before": _nearest(view, cues.about, view.before),
        "about_after": _nearest(view, cues.about, view.after),
        "about_inside": _nearest(view, cues.about, view.inside),
        "asked": _asked(view, cues),
        "example": surface.text.map(lambda text: float(text in cues.examples)),
        "example_shape": surface.shape.map(lambda shape: cues.shapes.get(shape, 0.0)),
        "role": role_fit(view, cues.slot),
        "unit": surface.unit.map(lambda unit: _unit_fit(cues.unit, unit)),
        "turn_in_order": in_turn.astype(np.float32),
        "only_one": (best & alone).astype(np.float32),
        "own_words": _share_in(view, frozenset(cues.name) | frozenset(cues.about)),
        "introduced": surface.introduced * _names_a_person(cues.slot),
        "head": surface.end.map(lambda end: float(end == cues.head)),
    }


_PERSONS = word_set(
    "participant user customer patient guest passenger client employee student person full first "
    "last owner author driver recipient sender applicant member visitor traveler attendee host "
    "contact buyer reader subscriber instructor teacher speaker your my"
)


def _names_a_person(slot: Slot) -> float:
    words = set(slot.words)
    if not words & {"name", "fullname", "user", "username"}:
        return 0.0
    return 1.0 if words & _PERSONS or words == {"name"} else 0.0


def _asked(view: View, cues: SlotCues) -> Floats:
    """Whether the turn before the span's speaks of the slot: a question and its answer."""
    places = [place for root in cues.name for place in view.positions.get(root, [])]
    turns = {view.document.tokens[place].segment + 1 for place in places}
    return np.isin(view.surface.turn, list(turns)).astype(np.float32)


def _unit_fit(wanted: str, written: str) -> float:
    if not wanted or not written:
        return 0.0
    if concept(wanted) == concept(written):
        return 1.0
    return 0.7 if same_dimension(wanted, written) else -0.5


def empty_features(view: View, profile: Profile, cues: SlotCues, rows: int) -> Floats:
    """The `EMPTY` row of a slot for which `rows` spans fit."""
    slot = cues.slot
    own = [root for root in cues.name if root not in profile.operation]
    values = {
        "bias": 1.0,
        "required": slot.required,
        "many": slot.many,
        "nested": len(slot.path) > 1,
        "examples": bool(slot.examples),
        "few": 1.0 / (1.0 + rows),
        "mentioned": sum(cues.name[root] for root in own if root in view.positions),
        "about_mentioned": sum(w for root, w in cues.about.items() if root in view.positions),
        "slots": float(np.log(1 + len(profile.cues))),
        "sample_said": not cues.examples.isdisjoint(view.surface.text.texts),
        "default": "default" in slot.schema or "default" in slot.description.lower(),
    }
    return np.asarray([float(values[name]) for name in EMPTY], dtype=np.float32)
