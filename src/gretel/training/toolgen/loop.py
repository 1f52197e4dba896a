"""The training loop of all stages, which another process may go on with after a stop."""

import math
import random
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from gretel.nodes.retrieve.artifact.tuning import faster
from gretel.nodes.retrieve.toolgen.base import CausalModel
from gretel.nodes.retrieve.toolgen.decoding import NEVER
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.training.masstool.first import Told
from gretel.training.masstool.resume import key_of, read_state, write_state
from gretel.training.toolgen.lora import adapters
from gretel.training.toolgen.samples import Sample, Samples
from gretel.training.toolgen.settings import Settings, Stage

S = TypeVar("S")

_APART = 4
"""Tokens by which texts of one batch may differ for chance's sake: batches are to change."""
_CLIP = 1.0


class _At(NamedTuple):
    """Where a training stands."""

    epoch: int = 0
    """Of all stages, one behind the other."""
    step: int = 0
    """Within the epoch."""
    since: int = 0
    """Epochs without gain."""
    best: float = -1.0

    @classmethod
    def of(cls, notes: dict[str, str]) -> "_At":
        epoch, step, since = (int(notes[name]) for name in cls._fields[:3])
        return cls(epoch, step, since, float(notes["best"]))

    @property
    def notes(self) -> dict[str, str]:
        return {name: repr(value) for name, value in self._asdict().items()}


class Loop(Generic[S]):
    """One training of a model's rows and upper layers, by batches of `S`."""

    measured = "nDCG@5"
    """What is measured after each epoch, by its name."""

    def __init__(
        self,
        model: ToolModel,
        stages: Sequence[Stage],
        settings: Settings,
        measure: Callable[[ToolModel], float],
        folder: Path,
        key: str,
    ) -> None:
        """Prepare; nothing is computed yet.

        Args:
            model: trained in place.
            stages: one for each epoch.
            settings: how.
            measure: how good it is on the development part; higher is better.
            folder: where the state is kept. It is read where it was made under the same key.
            key: a digest of whatever else decides the training.
        """
        self._model, self._stages, self._settings = model, stages, settings
        self._measure = measure
        body = adapters(model.base) if settings.lora else _tunable(model.base, settings.tuned)
        learnt = ("out", "into", "bias") if model.base.has_bias else ("out", "into")
        parameters = {name: nn.Parameter(getattr(model.rows, name)) for name in learnt}
        model.extension.rows = replace(model.rows, **parameters)
        rows = {f"rows/{name}": value for name, value in parameters.items()}
        self._learns = {**body, **rows}
        self._optimizer = torch.optim.AdamW(_groups(body, rows, settings), settings.rate)
        self._shares = [group["lr"] / settings.rate for group in self._optimizer.param_groups]
        self._state, self._best = folder / "state.safetensors", folder / "best.safetensors"
        self._key = key_of(key, settings.model_dump_json())

    def run(self, told: Told) -> float:
        """Train, and keep the weights of the best epoch of the last stage; what it reached."""
        at = self._begin()
        while at.epoch < len(self._stages) and at.since < self._settings.patience:
            at = self._epoch(at, told)
        kept = read_state(self._best, self._key)
        if kept is not None:
            self._put(kept[0])
        return at.best

    def _begin(self) -> _At:
        kept = read_state(self._state, self._key)
        if kept is None:
            return _At()
        tensors, notes = kept
        self._put(tensors)
        for name, weight in self._learns.items():
            if f"{name}/step" in tensors:
                self._optimizer.state[weight] = {
                    part: tensors[f"{name}/{part}"].to("cpu" if part == "step" else weight.device)
                    for part in ("step", "exp_avg", "exp_avg_sq")
                }
        return _At.of(notes)

    def _put(self, tensors: dict[str, Tensor]) -> None:
        with torch.no_grad():
            for name, weight in self._learns.items():
                weight.copy_(tensors[name])

    def _keep(self, at: _At) -> None:
        moments = {
            f"{name}/{part}": value
            for name, weight in self._learns.items()
            for part, value in self._optimizer.state.get(weight, {}).items()
        }
        write_state(self._state, {**self._learns, **moments}, self._key, **at.notes)

    def _epoch(self, at: _At, told: Told) -> _At:
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

    def _measured(self, at: _At, stage: Stage, told: Told) -> _At:
        """Memorisation is not ended early: what it reaches on requests says little of it."""
        at = at._replace(epoch=at.epoch + 1, step=0)
        reached = self._measure(self._model)
        said = f"{self.measured} {reached:.4f}"
        told(
            at.epoch,
            len(self._stages),
            f"epoch {at.epoch}, {stage}: {said} on dev",
        )
        if stage != self._stages[-1]:
            return at
        if reached > at.best:
            write_state(self._best, self._learns, self._key)
            return at._replace(best=reached, since=0)
        return at._replace(since=at.since + 1)

    def _step(self, batch: Sequence[S]) -> float:
        """One change of the weights; the loss before it."""
        self._optimizer.zero_grad()
        whole = 0.0
        for start in range(0, len(batch), self._settings.micro):
            part = batch[start : start + self._settings.micro]
            loss = self._loss(part) * (len(part) / len(batch))
            loss.backward()  # type: ignore[no-untyped-call]
            whole += float(loss.detach())
        nn.utils.clip_grad_norm_(self._learns.values(), _CLIP)
        self._optimizer.step()
        return whole

    @abstractmethod
    def _loss(self, part: Sequence[S]) -> Tensor:
        """Of some samples, with gradients."""

    @abstractmethod
    def _batches(self, stage: Stage, epoch: int) -> Iterator[list[S]]:
        """Of one epoch."""

    def _rate(self, step: int, total: int) -> None:
        """Up to the full rate, and down along a cosine."""
        warm = min(1.0, (step + 1) / max(1, round(total * self._settings.warm_up)))
        least = self._settings.least
        share = warm * (least + (1 - least) * (1 + math.cos(math.pi * step / total)) / 2)
        for group, own in zip(self._optimizer.param_groups, self._shares, strict=True):
            group["lr"] = self._settings.rate * own * share


