"""A tool prepared for many conversations: its slots and the words they are recognised by."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from gretel.catalog.titles import bare_title
from gretel.contracts.tool import Tool
from gretel.nodes.plan.matching.arrays import Floats
from gretel.nodes.plan.matching.compatibility import GROUP_OF, MEASURED, fit_row
from gretel.nodes.plan.matching.contextual import sought
from gretel.nodes.plan.matching.keys import KEYS, identifies, in_path, is_sole, slot_nouns, step_of
from gretel.nodes.plan.matching.surface import shape_of, stems
from gretel.nodes.plan.matching.values import slot_unit
from gretel.nodes.plan.slots.slot import Slot, probe_of
from gretel.nodes.plan.slots.slots import tool_slots
from gretel.text.identifiers import split_identifier
from gretel.text.secrecy.names import is_service_key
from gretel.text.words import GENERIC_WORDS, concept, concepts, word_set


@dataclass(frozen=True, eq=False)
class SlotCues:
    """Cue words of a slot, weighed against those of its siblings, and what its values look like."""

    slot: Slot
    group: str
    nouns: frozenset[str]
    """Stems of the words for what the slot's value names: `flow` of `flow_id`."""
    kin: tuple[str, ...]
    """Words that codes of what the slot names may begin with, as `prefixes.kinship` takes them."""
    identifies: bool
    """Whether its value says which thing is meant: an id, a name, a step of the path."""
    step: int
    """Where it stands in the path; -1 where it does not."""
    is_credential: bool
    """Whether it asks for what a service knows its caller by: neither the likeliest word passes for
    that nor what is left over."""
    is_key: bool
    """Whether it is a step of the path, or says which thing is meant and is all that is needed."""
    name: dict[str, float]
    about: dict[str, float]
    head: str
    examples: frozenset[str]
    """As `stems` has them."""
    shapes: dict[str, float]
    """Shape of an example (see `shape_of`) → the share of examples that have it."""
    unit: str
    rank: int
    """Place among the slots of its group, and how many there are."""
    peers: int
    fits: Floats
    """How well each kind of mention suits it."""
    probe: Tool | None
    """To check a single value with."""

    @property
    def in_path(self) -> bool:
        """Whether it is a step of the path."""
        return self.step >= 0


Slots: TypeAlias = dict[int, SlotCues]
"""Some of a tool's slots, by their index in its profile."""


@dataclass(frozen=True, eq=False)
class Profile:
    """A tool, ready to be matched with any conversation."""

    tool: Tool
    cues: tuple[SlotCues, ...]
    words: dict[str, float]
    """What the tool is about."""
    operation: frozenset[str]
    vocabulary: frozenset[str]
    """Concepts that the tool itself is described with: no names of things. Those of its toolkit's
    title are left out: the bucket of `Harbour records` may well be called "harbour"."""
    joined_names: frozenset[str]
    """Names of its parameters that several words are joined to, as they are written: no values."""

    @cached_property
    def sought(self) -> Floats:
        """What each slot asks for, to be held against what was heard in a conversation."""
        return sought(self.tool, [cues.slot for cues in self.cues])


_ENDS = word_set("start end from to min max begin until date time day")
"""Names that mean little without their parent's."""


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
    shared = Counter(
        root for slot in slots for root in {concept(word) for word in split_identifier(slot.name)}
    )
    groups = [GROUP_OF[slot.kind] for slot in slots]
    found = tuple(
        _cues(
            tool, slot, group, shared, operation, groups[:place].count(group), groups.count(group)
        )
        for place, (slot, group) in enumerate(zip(slots, groups, strict=True))
    )
    words = {root: 2.0 for root in sorted(operation) if root not in GENERIC_WORDS}
    about = f"{tool.description} {bare_title(tool.toolkit)}"
    for root in sorted(concepts(about)):
        words.setdefault(root, 1.0)
    for cues in found:
        for root in cues.name:
            words.setdefault(root, 0.5)
    vocabulary = {root for cues in found for root in cues.name}
    own = operation | concepts(tool.description) | vocabulary
    names = (parameter.name for parameter in tool.fillable)
    joined = frozenset(name for name in names if len(split_identifier(name)) > 1)
    return Profile(tool, found, words, operation, own, joined)


def _cues(
    tool: Tool,
    slot: Slot,
    group: str,
    shared: dict[str, int],
    operation: frozenset[str],
    rank: int,
    peers: int,
) -> SlotCues:
    own = list(split_identifier(slot.name))
    outer = [word for word in slot.words if word not in own]
    if all(word in GENERIC_WORDS or word in _ENDS for word in own):
        own = [*own, *outer[:2]]
    name = _weighted(own, shared, operation)
    said = slot.description.split("(")[0].split("e.g.")[0]
    about = [root for root in sorted(concepts(said)) if root not in name]
    weights = {r: 0.2 if r in GENERIC_WORDS or r in operation else 1.0 for r in about}
    weights |= {concept(word): 0.5 for word in outer if concept(word) not in name}
    total = sum(weights.values()) or 1.0
    nouns = slot_nouns(tool, slot)
    return SlotCues(
        slot=slot,
        group=group,
        nouns=nouns,
        kin=tuple(dict.fromkeys([*(w for w in own if w not in KEYS), *sorted(nouns)])),
        identifies=identifies(tool, slot),
        step=step_of(tool, slot),
        is_credential=is_service_key(slot.name),
        is_key=in_path(tool, slot) or is_sole(tool, slot),
        name=name,
        about={root: weight / total for root, weight in weights.items()},
        head=concept(split_identifier(slot.name)[-1]) if own else "",
        examples=frozenset(stems(example) for example in slot.examples),
        shapes={
            shape: count / len(slot.examples)
            for shape, count in Counter(map(shape_of, slot.examples)).items()
        },
        unit=slot_unit(slot) if group == MEASURED else "",
        rank=rank,
        peers=peers,
        fits=np.asarray(fit_row(slot.kind, slot.type in ("integer", "number")), dtype=np.float32),
        probe=probe_of(slot),
    )
