"""Slots with their spans in context, side by side, for `contextual.py`."""

import hashlib
import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from gretel.nodes.plan.matching.arrays import Floats, Indices
from gretel.nodes.plan.matching.contextual import (
    TURNS,
    said_input,
    slot_inputs,
    span_inputs,
    span_places,
)
from gretel.nodes.plan.matching.scoring import worded_slot
from gretel.nodes.plan.mentions.document import Document
from gretel.nodes.retrieve.encoding.encoder import Encoder, Tokens
from gretel.training.planning.cases import Case
from gretel.training.planning.labels import JudgedSlot, judged_slots
from gretel.training.planning.templates import MADE_UP

BEST = 40
"""Spans of a slot that take part: the best by words, and the right ones."""


class Sample(NamedTuple):
    """One slot with its spans, and which are right."""

    turns: tuple[int, ...]
    """The turns that are read, by their number among all texts; -1 for older ones."""
    places: Indices
    slot: int
    """Its row among the inputs of all slots."""
    scores: Floats
    """By words alone, of each span, then of none."""
    right: Floats
    """1 for what is right among these."""
    weight: float
    half: int | None
    """Of the requests, the one that this is of; None for what is made up, which is learnt from
    alone: both halves would have the same sentences."""


class Samples:
    """All that is learnt from, each text and each slot read once."""

    def __init__(self) -> None:
        self._encoder = Encoder()
        self._known: dict[str, int] = {}
        self._texts: list[Tokens] = []
        self._slots: list[Floats] = []
        self.all: list[Sample] = []

    def add(self, case: Case, rng: random.Random) -> None:
        """The judged slots of one case."""
        first: dict[int, int] = {}
        for judged in judged_slots(case, rng):
            if not judged.rows:
                continue
            profile = judged.profile
            if id(profile) not in first:
                first[id(profile)] = len(self._slots)
                inputs = slot_inputs(profile.tool, [cues.slot for cues in profile.cues])
                self._slots.extend(inputs.astype(np.float16))
            slot = first[id(profile)] + judged.slot_index
            self.all.append(self._sample(judged, slot, _half(case)))

    def _sample(self, judged: JudgedSlot, slot: int, half: int | None) -> Sample:
        view, rows = judged.view, judged.rows
        words = worded_slot(view, judged.profile, judged.slot_index, rows, judged.pairs)
        best = set(np.argsort(-words.scores)[:BEST].tolist())
        kept = sorted(best | set(np.flatnonzero(judged.right).tolist()))
        turns = self._turns(view.document)
        places = span_places(self._read(turns), [view.spans[rows[n]] for n in kept])
        right = judged.right[kept]
        return Sample(
            turns,
            places,
            slot,
            np.append(words.scores[kept], words.empty).astype(np.float32),
            np.append(right, float(not right.any())).astype(np.float32),
            judged.weight,
            half,
        )

    def _turns(self, document: Document) -> tuple[int, ...]:
        texts = [segment.text for segment in document.segments]
        old = max(len(texts) - TURNS, 0)
        return (*([-1] * old), *(self._place(text) for text in texts[old:]))

    def _place(self, text: str) -> int:
        if text not in self._known:
            self._known[text] = len(self._texts)
            vectors, places = self._encoder.tokens(text)
            self._texts.append(Tokens(vectors.astype(np.float16), places))
        return self._known[text]

    def _read(self, turns: tuple[int, ...]) -> list[Tokens | None]:
        return [self._texts[turn] if turn >= 0 else None for turn in turns]

    def batch(self, some: Sequence[Sample]) -> "Batch":
        """Samples side by side."""
        read = [self._read(sample.turns) for sample in some]
        spans = [span_inputs(own, each.places) for own, each in zip(read, some, strict=True)]
        said = np.stack([said_input(own) for own in read]).astype(np.float32)
        slots = np.stack([self._slots[sample.slot] for sample in some]).astype(np.float32)
        return Batch(
            spans=torch.from_numpy(np.concatenate(spans)),
            slots=torch.from_numpy(slots),
            said=torch.from_numpy(said),
            sizes=[len(sample.places) for sample in some],
            scores=[torch.from_numpy(sample.scores) for sample in some],
            right=[torch.from_numpy(sample.right) for sample in some],
            weights=torch.tensor([sample.weight for sample in some]),
        )


def _half(case: Case) -> int | None:
    """0 or 1, the same for all requests that were written for one slice of a document."""
    if case.data == MADE_UP:
        return None
    return hashlib.sha256(case.case_id.split("#")[0].encode()).digest()[0] % 2


class Batch(NamedTuple):
    """Some samples."""

    spans: Tensor
    slots: Tensor
    said: Tensor
    sizes: list[int]
    """Spans of each."""
    scores: list[Tensor]
    right: list[Tensor]
    weights: Tensor