class ToolLoop(Loop[Sample]):
    """The first two stages: a tool behind a document or a request."""

    def __init__(
        self,
        model: ToolModel,
        samples: Samples,
        settings: Settings,
        measure: Callable[[ToolModel], float],
        folder: Path,
        key: str,
    ) -> None:
        """Prepare; see `Loop`."""
        epochs: Mapping[Stage, int] = {
            "memorize": settings.memorize_epochs,
            "retrieve": settings.epochs,
        }
        stages = [
            stage for stage, n in epochs.items() if stage in settings.stages for _ in range(n)
        ]
        super().__init__(model, stages, settings, measure, folder, key)
        self._samples = samples
        self._prompts = model.base.prompts(samples.texts)

    def _loss(self, part: Sequence[Sample]) -> Tensor:
        base = self._model.base
        prompts = [
            [*self._prompts[each.text], *(base.vocabulary + slot for slot in each.before)]
            for each in part
        ]
        with faster(base.device):
            scores = self._model.forward(prompts).scores.float()
        wrong = torch.ones(scores.shape, dtype=torch.bool)
        target = torch.zeros(scores.shape)
        for row, sample in enumerate(part):
            wrong[row, list(self._samples.permitted(sample))] = False
            target[row, list(sample.target)] = 1 / len(sample.target)
        believed = scores.masked_fill(wrong.to(scores.device), NEVER).log_softmax(1)
        return -(target.to(scores.device) * believed).sum(1).mean()

    def _batches(self, stage: Stage, epoch: int) -> Iterator[list[Sample]]:
        """Texts of like length together, in an order of their own each epoch."""
        samples, size = self._samples, self._settings.batch
        found = samples.documents() if stage == "memorize" else samples.requests(epoch)
        drawn = random.Random(f"{self._settings.seed} {epoch} order")
        found.sort(key=lambda each: len(self._prompts[each.text]) + drawn.random() * _APART)
        batches = [found[start : start + size] for start in range(0, len(found), size)]
        drawn.shuffle(batches)
        yield from batches


def _tunable(base: CausalModel, share: float) -> dict[str, nn.Parameter]:
    """The weights of the upper layers and of what stands above them; the others stay.

    The head's own take no part in what is learnt. Modules stand in the order in which they were
    made, so that what is below the layers comes before them.
    """
    every = dict(base.weights.known)
    head = base.model.get_output_embeddings()
    chosen = {name: weight for name, weight in every.items() if weight is not head.weight}
    if share < 1:
        upper = base.layers[len(base.layers) - round(len(base.layers) * share) :]
        own = {id(weight) for layer in upper for weight in layer.parameters()}
        within = {id(weight) for layer in base.layers for weight in layer.parameters()}
        names = list(every)
        top = max((n for n, name in enumerate(names) if id(every[name]) in within), default=-1)
        above = set(names[top + 1 :])
        chosen = {n: each for n, each in chosen.items() if id(each) in own or n in above}
    for weight in every.values():
        weight.requires_grad = any(weight is each for each in chosen.values())
    return chosen


def _groups(
    body: dict[str, nn.Parameter], rows: dict[str, nn.Parameter], settings: Settings
) -> list[dict[str, object]]:
    """Offsets and scales are not drawn to zero, and rows of tools neither."""
    rate = settings.rate
    matrices = [weight for weight in body.values() if weight.ndim > 1]
    others = [weight for weight in body.values() if weight.ndim <= 1]
    groups: list[dict[str, object]] = [
        {"params": matrices, "weight_decay": settings.decay, "lr": rate},
        {"params": others, "weight_decay": 0.0, "lr": rate},
        {"params": list(rows.values()), "weight_decay": 0.0, "lr": rate * settings.faster_rows},
    ]
    return [group for group in groups if group["params"]]
