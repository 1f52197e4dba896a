"""The training loop of all trainings that tune a model, which another process may go on with."""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from pydantic import Field

from gretel.contracts.record import Record
from gretel.training.resume import (
    At,
    key_of,
    moments,
    of_size,
    put_moments,
    read_state,
    unchanged,
    write_state,
)

if TYPE_CHECKING:
    from torch import Tensor, nn

S = TypeVar("S")
Told: TypeAlias = Callable[[int, int, str], None]
"""Told (done, of how many, what is going on)."""


class LoopSettings(Record):
    """How weights are changed; a training of its own adds what it learns, and how often."""

    patience: int = Field(default=1, ge=1)
    """Epochs of the last stage without gain on the development part after which it ends."""
    batch: int = Field(default=32, ge=1)
    micro: int = Field(default=32, ge=1)
    """Texts that are read at once: a batch is put together from several."""
    rate: float = Field(default=2e-4, gt=0)
    """Of the model's own weights."""
    decay: float = 0.01
    """Of the model's own matrices."""
    warm_up: float = 0.03
    """Share of a stage until the full rate."""
    least: float = 0.05
    """Share of the full rate at a stage's end."""
    tuned: float = Field(default=1 / 3, ge=0, le=1)
    """Share of the layers that learn, from the top; 1 takes the embeddings, too."""
    lora: int = Field(default=0, ge=0, le=1_024)
    """Rank of the adapters by which these layers learn; 0: their own weights do."""
    keep: int = Field(default=100, ge=1)
    """Steps after which the state is kept: so much is lost at most where training is cut off."""
    seed: int = 7


class Reached(NamedTuple):
    """What a training came to on the development part."""

    best: float
    curve: tuple[float, ...]
    """After each epoch, behind what it began with where that was measured, too."""


class Group(NamedTuple):
    """Weights that learn alike."""

    weights: "dict[str, nn.Parameter]"
    decay: float = 0.0
    faster: float = 1.0
    """Their rate, times that of the settings."""


def groups_of(weights: "Mapping[str, nn.Parameter]", decay: float) -> list[Group]:
    """Weights that learn alike; offsets and scales are not drawn to zero."""
    matrices = {name: weight for name, weight in weights.items() if weight.ndim > 1}
    others = {name: weight for name, weight in weights.items() if weight.ndim <= 1}
    return [each for each in (Group(matrices, decay), Group(others)) if each.weights]


