"""What speaks for a candidate as the value of a slot: one row of numbers for each pair."""

from dataclasses import dataclass

import numpy as np

from gretel.contracts.tool import Tool
from gretel.nodes.planners.compatibility import GROUP_OF, fit_row
from gretel.nodes.planners.roles import role_fit
from gretel.nodes.planners.schema_check import probe_of
from gretel.nodes.planners.slot import Slot
from gretel.nodes.planners.slots import tool_slots
from gretel.nodes.planners.values import slot_unit
from gretel.nodes.planners.view import Floats, View
from gretel.nodes.planners.words import GENERIC_WORDS, concept, concepts, split_identifier

PAIR = (
    "fit",
    "name_before",
    "name_after",
    "name_inside",
    "about_before",
    "about_after",
    "about_inside",
    "rival_before",
    "rival_after",
    "lead_before",
    "asked",
    "example",
    "example_shape",
    "role",
    "unit",
    "turn_in_order",
    "only_one",
    "sentence",
    "tool_words",
    "own_words",
    "head",
)
"""Names of what is known of a slot and a candidate together."""

EMPTY = (
    "bias",
    "required",
    "many",
    "nested",
    "examples",
    "few",
    "mentioned",
    "about_mentioned",
    "slots",
    "default",
)
"""Names of what speaks for a slot having no value in the conversation."""


@dataclass(frozen=True, eq=False)
class Anchors:
    """The words by which a slot is recognised in a text, with their weight among its siblings."""

    slot: Slot
    group: str
    name: dict[str, float]
    about: dict[str, float]
    head: str
    examples: frozenset[str]
    unit: str
    rank: int
    """Place among the slots of its group, and how many there are."""
    peers: int
    fits: Floats
    """How well each kind of mention suits it."""
    probe: Tool | None
    """To check a single value with."""


@dataclass(frozen=True, eq=False)
class Profile:
    """A tool, ready to be matched with any conversation."""

    tool: Tool
    anchors: tuple[Anchors, ...]
    words: dict[str, float]
    """What the tool is about."""
    operation: frozenset[str]


