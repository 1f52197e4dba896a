"""The loop of ToolGen: rows of tools learn beside the base, and its first two stages."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor, nn

from gretel.nodes.retrieve.artifact.tuning import faster
from gretel.nodes.retrieve.toolgen.decoding import NEVER
from gretel.nodes.retrieve.toolgen.model import ToolModel
from gretel.training.language.loop import body
from gretel.training.loop import Group, Loop, batches
from gretel.training.toolgen.samples import Sample, Samples
from gretel.training.toolgen.settings import Settings, Stage

S = TypeVar("S")


class RowsLoop(Loop[S]):
    """One training of a model's rows and upper layers."""

    _settings: Settings

    def __init__(
        self,
        model: ToolModel,
        stages: Sequence[Stage],
        settings: Settings,
        measure: Callable[[ToolModel], float],
        folder: Path,
        key: str,
    ) -> None:
        """Prepare; see `Loop`."""
        self._model = model
        learnt = ("out", "into", "bias") if model.base.has_bias else ("out", "into")
        parameters = {name: nn.Parameter(getattr(model.rows, name)) for name in learnt}
        groups = body(model.base, settings)
        model.extension.rows = replace(model.rows, **parameters)
        rows = {f"rows/{name}": value for name, value in parameters.items()}
        groups.append(Group(rows, faster=settings.faster_rows))
        super().__init__(groups, stages, settings, lambda: measure(model), folder, key)


class ToolLoop(RowsLoop[Sample]):
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

    def _batches(self, stage: str, epoch: int) -> Iterator[list[Sample]]:
        """Documents, or requests."""
        samples, size = self._samples, self._settings.batch
        found = samples.documents() if stage == "memorize" else samples.requests(epoch)
        drawn = random.Random(f"{self._settings.seed} {epoch} order")
        return batches(found, size, drawn, lambda each: len(self._prompts[each.text]))