class Loop(Generic[S]):
    """One training of groups of weights, by batches of `S`."""

    measured = "nDCG@5"
    """What is measured after each epoch, by its name."""
    may_stay = False
    """Whether the weights before the first step are among those of which the best are kept."""

    def __init__(
        self,
        groups: Sequence[Group],
        stages: Sequence[str],
        settings: LoopSettings,
        measure: Callable[[], float],
        folder: Path,
        key: str,
    ) -> None:
        """Prepare; nothing is computed yet.

        Args:
            groups: what is trained, in place.
            stages: one for each epoch.
            settings: how.
            measure: how good it is on the development part; higher is better.
            folder: where the state is kept. It is read where it was made under the same key.
            key: a digest of whatever else decides the training.
        """
        from torch.optim import AdamW

        self._stages, self._settings, self._measure = stages, settings, measure
        self._learns = {name: each for group in groups for name, each in group.weights.items()}
        self._shares = [group.faster for group in groups]
        made: list[dict[str, object]] = [
            {"params": list(group.weights.values()), "weight_decay": group.decay}
            for group in groups
        ]
        self._optimizer = AdamW(made, settings.rate)
        self._state, self._best = folder / "state.safetensors", folder / "best.safetensors"
        self._key = key_of(key, settings.model_dump_json())

    def run(self, told: Told) -> Reached:
        """Train, and keep the weights of the best epoch of the last stage; what it reached."""
        at = self._begin(told)
        while at.epoch < len(self._stages) and at.since < self._settings.patience:
            at = self._epoch(at, told)
        kept = read_state(self._best, self._key)
        if kept is not None:
            with unchanged(self._best):
                self._put(kept[0])
        return Reached(at.best, at.curve)

    def _begin(self, told: Told) -> At:
        kept = read_state(self._state, self._key)
        if kept is None:
            return self._start(told) if self.may_stay else At()
        tensors, notes = kept
        with unchanged(self._state):
            at = At.of(notes)
            self._put(tensors)
            self._taken_up(tensors)
            put_moments(self._learns, self._optimizer, tensors)
        return at

    def _start(self, told: Told) -> At:
        self._started(told)
        reached = self._measure()
        told(0, len(self._stages), f"before: {self.measured} {reached:.4f} on dev")
        write_state(self._best, self._learns, self._key)
        at = At(best=reached, curve=(reached,))
        self._keep(at)
        return at

    def _put(self, tensors: "dict[str, Tensor]") -> None:
        import torch

        with torch.no_grad():
            for name, weight in self._learns.items():
                weight.copy_(of_size(tensors[name], weight))

    def _keep(self, at: At) -> None:
        kept = {**self._learns, **moments(self._learns, self._optimizer), **self._beside()}
        write_state(self._state, kept, self._key, **at.notes)

    def _epoch(self, at: At, told: Told) -> At:
        """The rest of an epoch, and what is known after it."""
        stage = self._stages[at.epoch]
        first, last = self._stages.index(stage), self._stages.count(stage)
        batches = list(self._batches(stage, at.epoch))
        total = last * len(batches)
        for step in range(at.step, len(batches)):
            done = (at.epoch - first) * len(batches) + step
            self._rate(done, total)
            loss = self._step(batches[step])
            told(done + 1, total, f"{stage}: loss {loss:.2f}")
            if (step + 1) % self._settings.keep == 0 and step + 1 < len(batches):
                self._keep(at._replace(step=step + 1))
        at = self._measured(at, stage, told)
        self._keep(at)
        return at

    def _measured(self, at: At, stage: str, told: Told) -> At:
        """An earlier stage is not ended early: what it reaches says little of the last one."""
        reached = self._measure()
        at = at._replace(epoch=at.epoch + 1, step=0, curve=(*at.curve, reached))
        said = f"{self.measured} {reached:.4f}"
        told(at.epoch, len(self._stages), f"epoch {at.epoch}, {stage}: {said} on dev")
        if stage != self._stages[-1]:
            return at
        if reached > at.best:
            write_state(self._best, self._learns, self._key)
            return at._replace(best=reached, since=0)
        return at._replace(since=at.since + 1)

    def _step(self, batch: Sequence[S]) -> float:
        """One change of the weights; the loss before it."""
        from torch.nn.utils import clip_grad_norm_

        self._optimizer.zero_grad()
        whole = 0.0
        for start in range(0, len(batch), self._settings.micro):
            part = batch[start : start + self._settings.micro]
            loss = self._loss(part) * (len(part) / len(batch))
            loss.backward()  # type: ignore[no-untyped-call]
            whole += float(loss.detach())
        clip_grad_norm_(self._learns.values(), 1.0)
        self._optimizer.step()
        return whole

    @abstractmethod
    def _loss(self, part: Sequence[S]) -> "Tensor":
        """Of some samples, with gradients."""

    @abstractmethod
    def _batches(self, stage: str, epoch: int) -> Iterator[list[S]]:
        """Of one epoch."""

    def _started(self, told: Told) -> None:
        """What is needed before the first step."""

    def _beside(self) -> "Mapping[str, Tensor]":
        """What is kept beside the weights."""
        return {}

    def _taken_up(self, tensors: "Mapping[str, Tensor]") -> None:
        """Go on with what `_beside` gave."""

    def _rate(self, step: int, total: int) -> None:
        """Up to the full rate, and down along a cosine."""
        warm = min(1.0, (step + 1) / max(1, round(total * self._settings.warm_up)))
        least = self._settings.least
        share = warm * (least + (1 - least) * (1 + math.cos(math.pi * step / total)) / 2)
        for group, own in zip(self._optimizer.param_groups, self._shares, strict=True):
            group["lr"] = self._settings.rate * own * share


def batches(
    samples: Iterable[S],
    size: int,
    drawn: Random,
    length: Callable[[S], int],
    apart: int = 4,
) -> Iterator[list[S]]:
    """Samples of like length together, in an order that `drawn` decides.

    They differ in length by up to `apart` tokens for chance's sake: batches are to change.
    """
    found = sorted(samples, key=lambda each: length(each) + drawn.random() * apart)
    made = [found[start : start + size] for start in range(0, len(found), size)]
    drawn.shuffle(made)
    yield from made