def _weighted(words: list[str], shared: dict[str, int], known: frozenset[str]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for word in words:
        root = concept(word)
        weight = (0.35 if word in GENERIC_WORDS else 1.0) / shared.get(root, 1)
        weights.setdefault(root, weight * (0.5 if root in known else 1.0))
    total = sum(weights.values()) or 1.0
    return {root: weight / total for root, weight in weights.items()}


def read_profile(tool: Tool) -> Profile:
    """Read a tool once, for all requests that it will be tried on."""
    slots = tool_slots(tool)
    operation = frozenset(concept(word) for word in split_identifier(tool.operation))
    shared: dict[str, int] = {}
    for slot in slots:
        for root in {concept(word) for word in split_identifier(slot.name)}:
            shared[root] = shared.get(root, 0) + 1
    counts: dict[str, int] = {}
    anchors = []
    for slot in slots:
        group = GROUP_OF[slot.kind]
        counts[group] = counts.get(group, 0) + 1
        anchors.append(_anchors(slot, group, shared, operation, counts[group] - 1))
    words = {root: 2.0 for root in operation if root not in GENERIC_WORDS}
    for root in concepts(f"{tool.description} {tool.toolkit}"):
        words.setdefault(root, 1.0)
    for anchor in anchors:
        for root in anchor.name:
            words.setdefault(root, 0.5)
    return Profile(tool, tuple(_with_peers(a, counts) for a in anchors), words, operation)


def _with_peers(anchor: Anchors, counts: dict[str, int]) -> Anchors:
    return Anchors(**{**anchor.__dict__, "peers": counts[anchor.group]})


def _anchors(
    slot: Slot, group: str, shared: dict[str, int], operation: frozenset[str], rank: int
) -> Anchors:
    own = list(split_identifier(slot.name))
    name = _weighted(own, shared, operation)
    outer = [word for word in slot.words if word not in own]
    said = slot.description.split("(")[0].split("e.g.")[0]
    about = [root for root in concepts(said) if root not in name]
    weights = {r: 0.2 if r in GENERIC_WORDS or r in operation else 1.0 for r in about}
    weights |= {concept(word): 0.5 for word in outer if concept(word) not in name}
    total = sum(weights.values()) or 1.0
    return Anchors(
        slot=slot,
        group=group,
        name=name,
        about={root: weight / total for root, weight in weights.items()},
        head=concept(own[-1]) if own else "",
        examples=frozenset(example.casefold() for example in slot.examples),
        unit=slot_unit(slot) if group == "number" else "",
        rank=rank,
        peers=1,
        fits=np.asarray(fit_row(slot.kind, slot.type in ("integer", "number")), dtype=np.float32),
        probe=probe_of(slot),
    )


def _nearest(view: View, words: dict[str, float], nearness: Floats) -> Floats:
    """For each candidate, the weighted share of `words` that stand near it."""
    total = np.zeros(nearness.shape[1], dtype=np.float32)
    for root, weight in words.items():
        places = view.positions.get(root)
        if places:
            total += weight * nearness[places].max(axis=0)
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
    """The share of each candidate's tokens whose concept is among `roots`."""
    places = [place for root in roots for place in view.positions.get(root, [])]
    sizes = np.maximum(view.inside.sum(axis=0), 1.0)
    return np.asarray(view.inside[places].sum(axis=0) / sizes if places else sizes * 0.0)


def pair_features(view: View, profile: Profile) -> dict[int, tuple[list[int], Floats]]:
    """For each free slot (by index): the candidates that fit at all, and their `PAIR` rows.

    Slots of kind `enum` and `boolean` choose among their own values and are not here.
    """
    sentence = _sentence_scores(view, profile)[view.sentence]
    tool_words = _share_in(view, profile.operation)
    before = [_nearest(view, anchor.name, view.before) for anchor in profile.anchors]
    after = [_nearest(view, anchor.name, view.after) for anchor in profile.anchors]
    found = {}
    for index, anchor in enumerate(profile.anchors):
        if anchor.slot.kind in ("enum", "boolean"):
            continue
        fit = anchor.fits[view.kinds]
        rows = [int(row) for row in np.flatnonzero(fit)]
        others = [i for i in range(len(before)) if i != index]
        parts = _columns(view, anchor, fit)
        parts |= {
            "name_before": before[index],
            "name_after": after[index],
            "rival_before": np.max([before[i] for i in others], axis=0) if others else fit * 0,
            "rival_after": np.max([after[i] for i in others], axis=0) if others else fit * 0,
            "sentence": sentence,
            "tool_words": tool_words,
        }
        parts["lead_before"] = parts["name_before"] - parts["rival_before"]
        matrix = np.stack([parts[name] for name in PAIR], axis=1)
        found[index] = rows, np.asarray(matrix[rows], dtype=np.float32)
    return found


def _columns(view: View, anchor: Anchors, fit: Floats) -> dict[str, Floats]:
    slot = anchor.slot
    mentions = [candidate.mention for candidate in view.candidates]
    texts = [mention.text.casefold() for mention in mentions]
    own = frozenset(anchor.name) | frozenset(anchor.about)
    best = (fit > 0) & (fit >= fit.max(initial=0.0))
    distinct = {(m.segment, m.start) for m, is_best in zip(mentions, best, strict=True) if is_best}
    return {
        "fit": fit,
        "name_inside": _nearest(view, anchor.name, view.inside),
        "about_before": _nearest(view, anchor.about, view.before),
        "about_after": _nearest(view, anchor.about, view.after),
        "about_inside": _nearest(view, anchor.about, view.inside),
        "asked": _asked(view, anchor),
        "example": np.asarray([text in anchor.examples for text in texts], dtype=np.float32),
        "example_shape": _shape_fit(slot.examples, [mention.text for mention in mentions]),
        "role": role_fit(view, slot),
        "unit": np.asarray([_unit_fit(anchor.unit, m.value) for m in mentions], dtype=np.float32),
        "turn_in_order": ((view.order == anchor.rank) & best & (anchor.peers > 1)).astype(
            np.float32
        ),
        "only_one": np.full(len(fit), len(distinct) == 1, dtype=np.float32) * best,
        "own_words": _share_in(view, own),
        "head": np.asarray(
            [view.document.tokens[c.last - 1].concept == anchor.head for c in view.candidates],
            dtype=np.float32,
        ),
    }


def _asked(view: View, anchor: Anchors) -> Floats:
    """Whether the turn before the candidate's speaks of the slot: a question and its answer."""
    places = [place for root in anchor.name for place in view.positions.get(root, [])]
    turns = {view.document.tokens[place].segment for place in places}
    segments = (view.document.tokens[c.first].segment - 1 for c in view.candidates)
    return np.asarray([segment in turns for segment in segments], dtype=np.float32)


def _unit_fit(unit: str, value: object) -> float:
    written = getattr(value, "unit", "") or ""
    if not unit or not written:
        return 0.0
    return 1.0 if concept(unit) == concept(written) else 0.0


def _shape(text: str) -> tuple[bool, bool, bool, bool]:
    return (
        text[:1].isupper(),
        any(letter.isdigit() for letter in text),
        any(letter.isalpha() for letter in text),
        " " in text,
    )


def _shape_fit(examples: tuple[str, ...], texts: list[str]) -> Floats:
    """The share of examples that look like the text: capitals, digits, letters, blanks."""
    if not examples:
        return np.zeros(len(texts), dtype=np.float32)
    shapes = [_shape(example) for example in examples]
    return np.asarray(
        [shapes.count(_shape(text)) / len(shapes) for text in texts], dtype=np.float32
    )


def empty_features(view: View, profile: Profile, anchor: Anchors, rows: int) -> Floats:
    """The `EMPTY` row of a slot for which `rows` candidates fit."""
    slot = anchor.slot
    own = [root for root in anchor.name if root not in profile.operation]
    values = {
        "bias": 1.0,
        "required": slot.required,
        "many": slot.many,
        "nested": len(slot.path) > 1,
        "examples": bool(slot.examples),
        "few": 1.0 / (1.0 + rows),
        "mentioned": sum(anchor.name[root] for root in own if root in view.positions),
        "about_mentioned": sum(w for root, w in anchor.about.items() if root in view.positions),
        "slots": float(np.log(1 + len(profile.anchors))),
        "default": "default" in slot.schema or "default" in slot.description.lower(),
    }
    return np.asarray([float(values[name]) for name in EMPTY], dtype=np.float32)
